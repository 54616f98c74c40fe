"""FROM items that unfold a value: semi-structured paths, objects, JSON_TABLE and other table functions.

Sources: https://docs.aws.amazon.com/redshift/latest/dg/query-super.html,
https://dev.mysql.com/doc/refman/8.4/en/json-table-functions.html
"""

from __future__ import annotations

from sqlglot import exp

from sqllineage_svc.engine.expressions import gather, origins_of
from sqllineage_svc.engine.origins import JOIN, TRANSFORMATION, Origins, RowSet, add
from sqllineage_svc.engine.scope import Scope
from sqllineage_svc.engine.sources import Output, OutputColumn, Source, weakened
from sqllineage_svc.model.names import ALL_COLUMNS

PATHS = (exp.Unnest, exp.Alias, exp.AtIndex, exp.Column, exp.Bracket, exp.Dot)
"""How sqlglot parses a FROM item that navigates into an earlier one."""


def path_of(node: exp.Expr) -> tuple[exp.Expr, exp.Expr | None, exp.Expr | None]:
    """The value, the alias and the position's name of `value AS alias AT position`."""
    position = alias = None
    if type(node) is exp.AtIndex:
        position = node.args["expression"]
        node = node.args["this"]
    if type(node) is exp.Alias:
        alias = node.args["alias"]
        node = node.args["this"]
    if type(node) is exp.Unnest:
        alias = node.args.get("alias")
        node = node.expressions[0]
    return node, alias, position


def alias_name(alias: exp.Expr | None, scope: Scope) -> str | None:
    """The folded name of an alias."""
    this = alias.args.get("this") if type(alias) is exp.TableAlias else alias
    return scope.context.relation_name(this) if type(this) is exp.Identifier else None


class Elements(Source):
    """The elements of an array or object: any path into one has the origins of the whole value."""

    navigable = True
    __slots__ = ("_value",)

    def __init__(self, alias: str, output: Output, value: Origins) -> None:
        super().__init__(alias, None, None, output)
        self._value = value

    def knows(self, name: str) -> bool | None:
        """Only its own columns are certain: a path into it needs the alias ahead."""
        return self.output is not None and any(column.name == name for column in self.output.columns)

    def origins(self, name: str) -> Origins:
        """The origins of the value that holds the elements."""
        return self._value

    def find(self, name: str) -> Origins | None:
        """The same: any path leads into the value."""
        return self._value


def add_elements(
    value: Origins, name: str, alias: exp.Expr | None, scope: Scope, position: exp.Expr | None = None
) -> None:
    """Add the elements of a value under a name, and the number of each if `position` names it."""
    value = weakened(value, TRANSFORMATION)
    add(scope.rows.own, value, JOIN)
    listed = (alias.args.get("columns") or ()) if isinstance(alias, exp.TableAlias) else ()
    names = [scope.context.column_name(column) for column in listed] or [name]
    columns = [OutputColumn(column, value) for column in names]
    scope.add(Elements(name, Output(columns if listed else [*columns, _rest(value)], RowSet()), value))
    if position is not None:
        _add_column(scope.context.column_name(position), {}, scope)


def _rest(value: Origins) -> OutputColumn:
    return OutputColumn(ALL_COLUMNS, value)


def _add_column(name: str, value: Origins, scope: Scope) -> None:
    """A column that stands in FROM by itself."""
    scope.add(Source("\0" + name, None, None, Output([OutputColumn(name, value)], RowSet())))


def add_object(node: exp.Expr, scope: Scope) -> None:
    """UNPIVOT object AS value AT name: both come out of the object."""
    value, alias, name = path_of(node.args["this"])
    if isinstance(value, exp.Table):
        alias = value.args.get("alias")
        value = exp.Column(
            this=value.args["this"].copy(), table=value.args["db"].copy() if value.args.get("db") else None
        )
    origins = weakened(scope.path(value), TRANSFORMATION)
    add_elements(origins, alias_name(alias, scope) or value.name, alias, scope)
    if name is not None:
        _add_column(scope.context.column_name(name), origins, scope)


def add_function(node: exp.Expr, alias: exp.Expr | None, scope: Scope) -> None:
    """A table function: its arguments are behind each of its columns and decide its rows."""
    if isinstance(node, exp.JSONTable):
        _add_json_table(node, alias, scope)
        return
    found: Origins = {}
    gather(node, TRANSFORMATION, scope, found)
    add(scope.rows.own, found, JOIN)
    listed = (alias.args.get("columns") or ()) if isinstance(alias, exp.TableAlias) else ()
    name = alias_name(alias, scope) or node.name.lower() or f"\0{len(scope.sources)}"
    columns = [OutputColumn(scope.context.column_name(column), found) for column in listed]
    scope.add(
        Source(name, None, None, Output(columns or [OutputColumn(name, found), _rest(found)], RowSet()))
    )


def _add_json_table(node: exp.Expr, alias: exp.Expr | None, scope: Scope) -> None:
    """JSON_TABLE: each column is taken from the document, which also decides the rows."""
    document = weakened(origins_of(node.args["this"], scope), TRANSFORMATION)
    add(scope.rows.own, document, JOIN)
    schema = node.args.get("schema")
    columns = [
        OutputColumn(
            scope.context.column_name(column.this), {} if column.args.get("ordinality") else document
        )
        for column in (schema.find_all(exp.JSONColumnDef) if schema is not None else ())
        if isinstance(column.this, exp.Identifier)
    ]
    scope.add(Source(alias_name(alias, scope) or "json_table", None, None, Output(columns, RowSet())))
