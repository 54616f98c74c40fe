"""The names of output columns that the statement did not name."""

from __future__ import annotations

from sqlglot import exp

from sqllineage_svc.dialect import FunctionFacts
from sqllineage_svc.engine.context import Context
from sqllineage_svc.engine.sources import UNNAMED, Output, OutputColumn


def named(output: Output, context: Context) -> Output:
    """The output with the warehouse's names where the statement gave none; made only where they matter."""
    if UNNAMED not in [column.name for column in output.columns]:
        return output
    columns = [
        OutputColumn(_name(column.node, context), column.origins, column.node)
        if column.name == UNNAMED
        else column
        for column in output.columns
    ]
    return Output(columns, output.rows)


def _name(node: exp.Expr | None, context: Context) -> str:
    dialect = context.session.dialect
    if node is None:
        return "?column?"
    if dialect.scoping.unnamed_is_text:
        return context.session.identifiers.fold_column(node.sql(dialect=dialect.sqlglot), True)
    return context.session.identifiers.fold_column(_after_function(node, dialect.functions), True)


def _after_function(node: exp.Expr, facts: FunctionFacts) -> str:
    """The outermost function's name, through casts; `case`; else `?column?`.

    Source: https://github.com/postgres/postgres/blob/master/src/backend/parser/parse_target.c, FigureColname
    """
    while isinstance(
        node, exp.Paren | exp.Cast | exp.Window | exp.Filter | exp.WithinGroup | exp.IgnoreNulls
    ):
        node = node.this
    if isinstance(node, exp.Column):
        return node.name
    if isinstance(node, exp.Case | exp.If):
        return "case"
    if isinstance(node, exp.Subquery):
        inner = node.unnest()
        selected = inner.selects[0] if isinstance(inner, exp.Select) and inner.selects else None
        return (
            selected.alias_or_name or _after_function(selected, facts) if selected is not None else "?column?"
        )
    if isinstance(node, exp.Exists):
        return "exists"
    if isinstance(node, exp.Anonymous):
        return node.name.lower()
    if isinstance(node, exp.Func) and not isinstance(node, exp.Connector | exp.Binary):
        name = node.sql_name().lower()
        return facts.column_names.get(name, name)
    return "?column?"
