"""A query to its output: scope by scope from the inside out, one pass over the tree.

SELECT here; FROM clauses in `relations`, set operations and recursive WITH in `combine`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from sqllineage_svc.engine.combine import resolve_set, resolve_values, resolve_with
from sqllineage_svc.engine.context import Context
from sqllineage_svc.engine.expressions import decide, origins_of
from sqllineage_svc.engine.ordering import bare_names, make_distinct, make_groups, sort, sort_output
from sqllineage_svc.engine.origins import FILTER, IDENTITY, JOIN, add
from sqllineage_svc.engine.relations import add_from
from sqllineage_svc.engine.scope import Scope
from sqllineage_svc.engine.sources import UNNAMED, Output, OutputColumn
from sqllineage_svc.engine.stars import expand_star, expand_table_star

NO_CTES: Mapping[str, Output] = {}


def resolve(context: Context, query: exp.Expr, parent: object, ctes: Mapping[str, Output]) -> Output:
    """What a query returns, with names looked up in `parent`'s scope where its own has none."""
    assert parent is None or isinstance(parent, Scope)  # noqa: S101 - the context cannot name the type
    scope = scope_of(context, query, parent, ctes)
    if isinstance(query, exp.Select):
        return resolve_select(context, query, scope)
    if isinstance(query, exp.SetOperation):
        return resolve_set(context, query, scope)
    if isinstance(query, exp.Values):
        return resolve_values(context, query, scope)
    return _in_parentheses(context, query, scope)


def scope_of(
    context: Context, query: exp.Expr, parent: Scope | None = None, ctes: Mapping[str, Output] = NO_CTES
) -> Scope:
    """A new scope for a query, with what its WITH clause names."""
    with_ = query.args.get("with_")
    if with_ is not None:
        ctes = resolve_with(context, with_, parent, ctes)
    return Scope(context, parent, ctes)


@dataclass(frozen=True, slots=True)
class Assigning:
    """The columns, each with its qualifier, that take the values of the select items in order.

    `in_order`: an item sees the values of those before it; not `surely`: or what was there before. Items at
    `inserts` see only what is joined to the first item of FROM.
    """

    columns: Sequence[tuple[str | None, str]]
    in_order: bool
    surely: bool
    inserts: tuple[int, ...]


def resolve_select(
    context: Context, select: exp.Expr, scope: Scope, assigning: Assigning | None = None
) -> Output:
    """The output of a SELECT in a new scope; where items are `assigning`, those behind see their values."""
    args = select.args
    if (from_ := args.get("from_")) is not None:
        add_from(from_.args["this"], args.get("joins") or (), scope)
    for lateral in args.get("laterals") or ():
        add_from(lateral, (), scope)
    for window in args.get("windows") or ():
        scope.windows[window.this.name.lower()] = window
    scope.selected = select.args["expressions"]
    rules = context.session.dialect.scoping
    scope.aliases_seen = scope.projecting = rules.lateral_aliases
    columns = _project(select, scope, assigning)
    scope.projecting = False
    scope.overrides.clear()
    _decide_rows(args, columns, scope)
    for name in scope.assigned:
        add(context.assigned[name], scope.rows.flat(), IDENTITY)
    return Output(columns, scope.rows)


def _decide_rows(args: Mapping[str, Any], columns: Sequence[OutputColumn], scope: Scope) -> None:
    """The clauses behind FROM, each of which decides the rows in its way."""
    context = scope.context
    if (where := args.get("where")) is not None:
        decide(where.args["this"], FILTER, scope)
    scope.aliases_seen = True
    if (connect := args.get("connect")) is not None:
        decide(connect, JOIN, scope)
    if (group := args.get("group")) is not None:
        make_groups(group, columns, scope)
    if (having := args.get("having")) is not None:
        grouped = bare_names(group, context) if group is not None else ()
        prefers = context.session.dialect.scoping.prefers_aliases
        with scope.aliases_first(but=grouped) if prefers else nullcontext():
            decide(having.args["this"], FILTER, scope)
    if (qualify := args.get("qualify")) is not None:
        decide(qualify.args["this"], FILTER, scope)
    if (distinct := args.get("distinct")) is not None:
        make_distinct(distinct, columns, scope)
    if (order := args.get("order")) is not None:
        sort(order, columns, scope)
    for key in ("limit", "offset"):
        if (bound := args.get(key)) is not None:
            decide(bound, FILTER, scope)


def _project(select: exp.Expr, scope: Scope, assigning: Assigning | None) -> list[OutputColumn]:
    columns: list[OutputColumn] = []
    context = scope.context
    aliases = scope.aliases
    for at, item in enumerate(select.args["expressions"]):
        kind = type(item)
        node = item
        if kind is exp.Alias:
            name = context.column_name(item.args["alias"])
            node = item.args["this"]
        elif kind is exp.Column:
            if type(item.args["this"]) is exp.Star:
                columns.extend(expand_table_star(item, scope))
                continue
            name = context.column_name(item.args["this"])
        elif kind is exp.Star:
            columns.extend(expand_star(item, scope))
            continue
        elif kind is exp.Aliases:
            columns.extend(_aliases(item, scope))
            continue
        else:
            name = UNNAMED
        inserted = assigning is not None and at in assigning.inserts
        origins = origins_of(node, _joined_alone(scope) if inserted else scope)
        # made by the thousand: half the time of calling the class
        column: OutputColumn = tuple.__new__(OutputColumn, (name, origins, context.made_by(node, origins)))
        columns.append(column)
        if kind is exp.Alias:
            aliases.setdefault(name, column)
        if assigning is not None and assigning.in_order:
            scope.override(*assigning.columns[at], column.origins, assigning.surely)
    return columns


def _joined_alone(scope: Scope) -> Scope:
    """A scope inside of this one that has all but the first item of FROM."""
    inner = Scope(scope.context, scope, scope.ctes)
    for source in list(scope.sources.values())[1:]:
        inner.add(source)
    return inner


def _aliases(item: exp.Expr, scope: Scope) -> list[OutputColumn]:
    origins = origins_of(item.args["this"], scope)
    return [OutputColumn(scope.context.column_name(alias), origins, item) for alias in item.expressions]


def _in_parentheses(context: Context, query: exp.Expr, scope: Scope) -> Output:
    """A query, or joined tables, in parentheses; it may have its own ORDER BY and LIMIT."""
    inner = query.args.get("this")
    if inner is None:
        return Output([], scope.rows)
    if not isinstance(inner, exp.Query | exp.Values) or query.args.get("joins"):
        add_from(query, query.args.get("joins") or (), scope)
        return Output(list(expand_star(exp.Star(), scope)), scope.rows)
    output = resolve(context, inner, scope.parent, scope.ctes)
    order = query.args.get("order")
    if order is None:
        return output
    scope.rows.parts.append(output.rows)
    sort_output(order, output, scope)
    return Output(output.columns, scope.rows)
