"""What the catalog keeps, to be loaded elsewhere: into an empty catalog it gives the same one.

That is the events, recorded runs as the events that they would have sent, and users' rules about names.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.arriving import QUARANTINED, as_line
from sqllineage_svc.catalog.merging import rules
from sqllineage_svc.catalog.origins import FROM_TRACES
from sqllineage_svc.catalog.rebuilding import events_of_recorded
from sqllineage_svc.catalog.rules import rule_line

_PIECE = 500


def count_exported(connection: Connection, valid: bool = False) -> int:
    """How many lines `export` gives."""
    query = select(func.count()).select_from(tables.event)
    kept = connection.scalar(query.where(tables.event.c.kind != QUARANTINED) if valid else query) or 0
    recorded = select(func.count()).where(tables.run.c.origin == FROM_TRACES)
    return kept + 2 * (connection.scalar(recorded) or 0) + len(rules(connection))


def export(connection: Connection, valid: bool = False) -> Iterator[bytes]:
    """The events, each on a line without its end, in the order of their times; last recorded runs, then rules.

    They are as they came, but that no secret and no line's end is in them. `valid`: without those in quarantine.
    """
    event = tables.event.c
    query = select(event.payload).order_by(event.event_time, event.hash)
    if valid:
        query = query.where(event.kind != QUARANTINED)
    for payload in connection.scalars(query.execution_options(yield_per=_PIECE)):
        yield as_line(zlib.decompress(payload))
    run = tables.run.c
    recorded = select(run.id).where(run.origin == FROM_TRACES).order_by(run.at, run.id)
    ids = connection.scalars(recorded.execution_options(yield_per=_PIECE))
    for piece in ids.partitions(_PIECE):
        yield from map(as_line, events_of_recorded(connection, piece))
    yield from map(rule_line, rules(connection))
