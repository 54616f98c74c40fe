"""What was seen by a moment: datasets, columns, jobs and SQL texts that a run until then, or a reading, has named.

What is known by what a prune has left was there before the cut. A name that stands only in a part of a run that the
rest of it took back was never seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from sqlalchemy import ColumnElement, CompoundSelect, Connection, Select, or_, select, union

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.doings import done_by
from sqllineage_svc.catalog.ids import column_id
from sqllineage_svc.catalog.indexing import Kind
from sqllineage_svc.catalog.interning import in_pieces
from sqllineage_svc.catalog.origins import FROM_SNAPSHOT

_RUN, _DOING, _READING, _USAGE = tables.run.c, tables.doing.c, tables.reading.c, tables.usage.c
_TOUCHED, _LINK, _SYMLINK, _EDGE = (
    table.c for table in (tables.payload_dataset, tables.link, tables.symlink, tables.edge)
)


def seen_by(connection: Connection, kind: Kind, ids: Iterable[int], at: int) -> set[int]:
    """Those of the things that were seen by a moment, which is not before the cut."""
    found: set[int] = set()
    for piece in in_pieces(ids):
        if kind is Kind.DATASET:
            found.update(connection.scalars(_datasets(piece, at)))
        elif kind is Kind.COLUMN:
            found |= _columns(connection, piece, at)
        else:
            which = "job_id" if kind is Kind.JOB else "text_id"
            pairs = jobs_with_texts(which, piece, at).subquery()
            found.update(connection.scalars(select(pairs.c[which]).distinct()))
            if kind is Kind.JOB:
                held = tables.snapshot.c.job_id
                found.update(connection.scalars(select(held).where(held.in_(piece))))
    return found


def jobs_with_texts(which: str, ids: Iterable[int], at: int) -> CompoundSelect[tuple[int, int]]:
    """The jobs of runs that had started by a moment, and of what was read by then, each with its texts.

    `which` is `job_id` or `text_id`, and of what the ids are.
    """
    some = list(ids)
    started = select(_RUN.id).where(done_by(), _RUN.started_at <= at).exists()
    same = (_READING[name] == _USAGE[name] for name in ("payload_id", "day", "job_id", "text_id", "user"))
    read = select(_READING.id).where(*same, _READING.at <= at).exists()
    return union(
        select(_DOING.job_id, _DOING.text_id).where(_DOING[which].in_(some), started),
        select(_USAGE.job_id, _USAGE.text_id).where(
            _USAGE[which].in_(some), or_(_USAGE.origin == FROM_SNAPSHOT, read)
        ),
    )


def _was_seen(payload: ColumnElement[int], at: int) -> ColumnElement[bool]:
    """Had a run, or something read, this payload by a moment?"""
    return or_(
        select(_RUN.id).where(_RUN.payload_id == payload, _RUN.at <= at).exists(),
        select(_READING.id).where(_READING.payload_id == payload, _READING.at <= at).exists(),
        select(_USAGE.day).where(_USAGE.payload_id == payload, _USAGE.origin == FROM_SNAPSHOT).exists(),
        payload.in_(select(tables.snapshot.c.payload_id)),
    )


def _datasets(ids: list[int], at: int) -> Select[tuple[int]]:
    named = [
        (_TOUCHED.payload_id, _TOUCHED.dataset_id),
        (_TOUCHED.payload_id, _TOUCHED.previous_id),
        (_LINK.payload_id, _LINK.source_dataset_id),
        (_LINK.payload_id, _LINK.target_dataset_id),
        (_SYMLINK.payload_id, _SYMLINK.dataset_id),
        (_SYMLINK.payload_id, _SYMLINK.other_id),
    ]
    held = tables.snapshot.c.dataset_id
    parts = [select(name.label("id")).where(name.in_(ids), _was_seen(payload, at)) for payload, name in named]
    return select(union(*parts, select(held).where(held.in_(ids))).subquery().c.id)


def _columns(connection: Connection, ids: list[int], at: int) -> set[int]:
    """Columns that an edge, or a schema, names."""
    ends = [
        select(end).where(end.in_(ids), _was_seen(_EDGE.payload_id, at))
        for end in (_EDGE.source_id, _EDGE.target_id)
    ]
    found = set(connection.scalars(union(*ends)))
    column, schema = tables.dataset_column.c, tables.table_schema.c
    owners = select(column.dataset_id).where(column.id.in_([id_ for id_ in ids if id_ not in found]))
    told = (
        select(_TOUCHED.dataset_id, schema.columns)
        .join_from(tables.payload_dataset, tables.table_schema, schema.id == _TOUCHED.schema_id)
        .where(_TOUCHED.dataset_id.in_(owners), _was_seen(_TOUCHED.payload_id, at))
        .distinct()
    )
    wanted = set(ids)
    for dataset, columns in connection.execute(told):
        found |= {column_id(dataset, name) for name, _ in json.loads(columns)} & wanted
    return found
