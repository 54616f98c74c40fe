"""The events that the catalog keeps, to be loaded elsewhere: into an empty catalog they give the same one.

`export` is the one place where what is a fact but no event, as runs that traces recorded, is to join them in the
order of time.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.arriving import QUARANTINED, as_line

_PIECE = 500


def count_exported(connection: Connection, valid: bool = False) -> int:
    """How many events `export` gives."""
    query = select(func.count()).select_from(tables.event)
    return connection.scalar(query.where(tables.event.c.kind != QUARANTINED) if valid else query) or 0


def export(connection: Connection, valid: bool = False) -> Iterator[bytes]:
    """The events, each on a line without its end, in the order of their times.

    They are as they came, but that no secret and no line's end is in them. `valid`: without those in quarantine.
    """
    event = tables.event.c
    query = select(event.payload).order_by(event.event_time, event.hash)
    if valid:
        query = query.where(event.kind != QUARANTINED)
    for payload in connection.scalars(query.execution_options(yield_per=_PIECE)):
        yield as_line(zlib.decompress(payload))
