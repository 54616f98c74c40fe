"""Many ids in one statement, as one parameter: a JSON array in SQLite, an array in PostgreSQL.

The statement stays the same however many they are, so its compiled form and its plan are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Dialect,
    Select,
    Text,
    any_,
    bindparam,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import TypeDecorator, TypeEngine


class _Ids(TypeDecorator[Iterable[int]]):
    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[object]:
        kind = ARRAY(BigInteger) if dialect.name == "postgresql" else Text()
        return dialect.type_descriptor(kind)  # type: ignore[arg-type]

    def process_bind_param(self, value: Iterable[int] | None, dialect: Dialect) -> object:
        ids = list(value or ())
        return ids if dialect.name == "postgresql" else json.dumps(ids)


def rows_among(connection: Connection, query: Select[Any], ids: Iterable[int]) -> list[tuple[Any, ...]]:
    """The rows of a query with `among`, as the driver gives them: numbers need no conversion."""
    wanted = list(ids)
    if not wanted:
        return []
    cursor = connection.execute(query, {"ids": wanted}).cursor
    assert cursor is not None  # noqa: S101 - a SELECT has one
    return list(cursor.fetchall())


def among(column: ColumnElement[int], dialect: Dialect) -> ColumnElement[bool]:
    """Is the column one of the ids that the parameter `ids` holds?"""
    ids = bindparam("ids", type_=_Ids())
    if dialect.name == "postgresql":
        return column == any_(ids)
    return column.in_(select(func.json_each(ids).table_valued("value").c.value))
