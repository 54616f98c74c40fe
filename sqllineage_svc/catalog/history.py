"""What happened to a dataset: which runs filled, replaced, emptied or renamed it, and how its schema changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from sqlalchemy import Connection, Row, or_, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.aliases import Aliases
from sqllineage_svc.catalog.finding import names_of
from sqllineage_svc.catalog.folding import Effect
from sqllineage_svc.catalog.nodes import ColumnNames, Node
from sqllineage_svc.catalog.snapshots import BEGINNING, cut_of, refuse_before_cut

_SAID = {
    Effect.ADD: "filled",
    Effect.OVERWRITE: "replaced",
    Effect.EMPTY: "emptied",
    Effect.DROP: "dropped",
    Effect.ALTER: "altered",
    Effect.DECLARE: "declared",
}


class Entry(NamedTuple):
    """One thing that happened, or several alike in a row.

    `what` is a word and, behind it, what it is about. `at` is the first time, `last` the last of `times`.
    `run` is the last run's id, "" where nothing ran.
    """

    at: int
    last: int
    times: int
    what: str
    job: str
    run: str


class Change(NamedTuple):
    """How one column of a schema changed: a type that was (None: no column) and one that is (None: gone)."""

    column: str
    was: str | None
    now: str | None

    def __str__(self) -> str:
        if self.was is None:
            return f"+ {self.column} {self.now}".rstrip()
        return f"- {self.column}" if self.now is None else f"{self.column} {self.was} -> {self.now}"


Schema = dict[str, str]
"""Column to its type, "" where nobody said it; in order."""


def history(connection: Connection, dataset: int, until: int, since: int = BEGINNING) -> list[Entry]:
    """Everything that happened to a dataset, under all its names, from a moment, or the cut, up to another."""
    refuse_before_cut(connection, until)
    found: list[Entry] = []
    schemas: dict[int, Schema] = {}
    since = max(since, cut_of(connection))
    datasets = Aliases(connection, ColumnNames(connection)).members([dataset])
    for row in _rows(connection, datasets, until):
        if row.at >= since and Effect(row.effect).acts:
            _add(found, Entry(row.at, row.at, 1, _what(connection, row, datasets), row.job or "", row.run_id))
        if row.columns is not None and row.dataset_id in datasets:
            known, schema = schemas.get(row.dataset_id), read_schema(row.columns)
            schemas[row.dataset_id] = schema
            if row.at >= since and known is not None and (changes := schema_changes(known, schema)):
                said = "schema: " + ", ".join(map(str, changes))
                found.append(Entry(row.at, row.at, 1, said, row.job or "", row.run_id))
    return found


def _add(found: list[Entry], entry: Entry) -> None:
    """Add an entry, or one more time to the last one, where it is alike."""
    last = found[-1] if found else None
    if last is not None and (last.what, last.job) == (entry.what, entry.job):
        found[-1] = last._replace(last=entry.at, times=last.times + 1, run=entry.run)
    else:
        found.append(entry)


def _rows(connection: Connection, datasets: Set[int], until: int) -> Iterable[Row[tuple[object, ...]]]:
    run, touched, job, schema = tables.run.c, tables.payload_dataset.c, tables.job.c, tables.table_schema.c
    return connection.execute(
        select(
            run.at, run.run_id, touched.effect, touched.dataset_id, touched.previous_id, job.name.label("job"),
            schema.columns,
        )
        .join_from(tables.run, tables.payload_dataset, touched.payload_id == run.payload_id)
        .outerjoin(tables.job, job.id == run.job_id)
        .outerjoin(tables.table_schema, schema.id == touched.schema_id)
        .where(or_(touched.dataset_id.in_(datasets), touched.previous_id.in_(datasets)))
        .where(run.effective, run.at <= until)
        .order_by(run.at, run.started_at, run.id, touched.number)
    )  # fmt: skip


def _what(connection: Connection, row: Row[tuple[object, ...]], datasets: Set[int]) -> str:
    effect = Effect(row.effect)
    if effect is not Effect.RENAME:
        return _SAID[effect]
    away = row.previous_id in datasets
    other = Node.of(row.dataset_id if away else row.previous_id)
    name = names_of(connection, [other])[other]
    return f"renamed to {name.dataset}" if away else f"renamed from {name.dataset}"


def read_schema(text: str) -> Schema:
    """A schema as it is kept."""
    return {name: type_ or "" for name, type_ in json.loads(text)}


def schema_changes(was: Schema, now: Schema) -> list[Change]:
    """What is new, other or gone, without regard to letter case."""
    return list(_changes(was, now))


def _changes(was: Schema, now: Schema) -> Iterator[Change]:
    before = {name.lower(): type_ for name, type_ in was.items()}
    after = {name.lower() for name in now}
    for name, type_ in now.items():
        known = before.get(name.lower())
        if known is None or (known and type_ and known != type_):  # "" is a type that nobody said
            yield Change(name, known, type_)
    yield from (Change(name, type_, None) for name, type_ in was.items() if name.lower() not in after)
