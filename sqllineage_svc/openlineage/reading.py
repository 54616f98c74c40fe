"""An event of whatever producer, from its JSON.

Only what makes an event useless is an error: everything else that is wrong with it becomes one of its
`faults`, and the rest counts.

Source: https://openlineage.io/spec/2-0-2/OpenLineage.json
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.openlineage.accumulating import merge_datasets
from sqllineage_svc.openlineage.claims import read_job_lineage
from sqllineage_svc.openlineage.document import Node
from sqllineage_svc.openlineage.incoming import (
    EventKind,
    Facets,
    IncomingEvent,
    JobName,
    RunName,
    RunState,
    SeenDataset,
)
from sqllineage_svc.openlineage.seen_datasets import read_dataset, read_facets, take

_MAX_FAULTS = 100
_ZONE_NAME = re.compile(r"\[[A-Za-z0-9_+\-/]*\]\Z")
_GLUE_RUN = re.compile(r"nativespark[-_](.+)[-_]jr_[0-9a-f]{64}(\..+)?", re.DOTALL)


def read_event(raw: object) -> IncomingEvent:
    """The event that parsed JSON holds; raises InvalidEvent where it is none or lacks what identifies it.

    A run event needs its time, run and job, a job event its time and job, a dataset event its time and
    dataset. A dataset that only the job's `lineage` facet names is an input or output like the others.
    """
    faults: list[str] = []
    event = Node(raw, faults)
    kind = _kind(event)
    time = _time(event.at("eventTime"))
    producer = event.at("producer").any_text() or ""
    if kind is EventKind.DATASET:
        dataset = read_dataset(event.at("dataset"))
        return IncomingEvent(kind, time, producer, outputs=(dataset,), faults=_first(faults))
    run = _run(event) if kind is EventKind.RUN else _Run()
    job = _job_name(event.at("job"))
    job_facets = read_facets(event.at("job"), "facets")
    inputs, outputs = _datasets(event, job_facets)
    return IncomingEvent(
        kind,
        time,
        producer,
        run.state,
        run.run_id,
        job,
        run.parent,
        run.root,
        inputs,
        outputs,
        run.facets,
        _as_they_came(job_facets),
        _first(faults),
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """What only a run event says."""

    state: RunState | None = None
    run_id: str | None = None
    parent: RunName | None = None
    root: RunName | None = None
    facets: Facets = field(default_factory=dict)


def _kind(event: Node) -> EventKind:
    """Which of the three it is: what it holds decides, its schema where that leaves a choice."""
    job, dataset = not event.at("job").absent, not event.at("dataset").absent
    if not event.at("run").absent or not event.at("eventType").absent:
        return EventKind.RUN
    schema = event.at("schemaURL").any_text() or ""
    said = {kind.value: kind for kind in EventKind}.get(schema.rpartition("/")[2])
    if job and (said is EventKind.RUN or (said is EventKind.DATASET and dataset)):
        return said
    if job or dataset:
        return EventKind.JOB if job else EventKind.DATASET
    if said is None:
        raise event.error("holds no run, job or dataset")
    return said


def _time(node: Node) -> datetime:
    """The time, in UTC, which it also is without a zone."""
    text = _ZONE_NAME.sub("", node.text()).upper()
    try:
        time = datetime.fromisoformat(text)
        if time.tzinfo is not None:
            return time.astimezone(UTC)
    except (ValueError, OverflowError) as unreadable:
        raise node.error("is no time; expected RFC 3339, e.g. 2026-01-31T09:00:00Z") from unreadable
    node.faults.append(f"{node.place} has no time zone; read as UTC")
    return time.replace(tzinfo=UTC)


def _run(event: Node) -> _Run:
    run = event.at("run")
    run_id = run.at("runId").text()
    facets = read_facets(run, "facets")
    parent, root = take(facets, "parent", _parent) or (None, None)
    return _Run(_state(event.at("eventType")), run_id, parent, root, _as_they_came(facets))


def _state(node: Node) -> RunState:
    """The state; OTHER where it is absent, as the standard allows, or is no state."""
    said = node.any_text()
    if said is not None and said.upper() not in RunState.__members__:
        node.faults.append(f"{node.place} is none of {', '.join(RunState.__members__)}; read as OTHER")
    return RunState.OTHER if said is None else RunState.__members__.get(said.upper(), RunState.OTHER)


def _parent(facet: Node) -> tuple[RunName, RunName | None]:
    """The run that started this one, and the run that all of it began with."""
    root = facet.at("root")
    return _run_name(facet), None if root.absent else root.attempt(_run_name)


def _run_name(node: Node) -> RunName:
    return RunName(node.at("run").at("runId").text(), _job_name(node.at("job")))


def _job_name(node: Node) -> JobName:
    """The job, under one name for all its runs.

        nativespark-load-jr_<64 hexadecimal digits>  ->  load

    Glue named the Spark application after its run; the parent's name stayed so after the job's own was mended.
    Source: https://github.com/OpenLineage/OpenLineage/pull/4339
    """
    namespace, name = node.at("namespace").text(), node.at("name").text()
    glue = _GLUE_RUN.fullmatch(name)
    return JobName(namespace, name if glue is None else glue[1] + (glue[2] or ""))


def _datasets(
    event: Node, job_facets: dict[str, Node]
) -> tuple[tuple[SeenDataset, ...], tuple[SeenDataset, ...]]:
    """The inputs and the outputs, each once."""
    entries = take(job_facets, "lineage", read_job_lineage) or []
    sources = [source for entry in entries for source in entry.sources]
    targets = [entry.target for entry in entries if entry.target is not None]
    inputs, outputs = (event.at(side).readable(read_dataset) for side in ("inputs", "outputs"))
    return merge_datasets((*inputs, *_bare(sources))), merge_datasets((*outputs, *_bare(targets)))


def _bare(names: Iterable[DatasetName]) -> list[SeenDataset]:
    return [SeenDataset(name) for name in dict.fromkeys(names)]


def _as_they_came(facets: dict[str, Node]) -> Facets:
    return {name: facet.value for name, facet in facets.items()}


def _first(faults: list[str]) -> tuple[str, ...]:
    """The faults, each once; of very many the first."""
    found = tuple(dict.fromkeys(faults))
    more = len(found) - _MAX_FAULTS
    return found if more <= 0 else (*found[:_MAX_FAULTS], f"and {more} more")
