"""The graph at a moment, walked breadth first in batches.

What a dataset holds at a moment is its open contributions. Each was made by reading its sources in some
interval, so what those held then counts, whatever they hold at the moment itself: staging that was emptied
after its load still passes lineage on. Cycles end, since a node is walked again only for more of time. The
several names of one dataset are walked as if they were one, and are one in what was found.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection

from sqllineage_svc.catalog.aliases import Aliases
from sqllineage_svc.catalog.nodes import ColumnNames, Node
from sqllineage_svc.catalog.stepping import Direction, Downstream, Hop, Upstream
from sqllineage_svc.catalog.ways import decides

_MOST_NODES = 100_000


@dataclass(frozen=True, slots=True)
class Reached:
    """How a node was reached first: in how many hops, and whether a value flows all the way."""

    distance: int
    value: bool


@dataclass(slots=True)
class Walk:
    """What a walk found: the nodes, and the hops between them.

    `cut` counts the nodes at its limits that were not walked on.
    """

    nodes: dict[Node, Reached] = field(default_factory=dict)
    hops: dict[Hop, None] = field(default_factory=dict)
    cut: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """How far to walk: `depth` in hops (None: to the end), `influences`: beyond the dataset they decide."""

    depth: int | None = None
    influences: bool = False
    nodes: int = _MOST_NODES


def upstream(connection: Connection, starts: Iterable[Node], at: int, limits: Limits) -> Walk:
    """Everything that what the nodes hold at a moment came from, or was decided by."""
    names = ColumnNames(connection)
    walker = _Walker(Upstream(connection, at, names), Aliases(connection, names), limits)
    walker.walk(starts, (at, at))
    return walker.found(walker.distances)


def downstream(connection: Connection, starts: Iterable[Node], at: int, limits: Limits) -> Walk:
    """Everything whose content at a moment came from the nodes, or was decided by them."""
    names = ColumnNames(connection)
    walker = _Walker(Downstream(connection, at, names), Aliases(connection, names), limits)
    walker.walk(starts, (0, at))
    return walker.found(walker.lasting())


class _Walker:
    """A walk that is under way.

    By node: in how many hops it was reached, and whether by a value all the way. `holding` are the nodes with a
    contribution at the moment itself, `same` the pairs of nodes that are one under two names.
    """

    def __init__(self, direction: Direction, aliases: Aliases, limits: Limits) -> None:
        self.direction = direction
        self.aliases = aliases
        self.limits = limits
        self.distances: dict[int, int] = {}
        self.values: dict[int, bool] = {}
        self.hops: dict[Hop, None] = {}
        self.holding: set[int] = set()
        self.same: list[tuple[int, int]] = []
        self.cut = 0
        self._seen: dict[int, tuple[int, int]] = {}

    def walk(self, starts: Iterable[Node], interval: tuple[int, int]) -> None:
        """Walk from these nodes, of which what is there in the interval counts."""
        frontier: dict[int, tuple[int, int]] = {}
        for start in starts:
            self._reach(frontier, start.id, start.dataset, 0, True, interval)
        self._add_other_names(frontier, 0)
        distance = 0
        while frontier:
            if distance == self.limits.depth or len(self.distances) >= self.limits.nodes:
                self.cut = len(self.direction.leading_on(frontier))
                break
            distance += 1
            following: dict[int, tuple[int, int]] = {}
            hops, values, holding = self.hops, self.values, self.holding
            for origin, hop, node, dataset, begins, ends, holds in self.direction.step(frontier):
                hops[hop] = None
                if holds:
                    holding.add(node)
                value = values[origin] and not decides(hop.way)
                self._reach(following, node, dataset, distance, value, (begins, ends))
            self._add_other_names(following, distance)
            frontier = following

    def _reach(
        self,
        following: dict[int, tuple[int, int]],
        node: int,
        dataset: int,
        distance: int,
        value: bool,
        interval: tuple[int, int],
    ) -> None:
        """Note that a node was reached, and go on from it where that says more than what was known."""
        known = self.values.get(node)
        if known is None:
            self.distances[node] = distance
            self.values[node] = value
            self.direction.dataset_of[node] = dataset
        elif value and not known:
            self.values[node] = True
        if not value and not self.limits.influences:
            return
        before = self._seen.get(node)
        wider = interval
        if before is not None:
            wider = (min(before[0], interval[0]), max(before[1], interval[1]))
        if wider != before or (value and not known):
            self._seen[node] = wider
            following[node] = wider

    def _add_other_names(self, following: dict[int, tuple[int, int]], distance: int) -> None:
        """Go on from the same columns under their datasets' other names, too."""
        if not self.aliases:
            return
        of = self.direction.dataset_of
        found = list(self.aliases.of([(Node(of[node], node), *when) for node, when in following.items()]))
        for node, other, start, end in found:
            self.same.append((node.id, other.id))
            self._reach(following, other.id, other.dataset, distance, self.values[node.id], (start, end))

    def lasting(self) -> set[int]:
        """The starts, the nodes that hold something of them at the moment, and those that lead to such."""
        kept = {node for node, distance in self.distances.items() if distance == 0}
        if len(kept | self.holding) == len(self.distances):
            return kept | self.holding
        into: dict[int, list[int]] = {}
        for hop in self.hops:
            into.setdefault(hop.target, []).append(hop.source)
        for one, other in self.same:
            into.setdefault(other, []).append(one)
        stack = list(self.holding)
        while stack:
            node = stack.pop()
            stack.extend(one for one in into.get(node, ()) if one not in kept)
            kept.add(node)
        return kept

    def found(self, kept: Iterable[int]) -> Walk:
        """What was found, as far as it is `kept`, each dataset under one name."""
        of = self.direction.dataset_of
        nodes = {node: Node(of[node], node) for node in self.distances if node in kept}
        hops = self.hops
        if len(nodes) < len(self.distances):
            hops = {hop: None for hop in hops if hop.source in nodes and hop.target in nodes}
        if not self.same:
            return Walk(
                {node: Reached(self.distances[id_], self.values[id_]) for id_, node in nodes.items()},
                hops,
                self.cut,
            )
        return self._joined(nodes, hops)

    def _joined(self, nodes: dict[int, Node], hops: Iterable[Hop]) -> Walk:
        shown = self.aliases.shown(nodes.values(), self.direction.at)
        walk = Walk(cut=self.cut)
        for id_, node in nodes.items():
            known = walk.nodes.get(shown[node])
            reached = Reached(self.distances[id_], self.values[id_])
            if known is not None:
                reached = Reached(min(known.distance, reached.distance), known.value or reached.value)
            walk.nodes[shown[node]] = reached
        for hop in hops:
            source, target = (shown[nodes[end]].id for end in (hop.source, hop.target))
            if source != target or hop.source == hop.target:  # else it leads from one name to another
                walk.hops[hop._replace(source=source, target=target)] = None
        return walk
