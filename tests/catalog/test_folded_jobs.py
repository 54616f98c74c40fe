"""An edge is shown with the job with which all began, or with its own."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sqllineage_svc.catalog.ancestors import root_jobs
from sqllineage_svc.catalog.ids import run_id
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.cli import main
from tests.catalog.asking import flat
from tests.catalog.events import copied, event
from tests.catalog.test_order import started
from tests.catalog.test_parents import DAG, TASK, lists

THEN = "2026-01-02"


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A catalog with two jobs of one DAG that copy `s` to `t`, and one of no other that copies `t` to `u`."""
    place = f"sqlite:///{tmp_path / 'catalog.db'}"
    events = [
        started(copied(1, 10, "s", "t"), TASK),
        started(copied(2, 20, "s", "t", "CREATE"), TASK),
        started(copied(3, 21, "s", "t"), TASK),
        started(lists(TASK, 30, [], []), DAG),
        copied(4, 40, "t", "u"),
    ]
    result = CliRunner().invoke(main, ["load", "-", "--catalog", place], input=b"\n".join(flat(events)))
    assert result.exit_code == 0, result.output
    return place


def sqllin(url: str, *arguments: str) -> Result:
    result = CliRunner().invoke(main, [*arguments, "--at", THEN, "--catalog", url])
    assert result.exit_code == 0, result.output
    return result


def test_a_table_names_the_job_with_which_all_began(url: str) -> None:
    assert sqllin(url, "lineage", "t.a").output.splitlines() == [
        "redshift://local/t.a",
        "",
        "comes from",
        "  1  redshift://local/s.a  by j90",
        "",
        "goes to",
        "  1  redshift://local/u.a",
    ]
    each = sqllin(url, "lineage", "t.a", "--jobs", "all").output.splitlines()
    assert each[3] == "  1  redshift://local/s.a  by s-t-CREATE, s-t-None"
    assert each[6] == "  1  redshift://local/u.a  by t-u-None"
    assert "  1  redshift://local/t.a  by j90\n" in sqllin(url, "impact", "s.a").output
    assert "  2  redshift://local/u.a  by t-u-None\n" in sqllin(url, "impact", "s.a", "--jobs", "all").output


def test_csv_has_one_row_for_what_one_job_began(url: str) -> None:
    def rows(*more: str) -> list[tuple[str, str]]:
        written = sqllin(url, "lineage", "t.a", "-f", "csv", *more).output.splitlines()
        return [(row["target"], row["job"]) for row in csv.DictReader(written)]

    assert rows() == [("t", "j90"), ("u", "t-u-None")]
    assert rows("--jobs", "all") == [("t", "s-t-CREATE"), ("t", "s-t-None"), ("u", "t-u-None")]


@pytest.mark.parametrize("jobs", ["folded", "all"])
def test_json_has_both(url: str, jobs: str) -> None:
    edges = json.loads(sqllin(url, "lineage", "t.a", "-f", "json", "--jobs", jobs).output)["edges"]
    assert sorted((edge["job"], edge["parent"], edge["root"]) for edge in edges) == [
        ("s-t-CREATE", "airflow/j91", "airflow/j90"),
        ("s-t-None", "airflow/j91", "airflow/j90"),
        ("t-u-None", "", ""),
    ]


def test_pictures_name_it_at_the_arrow(url: str) -> None:
    assert sqllin(url, "lineage", "t.a", "-f", "mermaid").output.splitlines()[4:] == [
        '  n1 -- "j90" --> n0',
        "  n0 --> n2",
    ]
    assert (
        '  n0 -- "t-u-None" --> n2' in sqllin(url, "lineage", "t.a", "-f", "mermaid", "--jobs", "all").output
    )
    assert '  n1 -> n0 [label="j90"];' in sqllin(url, "lineage", "t.a", "-f", "dot").output
    late = ["lineage", "t.a", "--stale-after", "0", "-f"]
    assert '  n1 -- "stale, j90" --> n0\n  n0 -- stale --> n2\n' in sqllin(url, *late, "mermaid").output
    dot = sqllin(url, *late, "dot").output
    assert '  n1 -> n0 [color=gray, label="stale, j90"];\n  n0 -> n2 [color=gray, label="stale"];' in dot


def test_the_run_itself_knows_its_job_best_and_circles_end(catalog: Catalog) -> None:
    """A root that sent no events is known by what is said of it."""
    events = [
        started([event(1, 10, "COMPLETE", "child")], TASK, DAG),
        started([event(2, 10, "COMPLETE", "orphan")], 50, 51),
        started([event(3, 10, "COMPLETE", "one")], 4),
        started([event(4, 10, "COMPLETE", "other")], 3),
        lists(DAG, 20, [], []),
        [event(5, 10, "COMPLETE", "alone")],
    ]
    load(catalog, flat(events))
    runs = {
        name: run_id(json.loads(some[0])["run"]["runId"]) for name, some in zip("abcdef", events, strict=True)
    }
    with catalog.reading() as connection:
        found = root_jobs(connection, runs.values())
    assert {name: found[id_] for name, id_ in runs.items() if id_ in found} == {
        "a": ("redshift://local", "daily"),
        "b": ("airflow", "j51"),
        "c": ("redshift://local", "other"),
        "d": ("redshift://local", "one"),
    }
