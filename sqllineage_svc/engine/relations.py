"""A FROM clause into a scope: tables, CTEs, queries, joins, and what unfolds a semi-structured value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from sqllineage_svc.engine.expressions import decide, gather, origins_of
from sqllineage_svc.engine.joins import join_common
from sqllineage_svc.engine.origins import EXISTENCE, IDENTITY, JOIN, TRANSFORMATION, Origins, RowSet, add
from sqllineage_svc.engine.pivots import pivoted
from sqllineage_svc.engine.scope import Scope
from sqllineage_svc.engine.sources import Output, OutputColumn, Source, weakened
from sqllineage_svc.engine.unnamed import named
from sqllineage_svc.model.names import ALL_COLUMNS, ROWS, ColumnRef, Relation


def add_from(item: exp.Expr, joins: Iterable[exp.Expr], scope: Scope) -> None:
    """Add a FROM item and all that is joined to it, with the conditions that decide the rows."""
    add_item(item, scope)
    for join in joins:
        add_join(join, scope)


def add_join(join: exp.Expr, scope: Scope) -> None:
    """Add a joined item; its ON, USING or NATURAL columns decide the rows."""
    args = join.args
    item = args["this"]
    on = args.get("on")
    before = len(scope.visible)
    add_item(item, scope, path_may_be=on is None or type(on) is exp.Boolean)
    using = args.get("using")
    if using or args.get("method") == "NATURAL":
        names = [scope.context.column_name(identifier) for identifier in using or ()]
        join_common(scope, before, None if args.get("method") == "NATURAL" else names, args.get("side") or "")
    if on is not None:
        decide(on, JOIN, scope)


def add_item(node: exp.Expr, scope: Scope, path_may_be: bool = True) -> None:
    """Add one FROM item. `path_may_be`: `a.b` may be the column b of an earlier item a."""
    kind = type(node)
    if kind is exp.Table:
        _add_table(node, scope, path_may_be)
    elif kind is exp.Subquery:
        _add_subquery(node, scope)
    elif kind is exp.Lateral:
        _add_lateral(node, scope)
    elif kind is exp.Unnest:
        _add_path(node.expressions[0], node.args.get("alias"), None, scope, path_may_be)
    elif kind is exp.Pivot:
        _add_unpivoted_object(node, scope)
    elif kind in (exp.Alias, exp.AtIndex, exp.Column, exp.Bracket, exp.Dot):
        _add_path_item(node, scope, path_may_be)
    elif kind is exp.Values:
        _add_query(node, node.args.get("alias"), scope, scope)
    else:
        _add_function(node, node.args.get("alias"), scope)
    for nested in node.args.get("joins") or ():
        if kind is not exp.Subquery:
            add_join(nested, scope)
    for lateral in node.args.get("laterals") or ():
        add_item(lateral, scope)


def _add_source(source: Source, scope: Scope) -> None:
    scope.add(source)
    scope.visible.append(source)


def _add_table(node: exp.Expr, scope: Scope, path_may_be: bool) -> None:
    context = scope.context
    this = node.args["this"]
    alias = node.args.get("alias")
    if not isinstance(this, exp.Identifier):
        if isinstance(this, exp.Parameter):
            context.issue("UnknownTable", "the table's name is in a variable", node)
            return
        _add_function(this, alias, scope)
        return
    name = context.relation_name(this)
    schema, catalog = node.args.get("db"), node.args.get("catalog")
    if schema is None and name in scope.ctes:
        output = scope.ctes[name]
        scope.rows.parts.append(output.rows)
        _finish(Source(_alias_name(alias, scope) or name, None, None, output), node, scope)
        return
    written = Relation(
        context.relation_name(catalog) if catalog else None, context.relation_name(schema) if schema else None, name
    )
    if written.schema is None and name.lower() in context.session.dialect.tableless:
        return
    if path_may_be and written.schema in scope.sources and context.schema(written) is None:
        owner = scope.sources[written.schema]
        _add_values_of(owner, context.column_name(this), _alias_name(alias, scope) or name, alias, scope)
        return
    relation = context.session.qualify(written)
    context.reads(relation)
    known = context.schema(relation)
    scope.rows.own[ColumnRef(relation, ROWS)] = EXISTENCE
    _finish(Source(_alias_name(alias, scope) or name, relation, _Names.of(known)), node, scope)


class _Names:
    """Column names of a schema, as a sequence whose membership test is a hash look-up."""

    @staticmethod
    def of(schema: object) -> Sequence[str] | None:
        from sqllineage_svc.model.schema import TableSchema

        return dict.fromkeys(schema.names) if isinstance(schema, TableSchema) and schema.complete else None  # type: ignore[return-value]


def _finish(source: Source, node: exp.Expr, scope: Scope) -> None:
    """Apply an alias's column list and a pivot, then add the source."""
    alias = node.args.get("alias")
    names = [scope.context.column_name(column) for column in (alias.args.get("columns") or ()) if alias] if alias else []
    pivots = node.args.get("pivots") or ()
    if names:
        output = source.output or Output(list(source.columns()), RowSet())
        source = Source(source.alias, None, None, output.renamed(names))
    for pivot in pivots:
        output = pivoted(source, pivot, scope)
        source = Source(_alias_name(pivot.args.get("alias"), scope) or source.alias, None, None, output)
    _add_source(source, scope)


def _alias_name(alias: exp.Expr | None, scope: Scope) -> str | None:
    if alias is None:
        return None
    this = alias.args.get("this") if isinstance(alias, exp.TableAlias) else alias
    return scope.context.relation_name(this) if isinstance(this, exp.Identifier) else None


def _add_subquery(node: exp.Expr, scope: Scope) -> None:
    inner = node.args["this"]
    alias = node.args.get("alias")
    if isinstance(inner, exp.Query | exp.Values) and not (type(inner) is exp.Subquery and alias is None and _joins(inner)):
        _add_query(node, alias, scope, scope.parent)
        for nested in node.args.get("joins") or ():
            add_join(nested, scope)
        return
    add_from(inner, (), scope)  # joined tables in parentheses: their names are seen outside
    for nested in node.args.get("joins") or ():
        add_join(nested, scope)


def _joins(query: exp.Expr) -> bool:
    return not isinstance(query.args["this"], exp.Query | exp.Values) or bool(query.args.get("joins"))


def _add_query(node: exp.Expr, alias: exp.Expr | None, scope: Scope, around: Scope | None) -> None:
    context = scope.context
    inner = node.args["this"] if type(node) is exp.Subquery and not node.args.get("order") else node
    ctes = scope.ctes
    if inner is not node and node.args.get("with_") is not None:
        inner = node
    output = named(context.resolve(context, inner, around, ctes), context)
    scope.rows.parts.append(output.rows)
    _finish(Source(_alias_name(alias, scope) or f"\0{len(scope.sources)}", None, None, output), node, scope)


def _add_lateral(node: exp.Expr, scope: Scope) -> None:
    inner = node.args["this"]
    alias = node.args.get("alias")
    if isinstance(inner, exp.Subquery):
        output = named(scope.context.resolve(scope.context, inner, scope, scope.ctes), scope.context)
        scope.rows.parts.append(output.rows)
        _finish(Source(_alias_name(alias, scope) or "", None, None, output), node, scope)
    else:
        _add_function(inner, alias, scope)


def _add_function(node: exp.Expr, alias: exp.Expr | None, scope: Scope) -> None:
    """A table function: its arguments are behind each of its columns and decide its rows."""
    if isinstance(node, exp.JSONTable):
        _add_json_table(node, alias, scope)
        return
    found: Origins = {}
    gather(node, TRANSFORMATION, scope, found)
    add(scope.rows.own, found, JOIN)
    columns = (alias.args.get("columns") or ()) if isinstance(alias, exp.TableAlias) else ()
    names = [scope.context.column_name(column) for column in columns]
    alias_name = _alias_name(alias, scope) or node.name.lower() or "\0"
    outputs = [OutputColumn(name, found) for name in names] or [OutputColumn(alias_name, found), _Everything(found)]
    _add_source(Source(alias_name, None, None, Output(outputs, RowSet())), scope)


def _Everything(found: Origins) -> OutputColumn:  # noqa: N802
    return OutputColumn(ALL_COLUMNS, found)


def _add_json_table(node: exp.Expr, alias: exp.Expr | None, scope: Scope) -> None:
    """JSON_TABLE: each column is taken from the document, which also decides the rows."""
    document = weakened(origins_of(node.args["this"], scope), TRANSFORMATION)
    add(scope.rows.own, document, JOIN)
    schema = node.args.get("schema")
    columns = [
        OutputColumn(scope.context.column_name(column.this), {} if column.args.get("ordinality") else document)
        for column in (schema.find_all(exp.JSONColumnDef) if schema is not None else ())
        if isinstance(column.this, exp.Identifier)
    ]
    _add_source(Source(_alias_name(alias, scope) or "json_table", None, None, Output(columns, RowSet())), scope)


def _add_path_item(node: exp.Expr, scope: Scope, path_may_be: bool) -> None:
    """`c.orders AS o AT position`: an item that navigates into an earlier one."""
    position = None
    if type(node) is exp.AtIndex:
        position = node.args["expression"]
        node = node.args["this"]
    alias = None
    if type(node) is exp.Alias:
        alias = node.args["alias"]
        node = node.args["this"]
    _add_path(node, alias, position, scope, path_may_be)


def _add_path(
    node: exp.Expr, alias: exp.Expr | None, position: exp.Expr | None, scope: Scope, path_may_be: bool
) -> None:
    context = scope.context
    if type(node) is exp.Column and node.args.get("db") is None and node.args.get("table") is not None:
        written = Relation(None, context.relation_name(node.args["table"]), context.relation_name(node.this))
        if context.schema(written) is not None or not path_may_be:
            table_alias = alias if isinstance(alias, exp.TableAlias) or alias is None else exp.TableAlias(this=alias.copy())
            _add_table(exp.Table(this=node.this.copy(), db=node.args["table"].copy(), alias=table_alias), scope, False)
            return
    origins = weakened(origins_of(node, scope), TRANSFORMATION)
    name = _alias_name(alias, scope) or node.name
    _add_elements(origins, name, alias, scope)
    if position is not None:
        column = OutputColumn(context.column_name(position), {})
        _add_source(Source("\0" + column.name, None, None, Output([column], RowSet())), scope)


def _add_values_of(owner: Source, column: str, name: str, alias: exp.Expr | None, scope: Scope) -> None:
    _add_elements(weakened(owner.origins(column), TRANSFORMATION), name, alias, scope)


def _add_elements(origins: Origins, name: str, alias: exp.Expr | None, scope: Scope) -> None:
    """The elements of a value: named by the alias, with any path into them, or by its column list."""
    add(scope.rows.own, origins, JOIN)
    listed = (alias.args.get("columns") or ()) if isinstance(alias, exp.TableAlias) else ()
    columns = [OutputColumn(scope.context.column_name(column), origins) for column in listed]
    everything = OutputColumn(ALL_COLUMNS, {ref: ways for ref, ways in origins.items()})
    output = Output(columns or [OutputColumn(name, origins), everything], RowSet())
    _add_source(ElementSource(name, output, origins), scope)


class ElementSource(Source):
    """The elements of an array or object: any path into one has the value's own origins."""

    navigable = True
    __slots__ = ("_origins",)

    def __init__(self, alias: str, output: Output, origins: Origins) -> None:
        super().__init__(alias, None, None, output)
        self._origins = origins

    def knows(self, name: str) -> bool | None:
        """Only its own name is certain; a path needs the alias before it, and then it is a path."""
        return self.output is not None and any(column.name == name for column in self.output.columns)

    def origins(self, name: str) -> Origins:
        """The origins of the value that holds the elements."""
        return self._origins


def _add_unpivoted_object(node: exp.Expr, scope: Scope) -> None:
    """UNPIVOT object AS value AT name: both come out of the object.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/query-super.html#unpivoting
    """
    item = node.args["this"]
    name = None
    if type(item) is exp.AtIndex:
        name = item.args["expression"]
        item = item.args["this"]
    alias = None
    if type(item) is exp.Alias:
        alias = item.args["alias"]
        item = item.args["this"]
    if type(item) is exp.Table:
        alias = item.args.get("alias")
        column = exp.Column(this=item.this.copy(), table=item.args["db"].copy() if item.args.get("db") else None)
        item = column
    origins = weakened(origins_of(item, scope), TRANSFORMATION)
    _add_elements(origins, _alias_name(alias, scope) or item.name, alias, scope)
    if name is not None:
        column_ = OutputColumn(scope.context.column_name(name), origins)
        _add_source(Source("\0" + column_.name, None, None, Output([column_], RowSet())), scope)


__all__ = ["IDENTITY", "add_from"]
