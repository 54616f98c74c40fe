"""Queries made of queries: UNION, EXCEPT, INTERSECT, VALUES and WITH, recursive or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from sqllineage_svc.engine.context import Context
from sqllineage_svc.engine.expressions import origins_of
from sqllineage_svc.engine.ordering import sort_output
from sqllineage_svc.engine.origins import FILTER, GROUP_BY, IDENTITY, NOTHING, Origins, RowSet, add, through
from sqllineage_svc.engine.scope import Scope
from sqllineage_svc.engine.sources import Output, OutputColumn, merged
from sqllineage_svc.engine.unnamed import named
from sqllineage_svc.model.names import ALL_COLUMNS, ColumnRef, Variable


def resolve_with(
    context: Context, with_: exp.Expr, parent: object, ctes: Mapping[str, Output]
) -> Mapping[str, Output]:
    """The named queries that a WITH clause adds to those in sight; each sees the ones before it."""
    seen = dict(ctes)
    recursive = bool(with_.args.get("recursive"))
    for cte in with_.expressions:
        alias = cte.args["alias"]
        name = context.relation_name(alias.args["this"])
        names = [context.column_name(column) for column in alias.args.get("columns") or ()]
        query = cte.args["this"]
        if recursive and _reads(query, name, context):
            seen[name] = _resolve_recursive(context, query, name, names, parent, seen)
        else:
            seen[name] = named(context.resolve(context, query, parent, seen), context).renamed(names)
    return seen


def _reads(query: exp.Expr, name: str, context: Context) -> bool:
    return any(
        table.args.get("db") is None
        and isinstance(table.this, exp.Identifier)
        and context.relation_name(table.this) == name
        for table in query.find_all(exp.Table)
    )


def _resolve_recursive(
    context: Context,
    query: exp.Expr,
    name: str,
    names: Sequence[str],
    parent: object,
    ctes: Mapping[str, Output],
) -> Output:
    """A recursive WITH to its fixed point.

    The query is resolved once, with each column of the one it calls itself standing for itself; then those
    stand-ins are replaced by what they were found to be, until nothing changes.
    """
    stand_in = Variable("\0" + name)
    anchor = query
    while isinstance(anchor, exp.SetOperation) or type(anchor) is exp.Subquery:
        anchor = anchor.args["this"]
    anchor_ctes = ctes
    if (with_ := query.args.get("with_")) is not None:
        anchor_ctes = resolve_with(context, with_, parent, ctes)
    issues = dict(context.issues)
    start = named(context.resolve(context, anchor, parent, anchor_ctes), context).renamed(names)
    context.issues = issues  # the anchor is resolved again with the whole
    itself = [
        OutputColumn(column.name, {ColumnRef(stand_in, column.name): IDENTITY}, column.node)
        for column in start.columns
    ]
    found = context.resolve(context, query, parent, {**ctes, name: Output(itself, RowSet())}).renamed(
        names or [column.name for column in start.columns]
    )
    columns, rows = _fixed_point(found, stand_in, start)
    return Output(columns, rows)


def _fixed_point(found: Output, stand_in: Variable, start: Output) -> tuple[list[OutputColumn], RowSet]:
    values = {column.name: column.origins for column in found.columns}

    def replaced(origins: Origins) -> Origins:
        result: Origins = {}
        for ref, ways in origins.items():
            if ref.dataset != stand_in:
                result[ref] = result.get(ref, 0) | ways
                continue
            inner = values.get(ref.column)
            if inner is None:
                known = start.find(ref.column)
                inner = known.origins if known else NOTHING
            for source, way in inner.items():
                if source.dataset != stand_in or source.column in values:
                    result[source] = result.get(source, 0) | through(way, ways)
        return result

    changed = True
    while changed:
        changed = False
        for column, origins in values.items():
            following = merged(origins, replaced(origins))
            if following != origins:
                values[column] = following
                changed = True
    rows = RowSet()
    rows.own = _without(replaced(found.rows.flat()), stand_in)
    columns = [
        OutputColumn(column.name, _without(values[column.name], stand_in), column.node)
        for column in found.columns
    ]
    return columns, rows


def _without(origins: Origins, stand_in: Variable) -> Origins:
    return {ref: ways for ref, ways in origins.items() if ref.dataset != stand_in}


def resolve_set(context: Context, query: exp.Expr, scope: Scope) -> Output:
    """UNION, EXCEPT and INTERSECT, by position under the first query's names.

    A chain of 100,000 is walked along its left side, not into it. What EXCEPT and INTERSECT compare with
    only decides; where equal rows become one, every column decides.
    """
    first, steps = _chain(query)
    output = context.resolve(context, first, scope.parent, scope.ctes)
    width = len(output.columns)
    names = [column.name for column in output.columns]
    nodes = [column.node for column in output.columns]
    columns: list[Origins] = [dict(column.origins) for column in output.columns]
    is_open = output.is_open
    scope.rows.parts.append(output.rows)
    for step in steps:
        other = context.resolve(context, step.args["expression"], scope.parent, scope.ctes)
        scope.rows.parts.append(other.rows)
        if isinstance(step, exp.Union):
            if is_open or other.is_open or len(other.columns) != width:
                names, nodes, columns = _aligned(names, nodes, columns, other, context, step)
                width, is_open = len(columns), ALL_COLUMNS in names
            else:
                for target, column in zip(columns, other.columns, strict=True):
                    add(target, column.origins, IDENTITY)
            if step.args.get("distinct"):
                for target in columns:
                    add(scope.rows.own, target, GROUP_BY)
        else:
            for origins in (*columns, *(column.origins for column in other.columns)):
                add(scope.rows.own, origins, FILTER)
    result = Output([OutputColumn(*made) for made in zip(names, columns, nodes, strict=True)], scope.rows)
    if (order := query.args.get("order")) is not None:
        sort_output(order, named(result, context), scope)
    return result


def _chain(query: exp.Expr) -> tuple[exp.Expr, list[exp.Expr]]:
    """The first query of a chain of set operations, and the operations behind it in order."""
    steps: list[exp.Expr] = []
    first = query
    while isinstance(first, exp.SetOperation) and (first is query or not _own_clauses(first)):
        steps.append(first)
        first = first.args["this"]
    return first, steps[::-1]


def _own_clauses(query: exp.Expr) -> bool:
    return any(query.args.get(key) is not None for key in ("order", "limit", "offset", "with_"))


def _aligned(
    names: list[str],
    nodes: list[exp.Expr | None],
    columns: list[Origins],
    other: Output,
    context: Context,
    step: exp.Expr,
) -> tuple[list[str], list[exp.Expr | None], list[Origins]]:
    """The columns of two queries of which one has an unlisted `*`, or whose widths differ."""
    theirs = [column.origins for column in other.columns]
    if ALL_COLUMNS not in names:
        if other.is_open:  # which of the other's columns meets which of ours is not known
            unknown: Origins = {}
            for origins in theirs:
                unknown = merged(unknown, origins)
            return names, nodes, [merged(own, unknown) for own in columns]
        context.issue(
            "ColumnCountsDiffer", "the queries of a set operation return different numbers of columns"
        )
        for own, their in zip(columns, theirs, strict=False):
            add(own, their, IDENTITY)
        return names, nodes, columns
    everything: Origins = {}
    for origins in (*columns, *theirs):
        everything = merged(everything, origins)
    if len(names) == 1 or len(other.columns) == 1:
        return [ALL_COLUMNS], [None], [everything]
    merged_columns = [
        merged(own, everything if name == ALL_COLUMNS or other.is_open else their)
        for name, own, their in zip(names, columns, [*theirs, *[everything] * len(names)], strict=False)
    ]
    return names, nodes, merged_columns


def resolve_values(
    context: Context, values: exp.Expr, scope: Scope, names: Sequence[str] = (), filled: Scope | None = None
) -> Output:
    """VALUES: the rows merged column by column.

    Where a row `filled` column by column is given, values outside of subqueries may read those of the row
    that stand before them, by these names.
    """
    columns: list[Origins] = []
    for row in values.expressions:
        items = _row_items(row)
        while len(columns) < len(items):
            columns.append({})
        if filled is not None:
            filled.overrides.clear()
        for at, (target, item) in enumerate(zip(columns, items, strict=False)):
            if type(item) is exp.Literal:
                continue
            if filled is None or item.find(exp.Query) is not None:
                origins = origins_of(item, scope)
            else:
                origins = origins_of(item, filled)
            add(target, origins, IDENTITY)
            if filled is not None and at < len(names):
                filled.override(None, names[at], origins, surely=True)
    rules = context.session.dialect.scoping
    names = [rules.unnamed_column.format(position=at + rules.first_unnamed) for at in range(len(columns))]
    nodes = _row_items(values.expressions[0]) if len(values.expressions) == 1 else [None] * len(columns)
    return Output(
        [
            OutputColumn(name, origins, node)
            for name, origins, node in zip(names, columns, nodes, strict=False)
        ],
        scope.rows,
    )


def _row_items(row: exp.Expr) -> list[exp.Expr]:
    items: list[exp.Expr] = row.expressions if isinstance(row, exp.Tuple) else [row]
    if len(items) == 1 and isinstance(items[0], exp.Anonymous) and items[0].name.upper() == "ROW":
        return list(items[0].expressions)
    return items
