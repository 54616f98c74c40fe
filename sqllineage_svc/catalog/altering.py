"""Columns that an ALTER took away: what had been put into them before is there no more.

Only an ALTER that says the whole schema tells so. The schema that comes with a read or an insert may list but the
columns that were read or inserted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import BigInteger, Connection, Dialect, Select, bindparam, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.among import Asking, among
from sqllineage_svc.catalog.folding import Effect


def _left(dialect: Dialect) -> Select[*tuple[Any, ...]]:
    run, touched, schema = tables.run.c, tables.payload_dataset.c, tables.table_schema.c
    return (
        select(touched.dataset_id, run.at, schema.columns)
        .join_from(tables.payload_dataset, tables.run, run.payload_id == touched.payload_id)
        .join(tables.table_schema, schema.id == touched.schema_id)
        .where(among(touched.dataset_id, dialect), touched.effect == int(Effect.ALTER))
        .where(run.effective, run.at <= bindparam("until", type_=BigInteger))
    )


_LEFT = Asking(_left)
_ALTERED = select(tables.payload_dataset.c.dataset_id).where(
    tables.payload_dataset.c.effect == int(Effect.ALTER)
)


class Alters:
    """The schemas that ALTERs left datasets with, up to a moment; each dataset is asked for once."""

    def __init__(self, connection: Connection, until: int) -> None:
        self._connection = connection
        self._until = until
        self._left: dict[int, list[tuple[int, frozenset[str]]]] = {}
        self._altered = set(connection.scalars(_ALTERED.distinct()))
        self._asked: set[int] = set()

    def of(self, datasets: Iterable[int]) -> set[int]:
        """Those of the datasets that were altered."""
        wanted = self._altered.intersection(datasets)
        missing = wanted - self._asked
        if missing:
            self._asked |= missing
            for dataset, at, columns in _LEFT.rows(self._connection, missing, until=self._until):
                names = frozenset(name.lower() for name, _ in json.loads(columns))
                self._left.setdefault(dataset, []).append((at, names))
        return wanted & self._left.keys()

    def gone_at(self, dataset: int, column: str | None, filled_at: int) -> int | None:
        """When a column that was filled last at a moment was taken away behind it; None: it is there."""
        if column is None or dataset not in self._left:
            return None
        name = column.lower()
        return min(
            (at for at, names in self._left[dataset] if at > filled_at and name not in names), default=None
        )
