"""Everything derived, made anew from the events, the runs that traces of ours saw, and the snapshot of a prune.

It happens in one transaction: who reads meanwhile reads the old tables, and what is interrupted never was.
Memory is for one piece of runs, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, delete, insert, select, update

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.arriving import QUARANTINED, RUN_EVENT, again
from sqllineage_svc.catalog.deriving import (
    Derived,
    Names,
    derive_declaration,
    derive_run,
    exchange_runs,
    retell,
)
from sqllineage_svc.catalog.doings import renew_doings
from sqllineage_svc.catalog.indexing import rebuild_index
from sqllineage_svc.catalog.interning import in_pieces
from sqllineage_svc.catalog.merging import merge_all
from sqllineage_svc.catalog.mirroring import mirrored
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.origins import FROM_EVENTS, FROM_SNAPSHOT
from sqllineage_svc.catalog.refolding import go_on, happenings, works_of
from sqllineage_svc.catalog.snapshots import cut_of
from sqllineage_svc.catalog.stretches import happenings_of
from sqllineage_svc.catalog.versions import renew_versions

_PIECE = 500
_RUNS = 20_000
"""So many runs are folded at once, which is few stretches; of events a piece is smaller, since each is read."""
_RUN = tables.run.c


def reindex(catalog: Catalog) -> None:
    """Make every derived table anew; the runs of traces and of a snapshot stay as they are.

    Of a dataset that a run of a snapshot names all known columns stay.
    """
    with catalog.writing() as connection:
        derive_anew(connection)


def derive_anew(connection: Connection) -> None:
    """The same as a part of something greater."""
    _forget(connection)
    renew_versions(connection)
    for piece in _subjects(connection):
        _derive(connection, piece)
    _retell_all(connection)
    renew_doings(connection)
    start_from_snapshot(connection)
    fold_runs(connection)
    merge_all(connection)


def start_from_snapshot(connection: Connection) -> None:
    """Put what stood at the cut in the place of all contributions."""
    connection.execute(delete(tables.contribution))
    names = list(tables.contribution.c.keys())
    connection.execute(insert(tables.contribution).from_select(names, select(tables.snapshot)))


def fold_runs(connection: Connection, *conditions: ColumnElement[bool]) -> None:
    """Carry the contributions on by what the runs did, in their order; by those alone that meet the conditions."""
    for runs in _runs_in_order(connection, conditions):
        some = list(happenings_of(works_of(connection, runs)))
        mirrors = mirrored(connection, some)
        if any(one.stretch is not None for one in mirrors):  # then each of the runs counts on its own
            pieces = in_pieces(run.id for run in runs)
            some = [one for ids in pieces for one in happenings(connection, _RUN.id.in_(ids))]
            mirrors = mirrored(connection, some)
        go_on(connection, [*some, *mirrors])


def _forget(connection: Connection) -> None:
    """Empty the tables that are derived, and the index of words, but for what a snapshot needs."""
    touched, edge = tables.payload_dataset.c, tables.edge.c
    link, symlink = tables.link.c, tables.symlink.c
    held, usage = tables.snapshot.c, tables.usage.c
    for table in (tables.contribution, tables.reading, tables.identity, tables.refused_identity):
        connection.execute(delete(table))
    connection.execute(delete(tables.usage).where(usage.origin == FROM_EVENTS))
    connection.execute(delete(tables.run).where(_RUN.origin == FROM_EVENTS))
    pruned = _RUN.origin == FROM_SNAPSHOT
    _keep_only(connection, tables.ancestor, "run_id", select(_RUN.id).where(pruned))
    used = [select(_RUN.payload_id).where(pruned), select(held.payload_id), select(usage.payload_id)]
    _keep_only(connection, tables.payload, "id", *used)
    for table in (tables.payload_dataset, tables.edge, tables.link, tables.symlink):
        _keep_only(connection, table, "payload_id", select(tables.payload.c.id))
    datasets = [touched.dataset_id, touched.previous_id, link.source_dataset_id, link.target_dataset_id]
    datasets += [symlink.dataset_id, symlink.other_id]
    _keep_only(connection, tables.dataset, "id", *map(select, (*datasets, held.dataset_id)))
    connection.execute(update(tables.dataset).values(changed_at=0))
    _keep_only(connection, tables.dataset_column, "dataset_id", select(tables.dataset.c.id))
    _keep_only(connection, tables.table_schema, "id", select(touched.schema_id))
    _keep_only(connection, tables.expression, "id", select(edge.expression_id))
    jobs = [select(_RUN.job_id).where(pruned), select(held.job_id), select(usage.job_id)]
    _keep_only(connection, tables.job, "id", *jobs)
    texts = [select(_RUN.text_id).where(pruned), select(usage.text_id)]
    _keep_only(connection, tables.sql_text, "id", *texts)
    rebuild_index(connection)


def _keep_only(connection: Connection, table: Table, column: str, *used: Select[int]) -> None:
    """Delete the rows whose column holds none of the ids in use."""
    own = table.alias().c[column]
    gone = select(own).except_(*used)
    connection.execute(delete(table).where(table.c[column].in_(gone)))


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
        if rows[0].kind == RUN_EVENT:
            for event in events:
                names.add(event)
            derived.append(derive_run(rows[0].subject, events))
        else:
            derived += [derive_declaration(row.hash, event) for row, event in zip(rows, events, strict=True)]
    exchange_runs(connection, derived)
    names.insert(connection)


def _retell_all(connection: Connection) -> None:
    """Leave out of what runs say what the runs that they started have said."""
    for piece in in_pieces(connection.scalars(select(tables.ancestor.c.ancestor_id).distinct())):
        exchange_runs(connection, retell(connection, piece))


def _runs_in_order(
    connection: Connection, conditions: Iterable[ColumnElement[bool]]
) -> Iterator[Sequence[Row[int, int, int, int, int]]]:
    """The runs that changed something from the cut on, in the order in which they did."""
    rows = connection.execute(
        select(_RUN.id, _RUN.at, _RUN.started_at, _RUN.payload_id, _RUN.job_id)
        .where(_RUN.effective, _RUN.at >= cut_of(connection), *conditions)
        .order_by(_RUN.at, _RUN.started_at, _RUN.id)
        .execution_options(yield_per=_RUNS)
    )
    return rows.partitions(_RUNS)
