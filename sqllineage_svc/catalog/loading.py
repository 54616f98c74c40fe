"""Events in: kept first, then everything that they change is derived anew.

The same event twice changes nothing, and the order in which events come decides nothing: a run is always made
of all its events in the order of their times.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import islice
from time import time_ns

from sqlalchemy import Connection, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.arriving import QUARANTINED, RUN_EVENT, Arrival, arrive
from sqllineage_svc.catalog.deriving import derive
from sqllineage_svc.catalog.interning import in_pieces
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.rebuilding import events_of_recorded
from sqllineage_svc.catalog.ruling import take_rules
from sqllineage_svc.catalog.snapshots import set_aside_late

_BATCH = 500
_ANOTHER = (
    "these names have a rule from another moment on, which stays; sqllin catalog unmerge takes it back",
)


@dataclass(slots=True)
class LoadReport:
    """What became of the events of a load, and of the `rules` about names among them, of which `new_rules` are new.

    `faulty` were kept and count, but for what `faults` say of them; `quarantined` are kept and count for
    nothing. Both come with the position of the event, 1-based, in what was loaded.
    """

    read: int = 0
    new: int = 0
    redacted: int = 0
    rules: int = 0
    new_rules: int = 0
    faulty: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    quarantined: list[tuple[int, str]] = field(default_factory=list)

    @property
    def known(self) -> int:
        """How many were there already."""
        return self.read - self.new


def load(catalog: Catalog, events: Iterable[bytes], batch: int = _BATCH) -> LoadReport:
    """Load events, each the bytes of one JSON document; each batch counts as a whole or not at all."""
    report = LoadReport()
    for piece in _pieces(events, batch):
        received = time_ns() // 1000
        arrivals = [arrive(raw, received) for raw in piece]
        with catalog.writing() as connection:
            arrivals = set_aside_late(connection, arrivals)
            new = take_in(connection, [one for one in arrivals if one.rule is None], received)
            taken = take_rules(connection, [one.rule for one in arrivals if one.rule is not None])
        report.new_rules += taken.new
        arrivals = [
            replace(one, faults=_ANOTHER) if one.rule in taken.contradicting else one for one in arrivals
        ]
        _count(report, arrivals, new)
    return report


def take_in(connection: Connection, arrivals: Sequence[Arrival], received: int) -> Set[bytes]:
    """Keep events and derive what they change; the hashes of those that were not there.

    A run that was recorded and now has events of others sends its own too, so that they add up.
    """
    new = _keep(connection, arrivals, received)
    of_runs = {arrival.subject for arrival in new.values() if arrival.kind == RUN_EVENT}
    own = [arrive(raw, received) for raw in events_of_recorded(connection, of_runs)]
    derive(connection, {**_keep(connection, own, received), **new}.values())
    return new.keys()


def _pieces(events: Iterable[bytes], size: int) -> Iterator[list[bytes]]:
    iterator = iter(events)
    while piece := list(islice(iterator, size)):
        yield piece


def _keep(connection: Connection, arrivals: Sequence[Arrival], received: int) -> dict[bytes, Arrival]:
    """Keep the events; those that were not there, each once, by their hashes."""
    column = tables.event.c.hash
    there: set[bytes] = set()
    for piece in in_pieces({arrival.hash for arrival in arrivals}):
        there.update(connection.scalars(select(column).where(column.in_(piece))))
    new = {arrival.hash: arrival for arrival in arrivals if arrival.hash not in there}
    rows = [
        {
            "hash": arrival.hash,
            "subject": arrival.subject,
            "kind": arrival.kind,
            "event_time": arrival.event_time,
            "received_at": received,
            "redacted": arrival.redacted,
            "faults": json.dumps(arrival.faults),
            "payload": arrival.payload,
        }
        for arrival in new.values()
    ]
    if rows:
        connection.execute(tables.event.insert(), rows)
    return new


def _count(report: LoadReport, arrivals: Sequence[Arrival], new: Iterable[bytes]) -> None:
    fresh = set(new)
    for position, arrival in enumerate(arrivals, report.read + report.rules + 1):
        report.redacted += arrival.redacted
        if arrival.kind == QUARANTINED:
            report.quarantined.append((position, arrival.faults[0]))
        elif arrival.faults:
            report.faulty.append((position, arrival.faults))
        if arrival.hash in fresh:
            fresh.remove(arrival.hash)
            report.new += 1
    rules = sum(arrival.rule is not None for arrival in arrivals)
    report.rules += rules
    report.read += len(arrivals) - rules
