"""The events that are kept, as they came but for their secrets."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass

from sqlalchemy import Connection, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.arriving import QUARANTINED
from sqllineage_svc.openlineage.incoming import EventKind


@dataclass(frozen=True, slots=True)
class KeptEvent:
    """An event: its id (32 hexadecimal digits), when it happened and came, and what could not be read of it.

    `kind` is None in quarantine; `faults` then say why.
    """

    id: str
    at: int
    received_at: int
    kind: EventKind | None
    redacted: bool
    faults: tuple[str, ...]


def list_events(connection: Connection, limit: int, faulty: bool = False) -> list[KeptEvent]:
    """The last events, newest first; `faulty`: those alone of which something could not be read."""
    event = tables.event.c
    query = select(
        event.hash, event.event_time, event.received_at, event.kind, event.redacted, event.faults
    ).order_by(event.event_time.desc(), event.hash)
    if faulty:
        query = query.where(event.faults != "[]")
    return [
        KeptEvent(hash_.hex(), at, came, _kind(kind), redacted, tuple(json.loads(faults)))
        for hash_, at, came, kind, redacted, faults in connection.execute(query.limit(limit))
    ]


def _kind(number: int) -> EventKind | None:
    return None if number == QUARANTINED else list(EventKind)[number]


def get_event(connection: Connection, id_: str) -> bytes | None:
    """The bytes of an event; None where there is none of this id."""
    try:
        hash_ = bytes.fromhex(id_)
    except ValueError:
        return None
    payload = connection.scalar(select(tables.event.c.payload).where(tables.event.c.hash == hash_))
    return zlib.decompress(payload) if payload is not None else None
