"""Statements that a file declared and does not hold any more: what they declared ends."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, literal_column, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.deriving import DECLARED
from sqllineage_svc.catalog.folding import FOREVER
from sqllineage_svc.catalog.ids import job_id
from sqllineage_svc.catalog.interning import in_pieces
from sqllineage_svc.catalog.nodes import names_of_datasets
from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.openlineage.incoming import JobName


class Retracted(NamedTuple):
    """A job that is declared no more, with what it was to fill."""

    job: JobName
    outputs: tuple[DatasetName, ...]


def no_longer_declared(
    connection: Connection, files: Collection[str], still: Collection[JobName]
) -> list[Retracted]:
    """The jobs that these files, and no others, have declared, without those that they do `still`."""
    jobs = _only_of(connection, files) - {job_id(*job) for job in still}
    filled = _filled(connection, jobs)
    names = names_of_datasets(connection, {dataset for some in filled.values() for dataset in some})
    table = tables.job.c
    found = []
    for piece in in_pieces(sorted(filled)):
        for id_, namespace, name in connection.execute(
            select(table.id, table.namespace, table.name).where(table.id.in_(piece))
        ):
            outputs = tuple(sorted(names[dataset] for dataset in filled[id_]))
            found.append(Retracted(JobName(namespace, name), outputs))
    return sorted(found)


def _only_of(connection: Connection, files: Collection[str]) -> set[int]:
    """The jobs that were declared in these files and in no others."""
    run = tables.run.c
    sources: dict[int, set[str | None]] = defaultdict(set)
    declared = run.state == literal_column(f"'{DECLARED}'")  # as it is written in the index of these alone
    for job, facts in connection.execute(select(run.job_id, run.facts).where(declared)):
        sources[job].add(json.loads(facts).get("source"))
    return {job for job, some in sources.items() if some <= set(files)}


def _filled(connection: Connection, jobs: Collection[int]) -> dict[int, set[int]]:
    """What of declared jobs stands."""
    held = tables.contribution.c
    found: dict[int, set[int]] = defaultdict(set)
    for piece in in_pieces(jobs):
        standing = select(held.job_id, held.dataset_id).where(
            held.job_id.in_(piece), held.declared, held.valid_to == FOREVER
        )
        for job, dataset in connection.execute(standing):
            found[job].add(dataset)
    return found
