"""Very many runs into their table: COPY in PostgreSQL, the driver's own executemany in SQLite.

The runs of one version come together: so they are neighbours in the table and in its indexes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.origins import FROM_TRACES
from sqllineage_svc.catalog.versions import JobVersion
from sqllineage_svc.openlineage.incoming import RunState

_BLOCK_ROWS = 2_000
_ESCAPES = (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"))
_COMPLETE = RunState.COMPLETE.value
_COLUMNS = (
    "job_id", "payload_id", "origin", "parent_id", "text_id",
    "id", "run_id", "state", "effective", "started_at", "ended_at", "at", "query_id", "facts",
)  # fmt: skip


Kept = tuple[int, str, str, int, int, str | None, str]
"""A run as it is kept: id, run id, state, start, end, query id, facts; the rest is the same for its whole version."""


class RunIsThere(Exception):
    """One of the runs to insert is there already."""


Groups = Iterable[tuple[JobVersion, Iterable[Kept]]]


def insert_runs(connection: Connection, groups: Groups) -> None:
    """Insert runs; those that are COMPLETE change what datasets hold.

    Raises RunIsThere, with none of them inserted.
    """
    driver: Any = connection.dialect.loaded_dbapi
    try:
        with connection.begin_nested():
            _insert(connection, groups)
    except (IntegrityError, driver.IntegrityError) as error:
        raise RunIsThere from error


def _insert(connection: Connection, groups: Groups) -> None:
    names = ", ".join(_COLUMNS)
    if connection.dialect.name == "postgresql":
        lines = _lines(groups)
        cursor: Any = connection.connection.cursor()  # psycopg's own: only that one has COPY
        with cursor, cursor.copy(f"COPY {tables.run.name} ({names}) FROM STDIN") as copy:
            while block := "".join(islice(lines, _BLOCK_ROWS)):
                copy.write(block)
    else:
        marks = ", ".join("?" * len(_COLUMNS))
        statement = f"INSERT INTO {tables.run.name} ({names}) VALUES ({marks})"  # noqa: S608 - names of ours
        rows = list(_rows(groups))
        if rows:
            connection.exec_driver_sql(statement, rows)


def row_of(version: JobVersion, run: Kept) -> dict[str, Any]:
    """The row of a run in the table."""
    return dict(zip(_COLUMNS, next(_rows([(version, [run])])), strict=True))


def _common(version: JobVersion) -> tuple[Any, ...]:
    """What all runs of a version have in common, in the order of the columns."""
    row = version.derived.row
    return row["job_id"], row["payload_id"], FROM_TRACES, row["parent_id"], row["text_id"]


def _rows(groups: Groups) -> Iterator[tuple[Any, ...]]:
    """A row a run, in the order of the columns."""
    for version, runs in groups:
        common = _common(version)
        for id_, run_id, state, started, ended, query, facts in runs:
            yield (*common, id_, run_id, state, state == _COMPLETE, started, ended, ended, query, facts)


def _lines(groups: Groups) -> Iterator[str]:
    """The same in COPY's text format (https://www.postgresql.org/docs/current/sql-copy.html)."""
    for version, runs in groups:
        common = "\t".join("\\N" if value is None else str(value) for value in _common(version))
        for id_, run_id, state, started, ended, query, facts in runs:
            said, shown = facts.replace("\\", "\\\\"), _escaped(run_id)  # JSON has no raw control characters
            asked = "\\N" if query is None else _escaped(query)
            times = f"{started}\t{ended}\t{ended}"
            yield f"{common}\t{id_}\t{shown}\t{state}\t{state == _COMPLETE}\t{times}\t{asked}\t{said}\n"


def _escaped(text: str) -> str:
    if text.isprintable() and "\\" not in text:
        return text
    for special, escaped in _ESCAPES:
        if special in text:
            text = text.replace(special, escaped)
    return text
