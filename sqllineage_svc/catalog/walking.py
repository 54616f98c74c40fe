"""The graph at a moment, walked breadth first in batches.

What a dataset holds at a moment is its open contributions. Each was made by reading its sources in some
interval, so what those held then counts, whatever they hold at the moment itself: staging that was emptied
after its load still passes lineage on. Cycles end, since a node is walked again only for more of time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection

from sqllineage_svc.catalog.stepping import Direction, Downstream, Hop, Interval, Node, Upstream
from sqllineage_svc.catalog.ways import decides

_MOST_NODES = 100_000


@dataclass(frozen=True, slots=True)
class Reached:
    """How a node was reached first: in how many hops, and whether a value flows all the way."""

    distance: int
    value: bool


@dataclass(slots=True)
class Walk:
    """What a walk found; `holding` are the nodes with a contribution at the moment itself.

    `cut` counts the nodes at its limits that were not walked on.
    """

    nodes: dict[Node, Reached] = field(default_factory=dict)
    hops: dict[Hop, None] = field(default_factory=dict)
    holding: set[Node] = field(default_factory=set)
    cut: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """How far to walk: `depth` in hops (None: to the end), `influences`: beyond the dataset they decide."""

    depth: int | None = None
    influences: bool = False
    nodes: int = _MOST_NODES


def upstream(connection: Connection, starts: Iterable[Node], at: int, limits: Limits) -> Walk:
    """Everything that what the nodes hold at a moment came from, or was decided by."""
    return _walk(Upstream(connection, at), starts, Interval(at, at), limits)


def downstream(connection: Connection, starts: Iterable[Node], at: int, limits: Limits) -> Walk:
    """Everything whose content at a moment came from the nodes, or was decided by them."""
    walk = _walk(Downstream(connection, at), starts, Interval(0, at), limits)
    _drop_what_ended(walk)
    return walk


def _drop_what_ended(walk: Walk) -> None:
    """Drop the nodes that hold nothing of it at the moment and lead to none that does."""
    into: dict[Node, list[Node]] = {}
    for hop in walk.hops:
        into.setdefault(hop.target, []).append(hop.source)
    stack = list(walk.holding)
    kept: set[Node] = set()
    while stack:
        node = stack.pop()
        if node not in kept:
            kept.add(node)
            stack.extend(into.get(node, ()))
    starts = {node for node, reached in walk.nodes.items() if reached.distance == 0}
    walk.nodes = {node: reached for node, reached in walk.nodes.items() if node in kept or node in starts}
    walk.hops = {hop: None for hop in walk.hops if hop.target in kept}


def _walk(direction: Direction, starts: Iterable[Node], interval: Interval, limits: Limits) -> Walk:
    walk = Walk()
    seen: dict[Node, Interval] = {}
    frontier = dict.fromkeys(starts, interval)
    for node in frontier:
        walk.nodes[node] = Reached(0, True)
        seen[node] = interval
    distance = 0
    while frontier:
        if distance == limits.depth or len(walk.nodes) >= limits.nodes:
            walk.cut = len(direction.leading_on(frontier))
            break
        distance += 1
        following: dict[Node, Interval] = {}
        for origin, found in direction.step(frontier):
            walk.hops[found.hop] = None
            if found.holds:
                walk.holding.add(found.node)
            flows = not decides(found.hop.way)
            value = flows and walk.nodes[origin].value
            known = walk.nodes.get(found.node)
            if known is None or (value and not known.value):
                walk.nodes[found.node] = Reached(distance if known is None else known.distance, value)
            goes_on = value or limits.influences
            before = seen.get(found.node)
            wider = found.interval if before is None else before.hull(found.interval)
            if goes_on and (wider != before or (known is not None and value and not known.value)):
                seen[found.node] = wider
                following[found.node] = wider
        frontier = following
    return walk
