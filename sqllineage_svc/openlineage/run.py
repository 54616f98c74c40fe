"""What events are made of: a statement as it ran, and the warehouse that ran it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqllineage_svc.dialect import Dialect
from sqllineage_svc.errors import UsageError
from sqllineage_svc.model.lifecycle import DatasetKind, LifecycleChange
from sqllineage_svc.model.lineage import StatementLineage
from sqllineage_svc.model.names import Dataset
from sqllineage_svc.model.schema import TableSchema


@dataclass(frozen=True, slots=True)
class Warehouse:
    """One instance of a warehouse.

    `instance` is its URL, which also says what unqualified names leave out. `version` is that of its
    engine. `job_namespace` holds the jobs; None: the namespace of the instance's own tables.
    """

    dialect: Dialect
    instance: str
    version: str = "unknown"
    job_namespace: str | None = None


@dataclass(frozen=True, slots=True)
class StatementRun:
    """One statement that ran, with what is known of it.

    `text` is redacted. `line` is 1-based in `file`; `session` tells temporary tables of one name apart
    ("": one session a file). Times are aware; `ended_at` None: when it started. `query_id` is the
    warehouse's own. `schemas` and `kinds` are those of any of its datasets, as the statement leaves them.
    `declares`: nothing has run yet, the lineage is what a routine or trigger does when it will.
    """

    text: str
    kind: str
    lineage: StatementLineage
    started_at: datetime
    ended_at: datetime | None = None
    file: str = ""
    line: int = 1
    session: str = ""
    query_id: str | None = None
    schemas: Mapping[Dataset, TableSchema] = field(default_factory=dict)
    kinds: Mapping[Dataset, DatasetKind] = field(default_factory=dict)
    lifecycle: tuple[LifecycleChange, ...] = ()
    declares: bool = False

    def __post_init__(self) -> None:
        for moment in (self.started_at, self.ended_at):
            if moment is not None and moment.tzinfo is None:
                raise UsageError(f"{self.file} line {self.line}: {moment} has no time zone; events need one")
