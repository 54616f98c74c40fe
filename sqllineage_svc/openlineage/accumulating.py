"""All events of one run as one, and likewise all of one job or dataset.

Events of a run add to each other, unless one says that it is complete in itself; a facet replaces the earlier
one of its name. A job's later declaration replaces the earlier one.

Source: https://openlineage.io/docs/spec/object-model and
https://openlineage.io/spec/facets/2-0-4/JobTypeJobFacet.json
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from typing import Any, TypeVar

from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.openlineage.incoming import (
    EventKind,
    Facets,
    IncomingEvent,
    JobName,
    RunState,
    SeenDataset,
)

T = TypeVar("T")

_EntryKey = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Accumulated:
    """What several events say together, and when that began and ended.

    `started_at` is the time of the START, else of the first event, and never after the end. `ended_at` is None
    while a run goes on, and of a job or dataset.
    """

    event: IncomingEvent
    started_at: datetime
    ended_at: datetime | None


def accumulate(events: Sequence[IncomingEvent]) -> Accumulated:
    """All events of one run, job or dataset as one; they come in order of their time.

    The state of a run is that of its first event that ends it, else of its last event. Raises ValueError
    where there are no events, or events of several kinds.
    """
    if len({event.kind for event in events}) != 1:
        raise ValueError("accumulate needs events, all of one kind")
    add = _replaced if events[0].kind is EventKind.JOB else _added
    whole = reduce(add, events)
    end = next((event for event in events if event.state is not None and event.state.ends), None)
    last = end or events[-1]
    starts = [event.time for event in events if event.state is RunState.START]
    started_at = min(starts) if starts else min(event.time for event in events)
    return Accumulated(
        replace(whole, time=last.time, state=last.state),
        started_at if end is None else min(started_at, end.time),
        None if end is None else end.time,
    )


def merge_datasets(datasets: Iterable[SeenDataset]) -> tuple[SeenDataset, ...]:
    """The datasets, each once: of two of one name the later's facets replace the earlier's."""
    found: dict[DatasetName, SeenDataset] = {}
    for dataset in datasets:
        earlier = found.get(dataset.name)
        found[dataset.name] = dataset if earlier is None else _merged(earlier, dataset)
    return tuple(found.values())


def _added(earlier: IncomingEvent, later: IncomingEvent) -> IncomingEvent:
    """A run or dataset of which the later event says more."""
    if _is_snapshot(later):
        return _snapshot(earlier, later)
    return replace(
        _identified(earlier, later),
        inputs=merge_datasets((*earlier.inputs, *later.inputs)),
        outputs=merge_datasets((*earlier.outputs, *later.outputs)),
        run_facets={**earlier.run_facets, **later.run_facets},
        job_facets=_job_facets(earlier, later),
    )


def _replaced(earlier: IncomingEvent, later: IncomingEvent) -> IncomingEvent:
    """A job that the later event declares anew: without datasets it speaks only of the job itself."""
    mentions_datasets = bool(later.inputs or later.outputs)
    return replace(
        _identified(earlier, later),
        inputs=_still_there(earlier.inputs, later.inputs) if mentions_datasets else earlier.inputs,
        outputs=_still_there(earlier.outputs, later.outputs) if mentions_datasets else earlier.outputs,
        job_facets={**earlier.job_facets, **later.job_facets},
    )


def _identified(earlier: IncomingEvent, later: IncomingEvent) -> IncomingEvent:
    """The later event, with what it need not repeat."""
    return replace(
        later,
        producer=later.producer or earlier.producer,
        parent=later.parent or earlier.parent,
        root=later.root or earlier.root,
        faults=tuple(dict.fromkeys((*earlier.faults, *later.faults))),
    )


def _still_there(earlier: Iterable[SeenDataset], later: Sequence[SeenDataset]) -> tuple[SeenDataset, ...]:
    """The later datasets, with the earlier facets that they do not replace."""
    names = {dataset.name for dataset in later}
    return merge_datasets((*(dataset for dataset in earlier if dataset.name in names), *later))


def _is_snapshot(event: IncomingEvent) -> bool:
    pattern = event.job_facets.get("jobType", {}).get("emissionPattern")
    return isinstance(pattern, Mapping) and pattern.get("eventContentMode") == "COMPLETE_SNAPSHOT"


def _snapshot(earlier: IncomingEvent, later: IncomingEvent) -> IncomingEvent:
    """The later event instead of the earlier; one without any dataset, as it ends a stream, keeps these."""
    snapshot = _identified(earlier, later)
    if later.inputs or later.outputs:
        return snapshot
    lineage = {name: facet for name, facet in earlier.job_facets.items() if name == "lineage"}
    return replace(
        snapshot,
        inputs=earlier.inputs,
        outputs=earlier.outputs,
        job_facets={**lineage, **later.job_facets},
    )


def _merged(earlier: SeenDataset, later: SeenDataset) -> SeenDataset:
    said = later.facets.keys()
    changed = "lifecycleStateChange" in said or later.change is not None
    counted = bool(said & {"inputStatistics", "outputStatistics"})
    return SeenDataset(
        later.name,
        _latest(earlier.columns, later.columns, "schema" in said),
        _latest(earlier.symlinks, later.symlinks, "symlinks" in said),
        _latest(earlier.change, later.change, changed),
        _latest(earlier.previous, later.previous, changed),
        _latest(earlier.kind, later.kind, "datasetType" in said),
        _latest(earlier.rows, later.rows, counted),
        _latest(earlier.size, later.size, counted),
        {**earlier.facets, **later.facets},
    )


def _latest(earlier: T, later: T, is_said: bool) -> T:
    """The later value if there is one, or its facet says that there is none."""
    return later if is_said or later not in (None, ()) else earlier


def _job_facets(earlier: IncomingEvent, later: IncomingEvent) -> Facets:
    """The later facets over the earlier; of a run, the entries of `lineage` add to each other."""
    merged = {**earlier.job_facets, **later.job_facets}
    before, after = earlier.job_facets.get("lineage", {}), later.job_facets.get("lineage", {})
    old, new = before.get("entries"), after.get("entries")
    if (
        isinstance(old, list)
        and isinstance(new, list)
        and True
        not in (
            before.get("_deleted"),
            after.get("_deleted"),
        )
    ):
        replaced = {_entry_key(entry, later.job) for entry in new}
        kept = [entry for entry in old if _entry_key(entry, earlier.job) not in replaced]
        merged["lineage"] = {**after, "entries": [*kept, *new]}
    return merged


def _entry_key(entry: Any, own: JobName | None) -> _EntryKey:
    """What an entry is about. A job without a name is the event's own; what is no entry is about nothing."""
    match entry:
        case {"type": "JOB", "namespace": str(namespace), "name": str(name)}:
            return ("JOB", namespace, name)
        case {"type": "JOB"}:
            return ("JOB", *(own or ("", "")))
        case {"namespace": str(namespace), "name": str(name)}:
            return ("DATASET", namespace, name)
        case _:
            return ("", "", "")
