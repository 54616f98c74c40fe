"""Which runs from before the cut are kept without their events, since answers from the cut on need them.

Beside what datasets hold, answers tell how columns and SQL were before they changed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, func, literal, select, union, union_all

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.folding import FOREVER, Effect
from sqllineage_svc.catalog.interning import in_pieces

_RUN, _TOUCHED, _HELD = tables.run.c, tables.payload_dataset.c, tables.contribution.c
_MAKES = [int(effect) for effect in (Effect.OVERWRITE, Effect.ALTER, Effect.DECLARE, Effect.DROP)]
_AWAY = -1
"""What a RENAME does to the old name."""


def needed_runs(connection: Connection, cut: int, forgotten: int) -> set[int]:
    """The runs from before the cut to keep; a dataset dropped before `forgotten` and not seen since is forgotten.

    The contributions are those that stood at the cut.
    """
    found = set(connection.scalars(select(_HELD.last_run_id).where(_HELD.valid_to == FOREVER)))
    found.update(_texts(connection, cut), _alters(connection, cut), _sayings(connection, cut))
    schemas = _schemas(connection, cut)
    fresh = {run for dataset in schemas.keys() - _gone(connection, forgotten) for run in schemas[dataset]}
    while fresh:  # what is gone and yet named by one of them has to be known as gone
        found |= fresh
        fresh = {run for dataset in _named(connection, found) for run in schemas.get(dataset, ())} - found
    return found


def _sayings(connection: Connection, cut: int) -> Iterator[int]:
    """The first and the last runs that say of each two names that they are of one dataset."""
    symlink = tables.symlink.c
    for earlier in (True, False):
        order = (_RUN.at, _RUN.id) if earlier else (_RUN.at.desc(), _RUN.id)
        place = func.row_number().over(partition_by=(symlink.dataset_id, symlink.other_id), order_by=order)
        ranked = (
            select(_RUN.id, place.label("place"))
            .join_from(tables.run, tables.symlink, symlink.payload_id == _RUN.payload_id)
            .where(_RUN.at < cut)
            .subquery()
        )
        yield from connection.scalars(select(ranked.c.id).where(ranked.c.place == 1))


def _schemas(connection: Connection, cut: int) -> dict[int, set[int]]:
    """The last runs that told columns of each dataset, and the last that made it or dropped it."""
    found: dict[int, set[int]] = defaultdict(set)
    told = _TOUCHED.schema_id.is_not(None)
    made = _TOUCHED.effect.in_(_MAKES) & (told | (_TOUCHED.effect == int(Effect.DROP)))
    for which in (told, made):
        place = func.row_number().over(
            partition_by=_TOUCHED.dataset_id,
            order_by=(_RUN.at.desc(), _RUN.started_at.desc(), _RUN.id.desc(), _TOUCHED.number.desc()),
        )
        ranked = (
            select(_TOUCHED.dataset_id, _RUN.id, place.label("place"))
            .join_from(tables.run, tables.payload_dataset, _TOUCHED.payload_id == _RUN.payload_id)
            .where(_RUN.effective, _RUN.at < cut, which)
            .subquery()
        )
        for dataset, run in connection.execute(
            select(ranked.c.dataset_id, ranked.c.id).where(ranked.c.place == 1)
        ):
            found[dataset].add(run)
    return found


def _gone(connection: Connection, forgotten: int) -> set[int]:
    """The datasets of which the last that is known is that they were dropped or renamed, before a moment."""
    mentions = [
        select(name.label("dataset_id"), effect.label("effect"), _RUN.at, _RUN.started_at, _RUN.id, _TOUCHED.number)
        .join_from(tables.run, tables.payload_dataset, _TOUCHED.payload_id == _RUN.payload_id)
        .where(_RUN.effective, name.is_not(None))
        for name, effect in (
            (_TOUCHED.dataset_id, _TOUCHED.effect),
            (_TOUCHED.previous_id, literal(_AWAY)),
        )
    ]  # fmt: skip
    all_ = union_all(*mentions).subquery()
    place = func.row_number().over(
        partition_by=all_.c.dataset_id,
        order_by=(all_.c.at.desc(), all_.c.started_at.desc(), all_.c.id.desc(), all_.c.number.desc()),
    )
    last = select(all_.c.dataset_id, all_.c.effect, all_.c.at, place.label("place")).subquery()
    away = last.c.effect.in_([int(Effect.DROP), _AWAY])
    return set(
        connection.scalars(select(last.c.dataset_id).where(last.c.place == 1, away, last.c.at < forgotten))
    )


def _named(connection: Connection, runs: Iterable[int]) -> set[int]:
    """The datasets that runs read or change."""
    found: set[int] = set()
    for piece in in_pieces(runs):
        found.update(
            connection.scalars(
                select(_TOUCHED.dataset_id)
                .join(tables.run, _RUN.payload_id == _TOUCHED.payload_id)
                .where(_RUN.id.in_(piece))
            )
        )
    return found


def _alters(connection: Connection, cut: int) -> Iterator[int]:
    """The ALTERs that told which columns are left, but those that say what the one before them said.

    One that says it again counts where something was filled in between: for that it is the first.
    """
    filled: dict[int, list[int]] = defaultdict(list)
    for dataset, at in connection.execute(select(_HELD.dataset_id, _HELD.read_to)):
        filled[dataset].append(at)
    schema = tables.table_schema.c
    rows = connection.execute(
        select(_TOUCHED.dataset_id, _RUN.at, _RUN.id, schema.columns)
        .join_from(tables.payload_dataset, tables.run, _RUN.payload_id == _TOUCHED.payload_id)
        .join(tables.table_schema, schema.id == _TOUCHED.schema_id)
        .where(_TOUCHED.effect == int(Effect.ALTER), _RUN.effective, _RUN.at < cut)
        .order_by(_TOUCHED.dataset_id, _RUN.at, _RUN.id)
    )
    last = (0, 0, frozenset[str]())
    for dataset, at, run, columns in rows:
        left = frozenset(name.lower() for name, _ in json.loads(columns))
        again = (last[0], last[2]) == (dataset, left)
        if not again or any(last[1] <= one < at for one in filled[dataset]):
            yield run
        last = dataset, at, left


def _texts(connection: Connection, cut: int) -> set[int]:
    """The last run with an SQL text of each job that holds something, or goes on behind the cut."""
    place = func.row_number().over(partition_by=_RUN.job_id, order_by=(_RUN.at.desc(), _RUN.id.desc()))
    later = tables.run.alias().c
    jobs = union(select(_HELD.job_id), select(later.job_id).where(later.at >= cut))
    ranked = (
        select(_RUN.id, place.label("place"))
        .where(_RUN.at < cut, _RUN.text_id.is_not(None), _RUN.job_id.in_(jobs))
        .subquery()
    )
    return set(connection.scalars(select(ranked.c.id).where(ranked.c.place == 1)))
