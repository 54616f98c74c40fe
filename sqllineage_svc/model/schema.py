"""What is known of a dataset's columns, and who knows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from sqllineage_svc.model.names import Relation


@dataclass(frozen=True, slots=True)
class Column:
    """A column and its type as the warehouse spells it; None where nobody said it.

    `generated` is the expression that computes it; None where it holds data of its own.
    """

    name: str
    type: str | None = None
    generated: str | None = None


@dataclass(frozen=True, slots=True)
class TableSchema:
    """The columns of a relation, in the warehouse's order.

    `keys` are the primary and unique keys, each a tuple of column names; None when nobody said whether
    there are any. `complete` is False where more columns may exist than are listed.
    """

    relation: Relation
    columns: tuple[Column, ...]
    keys: tuple[tuple[str, ...], ...] | None = None
    complete: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """The column names, in order."""
        return tuple(column.name for column in self.columns)


class SchemaProvider(Protocol):
    """Answers what a relation's columns are."""

    def find(self, relation: Relation, at: datetime | None = None) -> TableSchema | None:
        """The schema of exactly this relation at this moment (None: now), or None if it is not known."""
        ...


class StaticSchemas:
    """Schemas that are known beforehand and do not change.

    A relation is found under the name it is asked by; letter case decides only between two names that
    differ in nothing else, since a schema file's author and a log may spell a name differently.
    """

    def __init__(self, schemas: Iterable[TableSchema] = ()) -> None:
        self._exact = {schema.relation: schema for schema in schemas}
        self._folded: dict[Relation, list[TableSchema]] = {}
        for schema in self._exact.values():
            self._folded.setdefault(_folded(schema.relation), []).append(schema)

    @property
    def schemas(self) -> list[TableSchema]:
        """All of them."""
        return list(self._exact.values())

    def find(self, relation: Relation, at: datetime | None = None) -> TableSchema | None:
        """The schema of this relation; the moment does not matter."""
        exact = self._exact.get(relation)
        if exact is not None:
            return exact
        alike = self._folded.get(_folded(relation), [])
        return alike[0] if len(alike) == 1 else None


class FirstOf:
    """Several providers: the first that knows a relation answers."""

    def __init__(self, *providers: SchemaProvider) -> None:
        self._providers = providers

    def find(self, relation: Relation, at: datetime | None = None) -> TableSchema | None:
        """What the first of them says that knows the relation."""
        return next(filter(None, (one.find(relation, at) for one in self._providers)), None)


def _folded(relation: Relation) -> Relation:
    return Relation(
        relation.catalog and relation.catalog.lower(),
        relation.schema and relation.schema.lower(),
        relation.name.lower(),
    )


PlainSchemas = Mapping[str, Mapping[str, str | None]]
"""table (dotted name) → column → type: the form a schema file or a caller may give."""
