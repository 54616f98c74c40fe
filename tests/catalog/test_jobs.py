"""What happened to a job: its texts, its runs, what it is and what started it."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from sqllineage_svc.catalog.finding import FoundJob, find_with_history
from sqllineage_svc.catalog.jobs import JobHistory, JobRuns, JobText, job_history
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.reindexing import reindex
from sqllineage_svc.cli import main
from tests.catalog.events import NAMESPACE, event, micros, output

PARENT = {
    "run": {"runId": "0000000f-0000-0000-0000-000000000000"},
    "job": {"namespace": "airflow", "name": "nightly"},
}
TYPE = {"processingType": "BATCH", "integration": "REDSHIFT", "jobType": "QUERY"}
FIRST, SECOND = "insert into t select a from s", "insert into t select a, nvl(b, 0) from s where c = 1"
FULL = f"{NAMESPACE}/dev.t.insert"


def ran(
    run: int, time: float, text: str, state: str = "COMPLETE", rows: int | None = None, **facets: object
) -> list[bytes]:
    """A run of the job `dev.t.insert`, from its start to its end five seconds later."""
    job_facets = {"sql": {"query": text, "dialect": "redshift"}, "jobType": TYPE}
    run_facets = {"parent": PARENT, "externalQuery": {"externalQueryId": f"q{run}", "source": "w"}, **facets}
    said = {"job_facets": job_facets, "run_facets": run_facets}
    made = output("t")
    if rows is not None:
        made["outputFacets"] = {"outputStatistics": {"rowCount": rows}}
    return [event(run, time, "START", "dev.t.insert", **said),
            event(run, time + 5, state, "dev.t.insert", outputs=[made], **said)]  # fmt: skip


EVENTS = [
    *ran(1, 10, FIRST, rows=3),
    *ran(2, 20, FIRST, rows=4),
    *ran(3, 30, SECOND, "FAIL", errorMessage={"message": "no table\n s", "programmingLanguage": "SQL"}),
    *ran(
        4, 40, FIRST, rows=5, tags={"tags": [{"key": "team", "value": "x"}, {"key": "user", "value": "etl"}]}
    ),
]


def told(catalog: Catalog, until: float = 100, name: str = "dev.t.insert") -> JobHistory:
    with catalog.reading() as connection:
        found = find_with_history(connection, name)
        assert isinstance(found, FoundJob)
        return job_history(connection, found.id, micros(until))


def test_a_job_tells_its_texts_and_runs(catalog: Catalog) -> None:
    load(catalog, EVENTS[::-1])
    rows = f"{NAMESPACE}/t"
    expected = JobHistory(
        "REDSHIFT QUERY BATCH", "redshift", "airflow/nightly",
        (JobText(FIRST, micros(10), micros(40), 3), JobText(SECOND, micros(30), micros(30), 1)),
        (
            JobRuns(micros(10), micros(20), 2, "COMPLETE", None, None, {rows: 7}, micros(25), _run(2), "q2"),
            JobRuns(micros(30), micros(30), 1, "FAIL", None, "no table\n s", {}, micros(35), _run(3), "q3"),
            JobRuns(micros(40), micros(40), 1, "COMPLETE", "etl", None, {rows: 5}, micros(45), _run(4), "q4"),
        ),
    )  # fmt: skip
    assert told(catalog) == expected
    reindex(catalog)
    assert told(catalog) == expected
    assert [one.text for one in told(catalog, 25).texts] == [FIRST]
    assert [one.times for one in told(catalog, 25).runs] == [2]


def _run(number: int) -> str:
    return f"00000000-0000-0000-0000-{number + 1:012}"


def test_the_parent_is_the_job_that_its_run_names(catalog: Catalog) -> None:
    """The parent's facet says a name; the run itself, once it has come, knows better."""
    load(catalog, EVENTS)
    assert told(catalog).parent == "airflow/nightly"
    content = json.loads(event(0, 1, "START", "nightly.renamed"))
    content["run"]["runId"] = "0000000F-0000-0000-0000-000000000000"
    load(catalog, [json.dumps(content).encode()])
    assert told(catalog).parent == f"{NAMESPACE}/nightly.renamed"


def test_the_user_is_found_where_producers_say_it(catalog: Catalog) -> None:
    databricks = {"environment-properties": {"user": "ada@example.test"}}
    load(catalog, [
        *ran(1, 10, FIRST, hive_session={"username": "hive", "clientIp": "10.0.0.1"}),
        *ran(2, 20, FIRST, **{"environment-properties": databricks}),
        *ran(3, 30, FIRST, tags={"tags": "none"}, hive_session={"username": 7}),
    ])  # fmt: skip
    assert [one.user for one in told(catalog).runs] == ["hive", "ada@example.test", None]


def test_a_dataset_of_the_name_goes_first(catalog: Catalog) -> None:
    load(catalog, [*EVENTS, event(9, 50, "COMPLETE", "dev.x", outputs=[output("dev.x")])])
    with catalog.reading() as connection:
        assert not isinstance(find_with_history(connection, "dev.x"), FoundJob)
        assert str(find_with_history(connection, "T.insert")) == FULL
        assert str(find_with_history(connection, FULL)) == FULL


TABLE = f"""{FULL}
REDSHIFT QUERY BATCH, in redshift, started by airflow/nightly

SQL of 3 runs from 2026-01-01 00:00:10 to 2026-01-01 00:00:40
    insert into t select a from s

SQL of 1 run from 2026-01-01 00:00:30 to 2026-01-01 00:00:30
    insert into t select a, nvl(b, 0) from s where c = 1

2026-01-01 00:00:10  complete (2 times until 2026-01-01 00:00:20)  7 rows
2026-01-01 00:00:30  fail  in 5 s  no table s
2026-01-01 00:00:40  complete  in 5 s  5 rows  by etl
"""


def test_the_command_shows_it(tmp_path: Path) -> None:
    runner = CliRunner(env={"SQLLIN_CATALOG": f"sqlite:///{tmp_path / 'catalog.db'}"})
    assert runner.invoke(main, ["load", "-"], input=b"\n".join(EVENTS)).exit_code == 0
    assert runner.invoke(main, ["history", "t.insert"]).output == TABLE
    formatted = runner.invoke(main, ["history", "t.insert", "--formatted"]).output
    assert "    INSERT INTO t\n    SELECT\n      a\n    FROM s\n" in formatted
    content = json.loads(runner.invoke(main, ["history", "t.insert", "-f", "json", "--formatted"]).output)
    assert content["job"] == FULL
    assert content["texts"][0] == {
        "text": FIRST,
        "first": "2026-01-01T00:00:10+00:00",
        "last": "2026-01-01T00:00:40+00:00",
        "runs": 3,
        "formatted": "INSERT INTO t\nSELECT\n  a\nFROM s",
    }
    assert content["runs"][1] == {
        "at": "2026-01-01T00:00:30+00:00",
        "last": "2026-01-01T00:00:30+00:00",
        "times": 1,
        "state": "FAIL",
        "ended": "2026-01-01T00:00:35+00:00",
        "rows": {},
        "user": None,
        "error": "no table\n s",
        "run": _run(3),
        "query": "q3",
    }
    unknown = runner.invoke(main, ["history", "nothing"])
    assert unknown.exit_code == 2
    assert "neither as a dataset or column nor as a job" in unknown.output
