"""What a table's columns were at a moment, as the catalog knows them: what `*` meant then."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, case, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.aliases import Aliases
from sqllineage_svc.catalog.folding import FOREVER, Effect
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.moments import microseconds
from sqllineage_svc.catalog.names import canonical
from sqllineage_svc.catalog.nodes import ColumnNames
from sqllineage_svc.catalog.snapshots import cut_of
from sqllineage_svc.dialect import Dialect
from sqllineage_svc.model.names import Relation
from sqllineage_svc.model.schema import Column, TableSchema

_MADE = (Effect.OVERWRITE, Effect.ALTER, Effect.DECLARE)


class CatalogSchemas:
    """A SchemaProvider over the catalog, for one instance of a warehouse.

    The last statement that made or altered the table tells all its columns. Where there is none, what was
    written or read tells some, and the schema is not `complete`. A table that was dropped has none. What nothing
    tells of one of its names, another name may.
    """

    def __init__(self, connection: Connection, dialect: Dialect, instance: str) -> None:
        self._connection = connection
        self._dialect = dialect
        self._instance = instance
        self._cut = cut_of(connection)

    def find(self, relation: Relation, at: datetime | None = None) -> TableSchema | None:
        """The columns of a relation at a moment (None: now), or None where nobody has said any.

        Before the cut nobody has.
        """
        dataset = dataset_id(*canonical(self._dialect.name_dataset(relation, self._instance)))
        until = microseconds(at) if at is not None else FOREVER - 1
        if until < self._cut:
            return None
        found = self._of(dataset, until)
        if found is None:
            aliases = Aliases(self._connection, ColumnNames(self._connection))
            others = sorted(aliases.at([dataset], until)[dataset])
            found = next(filter(None, (self._of(other, until) for other in others)), None)
        if found is None or found.effect == Effect.DROP:
            return None
        columns = tuple(Column(name, type_) for name, type_ in json.loads(found.columns))
        return TableSchema(relation, columns, complete=Effect(found.effect) in _MADE)

    def _of(self, dataset: int, until: int) -> Row[Any, Any] | None:
        """What last told of a dataset's columns."""
        run, touched, schema = tables.run.c, tables.payload_dataset.c, tables.table_schema.c
        makes = case((touched.effect.in_([int(effect) for effect in (*_MADE, Effect.DROP)]), 1), else_=0)
        return self._connection.execute(
            select(touched.effect, schema.columns)
            .join_from(tables.payload_dataset, tables.run, run.payload_id == touched.payload_id)
            .outerjoin(tables.table_schema, schema.id == touched.schema_id)
            .where(touched.dataset_id == dataset, run.effective, run.at <= until)
            .where(touched.schema_id.is_not(None) | (touched.effect == int(Effect.DROP)))
            .order_by(
                makes.desc(), run.at.desc(), run.started_at.desc(), run.id.desc(), touched.number.desc()
            )
            .limit(1)
        ).first()
