"""USING and NATURAL: the columns that two sides of a join have in common become one.

An inner or left join's common column has the left value, a right join's the right one, a full join's either.

Sources: https://www.postgresql.org/docs/8.0/queries-table-expressions.html,
https://dev.mysql.com/doc/refman/8.4/en/join.html; where that one says COALESCE of both sides, the engine as
run takes the value of one.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqllineage_svc.engine.origins import JOIN, NOTHING, TRANSFORMATION, Origins, add
from sqllineage_svc.engine.scope import Scope
from sqllineage_svc.engine.sources import OutputColumn, Source, merged
from sqllineage_svc.model.names import ALL_COLUMNS


def join_common(scope: Scope, start: int, before: int, names: Sequence[str] | None, side: str) -> None:
    """Merge the columns `names` (None: all that both sides have) of what was visible `before` and after.

    What stands before `start` is not of this join; where JOIN needs no condition it may be.
    """
    if (
        names is not None
        and side != "RIGHT"
        and _are_common(scope.visible[start : start + len(names)], names)
    ):
        _join_again(scope, start, before, names, side)
        return
    rules = scope.context.session.dialect.scoping
    if rules.conditionless_joins and (names is None or not _have(scope.visible[start:before], names)):
        start = 0
    others, left, right = scope.visible[:start], scope.visible[start:before], scope.visible[before:]
    follows_right = side == "RIGHT" and rules.common_columns_follow_right
    if names is None:
        names = _natural(left, right, scope)
    if rules.common_columns_in_table_order:
        names = _as_in(right if follows_right else left, names)
    common = [
        _common(name, _side(left, name, scope), _side(right, name, scope), side, scope) for name in names
    ]
    taken = frozenset(names)
    rest: list[Source | OutputColumn] = [*others, *common]
    if follows_right:
        left, right = right, left
    rest.extend(Without.of(item, taken) for item in (*left, *right) if not _is_taken(item, taken))
    scope.visible = rest


def _common(name: str, left: Origins, right: Origins, side: str, scope: Scope) -> OutputColumn:
    """The one column that the two of this name become; that they are compared decides the rows."""
    add(scope.rows.own, left, JOIN)
    add(scope.rows.own, right, JOIN)
    kept = right if side == "RIGHT" else left
    origins = merged(left, right, TRANSFORMATION) if side == "FULL" else kept
    column = scope.common[name] = OutputColumn(name, origins)
    return column


def _are_common(items: Sequence[Source | OutputColumn], names: Sequence[str]) -> bool:
    """Are these the columns that a join before has merged?"""
    return [item.name if isinstance(item, OutputColumn) else None for item in items] == list(names)


def _join_again(scope: Scope, start: int, before: int, names: Sequence[str], side: str) -> None:
    """One more table with the same common columns, without a look at all those before it."""
    visible, right = scope.visible, scope.visible[before:]
    for at, name in enumerate(names, start):
        (left,) = (item.origins for item in visible[at : at + 1] if isinstance(item, OutputColumn))
        visible[at] = _common(name, left, _side(right, name, scope), side, scope)
    taken = frozenset(names)
    visible[before:] = [Without.of(item, taken) for item in right if not _is_taken(item, taken)]


def _have(items: Sequence[Source | OutputColumn], names: Sequence[str]) -> bool:
    """Are all of these certainly columns of the items?"""
    return all(
        any(item.name == name if isinstance(item, OutputColumn) else item.knows(name) for item in items)
        for name in names
    )


class Without(Source):
    """A source without the columns that a join has merged."""

    __slots__ = ("taken",)

    def __init__(self, source: Source, taken: frozenset[str]) -> None:
        super().__init__(source.alias, source.relation, source.names, source.output)
        self.taken = taken

    @staticmethod
    def of(item: Source | OutputColumn, taken: frozenset[str]) -> Source | OutputColumn:
        """The item without these columns."""
        if isinstance(item, OutputColumn):
            return item
        return Without(item, taken | item.taken if isinstance(item, Without) else taken)


def _is_taken(item: Source | OutputColumn, taken: frozenset[str]) -> bool:
    return isinstance(item, OutputColumn) and item.name in taken


def _as_in(items: Sequence[Source | OutputColumn], names: Sequence[str]) -> Sequence[str]:
    """The names in the order in which these items have them."""
    order = list(_names(items) or names)
    return sorted(names, key=lambda name: order.index(name) if name in order else len(order))


def _natural(
    left: Sequence[Source | OutputColumn], right: Sequence[Source | OutputColumn], scope: Scope
) -> list[str]:
    left_names, right_names = _names(left), _names(right)
    if left_names is None or right_names is None:
        message = (
            "the columns of a NATURAL JOIN are not known without the schemas of both sides; see --schema"
        )
        scope.context.issue("NaturalJoinNotKnown", message)
        for item in (*left, *right):
            if isinstance(item, Source):
                add(scope.rows.own, item.datasets(), JOIN)
        return [name for name in left_names or () if name in (right_names or ())]
    return [name for name in left_names if name in right_names]


def _names(items: Sequence[Source | OutputColumn]) -> dict[str, None] | None:
    names: dict[str, None] = {}
    for item in items:
        columns = [item] if isinstance(item, OutputColumn) else item.columns()
        for column in columns:
            if column.name == ALL_COLUMNS:
                return None
            names[column.name] = None
    return names


def _side(items: Sequence[Source | OutputColumn], name: str, scope: Scope) -> Origins:
    """The column of this name on one side; where several may have it, an unknown one of each."""
    for item in items:
        if isinstance(item, OutputColumn) and item.name == name:
            return item.origins
    sources = [item for item in items if isinstance(item, Source)]
    owners = [source for source in sources if source.knows(name)]
    if not owners:
        owners = [source for source in sources if source.knows(name) is None]
    if len(owners) == 1:
        return owners[0].origins(name)
    if not owners:
        return NOTHING
    scope.context.issue(
        "AmbiguousColumn", f"{name!r} of USING may be a column of several relations; see --schema"
    )
    found: Origins = {}
    for owner in owners:
        found = merged(found, owner.datasets())
    return found
