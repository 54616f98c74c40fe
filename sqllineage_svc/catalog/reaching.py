"""How far back answers reach from a cut on: what a dataset holds was read from what others held before.

A walk goes by read time, so it meets of each dataset what stood from some moment on. That moment is found here for
all datasets and all walks together, and what ended before it is of no answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.interning import in_pieces


class Stood(NamedTuple):
    """What reaching back asks of a contribution; see `folding.Contribution`."""

    dataset: int
    payload: int
    via: int
    valid_from: int
    valid_to: int
    read_from: int
    live: bool


NO_NAMES: Mapping[int, Collection[int]] = {}
Sources = Mapping[tuple[int, int], Iterable[int]]
"""The datasets that a payload reads for one that it names."""


def reach(
    stood: Iterable[Stood],
    sources: Sources,
    horizon: int,
    read: Mapping[int, int],
    same: Mapping[int, Collection[int]] = NO_NAMES,
) -> dict[int, int]:
    """From which moment on what a dataset held matters; of those that are not named, from the `horizon` on.

    `read` says of some datasets that they were read from a moment on, whatever came of it; `same` which are names
    of one.
    """
    found = _Reach(horizon, same)
    for one in stood:
        found.held[one.dataset].append(one)
    for some in found.held.values():
        some.sort(key=lambda one: one.valid_to, reverse=True)
    for dataset, at in read.items():
        found.lower(dataset, at)
    found.waiting.update(found.held)
    while found.waiting:
        dataset = found.waiting.pop()
        for one in found.from_now_on(dataset):
            for source in sources.get((one.payload, one.via), ()):
                found.lower(source, found.start(dataset) if one.live else one.read_from)
    return found.starts


@dataclass(slots=True)
class _Reach:
    horizon: int
    same: Mapping[int, Collection[int]]
    starts: dict[int, int] = field(default_factory=dict)
    held: dict[int, list[Stood]] = field(default_factory=lambda: defaultdict(list))
    waiting: set[int] = field(default_factory=set)
    _met: dict[int, int] = field(default_factory=dict)
    _live: dict[int, list[Stood]] = field(default_factory=lambda: defaultdict(list))

    def start(self, dataset: int) -> int:
        return self.starts.get(dataset, self.horizon)

    def lower(self, dataset: int, at: int) -> None:
        for one in (dataset, *self.same.get(dataset, ())):
            if at < self.start(one):
                self.starts[one] = at
                self.waiting.add(one)

    def from_now_on(self, dataset: int) -> Iterator[Stood]:
        """What matters of a dataset since it was asked last: of what is read through, all of it again."""
        yield from self._live[dataset]
        some, at = self.held.get(dataset, []), self._met.get(dataset, 0)
        while at < len(some) and some[at].valid_to > self.start(dataset):
            if some[at].live:
                self._live[dataset].append(some[at])
            yield some[at]
            at += 1
        self._met[dataset] = at


def forget_unreachable(connection: Connection, horizon: int, read: Mapping[int, int]) -> None:
    """Delete the contributions that no answer needs, of those that stood up to the cut."""
    stood = list(_stood(connection))
    sources = _sources(connection, {one.payload for one in stood})
    starts = reach(stood, sources, horizon, read, _same(connection))
    table = tables.contribution.c
    ended = delete(tables.contribution).where(
        table.dataset_id == bindparam("dataset"), table.valid_to <= bindparam("start")
    )
    gone = {
        one.dataset: starts.get(one.dataset, horizon)
        for one in stood
        if one.valid_to <= starts.get(one.dataset, horizon)
    }
    if gone:
        connection.execute(ended, [{"dataset": dataset, "start": start} for dataset, start in gone.items()])


def _stood(connection: Connection) -> Iterator[Stood]:
    table = tables.contribution.c
    columns = [table.dataset_id, table.payload_id, table.via_id, table.valid_from, table.valid_to]
    rows = connection.execute(select(*columns, table.read_from, table.live))
    return map(Stood._make, rows)


def _same(connection: Connection) -> Mapping[int, Collection[int]]:
    """All other names of each dataset that has some."""
    found: dict[int, set[int]] = defaultdict(set)
    table = tables.identity.c
    for one, other in connection.execute(select(table.dataset_id, table.other_id)):
        found[one].add(other)
    return found


def _sources(connection: Connection, payloads: Iterable[int]) -> Sources:
    link = tables.link.c
    found: dict[tuple[int, int], list[int]] = defaultdict(list)
    for piece in in_pieces(payloads):
        rows = connection.execute(
            select(link.payload_id, link.target_dataset_id, link.source_dataset_id).where(
                link.payload_id.in_(piece)
            )
        )
        for payload, target, source in rows:
            found[payload, target].append(source)
    return found
