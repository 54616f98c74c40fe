"""Names, columns, schemas, expressions and payloads into their tables, each once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, bindparam, delete, select, update
from sqlalchemy.dialects.sqlite import insert

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.ids import column_id, dataset_id, identify
from sqllineage_svc.catalog.indexing import Thing, add_things, column_thing, dataset_thing, remove_things
from sqllineage_svc.catalog.payloads import Payload, Touched, column_key
from sqllineage_svc.catalog.ways import decides, way_number
from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.model.schema import Column
from sqllineage_svc.openlineage.incoming import Claim

Row = Mapping[str, Any]
_MAX_NAME_BYTES = 2_000
"""As much of a name is kept with its id: PostgreSQL's indexes take no more than 2,704 bytes."""
_ASKED = 500
"""So many ids are asked for in one statement; SQLite takes 32,766 parameters, a plan for few is kept."""


def in_pieces(ids: Iterable[Any], size: int = _ASKED) -> Iterable[list[Any]]:
    """The ids in lists that one statement can take."""
    found = list(ids)
    return (found[at : at + size] for at in range(0, len(found), size))


def shortened(name: str) -> str:
    """A name as it is kept: of a very long one the beginning. Its id is that of the whole name."""
    encoded = name.encode()
    if len(encoded) <= _MAX_NAME_BYTES:
        return name
    return encoded[:_MAX_NAME_BYTES].decode("utf-8", "ignore") + "…"


def insert_new(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert those rows whose primary key is not there yet."""
    if not rows:
        return
    if connection.dialect.name == "postgresql":
        _insert_arrays(connection, table, rows, " ON CONFLICT DO NOTHING")
    else:
        connection.execute(insert(table).on_conflict_do_nothing(), list(rows))


def insert_all(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert rows, none of which is there."""
    if not rows:
        return
    if connection.dialect.name == "postgresql":
        _insert_arrays(connection, table, rows)
    else:
        connection.execute(insert(table), list(rows))


def _insert_arrays(connection: Connection, table: Table, rows: Sequence[Row], otherwise: str = "") -> None:
    """Insert into PostgreSQL by one statement, with an array for each column."""
    columns = [table.c[name] for name in rows[0]]
    names = ", ".join(column.name for column in columns)
    arrays = ", ".join(f"%s::{column.type.compile(connection.dialect)}[]" for column in columns)
    connection.exec_driver_sql(
        f"INSERT INTO {table.name} ({names}) SELECT * FROM unnest({arrays}){otherwise}",  # noqa: S608 - names of ours
        tuple([row[column.name] for row in rows] for column in columns),
    )


def insert_named(
    connection: Connection, table: Table, rows: Sequence[Row], make: Callable[[Row], Thing]
) -> None:
    """Insert those rows of things whose id is not there yet, and put these into the index of words."""
    known: set[int] = set()
    for piece in in_pieces(row["id"] for row in rows):
        known.update(connection.scalars(select(table.c.id).where(table.c.id.in_(piece))))
    new = [row for row in rows if row["id"] not in known]
    insert_new(connection, table, new)
    add_things(connection, map(make, new))


def _insert_columns(connection: Connection, rows: Sequence[Row], datasets: Mapping[int, Row]) -> None:
    """Insert columns; of two spellings of one the first in the order of letters stays, whichever came first."""
    table = tables.dataset_column
    known: dict[int, str] = {}
    for piece in in_pieces(row["id"] for row in rows):
        said = connection.execute(select(table.c.id, table.c.name).where(table.c.id.in_(piece)))
        known.update(dict(said.all()))

    def thing(row: Row) -> Thing:
        dataset = datasets[row["dataset_id"]]
        return column_thing({**row, "namespace": dataset["namespace"], "dataset": dataset["name"]})

    new = [row for row in rows if row["id"] not in known]
    insert_new(connection, table, new)
    lesser = [row for row in rows if row["name"] < known.get(row["id"], "")]
    if lesser:
        respelt = update(table).where(table.c.id == bindparam("column")).values(name=bindparam("spelling"))
        connection.execute(respelt, [{"column": row["id"], "spelling": row["name"]} for row in lesser])
        remove_things(connection, (thing({**row, "name": known[row["id"]]}) for row in lesser))
    add_things(connection, map(thing, (*new, *lesser)))


def intern_payloads(connection: Connection, payloads: Iterable[Payload]) -> None:
    """Keep the payloads that are not there yet, with everything that they name."""
    _rows_of_new(connection, payloads).insert(connection)


def intern_names(connection: Connection, payloads: Iterable[Payload]) -> None:
    """Keep everything that payloads name, but not the payloads."""
    _rows_of_new(connection, payloads).insert_names(connection)


def _rows_of_new(connection: Connection, payloads: Iterable[Payload]) -> _Rows:
    """The rows of those payloads that are not there yet."""
    wanted = {payload.id: payload for payload in payloads}
    there: set[int] = set()
    for piece in in_pieces(wanted):
        column = tables.payload.c.id
        there.update(connection.scalars(select(column).where(column.in_(piece))))
    rows = _Rows()
    for id_, payload in wanted.items():
        if id_ not in there:
            rows.add(payload)
    return rows


def forget_payloads(connection: Connection, payloads: Iterable[int]) -> None:
    """Drop those payloads that are of no run any more, nor counted, nor of what stood at the cut."""
    gone = set(payloads)
    for table in (tables.run, tables.usage, tables.snapshot):
        for piece in in_pieces(gone):
            column = table.c.payload_id
            gone.difference_update(connection.scalars(select(column).where(column.in_(piece))))
    for piece in in_pieces(gone):
        for table in (tables.payload_dataset, tables.edge, tables.link, tables.symlink):
            connection.execute(delete(table).where(table.c.payload_id.in_(piece)))
        connection.execute(delete(tables.payload).where(tables.payload.c.id.in_(piece)))


def _symlinks(payload: Payload, touched: Touched) -> Iterator[Row]:
    dataset = dataset_id(*touched.dataset)
    for other in touched.symlinks:
        yield {"payload_id": payload.id, "dataset_id": dataset, "other_id": dataset_id(*other)}


class _Rows:
    """Rows to insert, by table; of what two payloads share, one."""

    def __init__(self) -> None:
        self.payloads: list[Row] = []
        self.datasets: dict[int, Row] = {}
        self.columns: dict[int, dict[str, Any]] = {}
        self.schemas: dict[int, Row] = {}
        self.expressions: dict[int, Row] = {}
        self.touched: list[Row] = []
        self.edges: dict[tuple[int, int, int, int], Row] = {}
        self.links: dict[tuple[int, int, int], dict[str, Any]] = {}
        self.symlinks: list[Row] = []

    def insert(self, connection: Connection) -> None:
        for table, rows in (
            (tables.payload, self.payloads),
            (tables.payload_dataset, self.touched),
            (tables.edge, list(self.edges.values())),
            (tables.link, list(self.links.values())),
            (tables.symlink, self.symlinks),
        ):
            insert_new(connection, table, rows)
        self.insert_names(connection)

    def insert_names(self, connection: Connection) -> None:
        insert_named(connection, tables.dataset, list(self.datasets.values()), dataset_thing)
        for table, rows in ((tables.table_schema, self.schemas), (tables.expression, self.expressions)):
            insert_new(connection, table, list(rows.values()))
        _insert_columns(connection, list(self.columns.values()), self.datasets)

    def add(self, payload: Payload) -> None:
        self.payloads.append({"id": payload.id})
        for dataset in payload.datasets:
            self._dataset(dataset)
        for number, touched in enumerate(payload.touched):
            self.touched.append(self._touched(payload, number, touched))
            self.symlinks += _symlinks(payload, touched)
        for claim in payload.claims:
            self._claim(payload, claim)

    def _dataset(self, name: DatasetName) -> int:
        id_ = dataset_id(*name)
        shown = {"namespace": name.namespace, "name": shortened(name.name)}
        self.datasets.setdefault(id_, {"id": id_, **shown, "changed_at": 0})
        return id_

    def _column(self, dataset: int, name: str) -> int:
        id_ = column_id(dataset, name)
        known = self.columns.setdefault(id_, {"id": id_, "dataset_id": dataset, "name": name})
        known["name"] = min(known["name"], name)
        return id_

    def _touched(self, payload: Payload, number: int, touched: Touched) -> Row:
        dataset = dataset_id(*touched.dataset)
        schema = self._schema(dataset, touched.columns) if touched.columns is not None else None
        return {
            "payload_id": payload.id,
            "number": number,
            "dataset_id": dataset,
            "effect": int(touched.effect),
            "fills": payload.fills(touched.dataset),
            "live": touched.live,
            "previous_id": dataset_id(*touched.previous) if touched.previous is not None else None,
            "schema_id": schema,
        }

    def _schema(self, dataset: int, columns: Sequence[Column]) -> int:
        for column in columns:
            self._column(dataset, column.name)
        text = json.dumps([column_key(column) for column in columns])
        id_ = identify("schema", text)
        self.schemas.setdefault(id_, {"id": id_, "columns": text})
        return id_

    def _claim(self, payload: Payload, claim: Claim) -> None:
        source, target = dataset_id(*claim.source), dataset_id(*claim.target)
        source_node = source if claim.source_field is None else self._column(source, claim.source_field)
        target_node = target if claim.target_field is None else self._column(target, claim.target_field)
        way = way_number(claim.type, claim.subtype, claim.masking)
        link = {"payload_id": payload.id, "source_dataset_id": source, "target_dataset_id": target}
        kept = self.links.setdefault((payload.id, source, target), {**link, "direct": False})
        kept["direct"] = kept["direct"] or not decides(way)
        self.edges.setdefault(
            (payload.id, source_node, target_node, way),
            {
                "payload_id": payload.id,
                "source_id": source_node,
                "target_id": target_node,
                "way": way,
                "source_dataset_id": source,
                "target_dataset_id": target,
                "expression_id": self._expression(claim.description),
            },
        )

    def _expression(self, text: str) -> int | None:
        if not text:
            return None
        id_ = identify("expression", text)
        self.expressions.setdefault(id_, {"id": id_, "text": text})
        return id_
