"""A session as a statement finds it: what names mean, which tables there are, what its variables hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sqllineage_svc.dialect import Dialect
from sqllineage_svc.engine.layers import Layers
from sqllineage_svc.engine.origins import Origins
from sqllineage_svc.engine.sources import Output, Source
from sqllineage_svc.model.names import Relation, permanent_key, temporary_key
from sqllineage_svc.model.schema import SchemaProvider, TableSchema
from sqllineage_svc.sql.identifiers import IdentifierRules
from sqllineage_svc.sql.statement import CreateRoutine, CreateTrigger, Define, Statement, TableKind


@dataclass(frozen=True, slots=True)
class KnownTable:
    """A relation that a statement of the script made, changed or dropped.

    `schema` is None where its columns are not known; a dropped one `exists` no more. `definition` is what a
    materialized view is refreshed from.
    """

    schema: TableSchema | None = None
    kind: TableKind = TableKind.TABLE
    temporary: bool = False
    exists: bool = True
    definition: Define | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """The state that one statement leaves to the next. A value: `replay` makes the next one.

    `search_path` and `catalog` are what the script has set; without them names stay as they are written.
    `variables` hold the origins of their values, `texts` those values that are known literals. Inside a
    routine (`depth` of calls), `parameters` are names that hold a value and no column, `records` rows,
    and `guards` decide whether a statement runs.
    """

    dialect: Dialect
    schemas: SchemaProvider
    identifiers: IdentifierRules
    search_path: tuple[str, ...] = ()
    catalog: str | None = None
    tables: Layers[Relation, KnownTable] = field(default_factory=Layers)
    variables: Layers[str, Origins] = field(default_factory=Layers)
    parameters: Mapping[str, Origins] = field(default_factory=dict)
    routines: Layers[Relation, CreateRoutine | None] = field(default_factory=Layers)
    triggers: Layers[Relation, tuple[CreateTrigger, ...]] = field(default_factory=Layers)
    prepared: Layers[str, Statement | None] = field(default_factory=Layers)
    texts: Layers[str, str | None] = field(default_factory=Layers)
    cursors: Layers[str, Output] = field(default_factory=Layers)
    records: Mapping[str, Source] = field(default_factory=dict)
    guards: Origins = field(default_factory=dict)
    depth: int = 0
    firing: Relation | None = None

    @classmethod
    def start(cls, dialect: Dialect, schemas: SchemaProvider) -> Session:
        """A session that has run nothing yet."""
        return cls(dialect, schemas, dialect.identifiers)

    def next_session(self) -> Session:
        """A new session that finds the permanent tables and routines of this one."""
        fresh = Session.start(self.dialect, self.schemas)
        tables = self.tables
        for key, known in self.tables.items():
            if known.temporary and known.exists:
                tables = tables.set(key, replace(known, exists=False))
        return replace(fresh, tables=tables, routines=self.routines, triggers=self.triggers)

    def with_tables_of(self, earlier: Session) -> Session:
        """This session's settings and variables with the tables of an earlier state of it."""
        return replace(self, tables=earlier.tables, routines=earlier.routines, triggers=earlier.triggers)

    def qualify(self, relation: Relation) -> Relation:
        """The relation that a written name means here.

        A temporary table hides a permanent one; else the first schema of the path that has the name wins;
        else the first schema of the path. Without a path the name stays as it is written.

            orders  with path (app, public), found in public  ->  public.orders

        Source: https://docs.aws.amazon.com/redshift/latest/dg/r_search_path.html
        """
        if relation.schema is not None:
            return self._in_catalog(relation)
        if not self.search_path or self.is_temporary(relation):
            return relation
        choices = [Relation(None, schema, relation.name) for schema in self.search_path]
        for choice in choices:
            if self.find(choice) is not None:
                return self._in_catalog(choice)
        return self._in_catalog(choices[0])

    def _in_catalog(self, relation: Relation) -> Relation:
        if self.catalog is None or relation.catalog is not None:
            return relation
        return relation._replace(catalog=self.catalog)

    def making(self, relation: Relation, temporary: bool) -> Relation:
        """The name of a relation that is being made: in the first schema of the path, a temporary one in none."""
        if temporary or (relation.schema is None and not self.search_path):
            return relation
        if relation.schema is not None:
            return self._in_catalog(relation)
        return self._in_catalog(Relation(None, self.search_path[0], relation.name))

    def new_name(self, old: Relation, new: Relation) -> Relation:
        """The full new name of a relation: in the old one's schema unless it says another."""
        if new.schema is None and not self.is_temporary(old):
            qualified = self.qualify(old)
            return Relation(qualified.catalog, qualified.schema, new.name)
        return self.qualify(new)

    def is_temporary(self, relation: Relation) -> bool:
        """Does this name mean a temporary table of the session?"""
        if relation.schema is not None:
            return False
        known = self.tables.get(temporary_key(relation))
        return known is not None and known.exists

    def key(self, relation: Relation) -> Relation:
        """What this relation is kept under here, however its name is spelled."""
        if self.is_temporary(relation):
            return temporary_key(relation)
        return permanent_key(relation, self.dialect.default_schemas)

    def known(self, relation: Relation) -> KnownTable | None:
        """What the script itself has said of this relation."""
        return self.tables.get(self.key(relation))

    def find(self, relation: Relation) -> TableSchema | None:
        """The columns of a relation, under this name or a longer or shorter spelling of it."""
        answers = self.tables.answers  # as good as the tables are: a new table makes new ones
        key = (relation, self.search_path) if self.search_path else relation
        if key not in answers:
            answers[key] = self._find(relation)
        found = answers[key]
        return found if isinstance(found, TableSchema) else None

    def names(self, relation: Relation) -> Mapping[str, None] | None:
        """The column names of a relation in order; None where not all are known."""
        schema = self.find(relation)
        if schema is None or not schema.complete:
            return None
        answers = self.tables.answers
        key = ("names", schema.relation)
        names = answers.get(key)
        if names is None:
            names = answers[key] = dict.fromkeys(schema.names)
        return names  # type: ignore[return-value]

    def _find(self, relation: Relation) -> TableSchema | None:
        known = self.known(relation)
        if known is not None and (known.schema is not None or not known.exists or known.temporary):
            return known.schema if known.exists else None
        for spelling in self._spellings(relation):
            schema = self.schemas.find(spelling)
            if schema is not None:
                return schema
        return None

    def _spellings(self, relation: Relation) -> list[Relation]:
        spellings = [relation]
        if relation.schema is None:
            spellings += [Relation(None, schema, relation.name) for schema in self.dialect.default_schemas]
            return spellings
        if relation.catalog is not None:
            spellings.append(Relation(None, relation.schema, relation.name))
        if relation.schema in self.dialect.default_schemas or relation.schema in self.search_path:
            spellings.append(Relation(None, None, relation.name))
        return spellings

    def with_table(self, relation: Relation, known: KnownTable) -> Session:
        """The session that also knows this of a relation."""
        key = temporary_key(relation) if known.temporary else self.key(relation)
        return replace(self, tables=self.tables.set(key, known))
