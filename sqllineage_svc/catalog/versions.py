"""What traces of ours have seen a job do: one version of it for any number of runs.

A version is kept as a template, an event without what is of one run alone, and everything else is derived
from that as it is from events. So a recorded run and one that came as events are the same run.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, select, update

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.cleaning import clean_json
from sqllineage_svc.catalog.counting import DAY, exchange_readings
from sqllineage_svc.catalog.deriving import Derived, Names, derive_run
from sqllineage_svc.catalog.ids import identify
from sqllineage_svc.catalog.interning import in_pieces, intern_payloads, shortened
from sqllineage_svc.catalog.origins import FROM_TRACES
from sqllineage_svc.errors import InvalidEvent
from sqllineage_svc.openlineage.incoming import EventKind, IncomingEvent, RunState
from sqllineage_svc.openlineage.reading import read_event
from sqllineage_svc.openlineage.template import template_of


@dataclass(frozen=True, slots=True)
class JobVersion:
    """A job with one text and what it does; made by `version_of`.

    `template` is compressed, `event` what it says, `derived` a run made of it.
    """

    id: int
    derived: Derived
    event: IncomingEvent
    template: bytes


def version_of(event: bytes) -> JobVersion:
    """The version of its job that a run event shows, of whatever run it is; secrets are cut out.

    Raises InvalidEvent where it is no run event.
    """
    content = json.loads(clean_json(event))
    seen = read_event(content)
    if seen.kind is not EventKind.RUN:
        raise InvalidEvent(f"a {seen.kind.value} says nothing of a job that has run")
    return _read(json.dumps(template_of(content), sort_keys=True, separators=(",", ":")).encode())


def read_version(template: bytes) -> JobVersion:
    """The version that is kept so."""
    return _read(zlib.decompress(template))


def version_id(job: int, payload: int, text: int | None) -> int:
    """The id of the version that has these."""
    return identify("version", str(job), str(payload), str(text))


def _read(content: bytes) -> JobVersion:
    event = read_event(json.loads(content))
    derived = derive_run(0, [event])
    row = derived.row
    id_ = version_id(row["job_id"], row["payload_id"], row["text_id"])
    return JobVersion(id_, derived, event, zlib.compress(content))


def keep_versions(connection: Connection, versions: Iterable[JobVersion]) -> None:
    """Keep those versions that are not there yet, with everything that they name.

    Of two that differ only in what nothing is derived from, the lesser template stays, whichever came first.
    """
    wanted: dict[int, JobVersion] = {}
    for version in versions:
        known = wanted.setdefault(version.id, version)
        if version.template < known.template:
            wanted[version.id] = version
    table = tables.job_version
    there: dict[int, bytes] = {}
    for piece in in_pieces(wanted):
        rows = connection.execute(select(table.c.id, table.c.template).where(table.c.id.in_(piece)))
        there.update(dict(rows.all()))
    _insert(connection, [one for one in wanted.values() if one.id not in there])
    lesser = [one for one in wanted.values() if one.template < there.get(one.id, b"")]
    if lesser:
        respelt = update(table).where(table.c.id == bindparam("version")).values(template=bindparam("said"))
        connection.execute(respelt, [{"version": one.id, "said": one.template} for one in lesser])


def renew_versions(connection: Connection) -> None:
    """Derive all versions anew from their templates, with everything that they name; their runs follow them.

    Payloads that are of no run stay away.
    """
    run, table = tables.run.c, tables.job_version
    rows = connection.execute(select(table)).all()
    versions = [read_version(row.template) for row in rows]
    connection.execute(delete(table))
    keep_versions(connection, versions)
    for row, version in zip(rows, versions, strict=True):
        if version.id != row.id:
            same = (run.job_id == row.job_id, run.payload_id == row.payload_id, run.origin == FROM_TRACES)
            moved = update(tables.run).where(*same, run.text_id.is_not_distinct_from(row.text_id))
            connection.execute(moved.values(_of_run(version)))
    used = set(connection.scalars(select(run.payload_id).distinct()))
    payloads = (version.derived.payload for version in versions)
    intern_payloads(connection, (payload for payload in payloads if payload.id in used))
    for version in versions:
        _renew_readings(connection, version)


def _renew_readings(connection: Connection, version: JobVersion) -> None:
    """Count the recorded runs of a version that only reads anew."""
    reading, run = version.derived.reading, tables.run.c
    if reading is None:
        return
    same = (
        run.job_id == reading["job_id"],
        run.payload_id == reading["payload_id"],
        run.origin == FROM_TRACES,
    )
    done = (run.text_id == reading["text_id"], run.state == RunState.COMPLETE.value)
    runs = connection.execute(select(run.id, run.at, run.facts).where(*same, *done))
    rows = [
        {
            **reading,
            "id": id_,
            "at": at,
            "day": at // DAY,
            "user": shortened(json.loads(facts).get("user") or ""),
        }
        for id_, at, facts in runs
    ]
    exchange_readings(connection, [row["id"] for row in rows], rows)


def _insert(connection: Connection, versions: Iterable[JobVersion]) -> None:
    """Keep versions that are not there, with everything that they name."""
    names = Names()
    rows = []
    for version in versions:
        names.add(version.event, version.derived.payload)
        rows.append({"id": version.id, **_of_run(version), "template": version.template})
    names.insert(connection)
    if rows:
        connection.execute(tables.job_version.insert(), rows)


def _of_run(version: JobVersion) -> dict[str, int | None]:
    """What tells a version by, in its own row and in those of its runs."""
    return {name: version.derived.row[name] for name in ("job_id", "payload_id", "text_id")}
