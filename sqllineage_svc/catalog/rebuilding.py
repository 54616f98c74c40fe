"""The events of a run: as they came, or of a recorded run as it would have sent them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.arriving import RUN_EVENT
from sqllineage_svc.catalog.ids import run_id
from sqllineage_svc.catalog.interning import in_pieces
from sqllineage_svc.catalog.moments import moment_of
from sqllineage_svc.catalog.origins import FROM_TRACES
from sqllineage_svc.catalog.versions import version_id
from sqllineage_svc.openlineage.incoming import RunState
from sqllineage_svc.openlineage.template import OneRun, events_of_run


def events_of(connection: Connection, run: str) -> list[bytes]:
    """The events of a run by its id, in the order of their times; none where it is not known.

    Those of a recorded run are made now: its START, and the event that ended it.
    """
    event = tables.event.c
    kept = connection.scalars(
        select(event.payload)
        .where(event.subject == run_id(run), event.kind == RUN_EVENT)
        .order_by(event.event_time, event.hash)
    ).all()
    if kept:
        return [zlib.decompress(payload) for payload in kept]
    return events_of_recorded(connection, [run_id(run)])


def events_of_recorded(connection: Connection, runs: Iterable[int]) -> list[bytes]:
    """The events that those of the runs would have sent that are recorded."""
    run, version = tables.run.c, tables.job_version.c
    made: list[bytes] = []
    for piece in in_pieces(runs):
        recorded = select(tables.run).where(run.id.in_(piece), run.origin == FROM_TRACES)
        rows = connection.execute(recorded.order_by(run.id)).mappings().all()
        ids = {version_id(row["job_id"], row["payload_id"], row["text_id"]) for row in rows}
        kept = connection.execute(select(version.id, version.template).where(version.id.in_(ids)))
        templates = dict(kept.all())
        for row in rows:
            template = templates[version_id(row["job_id"], row["payload_id"], row["text_id"])]
            made += rebuilt(template, dict(row))
    return made


def rebuilt(template: bytes, run: Mapping[str, Any]) -> list[bytes]:
    """The events that a recorded run would have sent, from its version's template and its row."""
    known = json.loads(zlib.decompress(template))
    events = events_of_run(known, _one_run(run))
    return [json.dumps(event, sort_keys=True).encode() for event in events]


def _one_run(run: Mapping[str, Any]) -> OneRun:
    facts = json.loads(run["facts"])
    return OneRun(
        run["run_id"],
        RunState(run["state"]),
        moment_of(run["started_at"]),
        moment_of(run["ended_at"]),
        facts.get("user"),
        run["query_id"],
        facts.get("rows"),
        facts.get("error"),
    )
