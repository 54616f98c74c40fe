"""Runs that were started by others: an Airflow task by its DAG's run, a Spark action by its application.

A run says which run is its parent, and which one all began with; runs may say so in a circle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect, Select, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.among import Asking, among, rows_among
from sqllineage_svc.catalog.ids import run_id
from sqllineage_svc.catalog.interning import shortened
from sqllineage_svc.openlineage.incoming import IncomingEvent, JobName

_ANCESTOR = tables.ancestor.c


def ancestor_rows(run: int, event: IncomingEvent) -> list[Mapping[str, Any]]:
    """The rows of `ancestor` for what a run says."""
    rows: dict[int, Mapping[str, Any]] = {}
    for said, root in ((event.parent, False), (event.root, True)):
        if said is not None and (id_ := run_id(said.run_id)) != run:
            name = {"namespace": said.job.namespace, "name": shortened(said.job.name)}
            rows[id_] = {"run_id": run, "ancestor_id": id_, **name, "root": root}
    return list(rows.values())


def _neighbours(near: str, far: str, dialect: Dialect) -> Select[*tuple[Any, ...]]:
    return select(_ANCESTOR[far]).where(among(_ANCESTOR[near], dialect)).distinct()


_STARTERS = Asking(partial(_neighbours, "run_id", "ancestor_id"))
_STARTED = Asking(partial(_neighbours, "ancestor_id", "run_id"))


def ancestors_of(connection: Connection, runs: Iterable[int]) -> set[int]:
    """The runs that started these, those that started them, and so on."""
    return _all(connection, _STARTERS, runs)


def descendants_of(connection: Connection, runs: Iterable[int]) -> set[int]:
    """The runs that these started, those that they started, and so on."""
    return _all(connection, _STARTED, runs)


def with_descendants(connection: Connection, runs: Iterable[int]) -> set[int]:
    """Those of the runs that started others."""
    query = select(_ANCESTOR.ancestor_id).where(among(_ANCESTOR.ancestor_id, connection.dialect)).distinct()
    return {row[0] for row in rows_among(connection, query, runs)}


def _all(connection: Connection, neighbours: Asking, runs: Iterable[int]) -> set[int]:
    found: set[int] = set()
    fresh = set(runs)
    while fresh:
        fresh = {row[0] for row in neighbours.rows(connection, fresh)} - found
        found |= fresh
    return found


class _Starter(NamedTuple):
    """The run that one begins with, as far as it knows, by its id, and the job that it says."""

    run: int
    job: JobName


def root_jobs(connection: Connection, runs: Iterable[int]) -> dict[int, JobName]:
    """The job with which each run that another started began; that run itself, if it has come, knows its job best."""
    tops: dict[int, _Starter] = {}
    passed: dict[int, set[int]] = {run: {run} for run in runs}
    ends = {run: run for run in passed}
    while ends:
        above = _starters(connection, set(ends.values()))
        following = {}
        for run, end in ends.items():
            starter = above.get(end)
            if starter is not None and starter.run not in passed[run]:
                tops[run], following[run] = starter, starter.run
                passed[run].add(starter.run)
        ends = following
    own = _jobs_of_runs(connection, {top.run for top in tops.values()})
    return {run: own.get(top.run, top.job) for run, top in tops.items()}


def _starters(connection: Connection, runs: Set[int]) -> dict[int, _Starter]:
    query = select(tables.ancestor).where(among(_ANCESTOR.run_id, connection.dialect))
    rows = rows_among(connection, query.order_by(_ANCESTOR.root), runs)
    return {run: _Starter(id_, JobName(namespace, name)) for run, id_, namespace, name, _ in rows}


def _jobs_of_runs(connection: Connection, runs: Set[int]) -> dict[int, JobName]:
    run, job = tables.run.c, tables.job.c
    query = (
        select(run.id, job.namespace, job.name)
        .join_from(tables.run, tables.job, job.id == run.job_id)
        .where(among(run.id, connection.dialect))
    )
    return {id_: JobName(*name) for id_, *name in rows_among(connection, query, runs)}
