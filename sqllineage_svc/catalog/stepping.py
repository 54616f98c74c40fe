"""One hop of a walk through the graph at a moment, for many nodes at once.

Ids stand for nodes here, and plain tuples for what is found: a walk takes many thousands of these steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

from sqlalchemy import ColumnElement, Connection, Dialect, Select, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.altering import Alters
from sqllineage_svc.catalog.among import Asking, among, held_of
from sqllineage_svc.catalog.holding import Held, Holdings
from sqllineage_svc.catalog.ids import column_id
from sqllineage_svc.catalog.nodes import ColumnNames, Node
from sqllineage_svc.catalog.ways import INFLUENCE, VALUE


class Hop(NamedTuple):
    """An edge that was walked, between ids of nodes, with the contribution that it is part of."""

    source: int
    target: int
    way: int
    expression: int | None
    held: Held


Step = tuple[int, int, int, int, int, int, bool, int | None, Held]
"""From which node of the frontier, to which node, of which dataset, and in which way; from when until when that one
counts, does it hold at the moment, the edge's expression and the contribution."""


class Edge(NamedTuple):
    """An edge of a payload; `source` and `target` are ids of columns, or of datasets as wholes."""

    payload: int
    source: int
    target: int
    way: int
    source_dataset: int
    target_dataset: int
    expression: int | None


_EDGE_COLUMNS = {name: name if name == "way" else f"{name}_id" for name in Edge._fields}

Frontier = Mapping[int, tuple[int, int]]
"""The nodes to go on from, each with the time in which it counts."""


def _edges_of(end: str, dialect: Dialect) -> Select[*tuple[Any, ...]]:
    edge = tables.edge.c
    columns: list[ColumnElement[Any]] = [edge[_EDGE_COLUMNS[name]] for name in Edge._fields]
    return select(*columns).where(among(edge[f"{end}_id"], dialect))


def _links_of(end: str, dialect: Dialect) -> Select[*tuple[Any, ...]]:
    return select(tables.link).where(among(tables.link.c[f"{end}_dataset_id"], dialect))


_ENDS = ("source", "target")
_EDGES = {end: Asking(partial(_edges_of, end)) for end in _ENDS}
_LINKS = {end: Asking(partial(_links_of, end)) for end in _ENDS}
_WITH_EDGES = Asking(partial(held_of, tables.edge.c.source_id))
_WITH_LINKS = Asking(partial(held_of, tables.link.c.source_dataset_id))


class Direction:
    """Upstream or downstream, as of a moment; `dataset_of` has the dataset of each node that was met.

    `against`: its steps lead from an edge's target to its source.
    """

    END = ""
    against = False

    def __init__(self, connection: Connection, at: int, names: ColumnNames) -> None:
        self.at = at
        self.dataset_of: dict[int, int] = {}
        self._connection = connection
        self._names = names
        self._holdings = Holdings(connection, at)
        self._alters = Alters(connection, at)

    def step(self, frontier: Frontier) -> Iterator[Step]:
        """The hops from the nodes of the frontier."""
        raise NotImplementedError

    def leading_on(self, frontier: Frontier) -> set[int]:
        """The nodes from which a walk may go on."""
        return {step[0] for step in self.step(frontier)}

    def _edges_at(self, ids: Iterable[int]) -> list[Edge]:
        """The edges that have one of the ids at this direction's near end."""
        return cast("list[Edge]", _EDGES[self.END].rows(self._connection, ids))

    def _links_at(self, ids: Iterable[int]) -> list[Edge]:
        """The same between datasets as wholes."""
        return [
            Edge(payload, source, target, VALUE if direct else INFLUENCE, source, target, None)
            for payload, source, target, direct in _LINKS[self.END].rows(self._connection, ids)
        ]

    def _wholes(self, frontier: Frontier) -> tuple[list[int], dict[int, list[int]]]:
        """The datasets of the frontier, and its columns by their datasets."""
        of = self.dataset_of
        columns: dict[int, list[int]] = {}
        for node in frontier:
            if of[node] != node:
                columns.setdefault(of[node], []).append(node)
        return [node for node in frontier if of[node] == node], columns


class Upstream(Direction):
    """To what a node came from: by the contributions that it holds, to their sources."""

    END = "target"
    against = True

    def step(self, frontier: Frontier) -> Iterator[Step]:
        """The hops from each node of the frontier to its sources."""
        of, at = self.dataset_of, self.at
        uses: dict[tuple[int, int], list[tuple[int, Held]]] = {}
        wholes: dict[tuple[int, int], list[tuple[int, Held]]] = {}
        held_by = self._holdings.of_datasets({of[node] for node in frontier})
        self._prepare(frontier, held_by)
        for node, (start, end) in frontier.items():
            for held in held_by[of[node]]:
                if held.valid_from > end or held.valid_to <= start:
                    continue
                if node == held.dataset:
                    wholes.setdefault((held.payload, held.via), []).append((node, held))
                elif not self._gone(held, node, start):
                    for target in (self._under(held, node), held.via):
                        uses.setdefault((held.payload, target), []).append((node, held))
        edges = self._edges_at({target for _, target in uses})
        links = self._links_at({target for _, target in wholes})
        for some, by in ((edges, uses), (links, wholes)):
            for payload, source, target, way, dataset, _, expression in some:
                for node, held in by.get((payload, target), ()):
                    start, end = frontier[node] if held.live else (held.read_from, min(held.read_to, at))
                    yield node, source, dataset, way, start, end, True, expression, held

    def _prepare(self, frontier: Frontier, held_by: Mapping[int, Iterable[Held]]) -> None:
        """Ask for the names of those columns whose names will matter."""
        of = self.dataset_of
        datasets = {of[node] for node in frontier}
        named = self._alters.of(datasets)
        named |= {dataset for dataset in datasets if any(held.renamed for held in held_by[dataset])}
        if named:
            self._names.load(Node(of[node], node) for node in frontier if of[node] in named)

    def _gone(self, held: Held, node: int, start: int) -> bool:
        """Was the column taken away, behind what this put into it, before the time that counts?"""
        gone_at = self._alters.gone_at(held.dataset, self._names.get(node), held.there_at)
        return gone_at is not None and gone_at <= start

    def _under(self, held: Held, node: int) -> int:
        """The column's id in what the contribution's payload says."""
        name = self._names.get(node) if held.renamed else None
        return node if name is None else column_id(held.via, name)


class Downstream(Direction):
    """To what was made of a node: by the edges from it, to the contributions that they are part of."""

    END = "source"

    def step(self, frontier: Frontier) -> Iterator[Step]:
        """The hops from each node of the frontier to what read it while it counted."""
        wholes, columns = self._wholes(frontier)
        edges = self._edges_at([*(node for some in columns.values() for node in some), *columns])
        links = self._links_at(wholes)
        uses = self._uses([*edges, *links])
        yield from self._made_of(edges, uses, frontier, columns)
        yield from self._made_of(links, uses, frontier, {})

    def leading_on(self, frontier: Frontier) -> set[int]:
        """Those with edges at any time: to ask for what stands would take as long as the whole hop."""
        wholes, columns = self._wholes(frontier)
        ids = [*(node for some in columns.values() for node in some), *columns]
        found = {id_ for (id_,) in _WITH_EDGES.rows(self._connection, ids)}
        leading = {id_ for (id_,) in _WITH_LINKS.rows(self._connection, wholes)}
        for dataset, nodes in columns.items():
            leading.update(nodes if dataset in found else found.intersection(nodes))
        return leading

    def _made_of(
        self,
        edges: Iterable[Edge],
        uses: Mapping[tuple[int, int], Sequence[_Use]],
        frontier: Frontier,
        columns: Mapping[int, Sequence[int]],
    ) -> Iterator[Step]:
        """The hops along some edges; what goes out from a dataset as a whole goes out from its `columns`."""
        at = self.at
        for payload, source, target, way, _, via, expression in edges:
            for dataset, slow, live, valid_from, valid_to, read_from, read_to, held in uses[payload, via]:
                node = dataset if target == via else target
                if slow:
                    node, valid_to = self._reached(held, target)
                last = at if valid_to > at else valid_to - 1
                for origin in columns.get(source) or (source,):
                    start, end = frontier[origin]
                    if live:
                        yield (
                            origin, node, dataset, way, max(valid_from, start), min(last, end), valid_to > at,
                            expression, held,
                        )  # fmt: skip
                    elif read_from <= end and read_to >= start:
                        yield origin, node, dataset, way, valid_from, last, valid_to > at, expression, held

    def _uses(self, edges: Iterable[Edge]) -> Mapping[tuple[int, int], Sequence[_Use]]:
        """The contributions that edges are part of, by payload and target dataset.

        Those are slow whose columns' names matter: these are asked for.
        """
        wanted = {(edge[0], edge[5]) for edge in edges}
        by_payload = self._holdings.of_payloads({payload for payload, _ in wanted})
        held = {pair: by_payload[pair[0]].get(pair[1], ()) for pair in wanted}
        altered = self._alters.of({one.dataset for some in held.values() for one in some})
        uses: dict[tuple[int, int], list[_Use]] = {
            pair: [
                (one.dataset, one.renamed or one.dataset in altered, bool(one.live), *one[3:7], one)
                for one in some
            ]
            for pair, some in held.items()
        }
        slow = {pair for pair, some in uses.items() if any(use[1] for use in some)}
        if slow:
            self._names.load(Node(edge[5], edge[2]) for edge in edges if (edge[0], edge[5]) in slow)
        return uses

    def _reached(self, held: Held, target: int) -> tuple[int, int]:
        """The node that an edge's target is in a contribution, and when it ends."""
        if target == held.via:
            return held.dataset, held.valid_to
        name = self._names.get(target)
        gone_at = self._alters.gone_at(held.dataset, name, held.there_at)
        node = column_id(held.dataset, name) if held.renamed and name is not None else target
        return node, held.valid_to if gone_at is None else min(held.valid_to, gone_at)


_Use = tuple[int, bool, bool, int, int, int, int, Held]
"""Dataset, slow, live, valid_from, valid_to, read_from, read_to of a contribution, and it."""
