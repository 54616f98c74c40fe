"""What ALTER TABLE does to the columns and keys of a table."""

from __future__ import annotations

from dataclasses import dataclass

from sqllineage_svc.model.schema import Column


@dataclass(frozen=True, slots=True)
class AddColumn:
    """A new column; `after` names the one it follows, "" puts it first, None last."""

    column: Column
    after: str | None = None


@dataclass(frozen=True, slots=True)
class DropColumn:
    """The column is gone."""

    column: str


@dataclass(frozen=True, slots=True)
class RenameColumn:
    """The column has a new name and, where `type` is said, a new type."""

    column: str
    new: str
    type: str | None = None


@dataclass(frozen=True, slots=True)
class RetypeColumn:
    """The column has a new type."""

    column: Column


@dataclass(frozen=True, slots=True)
class AddKey:
    """No two rows have the same values in these columns."""

    columns: tuple[str, ...]


ColumnChange = AddColumn | DropColumn | RenameColumn | RetypeColumn | AddKey
