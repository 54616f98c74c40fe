"""SELECT * and t.*: the columns they stand for, when a schema tells us.

An unknown schema is no error: the star stays, as a column `*` of the relation, with an Issue.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqllineage_svc.engine.joins import Without
from sqllineage_svc.engine.scope import Scope
from sqllineage_svc.engine.sources import OutputColumn, Source
from sqllineage_svc.model.names import ALL_COLUMNS


def expand_star(star: exp.Expr, scope: Scope) -> Iterator[OutputColumn]:
    """The columns of everything in FROM, merged columns of USING first, without those EXCLUDEd."""
    left_out = _left_out(star, scope)
    for item in scope.visible:
        if isinstance(item, OutputColumn):
            if item.name not in left_out:
                yield item
            continue
        yield from _columns(item, left_out, scope, star)


def expand_table_star(node: exp.Expr, scope: Scope) -> Iterator[OutputColumn]:
    """The columns of `t.*`, those merged by USING among them."""
    context = scope.context
    star = node.args["this"]
    alias = context.relation_name(node.args["table"])
    source = scope.source(alias)
    if source is None and node.args.get("db") is None:
        context.issue("UnknownTable", f"{alias!r} in {alias}.* is nothing that is read here", node)
        return
    if source is None:
        return
    yield from _columns(source, _left_out(star, scope), scope, node)


def _columns(
    source: Source, left_out: frozenset[str], scope: Scope, star: exp.Expr
) -> Iterator[OutputColumn]:
    taken = source.taken if isinstance(source, Without) else frozenset()
    for column in source.columns():
        if column.name == ALL_COLUMNS:
            where = source.relation or source.alias
            message = f"the columns of {where} are not known, so * stays *; give its schema with --schema"
            scope.context.issue("StarNotExpanded", message, star)
        elif column.name in left_out or column.name in taken:
            continue
        yield column


def _left_out(star: exp.Expr, scope: Scope) -> frozenset[str]:
    listed = star.args.get("except_") or ()
    names: set[str] = set()
    for item in listed:
        identifier = item.this if isinstance(item, exp.Column) else item
        if isinstance(identifier, exp.Identifier):
            names.add(scope.context.column_name(identifier))
    return frozenset(names)
