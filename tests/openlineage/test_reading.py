"""What is read of an event, and what is wrong with it."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from sqllineage_svc.errors import InvalidEvent
from sqllineage_svc.model.lifecycle import StateChange
from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.model.schema import Column
from sqllineage_svc.openlineage.incoming import EventKind, JobName, RunName, RunState
from sqllineage_svc.openlineage.reading import read_event
from tests.openlineage.shapes import AIRFLOW, AT_NINE, DBT_VIEW, GLUE, GLUE_RUN, JOB, changed


def test_spark_on_glue() -> None:
    event = read_event(GLUE)
    assert event.faults == ()
    assert (event.kind, event.state) == (EventKind.RUN, RunState.COMPLETE)
    assert event.time == datetime(2026, 1, 31, 9, 0, 0, 123456, tzinfo=UTC)
    assert event.time.tzinfo is UTC
    assert event.producer == "https://example.org/spark"
    assert event.run_id == "01920000-0000-7000-8000-000000000002"
    assert event.parent == RunName("01920000-0000-7000-8000-000000000001", JobName("default", "load"))
    assert event.root is None
    assert set(event.run_facets) == {"parent", "spark_properties", "environment-properties"}
    assert event.job_facets == GLUE["job"]["facets"]
    employee, attendance = event.inputs
    assert employee.columns == (Column("ID", "integer"), Column("Name"))
    assert (employee.rows, employee.size) == (7, 0)
    assert (attendance.columns, attendance.rows, attendance.facets) == (None, None, {})
    written, rejected = event.outputs
    assert written.name == DatasetName("s3://lake", "attendance")
    assert [column.name for column in written.columns or ()] == [
        "id",
        "at",
        "at.day",
        "at.place",
        "at.place.city",
        "note",
    ]
    assert written.symlinks == (DatasetName("arn:aws:glue:eu-west-1:123456789012", "table/mart/attendance"),)
    assert (written.change, written.previous) == (StateChange.OVERWRITE, None)
    assert written.kind == ("TABLE", "EXTERNAL")
    assert (written.rows, written.size) == (5, 2048)
    assert written.facets["outputStatistics"] == GLUE["outputs"][0]["outputFacets"]["outputStatistics"]
    assert rejected.name.name == "rejected"


def test_airflow_task_knows_its_dag_and_what_started_that() -> None:
    event = read_event(AIRFLOW)
    assert event.state is RunState.START
    assert event.parent == RunName("r1", JobName("airflow", "daily"))
    assert event.root == RunName("r0", JobName("airflow", "nightly"))
    assert (event.inputs, event.outputs, event.faults) == ((), (), ())


def test_dataset_event_has_its_dataset_as_output() -> None:
    event = read_event(DBT_VIEW)
    assert (event.kind, event.state, event.run_id, event.job) == (EventKind.DATASET, None, None, None)
    (view,) = event.outputs
    assert (view.kind, view.change) == (("VIEW", None), StateChange.RENAME)
    assert view.previous == DatasetName("redshift://sales.example:5439", "dev.mart.old")


URL = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        pytest.param({**JOB, "run": {"runId": "r"}}, EventKind.RUN, id="holds a run"),
        pytest.param(JOB, EventKind.JOB, id="holds a job"),
        pytest.param({**JOB, "run": None}, EventKind.JOB, id="a null is nothing"),
        pytest.param({**DBT_VIEW, "schemaURL": None}, EventKind.DATASET, id="holds a dataset"),
        pytest.param({**DBT_VIEW, **JOB, "schemaURL": URL + "JobEvent"}, EventKind.JOB, id="job by schema"),
        pytest.param({**JOB, **DBT_VIEW}, EventKind.DATASET, id="dataset by schema"),
        pytest.param({**JOB, "schemaURL": 5}, EventKind.JOB, id="schema is no text"),
    ],
)
def test_events_are_told_apart(raw: object, kind: EventKind) -> None:
    assert read_event(raw).kind is kind


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ([GLUE], "the event is no object"),
        (None, "the event holds no run, job or dataset"),
        ({}, "the event holds no run, job or dataset"),
        ({"eventTime": AT_NINE, "schemaURL": URL + "JobEvent"}, "job.namespace is missing"),
        ({**JOB, "schemaURL": URL + "RunEvent"}, "run.runId is missing"),
        ({**JOB, "eventType": "START"}, "run.runId is missing"),
        (changed(GLUE, "run", {}), "run.runId is missing"),
        (changed(GLUE, "run", []), "run is no object"),
        (changed(GLUE, "run/runId", 5), "run.runId is no text"),
        (changed(GLUE, "run/runId", "\ud800"), "run.runId is no text"),
        (changed(GLUE, "job", None), "job.namespace is missing"),
        (changed(GLUE, "job/name", ""), "job.name is empty"),
        (changed(GLUE, "eventTime", None), "eventTime is missing"),
        (changed(GLUE, "eventTime", 1769850000), "eventTime is no text"),
        (changed(DBT_VIEW, "dataset", "v"), "dataset is no object"),
        (changed(DBT_VIEW, "dataset/name", None), "dataset.name is missing"),
    ],
)
def test_useless_event_is_invalid(raw: object, reason: str) -> None:
    with pytest.raises(InvalidEvent) as raised:
        read_event(raw)
    assert str(raised.value) == reason


@pytest.mark.parametrize(
    "text", ["yesterday", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00+10:00", "9999-12-31T23:59:59-10:00"]
)
def test_unreadable_time_is_invalid(text: str) -> None:
    with pytest.raises(InvalidEvent, match="eventTime is no time; expected RFC 3339"):
        read_event({**JOB, "eventTime": text})


@pytest.mark.parametrize(
    "text",
    ["2026-01-31T09:00:00Z", "2026-01-31t09:00z", "2026-01-31T10:00:00+01:00[Europe/Paris]"],
)
def test_time_is_read_in_its_zone(text: str) -> None:
    event = read_event({**JOB, "eventTime": text})
    assert (event.time, event.faults) == (datetime(2026, 1, 31, 9, tzinfo=UTC), ())


def test_time_without_zone_is_utc_and_a_fault() -> None:
    event = read_event({**JOB, "eventTime": "2026-01-31T09:00:00"})
    assert event.time == datetime(2026, 1, 31, 9, tzinfo=UTC)
    assert event.faults == ("eventTime has no time zone; read as UTC",)


FAULTS = [
    ("eventType", "DONE", "eventType is none of START, RUNNING, COMPLETE, ABORT, FAIL, OTHER; read as OTHER"),
    ("producer", {}, "producer is no text"),
    ("inputs", "none", "inputs is no list"),
    ("inputs/0", 5, "inputs[0] is no object"),
    ("inputs/0/name", None, "inputs[0].name is missing"),
    ("inputs/0/namespace", "a\0b", "inputs[0].namespace is no text"),
    ("run/facets", [1], "run.facets is no object"),
    ("run/facets/parent/job/name", 1, "run.facets.parent.job.name is no text"),
    ("run/facets/parent/root", {"run": 1}, "run.facets.parent.root.run is no object"),
    ("job/facets/lineage", {}, "job.facets.lineage.entries is missing"),
    ("job/facets/lineage", {"entries": {}}, "job.facets.lineage.entries is no list"),
    ("outputs/0/facets/schema", "id int", "outputs[0].facets.schema is no object"),
    ("outputs/0/facets/schema/fields/2/name", 3, "outputs[0].facets.schema.fields[2].name is no text"),
    ("outputs/0/facets/symlinks/identifiers", {}, "outputs[0].facets.symlinks.identifiers is no list"),
    (
        "outputs/0/facets/lifecycleStateChange/lifecycleStateChange",
        "MELT",
        "outputs[0].facets.lifecycleStateChange.lifecycleStateChange"
        " is none of CREATE, OVERWRITE, ALTER, RENAME, TRUNCATE, DROP",
    ),
    (
        "outputs/0/outputFacets/outputStatistics/rowCount",
        -1,
        "outputs[0].outputFacets.outputStatistics.rowCount is no count",
    ),
    (
        "outputs/0/facets/columnLineage/fields/id/inputFields/0/name",
        [],
        "outputs[0].facets.columnLineage.fields.id.inputFields[0].name is no text",
    ),
]


@pytest.mark.parametrize(("path", "value", "fault"), FAULTS, ids=[fault for *_, fault in FAULTS])
def test_malformed_part_is_a_fault_and_the_rest_counts(path: str, value: object, fault: str) -> None:
    event, whole = read_event(changed(GLUE, path, value)), read_event(GLUE)
    assert event.faults == (fault,)
    assert [output.name for output in event.outputs] == [output.name for output in whole.outputs]
    touched, place = path.split("/")[0], fault.partition(".")[0]
    assert (event.inputs == whole.inputs) == (touched != "inputs")
    assert (event.outputs == whole.outputs) == (touched != "outputs"), place


def test_schema_that_lacks_a_column_is_no_schema() -> None:
    written = read_event(changed(GLUE, "outputs/0/facets/schema/fields/2/name", None)).outputs[0]
    assert written.columns is None
    assert "schema" not in written.facets
    assert (written.change, written.rows) == (StateChange.OVERWRITE, 5)


def test_statistics_count_one_by_one() -> None:
    written = read_event(changed(GLUE, "outputs/0/outputFacets/outputStatistics/size", math.nan)).outputs[0]
    assert (written.rows, written.size) == (5, None)


@pytest.mark.parametrize(
    "count", [2**63, 10**5000, True, 1.5, math.inf, "5"], ids=lambda count: type(count).__name__
)
def test_what_is_no_count(count: object) -> None:
    event = read_event(changed(GLUE, "outputs/0/outputFacets/outputStatistics/rowCount", count))
    assert event.outputs[0].rows is None
    assert event.faults == ("outputs[0].outputFacets.outputStatistics.rowCount is no count",)


def test_deleted_facet_says_only_that() -> None:
    deleted = {"_deleted": True}
    written = read_event(changed(GLUE, "outputs/0/facets/schema", deleted)).outputs[0]
    assert written.columns is None
    assert written.facets["schema"] == deleted


def test_symlink_to_itself_is_none() -> None:
    own = {"namespace": "s3://lake", "name": "attendance", "type": "TABLE"}
    event = read_event(changed(GLUE, "outputs/0/facets/symlinks/identifiers/0", own))
    assert event.outputs[0].symlinks == ()


def test_schema_without_fields_says_nothing() -> None:
    assert read_event(changed(GLUE, "outputs/0/facets/schema", {"fields": []})).outputs[0].columns is None


def test_dataset_that_is_listed_twice_is_one() -> None:
    again = {"namespace": "s3://lake", "name": "rejected", "facets": {"schema": {"fields": [{"name": "x"}]}}}
    event = read_event({**GLUE, "outputs": [*GLUE["outputs"], again]})
    assert [(output.name.name, bool(output.columns)) for output in event.outputs] == [
        ("attendance", True),
        ("rejected", True),
    ]


def test_dataset_that_only_the_lineage_names_is_listed_too() -> None:
    source = {"namespace": "s3://lake", "type": "DATASET"}
    entries = [
        {**source, "name": "extra", "inputs": [{**source, "name": "whole"}]},
        {"type": "JOB", "inputs": [{**source, "name": "looked up"}, {"type": "JOB"}]},
    ]
    event = read_event(changed(GLUE, "job/facets/lineage", {"entries": entries}))
    assert [dataset.name.name for dataset in event.inputs] == [
        "shop.employee",
        "csv/attendance.csv",
        "whole",
        "looked up",
    ]
    assert [dataset.name.name for dataset in event.outputs] == ["attendance", "rejected", "extra"]


@pytest.mark.parametrize(
    ("name", "normal"),
    [
        (f"nativespark-load-{GLUE_RUN}", "load"),
        (f"nativespark_my-load_x_{GLUE_RUN}", "my-load_x"),
        (f"nativespark-load-{GLUE_RUN}.collect", "load.collect"),
        (f"nativespark-load-{GLUE_RUN}0", f"nativespark-load-{GLUE_RUN}0"),
        (f"nativespark-{GLUE_RUN}", f"nativespark-{GLUE_RUN}"),
        ("nativespark-load", "nativespark-load"),
    ],
)
def test_job_of_glue_has_one_name_in_all_runs(name: str, normal: str) -> None:
    assert read_event(changed(GLUE, "job/name", name)).job == JobName("default", normal)
    parent = read_event(changed(GLUE, "run/facets/parent/job/name", name)).parent
    assert parent is not None
    assert parent.job.name == normal


def test_many_faults_are_counted() -> None:
    faults = read_event({**GLUE, "outputs": [0] * 250}).faults
    assert len(faults) == 101
    assert faults[-2:] == ("outputs[99] is no object", "and 150 more")
