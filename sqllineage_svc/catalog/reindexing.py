"""Everything derived, made anew from the events and from the runs that traces of ours saw.

It happens in one transaction: who reads meanwhile reads the old tables, and what is interrupted never was.
Memory is for one piece of runs, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from sqlalchemy import Connection, Row, delete, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.arriving import QUARANTINED, again
from sqllineage_svc.catalog.deriving import (
    FROM_EVENTS,
    Derived,
    Names,
    derive_declaration,
    derive_run,
    exchange_runs,
)
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.refolding import go_on, happenings
from sqllineage_svc.catalog.versions import renew_versions
from sqllineage_svc.openlineage.incoming import EventKind

_PIECE = 500
_RUN_EVENT = list(EventKind).index(EventKind.RUN)


def reindex(catalog: Catalog) -> None:
    """Make every table anew but `event`, `job_version` and the runs of traces."""
    with catalog.writing() as connection:
        _forget(connection)
        renew_versions(connection)
        for piece in _subjects(connection):
            _derive(connection, piece)
        for runs in _runs_in_order(connection):
            go_on(connection, happenings(connection, tables.run.c.id.in_(runs)))


def _forget(connection: Connection) -> None:
    """Empty the tables that are derived, and of the runs keep those of traces."""
    for table in tables.metadata.sorted_tables:
        if table not in (tables.event, tables.job_version, tables.run):
            connection.execute(delete(table))
    connection.execute(delete(tables.run).where(tables.run.c.origin == FROM_EVENTS))


def _subjects(connection: Connection) -> Iterator[list[list[Row[bytes, int, int, bytes]]]]:
    """The events in pieces, all of one run, job or dataset together in the order of their times."""
    event = tables.event.c
    rows = connection.execute(
        select(event.hash, event.subject, event.kind, event.payload)
        .where(event.kind != QUARANTINED)
        .order_by(event.subject, event.event_time, event.hash)
        .execution_options(yield_per=_PIECE)
    )
    piece: list[list[Row[bytes, int, int, bytes]]] = []
    for _, group in groupby(rows, key=lambda row: (row.subject, row.kind)):
        piece.append(list(group))
        if sum(map(len, piece)) >= _PIECE:
            yield piece
            piece = []
    yield piece


def _derive(connection: Connection, subjects: list[list[Row[bytes, int, int, bytes]]]) -> None:
    derived: list[Derived] = []
    names = Names()
    for rows in subjects:
        events = [again(row.payload) for row in rows]
        if rows[0].kind == _RUN_EVENT:
            for event in events:
                names.add(event)
            derived.append(derive_run(rows[0].subject, events))
        else:
            derived += [derive_declaration(row.hash, event) for row, event in zip(rows, events, strict=True)]
    exchange_runs(connection, derived)
    names.insert(connection)


def _runs_in_order(connection: Connection) -> Iterator[list[int]]:
    """The runs that change something, in the order in which they did."""
    run = tables.run.c
    order = (run.at, run.started_at, run.id)
    ids = connection.scalars(
        select(run.id).where(run.effective).order_by(*order).execution_options(yield_per=_PIECE)
    )
    for piece in ids.partitions(_PIECE):
        yield list(piece)
