"""A script's lineage as OpenLineage events, one a line, as if it had just run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqllineage_svc.engine.flows import Altered, ColumnRenamed, Emptied, Gone, Made, Moved, Renamed
from sqllineage_svc.engine.script import TracedStatement
from sqllineage_svc.engine.session import Session
from sqllineage_svc.errors import UsageError
from sqllineage_svc.model.lifecycle import DatasetKind, LifecycleChange, StateChange
from sqllineage_svc.model.names import Dataset, Relation
from sqllineage_svc.model.schema import TableSchema
from sqllineage_svc.openlineage.events import events_of, to_json
from sqllineage_svc.openlineage.run import StatementRun, Warehouse
from sqllineage_svc.render.view import View
from sqllineage_svc.sql.statement import TableKind

_KINDS = {
    TableKind.TABLE: DatasetKind.TABLE,
    TableKind.EXTERNAL_TABLE: DatasetKind.EXTERNAL_TABLE,
    TableKind.VIEW: DatasetKind.VIEW,
    TableKind.MATERIALIZED_VIEW: DatasetKind.MATERIALIZED_VIEW,
    TableKind.MODEL: DatasetKind.MODEL,
}
_DECLARES = frozenset({"create_procedure", "create_function", "create_event", "create_trigger"})


def to_events(view: View, instance: str | None) -> str:
    """The events as lines of JSON; a script has no times of its own, so its file's is taken.

    Each statement is a microsecond after the one before it: whoever keeps the events can tell their order.
    Raises UsageError where `instance` is not given: an event names datasets in full.
    """
    if instance is None:
        message = "--format openlineage names datasets in full; say which warehouse with --instance URL"
        raise UsageError(message)
    warehouse = Warehouse(view.script.dialect, instance)
    return "".join(to_json(event) + "\n" for event in events_of(runs_of(view), warehouse))


def to_declarations(view: View, instance: str | None) -> list[str]:
    """What the statements would do, as a JobEvent each: nothing is said to have run.

    Where `instance` is not given, names are those of the dialect's local one.
    """
    dialect = view.script.dialect
    warehouse = Warehouse(dialect, instance or dialect.local_instance)
    runs = (replace(run, declares=True) for run in runs_of(view))
    return [to_json(event) for event in events_of(runs, warehouse)]


def runs_of(view: View) -> Iterator[StatementRun]:
    """The statements that were not skipped, as events know them."""
    file: str | None = None
    time = datetime.min.replace(tzinfo=UTC)
    for statement in view.counted:
        time += timedelta(microseconds=1)
        if statement.file != file:
            file = statement.file
            time = max(time, _time_of(file))
        datasets = (*statement.lineage.inputs, *statement.lineage.outputs, *_touched(statement))
        yield StatementRun(
            statement.text,
            statement.kind,
            statement.lineage,
            time,
            file=statement.file,
            line=statement.line,
            schemas=dict(_schemas(datasets, statement.session)),
            kinds=dict(_dataset_kinds(datasets, statement.session)),
            lifecycle=tuple(_lifecycle(statement)),
            declares=statement.kind in _DECLARES,
        )


def _time_of(file: str) -> datetime:
    path = Path(file)
    if not path.is_file():
        return datetime.now(UTC)
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def _touched(statement: TracedStatement) -> Iterator[Relation]:
    """The relations that the statement made, changed or dropped."""
    for step in statement.steps:
        if isinstance(step, Renamed):
            yield from (step.old, step.new)
        elif not isinstance(step, Moved):
            yield step.relation


def _schemas(datasets: tuple[Dataset, ...], session: Session | None) -> Iterator[tuple[Dataset, TableSchema]]:
    for dataset in dict.fromkeys(datasets):
        schema = session.find(dataset) if session is not None and isinstance(dataset, Relation) else None
        if schema is not None:
            yield dataset, schema


def _dataset_kinds(
    datasets: tuple[Dataset, ...], session: Session | None
) -> Iterator[tuple[Dataset, DatasetKind]]:
    for dataset in dict.fromkeys(datasets):
        known = session.known(dataset) if session is not None and isinstance(dataset, Relation) else None
        if known is not None:
            kind = DatasetKind.TEMPORARY_TABLE if known.temporary else _KINDS.get(known.kind)
            if kind is not None:
                yield dataset, kind


def _lifecycle(statement: TracedStatement) -> Iterator[LifecycleChange]:
    """What became of whole datasets, in order."""
    made: set[Dataset] = set()
    for step in statement.steps:
        match step:
            case Made(relation, _, _, _, replaces):
                made.add(relation)
                yield LifecycleChange(relation, StateChange.OVERWRITE if replaces else StateChange.CREATE)
            case Moved(flows):
                for flow in flows:
                    if flow.overwrites and flow.target not in made and isinstance(flow.target, Dataset):
                        yield LifecycleChange(flow.target, StateChange.OVERWRITE)
            case Gone(relation):
                if relation.name:
                    yield LifecycleChange(relation, StateChange.DROP)
            case Emptied(relation):
                yield LifecycleChange(relation, StateChange.TRUNCATE)
            case Renamed(old, new):
                yield LifecycleChange(new, StateChange.RENAME, old)
            case ColumnRenamed(relation) | Altered(relation):
                yield LifecycleChange(relation, StateChange.ALTER)
