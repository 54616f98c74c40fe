"""Which statements give which events."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from sqllineage_svc.model.lifecycle import LifecycleChange, StateChange
from sqllineage_svc.model.lineage import ColumnEdge, Issue, StatementLineage, Transformation
from sqllineage_svc.model.names import RESULT, ColumnRef, Relation
from sqllineage_svc.openlineage.events import events_of, to_json
from sqllineage_svc.openlineage.run import StatementRun, Warehouse

Ran = Callable[..., StatementRun]

ORDERS = Relation(None, "app", "orders")
SALES = Relation(None, "mart", "sales")
COPIED = StatementLineage(
    inputs=(ORDERS,),
    outputs=(SALES,),
    columns=(ColumnEdge(ColumnRef(ORDERS, "id"), ColumnRef(SALES, "id"), Transformation.IDENTITY),),
)
QUERY = StatementLineage(
    inputs=(ORDERS,),
    columns=(ColumnEdge(ColumnRef(ORDERS, "id"), ColumnRef(RESULT, "id"), Transformation.IDENTITY),),
)
UNREADABLE = StatementLineage(issues=(Issue("UnreadableStatement", "no statement begins with 'x'", 4, 1),))


def _events(warehouse: Warehouse, *runs: StatementRun, reads: bool = False) -> list[dict[str, Any]]:
    return [json.loads(to_json(event)) for event in events_of(runs, warehouse, reads)]


def test_statement_starts_and_completes(ran: Ran, warehouse: Warehouse) -> None:
    ended = datetime(2026, 1, 31, 9, 0, 2, 500000, tzinfo=UTC)
    start, complete = _events(warehouse, ran(COPIED, ended_at=ended))
    assert (start["eventType"], start["eventTime"]) == ("START", "2026-01-31T09:00:00Z")
    assert (complete["eventType"], complete["eventTime"]) == ("COMPLETE", "2026-01-31T09:00:02.500000Z")
    assert start["run"]["runId"] == complete["run"]["runId"]
    assert start["job"]["name"] == complete["job"]["name"]
    assert (start["inputs"], start["outputs"]) == ([], [])
    assert set(start["job"]["facets"]) == {"sql", "jobType"}
    assert set(complete["job"]["facets"]) == {"sql", "jobType", "lineage"}
    assert [dataset["name"] for dataset in complete["inputs"]] == ["dev.app.orders"]
    (output,) = complete["outputs"]
    assert output["name"] == "dev.mart.sales"
    assert set(output["facets"]) == {"columnLineage", "dataSource", "hierarchy"}


def test_unreadable_statement_completes_with_its_error(ran: Ran, warehouse: Warehouse) -> None:
    start, complete = _events(warehouse, ran(UNREADABLE, kind="unreadable"))
    assert "extractionError" not in start["run"]["facets"]
    assert complete["eventType"] == "COMPLETE"
    assert complete["run"]["facets"]["extractionError"]["failedTasks"] == 1
    assert "lineage" not in complete["job"]["facets"]


@pytest.mark.parametrize("change", list(StateChange), ids=lambda change: change.value)
def test_change_of_a_whole_dataset_is_an_output(ran: Ran, warehouse: Warehouse, change: StateChange) -> None:
    _, complete = _events(warehouse, ran(lifecycle=(LifecycleChange(ORDERS, change),)))
    (output,) = complete["outputs"]
    assert output["name"] == "dev.app.orders"
    assert output["facets"]["lifecycleStateChange"]["lifecycleStateChange"] == change.value
    assert "lineage" not in complete["job"]["facets"]


def test_filled_dataset_is_listed_once_with_its_change(ran: Ran, warehouse: Warehouse) -> None:
    _, complete = _events(warehouse, ran(COPIED, lifecycle=(LifecycleChange(SALES, StateChange.CREATE),)))
    (output,) = complete["outputs"]
    assert {"columnLineage", "lifecycleStateChange"} <= set(output["facets"])


def test_two_spellings_of_a_table_are_one_dataset(ran: Ran, warehouse: Warehouse) -> None:
    lineage = StatementLineage(
        inputs=(Relation(None, None, "t"), Relation("dev", "public", "t")), outputs=(SALES,)
    )
    _, complete = _events(warehouse, ran(lineage))
    assert [dataset["name"] for dataset in complete["inputs"]] == ["dev.public.t"]


@pytest.mark.parametrize("lineage", [QUERY, StatementLineage()], ids=["query", "nothing moved"])
def test_statement_that_changes_nothing_is_no_job(
    ran: Ran, warehouse: Warehouse, lineage: StatementLineage
) -> None:
    assert _events(warehouse, ran(lineage)) == []


def test_query_is_a_job_if_asked_for(ran: Ran, warehouse: Warehouse) -> None:
    _, complete = _events(warehouse, ran(QUERY, kind="select"), reads=True)
    assert complete["outputs"] == []
    (entry,) = complete["job"]["facets"]["lineage"]["entries"]
    assert entry["type"] == "JOB"


def test_query_of_an_unknown_column_is_not_unreadable(ran: Ran, warehouse: Warehouse) -> None:
    lineage = StatementLineage(
        issues=(Issue("UnknownColumn", "'x' is unknown"),), expressions={ColumnRef(RESULT, "x"): "x"}
    )
    assert _events(warehouse, ran(lineage, kind="select")) == []


def test_routine_is_declared_and_does_not_run(ran: Ran, warehouse: Warehouse) -> None:
    (event,) = _events(warehouse, ran(COPIED, kind="create_procedure", declares=True))
    assert event["schemaURL"].endswith("/JobEvent")
    assert "run" not in event
    assert [dataset["name"] for dataset in event["outputs"]] == ["dev.mart.sales"]
    assert _events(warehouse, ran(UNREADABLE, declares=True)) == []


def test_equal_statements_in_one_line_are_two_runs(ran: Ran, warehouse: Warehouse) -> None:
    events = _events(warehouse, ran(COPIED), ran(COPIED), ran(COPIED, line=5))
    assert len({event["run"]["runId"] for event in events}) == 3


def test_a_second_reading_makes_the_same_bytes(ran: Ran, warehouse: Warehouse) -> None:
    once, again = ([to_json(event) for event in events_of([ran(COPIED)], warehouse)] for _ in range(2))
    assert once == again


def test_star_is_never_a_field(ran: Ran, warehouse: Warehouse) -> None:
    star = ColumnEdge(ColumnRef(ORDERS, "*"), ColumnRef(SALES, "*"), Transformation.IDENTITY)
    (*_, complete) = events_of([ran(StatementLineage((ORDERS,), (SALES,), (star,)))], warehouse)
    assert '"*"' not in to_json(complete)
