"""Which runs wrote what a run read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.aliases import Aliases
from sqllineage_svc.catalog.finding import Found, names_of
from sqllineage_svc.catalog.folding import Effect
from sqllineage_svc.catalog.holding import Held, Holdings
from sqllineage_svc.catalog.ids import run_id
from sqllineage_svc.catalog.nodes import ColumnNames, Node
from sqllineage_svc.errors import UsageError


class Writer(NamedTuple):
    """What one job had put into a dataset by the time that it was read.

    `run` is the id of its last run until then, at a moment; `runs` how many of its runs had added to it, 1 where
    each replaced the one before.
    """

    dataset: Found
    job: str
    run: str
    at: int
    runs: int


@dataclass(frozen=True, slots=True)
class RunRead:
    """A run, when it read, and who had written what it read."""

    run: str
    job: str
    started_at: int
    at: int
    state: str
    writers: tuple[Writer, ...]


def read_by(connection: Connection, run: str) -> RunRead:
    """What a run read. Raises UsageError where the catalog has no run of this id."""
    table, job = tables.run.c, tables.job.c
    found = connection.execute(
        select(table.run_id, job.name, table.started_at, table.at, table.state, table.payload_id)
        .outerjoin_from(tables.run, tables.job, job.id == table.job_id)
        .where(table.id == run_id(run))
    ).first()
    if found is None:
        raise UsageError(f"{run!r} is no run in the catalog; sqllin history shows the runs of a table")
    written = tuple(sorted(_writers(connection, found), key=lambda one: (str(one.dataset), -one.at, one.job)))
    return RunRead(found.run_id, found.name or "", found.started_at, found.at, found.state, written)


def _writers(connection: Connection, run: Row[*tuple[Any, ...]]) -> Iterator[Writer]:
    link, touched = tables.link.c, tables.payload_dataset.c
    sources = select(link.source_dataset_id).where(link.payload_id == run.payload_id)
    read = select(touched.dataset_id).where(
        touched.payload_id == run.payload_id, touched.effect == int(Effect.READ)
    )
    aliases = Aliases(connection, ColumnNames(connection))
    datasets = aliases.members(connection.scalars(sources.union(read)))
    holdings = Holdings(connection, run.at).of_datasets(datasets)
    shown = aliases.first(datasets, run.at)
    names = names_of(connection, map(Node.of, shown.values()))
    for dataset in datasets:
        for held in holdings[dataset]:
            if held.valid_to > run.started_at:
                writer = _writer(connection, held, names[Node.of(shown[dataset])], run)
                if writer is not None:
                    yield writer


def _writer(connection: Connection, held: Held, dataset: Found, run: Row[*tuple[Any, ...]]) -> Writer | None:
    """The last run by the moment of what stands; a run is no writer of what itself has read."""
    table, job = tables.run.c, tables.job.c
    until = (
        table.payload_id == held.payload,
        table.effective,
        table.at <= run.at,
        table.id != run_id(run.run_id),
    )
    last = connection.execute(
        select(table.run_id, job.name, table.at)
        .outerjoin_from(tables.run, tables.job, job.id == table.job_id)
        .where(*until)
        .order_by(table.at.desc(), table.started_at.desc(), table.id.desc())
        .limit(1)
    ).first()
    if last is None:
        return None
    since = select(func.count()).select_from(tables.run).where(*until, table.at >= held.read_from)
    runs = connection.scalar(since) or 0
    return Writer(dataset, last.name or "", last.run_id, last.at, 1 if held.replacing else max(1, runs))
