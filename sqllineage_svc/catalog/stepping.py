"""One hop of a walk through the graph at a moment, for many nodes at once.

Ids stand for nodes here, and plain tuples for what is found: a walk takes many thousands of these steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.altering import Alters
from sqllineage_svc.catalog.among import among
from sqllineage_svc.catalog.holding import Held, Holdings
from sqllineage_svc.catalog.ids import column_id
from sqllineage_svc.catalog.nodes import ColumnNames, Node
from sqllineage_svc.catalog.ways import INFLUENCE, VALUE


class Interval(NamedTuple):
    """From a moment to a moment, both within it."""

    start: int
    end: int


class Hop(NamedTuple):
    """An edge that was walked, between ids of nodes, with the contribution that it is part of."""

    source: int
    target: int
    way: int
    expression: int | None
    held: Held


class Found(NamedTuple):
    """From which node of the frontier, by which hop, to which node, and of which dataset.

    `start` and `end` are when that one counts; `holds`: does it hold at the moment?
    """

    origin: int
    hop: Hop
    node: int
    dataset: int
    start: int
    end: int
    holds: bool


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


class Direction:
    """Upstream or downstream, as of a moment; `dataset_of` has the dataset of each node that was met."""

    END = ""

    def __init__(self, connection: Connection, at: int, names: ColumnNames) -> None:
        self.at = at
        self.dataset_of: dict[int, int] = {}
        self._connection = connection
        self._names = names
        self._holdings = Holdings(connection, at)
        self._alters = Alters(connection, at)
        edge, link = tables.edge.c, tables.link.c
        columns: list[ColumnElement[Any]] = [edge[_EDGE_COLUMNS[name]] for name in Edge._fields]
        self._edges = select(*columns).where(among(edge[f"{self.END}_id"], connection.dialect))
        self._links = select(tables.link).where(among(link[f"{self.END}_dataset_id"], connection.dialect))

    def step(self, frontier: Frontier) -> Iterator[Found]:
        """The hops from the nodes of the frontier."""
        raise NotImplementedError

    def leading_on(self, frontier: Frontier) -> set[int]:
        """The nodes from which a walk would go on."""
        return {found.origin for found in self.step(frontier)}

    def _edges_at(self, ids: Iterable[int]) -> list[Edge]:
        """The edges that have one of the ids at this direction's near end."""
        wanted = list(ids)
        return list(map(Edge._make, self._connection.execute(self._edges, {"ids": wanted}))) if wanted else []

    def _links_at(self, ids: Iterable[int]) -> list[Edge]:
        """The same between datasets as wholes."""
        wanted = list(ids)
        if not wanted:
            return []
        return [
            Edge(payload, source, target, VALUE if direct else INFLUENCE, source, target, None)
            for payload, source, target, direct in self._connection.execute(self._links, {"ids": wanted})
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

    def step(self, frontier: Frontier) -> Iterator[Found]:
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
            for edge in some:
                for node, held in by.get((edge.payload, edge.target), ()):
                    hop = Hop(edge.source, node, edge.way, edge.expression, held)
                    start, end = frontier[node] if held.live else (held.read_from, min(held.read_to, at))
                    yield Found(node, hop, edge.source, edge.source_dataset, start, end, True)

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
        gone_at = self._alters.gone_at(held.dataset, self._names.get(node), held.read_to)
        return gone_at is not None and gone_at <= start

    def _under(self, held: Held, node: int) -> int:
        """The column's id in what the contribution's payload says."""
        name = self._names.get(node) if held.renamed else None
        return node if name is None else column_id(held.via, name)


class Downstream(Direction):
    """To what was made of a node: by the edges from it, to the contributions that they are part of."""

    END = "source"

    def step(self, frontier: Frontier) -> Iterator[Found]:
        """The hops from each node of the frontier to what read it while it counted."""
        wholes, columns = self._wholes(frontier)
        edges = self._edges_at([*(node for some in columns.values() for node in some), *columns])
        links = self._links_at(wholes)
        held_by = self._holdings.of_payloads({edge.payload for some in (edges, links) for edge in some})
        self._prepare((edges, links), held_by)
        yield from self._found(edges, held_by, frontier, columns)
        yield from self._found(links, held_by, frontier, {})

    def _prepare(
        self, found: Iterable[list[Edge]], held_by: Mapping[int, Mapping[int, Iterable[Held]]]
    ) -> None:
        """Ask for the names of those columns whose names will matter."""
        used = {(edge.payload, edge.target_dataset) for some in found for edge in some}
        held = [one for payload, via in used for one in held_by[payload].get(via, ())]
        altered = self._alters.of({one.dataset for one in held})
        slow = {(one.payload, one.via) for one in held if one.renamed or one.dataset in altered}
        if slow:
            self._names.load(
                Node(edge.target_dataset, edge.target)
                for some in found
                for edge in some
                if (edge.payload, edge.target_dataset) in slow
            )

    def _found(
        self,
        edges: Iterable[Edge],
        held_by: Mapping[int, Mapping[int, Iterable[Held]]],
        frontier: Frontier,
        columns: Mapping[int, list[int]],
    ) -> Iterator[Found]:
        at = self.at
        for payload, source, target, way, _, via, expression in edges:
            for held in held_by[payload].get(via, ()):
                node, ends = self._reached(held, target)
                for origin in columns.get(source) or (source,):
                    start, end = frontier[origin]
                    if held.live:
                        counts = (max(held.valid_from, start), min(ends - 1, at, end))
                    elif held.read_from > end or held.read_to < start:
                        continue
                    else:
                        counts = (held.valid_from, min(ends - 1, at))
                    hop = Hop(origin, node, way, expression, held)
                    yield Found(origin, hop, node, held.dataset, *counts, ends > at)

    def _reached(self, held: Held, target: int) -> tuple[int, int]:
        """The node that an edge's target is in a contribution, and when it ends."""
        if target == held.via:
            return held.dataset, held.valid_to
        name = self._names.get(target)
        gone_at = self._alters.gone_at(held.dataset, name, held.read_to)
        node = column_id(held.dataset, name) if held.renamed and name is not None else target
        return node, held.valid_to if gone_at is None else min(held.valid_to, gone_at)
