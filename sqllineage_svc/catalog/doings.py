"""What the runs of each job did, by which text: each job with a payload and a text once, however many runs.

By it runs are found by their job, or their text, without an index of all runs for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, delete, func, insert, not_, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.interning import in_pieces, insert_new

NO_TEXT = 0
"""Stands for the text of runs that have none."""

Doing = tuple[int, int, int]
"""A job, a payload and a text."""

_RUN, _DOING = tables.run.c, tables.doing.c


def doing_of(run: Mapping[str, Any] | RowMapping) -> Doing:
    """What a run, given as its row, did."""
    return run["job_id"], run["payload_id"], run["text_id"] or NO_TEXT


def keep_doings(connection: Connection, doings: Iterable[Doing]) -> None:
    """Keep those that are not there yet."""
    names = [column.name for column in tables.doing.primary_key]
    insert_new(connection, tables.doing, [dict(zip(names, doing, strict=True)) for doing in set(doings)])


def forget_doings(connection: Connection, doings: Iterable[Doing]) -> None:
    """Drop those that no run does any more."""
    gone = set(doings)
    for piece in in_pieces(gone):
        jobs, payloads, _ = map(set, zip(*piece, strict=True))
        among = (_DOING.job_id.in_(jobs), _DOING.payload_id.in_(payloads))
        connection.execute(
            delete(tables.doing).where(*among, not_(select(_RUN.id).where(done_by()).exists()))
        )


def renew_doings(connection: Connection) -> None:
    """Make all of them anew from the runs."""
    connection.execute(delete(tables.doing))
    runs = select(_RUN.job_id, _RUN.payload_id, func.coalesce(_RUN.text_id, NO_TEXT)).distinct()
    names = [column.name for column in tables.doing.primary_key]
    connection.execute(insert(tables.doing).from_select(names, runs))


def done_by() -> ColumnElement[bool]:
    """Is it what the run did? To join the two by."""
    return and_(
        _RUN.payload_id == _DOING.payload_id,
        _RUN.job_id == _DOING.job_id,
        func.coalesce(_RUN.text_id, NO_TEXT) == _DOING.text_id,
    )
