"""Many ids in one statement, as one parameter: a JSON array in SQLite, an array in PostgreSQL.

The statement stays the same however many they are, so its compiled form and its plan are kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
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
    exists,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import TypeDecorator, TypeEngine

_POSTGRESQL = "postgresql"


class _Ids(TypeDecorator[Iterable[int]]):
    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[object]:
        kind = ARRAY(BigInteger) if dialect.name == _POSTGRESQL else Text()
        return dialect.type_descriptor(kind)  # type: ignore[arg-type]

    def process_bind_param(self, value: Iterable[int] | None, dialect: Dialect) -> object:
        ids = list(value or ())
        return ids if dialect.name == _POSTGRESQL else json.dumps(ids)


def among(column: ColumnElement[int], dialect: Dialect) -> ColumnElement[bool]:
    """Is the column one of the ids that the parameter `ids` holds?"""
    ids = bindparam("ids", type_=_Ids())
    if dialect.name == _POSTGRESQL:
        return column == any_(ids)
    return column.in_(select(func.json_each(ids).table_valued("value").c.value))


def held_of(column: ColumnElement[int], dialect: Dialect) -> Select[*tuple[Any, ...]]:
    """Those of the ids in the parameter `ids` that stand in the column."""
    ids = bindparam("ids", type_=_Ids())
    if dialect.name == _POSTGRESQL:
        listed = func.unnest(ids).table_valued("value").render_derived()
    else:
        listed = func.json_each(ids).table_valued("value")
    value = listed.c.value
    return select(value).where(exists().where(column == value))


class Asking:
    """A query with `among`, written once for each kind of database: a walk asks it at every hop.

    Its rows are as the driver gives them, so that it may ask for numbers and texts only.
    """

    def __init__(self, make: Callable[[Dialect], Select[*tuple[Any, ...]]]) -> None:
        self._make = make
        self._written: dict[str, tuple[str, Sequence[str] | None, Mapping[str, Any]]] = {}

    def rows(self, connection: Connection, ids: Iterable[int], **others: int) -> list[tuple[Any, ...]]:
        """The rows for some ids, and for what other parameters the query has."""
        wanted = list(ids)
        if not wanted:
            return []
        dialect = connection.dialect
        if dialect.name not in self._written:
            made = self._make(dialect).compile(dialect=dialect)
            order = getattr(made, "positiontup", None)
            self._written[dialect.name] = str(made), order, dict(made.params)
        sql, order, known = self._written[dialect.name]
        brackets = "{%s}" if dialect.name == _POSTGRESQL else "[%s]"
        listed = brackets % ",".join(map(str, wanted))  # a text for both, through which no driver has to look
        values = {**known, "ids": listed, **others}
        with closing(connection.connection.cursor()) as cursor:
            cursor.execute(sql, values if order is None else tuple(values[one] for one in order))
            return list(cursor.fetchall())


def rows_among(
    connection: Connection, query: Select[*tuple[Any, ...]], ids: Iterable[int]
) -> list[tuple[Any, ...]]:
    """The rows of a query with `among`; none where there are no ids."""
    wanted = list(ids)
    return [tuple(row) for row in connection.execute(query, {"ids": wanted})] if wanted else []
