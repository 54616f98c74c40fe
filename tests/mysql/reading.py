"""A MySQL statement as short text: what it does, with its queries as SQL again."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from sqlglot import exp

from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.engine.read import read_statement
from sqllineage_svc.model.names import Location, Relation
from sqllineage_svc.sql.statement import Statement

MYSQL = load_dialect("mysql")


def read(sql: str) -> Statement:
    """The statement of this text."""
    return read_statement(sql, MYSQL, MYSQL.identifiers)


def shown(value: Any) -> Any:
    """A value with its fields that say something; `Write(target=t, query=SELECT 1)`."""
    if isinstance(value, exp.Expr):
        return value.sql("mysql")
    if isinstance(value, Relation | Location):
        return str(value)
    if isinstance(value, Enum):
        return value.name
    if is_dataclass(value):
        found = {field.name: getattr(value, field.name) for field in fields(value)}
        said = {
            name: item for name, item in found.items() if item not in (None, (), False) and name != "effect"
        }
        return f"{type(value).__name__}({', '.join(f'{name}={shown(item)}' for name, item in said.items())})"
    if isinstance(value, tuple):
        return f"[{', '.join(str(shown(item)) for item in value)}]"
    return value


def says(sql: str) -> str:
    """What this statement does, as text."""
    return str(shown(read(sql)))
