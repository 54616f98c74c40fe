"""The events of a run by its id: as they came, or made of what was recorded, valid and complete."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest
from click.testing import CliRunner

from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog, open_catalog
from sqllineage_svc.catalog.recording import RecordedRun, record
from sqllineage_svc.catalog.versions import version_of
from sqllineage_svc.cli import main
from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.engine.script import trace_sql
from sqllineage_svc.openlineage.events import events_of, to_json
from sqllineage_svc.openlineage.incoming import RunState
from sqllineage_svc.openlineage.run import Warehouse
from sqllineage_svc.render.events import runs_of
from sqllineage_svc.render.view import View
from tests.catalog.events import copied, event, micros
from tests.catalog.test_recording import graph
from tests.openlineage.published import SPEC, check_event
from tests.openlineage.test_published_schemas import INSTANCES, MYSQL, REDSHIFT, SCHEMAS

SCRIPTS = [
    *(pytest.param("redshift", text, id=f"redshift: {name}") for name, text in REDSHIFT.items()),
    *(pytest.param("mysql", text, id=f"mysql: {name}") for name, text in MYSQL.items()),
]
AT = datetime(2026, 1, 31, 9, tzinfo=UTC)


def traced(dialect: str, text: str) -> list[RecordedRun]:
    """The statements of a script as a scan of a log records them: the second one failed."""
    warehouse = Warehouse(load_dialect(dialect), INSTANCES[dialect], version="8.0")
    found = [
        replace(run, started_at=AT, query_id="1")
        for run in runs_of(View(trace_sql(text, dialect, SCHEMAS)))
        if not run.declares
    ]
    ends = [to_json(one).encode() for one in events_of(found, warehouse, reads=True)][1::2]
    return [
        RecordedRun(
            version_of(end),
            str(UUID(int=number + 1)),
            micros(10 * number),
            micros(10 * number + 2.5),
            RunState.FAIL if number == 1 else RunState.COMPLETE,
            user="etl",
            query_id=f"q{number}",
            rows=number,
            error="out of disk" if number == 1 else None,
        )
        for number, end in enumerate(ends)
    ]


def got(url: str, identity: str) -> list[bytes]:
    """What the command prints, a line each."""
    result = CliRunner(env={"SQLLIN_CATALOG": url}).invoke(main, ["events", "get", identity])
    assert result.exit_code == 0, result.output
    return result.output.encode().splitlines()


@pytest.mark.parametrize(("dialect", "text"), SCRIPTS)
def test_the_events_of_recorded_runs_are_valid_and_load_to_the_same_graph(
    tmp_path: Path, dialect: str, text: str
) -> None:
    url = f"sqlite:///{tmp_path / 'recorded.db'}"
    recorded, loaded = open_catalog(url), open_catalog(f"sqlite:///{tmp_path / 'loaded.db'}")
    runs = traced(dialect, text)
    record(recorded, runs)
    events = [line for run in runs for line in got(url, run.run_id)]
    assert len(events) == 2 * len(runs)
    if SPEC.is_dir():
        for line in events:
            check_event(json.loads(line))
    assert load(loaded, events).faulty == []
    assert graph(loaded) == graph(recorded)
    recorded.close()
    loaded.close()


def test_a_recorded_run_tells_all_that_is_known_of_it(catalog: Catalog, catalog_url: str) -> None:
    first, second = traced("redshift", "insert into mart.sales (total) select amount from app.orders;" * 2)[
        :2
    ]
    record(catalog, [first, second])
    start, end = map(json.loads, got(catalog_url, first.run_id))
    _, failed = map(json.loads, got(catalog_url, second.run_id.upper()))
    assert (start["eventType"], end["eventType"], failed["eventType"]) == ("START", "COMPLETE", "FAIL")
    assert (start["eventTime"], end["eventTime"]) == ("2026-01-01T00:00:00Z", "2026-01-01T00:00:02.500000Z")
    assert end["job"]["facets"]["sql"]["dialect"] == "redshift"
    assert {"sql", "jobType", "lineage"} <= end["job"]["facets"].keys()
    (output,) = end["outputs"]
    assert {"schema", "columnLineage", "dataSource"} <= output["facets"].keys()
    assert output["outputFacets"]["outputStatistics"]["rowCount"] == 0
    assert end["run"]["facets"]["externalQuery"]["externalQueryId"] == "q0"
    assert end["run"]["facets"]["tags"]["tags"] == [{"key": "user", "value": "etl"}]
    assert "errorMessage" not in end["run"]["facets"]
    assert failed["run"]["facets"]["errorMessage"]["message"] == "out of disk"


def test_the_events_of_a_run_come_as_they_came_one_a_line(catalog: Catalog, catalog_url: str) -> None:
    start, end = copied(3, 10, "s", "t")
    pretty = json.dumps(json.loads(end), indent=2).encode()
    load(catalog, [pretty, start, event(4, 10, "COMPLETE")])
    assert got(catalog_url, str(UUID(int=4))) == [start, pretty.replace(b"\n", b" ")]


def test_an_id_of_nothing_is_said(catalog_url: str) -> None:
    open_catalog(catalog_url).close()
    runner = CliRunner(env={"SQLLIN_CATALOG": catalog_url})
    result = runner.invoke(main, ["events", "get", str(UUID(int=9))])
    assert result.exit_code == 2
    assert f"there is no event or run {UUID(int=9)}; sqllin events list shows ids" in result.output
