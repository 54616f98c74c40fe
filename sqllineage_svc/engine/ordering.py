"""GROUP BY, DISTINCT and ORDER BY: what they let decide a query's rows."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqllineage_svc.engine.context import Context
from sqllineage_svc.engine.expressions import decide, gather
from sqllineage_svc.engine.origins import GROUP_BY, NOTHING, SORT, add
from sqllineage_svc.engine.scope import Scope
from sqllineage_svc.engine.sources import Output, OutputColumn


def make_groups(group: exp.Expr, columns: Sequence[OutputColumn], scope: Scope) -> None:
    """GROUP BY, with its sets, CUBE and ROLLUP."""
    if group.args.get("all"):
        for column in columns:
            if column.node is None or column.node.find(exp.AggFunc) is None:
                add(scope.rows.own, column.origins, GROUP_BY)
    for key in ("expressions", "grouping_sets", "cube", "rollup"):
        items = group.args.get(key)
        for item in items if isinstance(items, list) else ():
            _by_ordinal_or_value(item, columns, GROUP_BY, scope)


def bare_names(group: exp.Expr, context: Context) -> set[str]:
    """The columns that GROUP BY names as they are."""
    items = group.args.get("expressions") or ()
    return {context.column_name(item.args["this"]) for item in items if type(item) is exp.Column}


def make_distinct(distinct: exp.Expr, columns: Sequence[OutputColumn], scope: Scope) -> None:
    """DISTINCT: every column decides which rows are the same; DISTINCT ON: those it names."""
    on = distinct.args.get("on")
    if on is not None:
        decide(on, GROUP_BY, scope)
        return
    for column in columns:
        add(scope.rows.own, column.origins, GROUP_BY)


def sort(order: exp.Expr, columns: Sequence[OutputColumn], scope: Scope) -> None:
    """ORDER BY: a bare name is an alias of the select list before it is a column."""
    for item in order.expressions:
        node = item.args["this"] if type(item) is exp.Ordered else item
        if type(node) is exp.Column and node.args.get("table") is None:
            column = scope.aliases.get(scope.context.column_name(node.args["this"]))
            if column is not None:
                add(scope.rows.own, column.origins, SORT)
                continue
        _by_ordinal_or_value(node, columns, SORT, scope)


def _by_ordinal_or_value(node: exp.Expr, columns: Sequence[OutputColumn], way: int, scope: Scope) -> None:
    if type(node) is exp.Literal:
        at = int(node.name) - 1 if not node.args.get("is_string") and node.name.isdecimal() else -1
        if 0 <= at < len(columns):
            add(scope.rows.own, columns[at].origins, way)
        return
    gather(node, way, scope, scope.rows.own)


def sort_output(order: exp.Expr, output: Output, scope: Scope) -> None:
    """An ORDER BY behind a whole query, whose names are those of its output."""
    for item in order.expressions:
        node = item.args["this"] if type(item) is exp.Ordered else item
        if type(node) is exp.Literal:
            _by_ordinal_or_value(node, output.columns, SORT, scope)
        for reference in node.find_all(exp.Column):
            column = output.find(scope.context.column_name(reference.args["this"]))
            add(scope.rows.own, column.origins if column else NOTHING, SORT)
