"""The graph at a moment, walked breadth first in batches.

What a dataset holds at a moment is its open contributions. Each was made by reading its sources in some
interval, so what those held then counts, whatever they hold at the moment itself: staging that was emptied
after its load still passes lineage on. Cycles end, since a node is walked again only for more of time. The
several names of one dataset are walked as if they were one, and are one in what was found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection

from sqllineage_svc.catalog.aliases import Aliases
from sqllineage_svc.catalog.folding import FOREVER
from sqllineage_svc.catalog.holding import Held
from sqllineage_svc.catalog.nodes import ColumnNames, Node
from sqllineage_svc.catalog.stepping import Direction, Downstream, Hop, Upstream
from sqllineage_svc.catalog.ways import FLOWING

_MOST_NODES = 100_000


class Reached(NamedTuple):
    """How a node was reached first: in how many hops, and whether a value flows all the way."""

    distance: int
    value: bool


@dataclass(slots=True)
class Walk:
    """What a walk found: the nodes, and the hops between them.

    `cut` counts the nodes at its limits that were not walked on; downstream those too whose edges do not stand.
    """

    nodes: dict[Node, Reached] = field(default_factory=dict)
    hops: Iterable[Hop] = ()
    cut: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """How far to walk: `depth` in hops (None: to the end), `influences`: beyond the dataset they decide.

    `history`: through all that was ever seen up to the moment, whether it stands or not.
    """

    depth: int | None = None
    influences: bool = False
    nodes: int = _MOST_NODES
    history: bool = False


def upstream(connection: Connection, starts: Iterable[Node], at: int, limits: Limits) -> Walk:
    """Everything that what the nodes hold at a moment came from, or was decided by."""
    names = ColumnNames(connection)
    walker = _Walker(Upstream(connection, at, names), Aliases(connection, names), limits)
    walker.walk(starts, (0, FOREVER) if limits.history else (at, at))
    return walker.found(walker.distances.keys())


def downstream(connection: Connection, starts: Iterable[Node], at: int, limits: Limits) -> Walk:
    """Everything whose content at a moment came from the nodes, or was decided by them."""
    names = ColumnNames(connection)
    walker = _Walker(Downstream(connection, at, names), Aliases(connection, names), limits)
    walker.walk(starts, (0, FOREVER if limits.history else at))
    return walker.found(walker.distances.keys() if limits.history else walker.lasting())


class _Walker:
    """A walk that is under way.

    By node: in how many hops it was reached, and whether by a value all the way. `holding` are the nodes with a
    contribution at the moment itself, `same` the pairs of nodes that are one under two names. Where there are
    such, `until` has the last moment of each node that counts: by its name then it is shown.
    """

    def __init__(self, direction: Direction, aliases: Aliases, limits: Limits) -> None:
        self.direction = direction
        self.aliases = aliases
        self.limits = limits
        self.distances: dict[int, int] = {}
        self.values: dict[int, bool] = {}
        self.hops: list[Any] = []  # from where, to where, way, expression, contribution; the next hop's; …
        self.holding: set[int] = set()
        self.same: list[tuple[int, int]] = []
        self.until: dict[int, int] = {}
        self.cut = 0
        self._several_names = bool(aliases)
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
            self._step(frontier, following, distance)
            self._add_other_names(following, distance)
            frontier = following

    def _step(
        self, frontier: Mapping[int, tuple[int, int]], following: dict[int, tuple[int, int]], distance: int
    ) -> None:
        """One hop; the many that say nothing new of the node that they reach are told apart at once."""
        add, hold, values, seen = self.hops.extend, self.holding.add, self.values, self._seen
        for step in self.direction.step(frontier):
            origin, node, dataset, way, begins, ends, holds, expression, held = step
            add((origin, node, way, expression, held))
            if holds:
                hold(node)
            if self.limits.history:
                begins, ends = 0, FOREVER
            value = way in FLOWING and values[origin]
            before = seen.get(node)
            if before is None or begins < before[0] or ends > before[1] or (value and not values[node]):
                self._reach(following, node, dataset, distance, value, (begins, ends))

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
        if self._several_names:
            self.until[node] = max(self.until.get(node, 0), interval[1])
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
        if not self._several_names:
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
        for source, target in zip(self.hops[::5], self.hops[1::5], strict=True):
            into.setdefault(target, []).append(source)
        for one, other in self.same:
            into.setdefault(other, []).append(one)
        stack = list(self.holding)
        while stack:
            node = stack.pop()
            stack.extend(one for one in into.get(node, ()) if one not in kept)
            kept.add(node)
        return kept

    def found(self, kept: Set[int]) -> Walk:
        """What was found, as far as it is `kept`, each dataset under one name."""
        of = self.direction.dataset_of
        nodes = {node: Node(of[node], node) for node in self.distances if node in kept}
        shown = {}
        if self._several_names:
            at = self.direction.at
            shown = self.aliases.shown({node: min(self.until[id_], at) for id_, node in nodes.items()})
        walk = Walk(self._reached(nodes, shown), cut=self.cut)
        under = {node.id: first.id for node, first in shown.items() if node != first}
        walk.hops = _Hops(self.hops, nodes.keys(), under, self.direction.against)
        return walk

    def _reached(self, nodes: Mapping[int, Node], shown: Mapping[Node, Node]) -> dict[Node, Reached]:
        """How each of the nodes was reached, by the node that is shown for it: the first way of all that are."""
        distances, values = self.distances, self.values
        if not shown:
            return {node: Reached(distances[id_], values[id_]) for id_, node in nodes.items()}
        found: dict[Node, Reached] = {}
        for id_, node in nodes.items():
            reached = Reached(distances[id_], values[id_])
            if (known := found.get(shown[node])) is not None:
                reached = Reached(min(known.distance, reached.distance), known.value or reached.value)
            found[shown[node]] = reached
        return found


class _Hops(Iterable[Hop]):
    """The hops between kept nodes under the names that are shown, each once; made when they are asked for."""

    def __init__(self, flat: Sequence[Any], kept: Set[int], under: Mapping[int, int], against: bool) -> None:
        self._flat = flat
        self._kept = kept
        self._under = under
        self._against = against

    def __iter__(self) -> Iterator[Hop]:
        under, kept = self._under, self._kept
        hops: dict[tuple[int | None, ...], Held] = {}
        parts = iter(self._flat)
        for source, target, way, expression, held in zip(parts, parts, parts, parts, parts, strict=True):
            if source in kept and target in kept:
                first, last = under.get(source, source), under.get(target, target)
                if first != last or source == target:  # else it leads from one name of a dataset to another
                    hops[first, last, way, expression, held.payload, held.dataset, held.valid_from] = held
        for (first, last, way, expression, *_), held in hops.items():
            ends = (last, first) if self._against else (first, last)
            yield Hop(*ends, way, expression, held)  # type: ignore[arg-type]
