"""One hop of a walk through the graph at a moment, for many nodes at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sqlalchemy import Connection, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.altering import Alters
from sqllineage_svc.catalog.ids import column_id
from sqllineage_svc.catalog.interning import in_pieces
from sqllineage_svc.catalog.ways import INFLUENCE, VALUE


class Node(NamedTuple):
    """A column by its name in lower case, or (None) a dataset as a whole."""

    dataset: int
    column: str | None = None

    @property
    def id(self) -> int:
        """What stands for it in edges."""
        return self.dataset if self.column is None else column_id(self.dataset, self.column)


class Interval(NamedTuple):
    """From a moment to a moment, both within it."""

    start: int
    end: int

    def hull(self, other: Interval) -> Interval:
        """The interval that holds both."""
        return Interval(min(self.start, other.start), max(self.end, other.end))


class Hop(NamedTuple):
    """An edge that was walked, from source to target, with the contribution that it is part of."""

    source: Node
    target: Node
    way: int
    expression: int | None
    payload: int
    job: int
    last_run: int


class Found(NamedTuple):
    """A hop, the node at its far end, the interval in which that one counts, and does it hold at the moment?"""

    hop: Hop
    node: Node
    interval: Interval
    holds: bool


class Edge(NamedTuple):
    """An edge of a payload; the ends are ids of columns, or of datasets as wholes."""

    payload: int
    source: int
    target: int
    way: int
    source_dataset: int
    target_dataset: int
    expression: int | None


class Held(NamedTuple):
    """What a step asks of a contribution."""

    dataset: int
    payload: int
    via: int
    valid_from: int
    valid_to: int
    read_from: int
    read_to: int
    live: bool
    job: int
    last_run: int


Frontier = Mapping[Node, Interval]
"""The nodes to go on from, each with the time in which it counts."""


class Direction:
    """Upstream or downstream, as of a moment."""

    def __init__(self, connection: Connection, at: int) -> None:
        self.connection = connection
        self.at = at

    def step(self, frontier: Frontier) -> Iterator[tuple[Node, Found]]:
        """The hops from each node of the frontier."""
        raise NotImplementedError

    def leading_on(self, frontier: Frontier) -> set[Node]:
        """The nodes from which a walk would go on."""
        return {origin for origin, _ in self.step(frontier)}

    def _edges(self, end: str, ids: Iterable[int]) -> Iterator[Edge]:
        """The edges at which one of the ids stands at that end."""
        edge = tables.edge
        columns = [edge.c.payload_id, edge.c.source_id, edge.c.target_id, edge.c.way]
        columns += [edge.c.source_dataset_id, edge.c.target_dataset_id, edge.c.expression_id]
        for piece in in_pieces(ids):
            rows = self.connection.execute(select(*columns).where(edge.c[end].in_(piece)))
            yield from map(Edge._make, rows)

    def _links(self, end: str, ids: Iterable[int]) -> Iterator[Edge]:
        """The same between datasets as wholes."""
        link = tables.link
        for piece in in_pieces(ids):
            for payload, source, target, direct in self.connection.execute(
                select(link).where(link.c[end].in_(piece))
            ):
                way = VALUE if direct else INFLUENCE
                yield Edge(payload, source, target, way, source, target, None)

    def _held(self, column: str, ids: Iterable[int]) -> Iterator[Held]:
        """The contributions up to the moment whose column is one of the ids."""
        table = tables.contribution
        columns = [table.c.dataset_id, table.c.payload_id, table.c.via_id, table.c.valid_from]
        columns += [table.c.valid_to, table.c.read_from, table.c.read_to, table.c.live]
        columns += [table.c.job_id, table.c.last_run_id]
        for piece in in_pieces(ids):
            rows = self.connection.execute(
                select(*columns).where(table.c[column].in_(piece), table.c.valid_from <= self.at)
            )
            yield from map(Held._make, rows)

    def _nodes(self, ends: Iterable[tuple[int, int]]) -> dict[int, Node]:
        """The nodes of ids, each given with its dataset's id."""
        pairs = set(ends)
        found = {id_: Node(dataset) for id_, dataset in pairs if id_ == dataset}
        column = tables.dataset_column
        for piece in in_pieces(id_ for id_, dataset in pairs if id_ != dataset):
            rows = self.connection.execute(select(column).where(column.c.id.in_(piece)))
            found.update({id_: Node(dataset, name.lower()) for id_, dataset, name in rows})
        return found


class Upstream(Direction):
    """To what a node came from: by the contributions that it holds, to their sources."""

    def step(self, frontier: Frontier) -> Iterator[tuple[Node, Found]]:
        """The hops from each node of the frontier to its sources."""
        by_target: dict[tuple[int, int], list[tuple[Node, Held]]] = defaultdict(list)
        by_dataset: dict[tuple[int, int], list[tuple[Node, Held]]] = defaultdict(list)
        of_dataset: dict[int, list[Node]] = defaultdict(list)
        for node in frontier:
            of_dataset[node.dataset].append(node)
        alters = Alters(self.connection, of_dataset, self.at)
        for held in self._held("dataset_id", of_dataset):
            for node in of_dataset[held.dataset]:
                interval = frontier[node]
                if held.valid_from > interval.end or held.valid_to <= interval.start:
                    continue
                gone_at = alters.gone_at(held.dataset, node.column, held.read_to)
                if gone_at is not None and gone_at <= interval.start:
                    continue
                if node.column is None:
                    by_dataset[held.payload, held.via].append((node, held))
                else:
                    for target in (column_id(held.via, node.column), held.via):
                        by_target[held.payload, target].append((node, held))
        found = [
            (edge, by_target.get((edge.payload, edge.target), []))
            for edge in self._edges("target_id", {target for _, target in by_target})
        ]
        found += [
            (link, by_dataset.get((link.payload, link.target), []))
            for link in self._links("target_dataset_id", {via for _, via in by_dataset})
        ]
        sources = self._nodes((edge.source, edge.source_dataset) for edge, uses in found if uses)
        for edge, uses in found:
            for node, held in uses:
                source = sources[edge.source]
                hop = Hop(source, node, edge.way, edge.expression, held.payload, held.job, held.last_run)
                read = frontier[node] if held.live else Interval(held.read_from, min(held.read_to, self.at))
                yield node, Found(hop, source, read, True)


class Downstream(Direction):
    """To what was made of a node: by the edges from it, to the contributions that they are part of."""

    def step(self, frontier: Frontier) -> Iterator[tuple[Node, Found]]:
        """The hops from each node of the frontier to what read it while it counted."""
        by_source: dict[int, list[Node]] = defaultdict(list)
        by_dataset: dict[int, list[Node]] = defaultdict(list)
        for node in frontier:
            if node.column is None:
                by_dataset[node.dataset].append(node)
            else:
                by_source[node.id].append(node)
                by_source[node.dataset].append(node)
        found = [(edge, by_source[edge.source]) for edge in self._edges("source_id", by_source)]
        found += [(link, by_dataset[link.source]) for link in self._links("source_dataset_id", by_dataset)]
        uses: dict[tuple[int, int], list[Held]] = defaultdict(list)
        for held in self._held("payload_id", {edge.payload for edge, _ in found}):
            uses[held.payload, held.via].append(held)
        named = self._nodes((edge.target, edge.target_dataset) for edge, _ in found)
        alters = Alters(self.connection, {held.dataset for some in uses.values() for held in some}, self.at)
        for edge, origins in found:
            for held in uses.get((edge.payload, edge.target_dataset), ()):
                target = Node(held.dataset, named[edge.target].column)
                gone_at = alters.gone_at(target.dataset, target.column, held.read_to)
                for origin in origins:
                    read = frontier[origin]
                    if not held.live and (held.read_from > read.end or held.read_to < read.start):
                        continue
                    hop = Hop(
                        origin, target, edge.way, edge.expression, held.payload, held.job, held.last_run
                    )
                    ends = held.valid_to if gone_at is None else min(held.valid_to, gone_at)
                    yield origin, Found(hop, target, self._counts(held, read, ends), ends > self.at)

    def _counts(self, held: Held, read: Interval, ends: int) -> Interval:
        """When what came of a source is there; in a view, while the source is."""
        end = min(ends - 1, self.at)
        if held.live:
            return Interval(max(held.valid_from, read.start), min(end, read.end))
        return Interval(held.valid_from, end)
