"""An event as it came, from whatever producer: what it says, in values of ours.

`reading` makes these of JSON, `accumulating` makes one of all events of a run, `claims` takes the lineage out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any, NamedTuple

from sqllineage_svc.model.lifecycle import StateChange
from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.model.schema import Column

Facets = Mapping[str, Mapping[str, Any]]
"""Facets by name, as they came."""


class EventKind(Enum):
    """The three events of the standard (https://openlineage.io/docs/spec/object-model)."""

    RUN = "RunEvent"
    JOB = "JobEvent"
    DATASET = "DatasetEvent"


class RunState(Enum):
    """What a run event says of its run; the values are the standard's."""

    START = "START"
    RUNNING = "RUNNING"
    COMPLETE = "COMPLETE"
    ABORT = "ABORT"
    FAIL = "FAIL"
    OTHER = "OTHER"

    @property
    def ends(self) -> bool:
        """Is the run over?"""
        return self in (RunState.COMPLETE, RunState.ABORT, RunState.FAIL)


class JobName(NamedTuple):
    """A job by its namespace and name."""

    namespace: str
    name: str


class RunName(NamedTuple):
    """A run by its id, and its job."""

    run_id: str
    job: JobName


@dataclass(frozen=True, slots=True)
class SeenDataset:
    """An input or output of an event, or the dataset of a DatasetEvent.

    `columns` are None where no schema was said. `symlinks` are other names of it. `change` is what became of
    it as a whole, `previous` its name before a RENAME. `kind` is (type, subtype) of datasetType. `rows` and
    `size` (bytes) are the statistics of this run. `facets` are all of them as they came; one whose `_deleted` is
    true says that the dataset has no such facet any more.
    """

    name: DatasetName
    columns: tuple[Column, ...] | None = None
    symlinks: tuple[DatasetName, ...] = ()
    change: StateChange | None = None
    previous: DatasetName | None = None
    kind: tuple[str, str | None] | None = None
    rows: int | None = None
    size: int | None = None
    facets: Facets = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IncomingEvent:
    """What one event says, or all events of one run together.

    `time` is aware. `state` is None but in a RunEvent, `run_id` and `job` None in a DatasetEvent, whose
    dataset is its only output. `parent` and `root` are the runs that started this one. `faults` say what in
    it could not be read; the rest counts.
    """

    kind: EventKind
    time: datetime
    producer: str = ""
    state: RunState | None = None
    run_id: str | None = None
    job: JobName | None = None
    parent: RunName | None = None
    root: RunName | None = None
    inputs: tuple[SeenDataset, ...] = ()
    outputs: tuple[SeenDataset, ...] = ()
    run_facets: Facets = field(default_factory=dict)
    job_facets: Facets = field(default_factory=dict)
    faults: tuple[str, ...] = ()


class Claim(NamedTuple):
    """One edge that an event claims.

    A `source_field` of None is a dataset of which nobody said which fields, a `target_field` of None the
    output as a whole. `type` is DIRECT or INDIRECT, "" where only inputs and outputs are known; `subtype` ""
    where nobody said it. `description` is the SQL that makes the target, "" where nobody said it.
    """

    source: DatasetName
    source_field: str | None
    target: DatasetName
    target_field: str | None
    type: str = ""
    subtype: str = ""
    masking: bool = False
    description: str = ""
