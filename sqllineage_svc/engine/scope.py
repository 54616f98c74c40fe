"""The scope of one SELECT: what a column name means there.

A name is looked for in the FROM clause, then, where the warehouse says so, among the aliases of the select
list, then in the query around. Nothing is guessed: where several relations may have the column, each is
reported with an unknown column, and an Issue says why.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from sqlglot import exp

from sqllineage_svc.engine.context import Context
from sqllineage_svc.engine.origins import NOTHING, TRANSFORMATION, Origins, RowSet
from sqllineage_svc.engine.sources import Output, OutputColumn, Source, merged, weakened
from sqllineage_svc.model.names import Relation


class Scope:
    """Names in one SELECT, while it is resolved.

    `common` are the merged columns of USING and NATURAL joins. `aliases` are the select list's so far;
    they count where `aliases_seen`, and before columns where they are `hiding` these. `selected` is the whole
    select list. `assigned` are the variables set here. `overrides` are the columns, each under the name of its
    FROM item, with a value newer than their table's.
    """

    __slots__ = (
        "_memo", "_near", "_written", "aliases", "aliases_seen", "assigned", "common", "context", "ctes", "hiding",
        "inserted", "overrides", "parent", "projecting", "rows", "selected", "sources", "visible", "windows",
    )  # fmt: skip

    def __init__(self, context: Context, parent: Scope | None, ctes: Mapping[str, Output]) -> None:
        self.context = context
        self.parent = parent
        self.ctes = ctes
        self.sources: dict[str, Source] = {}
        self.common: dict[str, OutputColumn] = {}
        self.visible: list[Source | OutputColumn] = []
        self.aliases: dict[str, OutputColumn] = {}
        self.aliases_seen = False
        self.projecting = False
        self.assigned: dict[str, None] = {}
        self.overrides: dict[tuple[str, str], Origins] = {}
        self.inserted: Mapping[str, Origins] | None = None
        self.hiding: Mapping[str, Origins] = {}
        self.selected: Sequence[exp.Expr] = ()
        self.windows: dict[str, exp.Expr] = {}
        self.rows = RowSet()
        self._near: Collection[Source] | None = None
        self._memo: dict[str, Origins] = {}
        self._written: dict[tuple[object, object], Origins] = {}

    def add(self, source: Source) -> None:
        """Put one more item into the FROM clause; a second one of the same name gets a hidden alias."""
        alias = source.alias
        if alias in self.sources:
            alias = f"{alias}\0{len(self.sources)}"
        self.sources[alias] = source
        self.visible.append(source)

    def override(self, qualifier: str | None, name: str, origins: Origins, surely: bool) -> None:
        """Let a column of the FROM clause have this value from now on; not `surely`: or the one it had."""
        named = self.source(qualifier) if qualifier is not None else None
        sources = [named] if named is not None else [
            source for source in self.sources.values() if source.knows(name) is not False
        ]  # fmt: skip
        for source in sources:
            value = origins if surely else merged(self._value(source, name), origins)
            self.overrides[source.alias, name] = value
        self._memo.pop(name, None)

    @contextmanager
    def aliases_first(self, but: Collection[str]) -> Iterator[None]:
        """Let aliases of the select list hide columns for a while, except these names and inside aggregates."""
        self.hiding = {name: column.origins for name, column in self.aliases.items() if name not in but}
        yield
        self.hiding = {}

    @contextmanager
    def near(self, start: int) -> Iterator[None]:
        """Ask only what is visible from `start` on for bare names, as ON does behind a comma."""
        memo = self._memo
        self._near = [item for item in self.visible[start:] if isinstance(item, Source)]
        self._memo = {}
        yield
        self._near = None
        self._memo = memo

    def column(self, node: exp.Expr) -> Origins:
        """Where the value of a column reference comes from."""
        context = self.context
        args = node.args
        identifier = args["this"]
        if type(identifier) is exp.Star:
            return NOTHING
        if args.get("table") is None:
            return self._bare(context.column_name(identifier), node)
        if args.get("db") is not None:
            return self._dotted(node, context.column_name(identifier))
        if self.overrides or context.quotes_matter:
            return self._qualified(node)
        source = self.sources.get(context.fold_relation(node.text("table")))
        found = source.find(context.fold_column(node.name)) if source is not None else None
        return found if found is not None else self._not_here(node)

    def aliased(self, node: exp.Expr) -> exp.Expr | None:
        """The select item whose alias is this bare name."""
        if type(node) is not exp.Column or node.args.get("table") is not None:
            return None
        name = self.context.column_name(node.args["this"])
        aliases = (item for item in self.selected if type(item) is exp.Alias)
        return next((item for item in aliases if self.context.column_name(item.args["alias"]) == name), None)

    def has(self, node: exp.Expr) -> bool:
        """Does FROM certainly have the column of this bare name?"""
        return self._in_from(self.context.column_name(node.args["this"])) is not None

    def path(self, node: exp.Expr) -> Origins:
        """Where the value comes from that a FROM item navigates to."""
        while isinstance(node, exp.Expr) and not isinstance(node, exp.Column):
            node = node.args["this"]
        return self.column(node) if isinstance(node, exp.Column) else NOTHING

    def source(self, alias: str) -> Source | None:
        """The FROM item of this alias, here or in a query around."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.sources.get(alias)
            if found is not None:
                return found
            scope = scope.parent
        return self.context.session.records.get(alias.lower()) or self._any_case(alias)

    def _any_case(self, alias: str) -> Source | None:
        folded = alias.lower()
        scope: Scope | None = self
        while scope is not None:
            alike = [source for name, source in scope.sources.items() if name.lower() == folded]
            if len(alike) == 1:
                return alike[0]
            scope = scope.parent
        return None

    def _bare(self, name: str, node: exp.Expr) -> Origins:
        if (
            self.hiding
            and name in self.hiding
            and not isinstance(node.find_ancestor(exp.AggFunc, exp.Having), exp.AggFunc)
        ):
            return self.hiding[name]
        known = self._memo.get(name)
        return known if known is not None else self._unqualified(name, node)

    def _not_here(self, node: exp.Expr) -> Origins:
        """A qualified column that this FROM does not have, looked for once: what is missing is said once."""
        written = (node.args["table"].args["this"], node.args["this"].args["this"])
        found = self._written.get(written)
        if found is None:
            found = self._written[written] = self._qualified(node)
        return found

    def _qualified(self, node: exp.Expr) -> Origins:
        name = self.context.column_name(node.args["this"])
        qualifier = self.context.relation_name(node.args["table"])
        source = self.source(qualifier)
        if source is None:
            return self._navigated(qualifier, name, node)
        if source.knows(name) is False and not source.navigable:
            return self._missing(name, node, [source])
        scope: Scope | None = self
        while scope is not None:
            if scope.overrides and source in scope.sources.values():
                return scope._value(source, name)
            scope = scope.parent
        return source.origins(name)

    def _value(self, source: Source, name: str) -> Origins:
        """The value of a column of FROM as it is now."""
        if self.overrides:
            newer = self.overrides.get((source.alias, name))
            if newer is not None:
                return newer
        return source.origins(name)

    def _navigated(self, column: str, path: str, node: exp.Expr) -> Origins:
        """`column.path`: into a semi-structured column, when the first part names no relation."""
        owners = [source for source in self.sources.values() if source.knows(column)]
        if not owners and self.parent is not None:
            return self.parent._navigated(column, path, node)
        if not owners and self.context.session.dialect.scoping.navigates_values:
            owners = [source for source in self.sources.values() if source.knows(column) is None]
        if len(owners) == 1:
            return weakened(owners[0].origins(column), TRANSFORMATION)
        return self._missing(f"{column}.{path}", node, list(self.sources.values()))

    def _dotted(self, node: exp.Expr, name: str) -> Origins:
        """A column behind two or three parts: schema.table.column, or alias.column.path."""
        context = self.context
        parts = [
            context.relation_name(node.args[key]) for key in ("catalog", "db", "table") if node.args.get(key)
        ]
        scope: Scope | None = self
        while scope is not None:
            for source in scope.sources.values():
                relation = source.relation
                if isinstance(relation, Relation) and source.alias == relation.name:
                    spelled = [relation.catalog, relation.schema, relation.name][-len(parts) :]
                    written = [part for part in relation if part is not None]
                    if spelled == parts or written == parts[-len(written) :]:
                        return (
                            source.origins(name)
                            if source.knows(name) is not False
                            else self._missing(name, node, [source])
                        )
            scope = scope.parent
        source_ = self.source(parts[0])
        if source_ is not None:
            column = context.column_name(node.args["db" if len(parts) == 3 else "table"])
            if source_.knows(column) is False:
                return self._missing(column, node, [source_])
            return weakened(source_.origins(column), TRANSFORMATION)
        return self._navigated(parts[0], parts[-1], node)

    def _unqualified(self, name: str, node: exp.Expr) -> Origins:
        parameters = self.context.session.parameters
        if parameters and name in parameters:
            return parameters[name]
        found = self._in_from(name)
        if found is None and self.aliases_seen and name in self.aliases:
            if self.projecting and any(source.knows(name) is None for source in self.sources.values()):
                message = f"{name!r} is taken for the alias beside it; it may be a column, whose schema is not known"
                self.context.issue("AssumedAlias", message, node)
            return self.aliases[name].origins
        if found is None:
            found = self._elsewhere(name, node)
        if not self.overrides:
            self._memo[name] = found
        return found

    def _in_from(self, name: str) -> Origins | None:
        """The column where the FROM clause certainly has it, else None."""
        if name in self.common:
            return self.common[name].origins
        sources = self.sources
        if len(sources) == 1:
            (source,) = sources.values()
            return self._value(source, name) if source.knows(name) else None
        owners = [source for source in self._reached(name) if source.knows(name)]
        return self._value(owners[0], name) if len(owners) == 1 else None

    def _reached(self, name: str) -> Collection[Source]:
        """The FROM items that may be asked for a bare name."""
        if self._near is not None and any(source.knows(name) is not False for source in self._near):
            return self._near
        return self.sources.values()

    def _elsewhere(self, name: str, node: exp.Expr) -> Origins:
        context = self.context
        sources = self._reached(name)
        owners = [source for source in sources if source.knows(name)]
        if len(owners) > 1:
            return self._ambiguous(name, node, owners)
        facts = context.session.dialect.functions
        if name in facts.pseudo_columns or (
            name in facts.niladic and not node.args["this"].args.get("quoted")
        ):
            return NOTHING
        unknown = [source for source in sources if source.knows(name) is None]
        around = self._around(name)
        if len(unknown) == 1 and around is None:
            return self._value(unknown[0], name)
        if unknown:
            if around is not None:
                message = f"{name!r} may be a column of {_listed(unknown)} or of the query around"
                context.issue(
                    "AmbiguousColumn", message + "; give the table, or a schema with --schema", node
                )
                inner = self._value(unknown[0], name) if len(unknown) == 1 else self._unknown_of(unknown)
                return merged(inner, around)
            return self._ambiguous(name, node, unknown)
        if self.parent is not None:
            return self.parent._outer(name, node)
        return self._missing(name, node, list(self.sources.values()))

    def _outer(self, name: str, node: exp.Expr) -> Origins:
        """The name as a query inside this one finds it."""
        known = self.hiding[name] if name in self.hiding else self._memo.get(name)
        if known is not None:
            return known
        found = self._in_from(name)
        return found if found is not None else self._elsewhere(name, node)

    def _around(self, name: str) -> Origins | None:
        """The column of a query around that certainly has it."""
        scope = self.parent
        while scope is not None:
            found = scope._in_from(name)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def _ambiguous(self, name: str, node: exp.Expr, owners: list[Source]) -> Origins:
        message = f"{name!r} may be a column of {_listed(owners)}"
        self.context.issue(
            "AmbiguousColumn", message + "; give the table, or a schema for each with --schema", node
        )
        return self._unknown_of(owners)

    def _missing(self, name: str, node: exp.Expr, owners: list[Source]) -> Origins:
        if not owners:
            self.context.issue("UnknownColumn", f"{name!r} is a column of nothing that is read here", node)
            return NOTHING
        self.context.issue("UnknownColumn", f"{name!r} is not a known column of {_listed(owners)}", node)
        if len(owners) == 1 and owners[0].output is None and "." not in name:
            return owners[0].origins(name)
        return self._unknown_of(owners)

    @staticmethod
    def _unknown_of(owners: list[Source]) -> Origins:
        found: Origins = {}
        for source in owners:
            found = merged(found, source.datasets())
        return found


def _listed(sources: list[Source]) -> str:
    return " or ".join(
        sorted({str(source.relation or source.alias or "a query in FROM") for source in sources})[:5]
    )
