"""The several names of one dataset, when each of them holds, and the one that is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect, Select, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.among import Asking, among
from sqllineage_svc.catalog.identities import shown_first
from sqllineage_svc.catalog.nodes import ColumnNames, Node, names_of_datasets


class Alias(NamedTuple):
    """Another name of a dataset, from a moment until before another."""

    other: int
    valid_from: int
    valid_to: int


_SAME = tables.identity.c
_SOME = select(_SAME.dataset_id).limit(1)


def _of(dialect: Dialect) -> Select[*tuple[Any, ...]]:
    columns = (_SAME.dataset_id, _SAME.other_id, _SAME.valid_from, _SAME.valid_to)
    return select(*columns).where(among(_SAME.dataset_id, dialect))


_ALIASES = Asking(_of)


def aliases_of(connection: Connection, datasets: Iterable[int]) -> dict[int, list[Alias]]:
    """The other names of those datasets that have some."""
    found: dict[int, list[Alias]] = {}
    for dataset, *alias in _ALIASES.rows(connection, datasets):
        found.setdefault(dataset, []).append(Alias(*alias))
    return found


class Aliases:
    """The other names of datasets; each dataset is asked for once."""

    def __init__(self, connection: Connection, names: ColumnNames) -> None:
        self._connection = connection
        self._names = names
        self._known: dict[int, list[Alias]] = {}
        self._any = connection.execute(_SOME).first() is not None

    def __bool__(self) -> bool:
        """Has any dataset of the catalog several names?"""
        return self._any

    def _load(self, datasets: Iterable[int]) -> None:
        missing = {dataset for dataset in datasets if dataset not in self._known}
        if not missing or not self._any:
            return
        self._known.update((dataset, []) for dataset in missing)
        self._known.update(aliases_of(self._connection, missing))

    def of(self, nodes: Iterable[tuple[Node, int, int]]) -> Iterator[tuple[Node, Node, int, int]]:
        """Each node, given with when it counts, and what it also is, with when it is that while it counts."""
        wanted = list(nodes)
        self._load({node.dataset for node, _, _ in wanted})
        named = [one for one in wanted if self._known[one[0].dataset]]
        self._names.load(node for node, _, _ in named)
        for node, start, end in named:
            for other, valid_from, valid_to in self._known[node.dataset]:
                begins, ends = max(start, valid_from), min(end, valid_to - 1)
                also = self._under(other, node)
                if begins <= ends and also is not None:
                    yield node, also, begins, ends

    def _under(self, dataset: int, node: Node) -> Node | None:
        """The node under another name; None of a column that nobody has named."""
        if node.whole:
            return Node.of(dataset)
        name = self._names.get(node.id)
        return Node.of(dataset, name) if name is not None else None

    def shown(self, nodes: Mapping[Node, int]) -> dict[Node, Node]:
        """Each node, given with a moment, under the name that its dataset is shown by then."""
        firsts = self._firsts({(node.dataset, at) for node, at in nodes.items()})
        moved = {node: firsts[node.dataset, at] for node, at in nodes.items()}
        self._names.load(node for node, first in moved.items() if first != node.dataset)
        return {
            node: node if first == node.dataset else self._under(first, node) or node
            for node, first in moved.items()
        }

    def members(self, datasets: Iterable[int]) -> set[int]:
        """The datasets and all that they ever were too."""
        wanted = set(datasets)
        self._load(wanted)
        return wanted | {alias.other for one in wanted for alias in self._known.get(one, ())}

    def at(self, datasets: Iterable[int], at: int) -> dict[int, list[int]]:
        """Of each dataset what else it is at a moment."""
        wanted = set(datasets)
        self._load(wanted)
        return {dataset: self._others(dataset, at) for dataset in wanted}

    def first(self, datasets: Iterable[int], at: int) -> dict[int, int]:
        """Of each dataset the one by whose name it is shown at a moment."""
        firsts = self._firsts({(dataset, at) for dataset in datasets})
        return {dataset: first for (dataset, _), first in firsts.items()}

    def _firsts(self, wanted: Set[tuple[int, int]]) -> dict[tuple[int, int], int]:
        self._load({dataset for dataset, _ in wanted})
        members = {(dataset, at): [dataset, *self._others(dataset, at)] for dataset, at in wanted}
        several = {one for some in members.values() if len(some) > 1 for one in some}
        names = names_of_datasets(self._connection, several)
        return {
            key: min(some, key=lambda one: shown_first(names[one])) if len(some) > 1 else key[0]
            for key, some in members.items()
        }

    def _others(self, dataset: int, at: int) -> list[int]:
        return [one.other for one in self._known.get(dataset, ()) if one.valid_from <= at < one.valid_to]
