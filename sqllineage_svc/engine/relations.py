"""A FROM clause into a scope: tables, CTEs, queries, and the joins between them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext

from sqlglot import exp

from sqllineage_svc.engine.expressions import decide
from sqllineage_svc.engine.joins import join_common
from sqllineage_svc.engine.origins import EXISTENCE, JOIN, RowSet
from sqllineage_svc.engine.pivots import pivoted
from sqllineage_svc.engine.scope import Scope
from sqllineage_svc.engine.sources import Output, Source
from sqllineage_svc.engine.unfold import PATHS, add_elements, add_function, add_object, alias_name, path_of
from sqllineage_svc.engine.unnamed import named
from sqllineage_svc.model.names import ROWS, ColumnRef, Relation


def add_from(item: exp.Expr, joins: Iterable[exp.Expr], scope: Scope) -> None:
    """Add a FROM item and all that is joined to it, with the conditions that decide the rows."""
    start = len(scope.visible)
    add_item(item, scope)
    for join in joins:
        if _is_bare(join):
            start = len(scope.visible)
        add_join(join, scope, start)


def _is_bare(join: exp.Expr) -> bool:
    """Is it a comma, which binds weaker than JOIN? Some warehouses allow JOIN without a condition, too."""
    return not any(join.args.get(key) for key in ("on", "using", "method", "kind", "side"))


def add_join(join: exp.Expr, scope: Scope, start: int) -> None:
    """Add an item joined to what is visible from `start` on; its ON, USING or NATURAL decide the rows."""
    args = join.args
    on = args.get("on")
    before = len(scope.visible)
    add_item(args["this"], scope, may_be_path=on is None or type(on) is exp.Boolean)
    using = args.get("using")
    if using or args.get("method") == "NATURAL":
        names = [scope.context.column_name(identifier) for identifier in using or ()]
        natural = args.get("method") == "NATURAL"
        join_common(scope, start, before, None if natural else names, args.get("side") or "")
    if on is not None:
        alone = start and not scope.context.session.dialect.scoping.conditionless_joins
        with scope.near(start) if alone else nullcontext():
            decide(on, JOIN, scope)


def add_item(node: exp.Expr, scope: Scope, may_be_path: bool = True) -> None:
    """Add one FROM item. `may_be_path`: `a.b` may be the column b of an earlier item a, not a table.

    A joined `a.b` with a condition is a table; one without may be either.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_FROM_clause30.html
    """
    start = len(scope.visible)
    kind = type(node)
    if kind is exp.Table:
        _add_table(node, scope, may_be_path)
    elif kind is exp.Subquery:
        _add_in_parentheses(node, scope)
    elif kind is exp.Lateral:
        _add_lateral(node, scope)
    elif kind is exp.Pivot:
        add_object(node, scope)
    elif kind in PATHS:
        _add_path(node, scope, may_be_path)
    elif kind is exp.Values:
        _add_query(node, scope, scope)
    else:
        add_function(node, node.args.get("alias"), scope)
    for nested in node.args.get("joins") or ():
        add_join(nested, scope, start)
    for lateral in node.args.get("laterals") or ():
        add_item(lateral, scope)


def _add_table(node: exp.Expr, scope: Scope, may_be_path: bool) -> None:
    context = scope.context
    this = node.args["this"]
    alias = node.args.get("alias")
    if isinstance(this, exp.Parameter):
        context.issue("UnknownTable", "the table's name is in a variable", node)
        return
    if not isinstance(this, exp.Identifier):
        add_function(this, alias, scope)
        return
    name = context.relation_name(this)
    schema, catalog = node.args.get("db"), node.args.get("catalog")
    written = Relation(
        context.relation_name(catalog) if catalog else None,
        context.relation_name(schema) if schema else None,
        name,
    )
    if written.schema is None and name in scope.ctes:
        output = scope.ctes[name]
        scope.rows.parts.append(output.rows)
        _finish(Source(alias_name(alias, scope) or name, None, None, output), node, scope)
    elif written.schema in scope.sources and may_be_path and context.session.find(written) is None:
        owner = scope.sources[written.schema]
        add_elements(owner.origins(context.column_name(this)), alias_name(alias, scope) or name, alias, scope)
    elif written.schema is not None or name.lower() not in context.session.dialect.tableless:
        _add_relation(written, node, scope)


def _add_relation(written: Relation, node: exp.Expr, scope: Scope) -> None:
    """A table or view; `node` has its alias and what is done to it."""
    context = scope.context
    relation = context.session.qualify(written)
    context.reads(relation)
    scope.rows.own[ColumnRef(relation, ROWS)] = EXISTENCE
    alias = alias_name(node.args.get("alias"), scope) or written.name
    _finish(Source(alias, relation, context.session.names(relation)), node, scope)


def _finish(source: Source, node: exp.Expr, scope: Scope) -> None:
    """Apply an alias's column list and what PIVOT makes of it, then add the source."""
    alias = node.args.get("alias")
    listed = alias.args.get("columns") if alias is not None else None
    if listed:
        output = source.output or Output(list(source.columns()), RowSet())
        names = [scope.context.column_name(column) for column in listed]
        source = Source(source.alias, None, None, output.renamed(names))
    for pivot in node.args.get("pivots") or ():
        output = pivoted(source, pivot, scope)
        source = Source(alias_name(pivot.args.get("alias"), scope) or source.alias, None, None, output)
    scope.add(source)


def _add_in_parentheses(node: exp.Expr, scope: Scope) -> None:
    """A query; or joined tables, whose names are seen outside their parentheses."""
    inner = node.args["this"]
    if _is_query(inner) or node.args.get("alias") is not None:
        _add_query(node, scope, scope.parent)
    else:
        add_item(inner, scope)


def _is_query(node: exp.Expr) -> bool:
    while type(node) is exp.Subquery and node.args.get("alias") is None and not node.args.get("joins"):
        node = node.args["this"]
    return isinstance(node, exp.Select | exp.SetOperation | exp.Values) or type(node) is exp.Subquery


def _add_query(node: exp.Expr, scope: Scope, around: Scope | None) -> None:
    context = scope.context
    plain = type(node) is exp.Subquery and node.args.get("order") is None and node.args.get("with_") is None
    output = named(
        context.resolve(context, node.args["this"] if plain else node, around, scope.ctes), context
    )
    scope.rows.parts.append(output.rows)
    alias = alias_name(node.args.get("alias"), scope)
    _finish(Source(alias or f"\0{len(scope.sources)}", None, None, output), node, scope)


def _add_lateral(node: exp.Expr, scope: Scope) -> None:
    """LATERAL: a query that sees the items before it."""
    inner = node.args["this"]
    if not isinstance(inner, exp.Subquery):
        add_function(inner, node.args.get("alias"), scope)
        return
    output = named(scope.context.resolve(scope.context, inner, scope, scope.ctes), scope.context)
    scope.rows.parts.append(output.rows)
    _finish(Source(alias_name(node.args.get("alias"), scope) or "", None, None, output), node, scope)


def _add_path(node: exp.Expr, scope: Scope, may_be_path: bool) -> None:
    """`c.orders AS o`: a value of an earlier item unfolded; but a table `c.orders` if one is known."""
    context = scope.context
    value, alias, position = path_of(node)
    if type(value) is exp.Column and value.args.get("table") is not None and value.args.get("db") is None:
        written = Relation(
            None, context.relation_name(value.args["table"]), context.relation_name(value.args["this"])
        )
        if not may_be_path or context.session.find(written) is not None:
            _add_relation(written, node, scope)
            return
    name = alias_name(alias, scope) or value.name
    add_elements(scope.path(value), name, alias, scope, position)
