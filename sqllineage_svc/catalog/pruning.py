"""Events and runs older than a moment, the cut, go; what answers from then on need of them stays, as a snapshot.

A run goes when it ended before the cut and none of its events is later. One that has not ended stays, unless nothing
was heard of it for long.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from time import time_ns

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, insert, not_, or_, select, update

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.ancestors import descendants_of
from sqllineage_svc.catalog.arriving import RUN_EVENT
from sqllineage_svc.catalog.counting import keep_counts
from sqllineage_svc.catalog.deriving import DECLARED
from sqllineage_svc.catalog.interning import in_pieces, insert_new
from sqllineage_svc.catalog.moments import shown
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.origins import FROM_EVENTS, FROM_SNAPSHOT
from sqllineage_svc.catalog.reaching import forget_unreachable
from sqllineage_svc.catalog.reindexing import derive_anew, fold_runs, start_from_snapshot
from sqllineage_svc.catalog.remembering import needed_runs
from sqllineage_svc.catalog.snapshots import cut_of
from sqllineage_svc.errors import UsageError

_PATIENCE = timedelta(days=30) // timedelta(microseconds=1)
"""So long before the cut a run that has not ended must have told something to be waited for."""
_RUN, _EVENT = tables.run.c, tables.event.c


@dataclass(frozen=True, slots=True)
class PruneReport:
    """What a prune removed; `kept_runs` are those from before the cut that answers need, without their events."""

    cut: int
    events: int
    runs: int
    kept_runs: int


def prune(catalog: Catalog, cut: int, dry_run: bool = False) -> PruneReport:
    """Remove what is older than the cut; answers as of any moment from then on stay what they are.

    `dry_run`: only tell what would go. Raises UsageError where the catalog was pruned further already, and where
    the cut lies ahead.
    """
    now = time_ns() // 1000
    if cut > now:
        raise UsageError(f"{shown(cut)} lies ahead; only the past can be pruned")
    with catalog.writing() as connection:
        before = cut_of(connection)
        if cut < before:
            raise UsageError(f"the catalog was pruned up to {shown(before)} already, which is later")
        report = _prune(connection, cut)
        insert_new(connection, tables.cut, [{"at": cut, "made_at": now}])
        if dry_run:
            connection.rollback()
        else:
            derive_anew(connection)
    return report


def _prune(connection: Connection, cut: int) -> PruneReport:
    """Make the snapshot, and remove the events and runs that it stands for."""
    start_from_snapshot(connection)
    fold_runs(connection, _RUN.at < cut)
    forget_unreachable(connection, *_reading(connection, cut))
    kept = needed_runs(connection, cut, cut - _PATIENCE) | _told_again(connection, cut)
    names = list(tables.snapshot.c.keys())
    connection.execute(delete(tables.snapshot))
    connection.execute(insert(tables.snapshot).from_select(names, select(tables.contribution)))
    return _remove(connection, cut, kept)


def _reading(connection: Connection, cut: int) -> tuple[int, dict[int, int]]:
    """What the runs that stay may have read before the cut: all from a moment on, and some datasets from earlier.

    What a run is still to tell of its inputs nobody knows; of one that never ends it is taken to be nothing.
    """
    stays = and_(not_(_old(cut)), _RUN.started_at < cut)
    ends = not_(and_(_RUN.effective, _RUN.ended_at.is_(None)))
    first = connection.scalar(select(func.min(_RUN.started_at)).where(stays, ends))
    source = tables.link.c.source_dataset_id
    known = connection.execute(
        select(source, func.min(_RUN.started_at))
        .join_from(tables.run, tables.link, tables.link.c.payload_id == _RUN.payload_id)
        .where(stays)
        .group_by(source)
    )
    return (cut if first is None else max(first, cut - _PATIENCE)), dict(known.all())


def _told_again(connection: Connection, cut: int) -> set[int]:
    """The runs of which one that started them stays, or may still come, and says again what they have said."""
    ancestor = tables.ancestor.c.ancestor_id
    said = set(connection.scalars(select(ancestor).distinct()))
    known = select(_RUN.id, _old(cut)).join_from(tables.ancestor, tables.run, _RUN.id == ancestor).distinct()
    over: dict[int, bool] = dict(connection.execute(known).all())
    found = descendants_of(connection, (id_ for id_, is_over in over.items() if not is_over))
    for piece in in_pieces(descendants_of(connection, said - over.keys())):
        lately = select(_RUN.id).where(_RUN.id.in_(piece), _RUN.at >= cut - _PATIENCE)
        found.update(connection.scalars(lately))
    return found


def _remove(connection: Connection, cut: int, kept: set[int]) -> PruneReport:
    """Remove the events from before the cut, and the runs but those that are kept."""
    keep_counts(connection, cut, _over(tables.reading, cut))
    old = set(connection.scalars(select(_RUN.id).where(_old(cut))))
    runs = len(old)
    old.update(connection.scalars(select(tables.reading.c.id).where(_over(tables.reading, cut))))
    aside = delete(tables.event).where(_EVENT.kind != RUN_EVENT, _EVENT.event_time < cut)
    events = connection.execute(aside).rowcount
    for piece in in_pieces(old):
        of_runs = delete(tables.event).where(_EVENT.kind == RUN_EVENT, _EVENT.subject.in_(piece))
        events += connection.execute(of_runs).rowcount
        connection.execute(delete(tables.run).where(_RUN.id.in_([id_ for id_ in piece if id_ not in kept])))
        told = _RUN.id.in_([id_ for id_ in piece if id_ in kept])
        from_events = update(tables.run).where(told, _RUN.origin == FROM_EVENTS)
        connection.execute(from_events.values(origin=FROM_SNAPSHOT))
        connection.execute(delete(tables.reading).where(tables.reading.c.id.in_(piece)))
    stay = len(kept & old)
    return PruneReport(cut, events, runs - stay, stay)


def _old(cut: int) -> ColumnElement[bool]:
    """Is a run over, or given up, with all its events before the cut?"""
    done = or_(_RUN.ended_at.is_not(None), _RUN.state == DECLARED, _RUN.at < cut - _PATIENCE)
    return and_(_over(tables.run, cut), or_(_RUN.origin != FROM_EVENTS, done))


def _over(table: Table, cut: int) -> ColumnElement[bool]:
    """Is the last of a run or reading before the cut, with all its events?"""
    later = select(_EVENT.hash).where(
        _EVENT.subject == table.c.id, _EVENT.kind == RUN_EVENT, _EVENT.event_time >= cut
    )
    return and_(table.c.at < cut, not_(later.exists()))
