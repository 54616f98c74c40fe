"""Events of others in one graph with ours: Spark on Glue and EMR, Airflow, dbt and Flink."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import pytest
from click.testing import CliRunner
from openlineage.client import OpenLineageClient
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import column_lineage_dataset, schema_dataset, sql_job
from openlineage.client.transport.file import FileConfig, FileTransport
from sqlalchemy import func, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.events import list_events
from sqllineage_svc.catalog.finding import find, names_of
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.nodes import Node
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.walking import Limits, downstream, upstream
from sqllineage_svc.cli import main
from tests.openlineage.published import SPEC

THIRD_PARTY = SPEC.parent / "events"
ENDPOINT = "wg1.123456789012.us-west-2.redshift-serverless.amazonaws.com"
FAULTS = {"missing", "no count"}
"""What the files' placeholders and left out parts come to."""
INSTANCES = {
    "mysql": "mysql://db.example:3306/hr",
    "redshift": f"redshift://{ENDPOINT}:5439/dev?schema=public",
}
SCRIPTS = {
    "mysql": "create table employee (id int, name text);"
    " insert into employee select id, name from recruiting.applicant",
    "redshift": "create table absent (employee_id int, hours int);"
    " copy absent from 's3://in/absent.csv' iam_role default",
}


def traced(dialect: str, folder: Path) -> list[bytes]:
    """The events of a script as the command prints them."""
    script = folder / f"{dialect}.sql"
    script.write_text(SCRIPTS[dialect])
    arguments = ["analyze", "-d", dialect, "-f", "openlineage", "--instance", INSTANCES[dialect], str(script)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.output.encode().splitlines()


def named(catalog: Catalog, nodes: dict[Node, object]) -> set[str]:
    with catalog.reading() as connection:
        return {str(found) for found in names_of(connection, nodes).values()}


def spark_event(state: RunState, **said: Any) -> RunEvent:
    """What a Glue job sends that joins a MySQL table and a Redshift table into Parquet."""
    return RunEvent(
        eventType=state,
        eventTime=datetime(2027, 1, 1, tzinfo=UTC).isoformat(),
        run=Run(str(UUID(int=77))),
        job=Job("default", "attendance.execute_insert_into_hadoop_fs_relation_command.parquet"),
        producer="https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/spark",
        **said,
    )


def field(namespace: str, name: str, column: str) -> column_lineage_dataset.InputField:
    way = column_lineage_dataset.Transformation(type="DIRECT", subtype="IDENTITY")
    return column_lineage_dataset.InputField(namespace, name, column, [way])


def test_a_spark_job_meets_the_tables_that_sql_has_filled(catalog: Catalog, tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    client = OpenLineageClient(transport=FileTransport(FileConfig(log_file_path=str(log), append=True)))
    employee = ("mysql://DB.example", "hr.employee")
    absent = (f"redshift://{ENDPOINT}:5439", "dev.public.absent")
    inputs = [InputDataset(*employee), InputDataset(*absent)]
    columns = column_lineage_dataset.ColumnLineageDatasetFacet(
        fields={
            "name": column_lineage_dataset.Fields([field(*employee, "name")]),
            "hours": column_lineage_dataset.Fields([field(*absent, "hours")]),
        }
    )
    parquet = OutputDataset("s3a://lake", "/attendance/", facets={"columnLineage": columns})
    client.emit(spark_event(RunState.START, inputs=inputs))
    client.emit(spark_event(RunState.COMPLETE, inputs=inputs, outputs=[parquet]))
    client.close()
    events = [*log.read_bytes().splitlines(), *traced("mysql", tmp_path), *traced("redshift", tmp_path)]
    report = load(catalog, events)
    assert not report.quarantined
    assert not report.faulty
    with catalog.reading() as connection:
        walk = upstream(connection, [find(connection, "lake/attendance").node], (1 << 62), Limits())
        hours = downstream(connection, [find(connection, "in/absent.csv").node], (1 << 62), Limits())
    assert named(catalog, dict(walk.nodes)) == {
        "s3://lake/attendance",
        "mysql://db.example:3306/hr.employee",
        "mysql://db.example:3306/recruiting.applicant",
        "redshift://wg1.us-west-2:5439/dev.public.absent",
        "s3://in/absent.csv",
    }
    assert "s3://lake/attendance" in named(catalog, dict(hours.nodes))


def test_dbt_events_are_walked_on_from_ours(catalog: Catalog, tmp_path: Path) -> None:
    """dbt-ol names a model's table by the profile's host and sends its SQL and schema."""
    log = tmp_path / "dbt.jsonl"
    client = OpenLineageClient(transport=FileTransport(FileConfig(log_file_path=str(log), append=True)))
    place = f"redshift://{ENDPOINT}:5439"
    fields = [schema_dataset.SchemaDatasetFacetFields(name="hours", type="integer")]
    model = OutputDataset(
        place, "dev.dbt.absence", facets={"schema": schema_dataset.SchemaDatasetFacet(fields=fields)}
    )
    for state in (RunState.START, RunState.COMPLETE):
        client.emit(
            RunEvent(
                eventType=state,
                eventTime=datetime(2027, 1, 1, tzinfo=UTC).isoformat(),
                run=Run(str(uuid5(UUID(int=1), "model"))),
                job=Job(
                    "dbt",
                    "dev.dbt.project.absence",
                    {"sql": sql_job.SQLJobFacet(query="select sum(hours) hours from absent")},
                ),
                inputs=[InputDataset(place, "dev.public.absent")],
                outputs=[model],
                producer="https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/dbt",
            )
        )
    client.close()
    load(catalog, [*traced("redshift", tmp_path), *log.read_bytes().splitlines()])
    with catalog.reading() as connection:
        walk = upstream(connection, [find(connection, "dbt.absence").node], (1 << 62), Limits())
    assert {"s3://in/absent.csv", "redshift://wg1.us-west-2:5439/dev.public.absent"} <= named(
        catalog, dict(walk.nodes)
    )


@pytest.mark.skipif(
    not THIRD_PARTY.is_dir(), reason=f"OpenLineage's own test events are not in {THIRD_PARTY}"
)
def test_the_events_of_openlineages_own_tests_all_load(catalog: Catalog) -> None:
    """Most hold only a part of an event, with placeholders; what each lacks is filled in."""
    events: list[bytes] = []
    for number, file in enumerate(sorted(THIRD_PARTY.glob("*.json"))):
        raw = json.loads(file.read_text("utf-8"))
        raw["eventTime"] = f"2026-01-01T00:{number // 60:02}:{number % 60:02}Z"
        raw["run"] = {**raw.get("run", {}), "runId": str(UUID(int=number + 1))}
        raw["job"] = {"namespace": "n", "name": f"job {number}", **raw.get("job", {})}
        events.append(json.dumps(raw).encode())
    report = load(catalog, events)
    assert report.read == report.new == len(events) > 90
    assert not report.quarantined
    assert {why.rpartition(" is ")[2] for _, faults in report.faulty for why in faults} <= FAULTS
    with catalog.reading() as connection:
        edges = connection.scalar(select(func.count()).select_from(tables.edge))
        datasets = connection.scalar(select(func.count()).select_from(tables.dataset))
        assert len(list_events(connection, len(events) + 1)) == len(events)
    assert (datasets or 0) > 60
    assert (edges or 0) > 90
