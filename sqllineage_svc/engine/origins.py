"""Where a value comes from: source columns, each with the ways it acts, as bits.

`Origins` are dictionaries that nobody changes once they are handed on; passing a column through hands on the
same object. Bits keep a union of ways cheap: a column may feed a value and decide it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from sqllineage_svc.model.lineage import Transformation
from sqllineage_svc.model.names import ColumnRef

Origins = dict[ColumnRef, int]
NOTHING: Origins = {}

IDENTITY = 1
TRANSFORMATION = 2
AGGREGATION = 4
MASKED = 8
MASKED_AGGREGATION = 16
CONDITIONAL = 32
WINDOW = 64
JOIN = 128
FILTER = 256
GROUP_BY = 512
SORT = 1024
EXISTENCE = 2048
"""Which rows a dataset holds, with no column to name: of a `ColumnRef(dataset, ROWS)`."""

DIRECT = IDENTITY | TRANSFORMATION | AGGREGATION | MASKED | MASKED_AGGREGATION
INDIRECT = CONDITIONAL | WINDOW | JOIN | FILTER | GROUP_BY | SORT

_LEVEL = {IDENTITY: 0, TRANSFORMATION: 1, AGGREGATION: 2, MASKED: 1, MASKED_AGGREGATION: 2}
_OPEN = (IDENTITY, TRANSFORMATION, AGGREGATION)
_HIDDEN = (MASKED, MASKED, MASKED_AGGREGATION)
_INDIRECT_KINDS = (
    (CONDITIONAL, Transformation.CONDITIONAL),
    (WINDOW, Transformation.WINDOW),
    (JOIN, Transformation.JOIN),
    (FILTER, Transformation.FILTER),
    (GROUP_BY, Transformation.GROUP_BY),
    (SORT, Transformation.SORT),
)


@cache
def through(inner: int, outer: int) -> int:
    """The ways of a source that acts by `inner` on a value which itself acts by `outer`.

    A direct way through a direct one keeps the stronger; whatever decides a value still decides it behind
    a direct way; anything that goes through a deciding way decides.
    """
    result = outer & INDIRECT
    if outer & EXISTENCE:
        result |= inner
    direct = outer & DIRECT
    if direct:
        result |= inner & (INDIRECT | EXISTENCE)
        for outer_bit in _bits(direct):
            for inner_bit in _bits(inner & DIRECT):
                level = max(_LEVEL[inner_bit], _LEVEL[outer_bit])
                hidden = (inner_bit | outer_bit) & (MASKED | MASKED_AGGREGATION)
                result |= _HIDDEN[level] if hidden else _OPEN[level]
    return result


def add(target: Origins, origins: Mapping[ColumnRef, int], outer: int) -> None:
    """Add to `target` what these origins are when they act by `outer`."""
    get = target.get
    for ref, inner in origins.items():
        target[ref] = get(ref, 0) | (outer if inner == IDENTITY else through(inner, outer))


@cache
def transformations(ways: int) -> tuple[tuple[Transformation, bool], ...]:
    """The published forms of these ways, each with whether it masks; the direct ones as their strongest."""
    found: list[tuple[Transformation, bool]] = []
    if ways & AGGREGATION:
        found.append((Transformation.AGGREGATION, False))
    elif ways & TRANSFORMATION:
        found.append((Transformation.TRANSFORMATION, False))
    elif ways & IDENTITY:
        found.append((Transformation.IDENTITY, False))
    elif ways & MASKED_AGGREGATION:
        found.append((Transformation.AGGREGATION, True))
    elif ways & MASKED:
        found.append((Transformation.TRANSFORMATION, True))
    found.extend((kind, False) for bit, kind in _INDIRECT_KINDS if ways & bit)
    return tuple(found)


def _bits(ways: int) -> list[int]:
    return [bit for bit in (IDENTITY, TRANSFORMATION, AGGREGATION, MASKED, MASKED_AGGREGATION) if ways & bit]


class RowSet:
    """What decides which rows a query has: its own influences and those of what it reads.

    Kept as a graph and flattened once at the end, so that a chain of queries costs its length and not its
    square.
    """

    __slots__ = ("own", "parts")

    def __init__(self) -> None:
        self.own: Origins = {}
        self.parts: list[RowSet] = []

    def flat(self) -> Origins:
        """All influences in one dictionary."""
        if not self.parts:
            return self.own
        result = dict(self.own)
        seen = {id(self)}
        waiting = self.parts[::-1]
        while waiting:
            rows = waiting.pop()
            if id(rows) in seen:
                continue
            seen.add(id(rows))
            for ref, ways in rows.own.items():
                result[ref] = result.get(ref, 0) | ways
            waiting.extend(reversed(rows.parts))
        return result
