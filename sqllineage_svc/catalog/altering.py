"""Columns that an ALTER took away: what had been put into them before is there no more.

Only an ALTER that says the whole schema tells so. The schema that comes with a read or an insert may list but the
columns that were read or inserted.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable

from sqlalchemy import Connection, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.folding import Effect
from sqllineage_svc.catalog.interning import in_pieces


class Alters:
    """The schemas that ALTERs left some datasets with, up to a moment."""

    def __init__(self, connection: Connection, datasets: Iterable[int], until: int) -> None:
        self._left: dict[int, list[tuple[int, frozenset[str]]]] = defaultdict(list)
        run, touched, schema = tables.run.c, tables.payload_dataset.c, tables.table_schema.c
        for piece in in_pieces(datasets):
            rows = connection.execute(
                select(touched.dataset_id, run.at, schema.columns)
                .join_from(tables.payload_dataset, tables.run, run.payload_id == touched.payload_id)
                .join(tables.table_schema, schema.id == touched.schema_id)
                .where(touched.dataset_id.in_(piece), touched.effect == int(Effect.ALTER))
                .where(run.effective, run.at <= until)
            )
            for dataset, at, columns in rows:
                names = frozenset(name.lower() for name, _ in json.loads(columns))
                self._left[dataset].append((at, names))

    def gone_at(self, dataset: int, column: str | None, filled_at: int) -> int | None:
        """When a column that was filled last at a moment was taken away behind it; None: it is there."""
        if column is None or dataset not in self._left:
            return None
        return min(
            (at for at, names in self._left[dataset] if at > filled_at and column not in names), default=None
        )
