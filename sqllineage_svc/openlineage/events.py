"""A statement that ran, as the events of its run.

A statement is a job where it fills or changes a dataset, and where nobody can tell what it did: that run is
complete, it is only our reading that failed (`extractionError`). A query that only answers its client is one
if asked for. What a routine or trigger would do is a JobEvent: nothing has run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial

from openlineage.client.event_v2 import InputDataset, Job, JobEvent, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import DatasetFacet, lineage
from openlineage.client.serde import Serde

from sqllineage_svc.model.lifecycle import LifecycleChange, StateChange
from sqllineage_svc.model.names import Dataset, DatasetName
from sqllineage_svc.openlineage.facets import (
    dataset_facets,
    extraction_error,
    job_of,
    lifecycle_facet,
    producer,
    run_facets,
)
from sqllineage_svc.openlineage.feeds import Feed, feed_of_result, feeds_of, inputs_of
from sqllineage_svc.openlineage.identity import run_id
from sqllineage_svc.openlineage.incoming import JobName
from sqllineage_svc.openlineage.lineage_facets import column_lineage, lineage_facet, query_lineage_facet
from sqllineage_svc.openlineage.naming import name_dataset
from sqllineage_svc.openlineage.run import StatementRun, Warehouse

Event = RunEvent | JobEvent
_MAKES = frozenset({StateChange.CREATE, StateChange.OVERWRITE, StateChange.ALTER})


def events_of(runs: Iterable[StatementRun], warehouse: Warehouse, reads: bool = False) -> Iterator[Event]:
    """The events of statements, in their order: START and COMPLETE for each one that is a job.

    `reads`: queries that only answer their client are jobs too. Raises UsageError where the instance's URL
    cannot be read.
    """
    place, ordinal = ("", 0), 0
    for run in runs:
        ordinal = ordinal + 1 if (run.file, run.line) == place else 0
        place = (run.file, run.line)
        if run.declares:
            if run.lineage.outputs or any(change.change in _MAKES for change in run.lifecycle):
                yield _declared(run, warehouse)
        elif run.lineage.outputs or run.lifecycle or _is_unknown(run) or (reads and run.lineage.inputs):
            yield from _started_and_completed(run, warehouse, run_id(run, warehouse, ordinal))


def retraction(job: JobName, outputs: Iterable[DatasetName], at: datetime) -> JobEvent:
    """That a job which was declared fills nothing any more."""
    entries: list[lineage.LineageEntry] = [
        lineage.LineageDatasetEntry(namespace=output.namespace, name=output.name, type="DATASET", inputs=[])
        for output in outputs
    ]
    facet = lineage.LineageJobFacet(entries, producer=producer())
    filled = [OutputDataset(output.namespace, output.name) for output in outputs]
    return JobEvent(
        eventTime=_time(at),
        job=Job(job.namespace, job.name, {"lineage": facet}),
        outputs=filled,
        producer=producer(),
    )


def to_json(event: Event) -> str:
    """The event in one line of JSON, its keys sorted."""
    return Serde.to_json(event)


def _is_unknown(run: StatementRun) -> bool:
    """Did the statement do something that nobody can tell?"""
    lineage = run.lineage
    moved = lineage.inputs or lineage.outputs or lineage.columns or lineage.rows or lineage.expressions
    return bool(lineage.issues) and not moved and not run.lifecycle


def _started_and_completed(run: StatementRun, warehouse: Warehouse, identity: str) -> Iterator[RunEvent]:
    job = job_of(run, warehouse)
    facets = run_facets(run, warehouse)
    yield RunEvent(
        eventType=RunState.START,
        eventTime=_time(run.started_at),
        run=Run(identity, dict(facets)),
        job=job,
        producer=producer(),
    )
    if _is_unknown(run):
        facets["extractionError"] = extraction_error(run)
    feeds = feeds_of(run.lineage, partial(name_dataset, run=run, warehouse=warehouse))
    yield RunEvent(
        eventType=RunState.COMPLETE,
        eventTime=_time(run.ended_at or run.started_at),
        run=Run(identity, facets),
        job=_with_lineage(job, feeds, run, warehouse),
        inputs=_inputs(run, warehouse),
        outputs=_outputs(feeds, run, warehouse),
        producer=producer(),
    )


def _declared(run: StatementRun, warehouse: Warehouse) -> JobEvent:
    feeds = feeds_of(run.lineage, partial(name_dataset, run=run, warehouse=warehouse))
    return JobEvent(
        eventTime=_time(run.started_at),
        job=_with_lineage(job_of(run, warehouse), feeds, run, warehouse),
        inputs=_inputs(run, warehouse),
        outputs=_outputs(feeds, run, warehouse),
        producer=producer(),
    )


def _with_lineage(
    job: Job, feeds: Mapping[DatasetName, Feed], run: StatementRun, warehouse: Warehouse
) -> Job:
    """The job with its `lineage` facet, if there is anything to put into it."""
    name = partial(name_dataset, run=run, warehouse=warehouse)
    read = inputs_of(run.lineage)
    facet = None
    if feeds:
        facet = lineage_facet(feeds, {name(dataset) for dataset in read})
    elif read:
        facet = query_lineage_facet(feed_of_result(run.lineage, name))
    return job if facet is None else Job(job.namespace, job.name, {**(job.facets or {}), "lineage": facet})


def _inputs(run: StatementRun, warehouse: Warehouse) -> list[InputDataset]:
    found = _by_name(inputs_of(run.lineage), run, warehouse)
    return [
        InputDataset(namespace, name, inputFacets=None, facets=dataset_facets(dataset, run, warehouse))
        for (namespace, name), dataset in found.items()
    ]


def _outputs(
    feeds: Mapping[DatasetName, Feed], run: StatementRun, warehouse: Warehouse
) -> list[OutputDataset]:
    """What the statement filled, then what it else changed as a whole."""
    changes = {name_dataset(change.dataset, run, warehouse): change for change in run.lifecycle}
    datasets = (*run.lineage.outputs, *(change.dataset for change in run.lifecycle))
    outputs: list[OutputDataset] = []
    for name, dataset in _by_name(datasets, run, warehouse).items():
        facets = dataset_facets(dataset, run, warehouse)
        facets.update(_output_facets(feeds.get(name), changes.get(name), run, warehouse))
        outputs.append(OutputDataset(name.namespace, name.name, outputFacets=None, facets=facets))
    return outputs


def _output_facets(
    feed: Feed | None, change: LifecycleChange | None, run: StatementRun, warehouse: Warehouse
) -> dict[str, DatasetFacet]:
    facets: dict[str, DatasetFacet] = {}
    columns = column_lineage(feed) if feed is not None else None
    if columns is not None:
        facets["columnLineage"] = columns
    if change is not None:
        facets["lifecycleStateChange"] = lifecycle_facet(change, run, warehouse)
    return facets


def _by_name(
    datasets: Iterable[Dataset], run: StatementRun, warehouse: Warehouse
) -> dict[DatasetName, Dataset]:
    """The datasets by name, of two with one name the first."""
    found: dict[DatasetName, Dataset] = {}
    for dataset in datasets:
        found.setdefault(name_dataset(dataset, run, warehouse), dataset)
    return found


def _time(moment: datetime) -> str:
    """RFC 3339 in UTC: `2026-01-31T09:00:00Z`."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
