"""Schemas from a file: a DDL script, or JSON or YAML as table → column → type."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from sqllineage_svc.dialect import Dialect
from sqllineage_svc.engine.script import UNREADABLE, Script, provider_of
from sqllineage_svc.errors import UsageError
from sqllineage_svc.model.schema import StaticSchemas, TableSchema
from sqllineage_svc.sql.split import split


def load_schemas(path: Path, dialect: Dialect) -> list[TableSchema]:
    """The table schemas of one file; which kind it is, its suffix says.

    JSON and YAML may nest: schema → table → column → type. Raises UsageError, naming the file and the line,
    where it cannot be read.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"schema file {path} cannot be read: {error}") from error
    if path.suffix.lower() in (".json", ".yaml", ".yml"):
        return _from_mapping(_parsed(text, path), path, dialect)
    return _from_ddl(text, path, dialect)


def _parsed(text: str, path: Path) -> Any:
    try:
        return json.loads(text) if path.suffix.lower() == ".json" else yaml.safe_load(text)
    except (ValueError, yaml.YAMLError) as error:
        raise UsageError(f"schema file {path}: {' '.join(str(error).split())}") from error


def _from_mapping(content: Any, path: Path, dialect: Dialect) -> list[TableSchema]:
    tables: dict[str, dict[str, str | None]] = {}
    _collect(content, "", tables, path)
    provider = provider_of(tables, dialect.identifiers)
    assert isinstance(provider, StaticSchemas)  # noqa: S101 - provider_of makes one of a mapping
    return provider.schemas


def _collect(content: Any, prefix: str, tables: dict[str, dict[str, str | None]], path: Path) -> None:
    """Tables are what maps to types, or lists column names; whatever is above them is their schema."""
    if not isinstance(content, dict):
        where = f" at {prefix!r}" if prefix else ""
        raise UsageError(
            f"schema file {path}{where}: expected table → column → type, found {type(content).__name__}"
        )
    for key, value in content.items():
        name = f"{prefix}.{key}" if prefix else str(key)
        if isinstance(value, list):
            tables[name] = {str(column): None for column in value}
        elif isinstance(value, dict) and any(isinstance(inner, dict | list) for inner in value.values()):
            _collect(value, name, tables, path)
        elif isinstance(value, dict):
            tables[name] = {
                str(column): None if type_ is None else str(type_) for column, type_ in value.items()
            }
        else:
            raise UsageError(
                f"schema file {path} at {name!r}: expected columns, found {type(value).__name__}"
            )


def _from_ddl(text: str, path: Path, dialect: Dialect) -> list[TableSchema]:
    script = Script(dialect, StaticSchemas())
    for source in split(text, dialect.lexis):
        traced = script.run(source, str(path))
        if traced.kind == UNREADABLE:
            issue = traced.lineage.issues[0]
            raise UsageError(f"schema file {path} line {issue.line}: {issue.message}")
    return [
        known.schema
        for _, known in script.session.tables.items()
        if known.exists and known.schema is not None
    ]
