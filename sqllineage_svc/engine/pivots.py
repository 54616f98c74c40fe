"""PIVOT and UNPIVOT: rows into columns and back.

Sources: https://docs.aws.amazon.com/redshift/latest/dg/r_FROM_clause-pivot-unpivot-examples.html
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqllineage_svc.engine.expressions import gather, origins_of
from sqllineage_svc.engine.origins import (
    CONDITIONAL,
    FILTER,
    GROUP_BY,
    IDENTITY,
    TRANSFORMATION,
    Origins,
    RowSet,
    add,
)
from sqllineage_svc.engine.scope import Scope
from sqllineage_svc.engine.sources import Output, OutputColumn, Source
from sqllineage_svc.model.names import ALL_COLUMNS


def pivoted(source: Source, pivot: exp.Expr, scope: Scope) -> Output:
    """The output of PIVOT or UNPIVOT over a source; what decides rows goes to the scope's."""
    inner = Scope(scope.context, scope.parent, scope.ctes)
    inner.add(source)
    columns = _unpivot(source, pivot, inner) if pivot.args.get("unpivot") else _pivot(source, pivot, inner)
    scope.rows.parts.append(inner.rows)
    return Output(columns, RowSet())


def _pivot(source: Source, pivot: exp.Expr, inner: Scope) -> list[OutputColumn]:
    """The columns that neither the aggregates nor FOR use are grouped by; one column for each value."""
    context = inner.context
    used: set[str] = set()
    for part in (*pivot.expressions, *(field.this for field in pivot.args.get("fields") or ())):
        used |= {context.column_name(column.this) for column in part.find_all(exp.Column)}
    columns: list[OutputColumn] = []
    for column in source.columns():
        if column.name not in used:
            columns.append(column)
            if column.name != ALL_COLUMNS:
                add(inner.rows.own, column.origins, GROUP_BY)
            else:
                message = "the columns of a PIVOT's input are not known; give its schema with --schema"
                context.issue("StarNotExpanded", message, pivot)
                add(inner.rows.own, column.origins, GROUP_BY)
    for field in pivot.args.get("fields") or ():
        for value in field.expressions:
            value_name = _value_name(value, context.session.identifiers.fold_column)
            for aggregate in pivot.expressions:
                columns.append(
                    _pivot_column(value_name, aggregate, field.this, len(pivot.expressions), inner)
                )
    return columns


def _pivot_column(
    value: str, aggregate: exp.Expr, chosen_by: exp.Expr, aggregates: int, inner: Scope
) -> OutputColumn:
    origins: Origins = {}
    alias = aggregate.alias if isinstance(aggregate, exp.Alias) else ""
    gather(aggregate.this if alias else aggregate, IDENTITY, inner, origins)
    add(origins, origins_of(chosen_by, inner), CONDITIONAL)
    name = f"{value}_{alias.lower()}" if alias else value
    return OutputColumn(name if alias or aggregates == 1 else value, origins, aggregate)


def _value_name(value: exp.Expr, fold: object) -> str:
    if isinstance(value, exp.PivotAlias):
        value = value.args["alias"]
    if isinstance(value, exp.Alias):
        value = value.args["alias"]
    return value.name.lower()


def _unpivot(source: Source, pivot: exp.Expr, inner: Scope) -> list[OutputColumn]:
    """The listed columns become a name column, which is made of constants, and a value column.

    A row whose value is NULL is left out unless INCLUDE NULLS says otherwise, so each listed column decides
    the rows.
    """
    context = inner.context
    fields: Sequence[exp.Expr] = pivot.args.get("fields") or ()
    value: Origins = {}
    taken: set[str] = set()
    for field in fields:
        for item in field.expressions:
            column = item.this if isinstance(item, exp.PivotAlias | exp.Alias) else item
            if isinstance(column, exp.Column | exp.Identifier):
                name = context.column_name(column.this if isinstance(column, exp.Column) else column)
                taken.add(name)
                origins = source.origins(name)
                add(value, origins, TRANSFORMATION)
                if not pivot.args.get("include_nulls"):
                    add(inner.rows.own, origins, FILTER)
    columns = [column for column in source.columns() if column.name not in taken]
    for field in fields:
        named = field.this.this if isinstance(field.this, exp.Column) else field.this
        columns.append(OutputColumn(context.column_name(named), {}))
    for target in pivot.expressions:
        identifier = target.this if isinstance(target, exp.Column) else target
        columns.append(OutputColumn(context.column_name(identifier), value))
    return columns
