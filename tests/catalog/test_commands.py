"""The commands that use the catalog, from the outside."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from uuid import UUID

import pytest
from click.testing import CliRunner, Result

from sqllineage_svc.cli import main
from tests.catalog.asking import flat
from tests.catalog.events import changed, copied, event, moment, output

THEN = moment(100).isoformat()


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The URL of a catalog that is not there yet."""
    return f"sqlite:///{tmp_path / 'new' / 'catalog.db'}"


def sqllin(url: str, *arguments: object, text: str | bytes | None = None) -> Result:
    """Run a command on the catalog."""
    return CliRunner(env={"SQLLIN_CATALOG": url}).invoke(main, list(map(str, arguments)), input=text)


def test_files_of_every_form_are_loaded_once(url: str, tmp_path: Path) -> None:
    events = flat([copied(1, 10, "s", "t"), copied(2, 20, "t", "u")])
    lines, array, one = tmp_path / "a.jsonl.gz", tmp_path / "b.json", tmp_path / "c.json"
    lines.write_bytes(gzip.compress(b"\n".join(events)))
    array.write_text("[" + ",\n".join(event.decode() for event in events) + "]")
    one.write_text(json.dumps(json.loads(events[0]), indent=2))
    first = sqllin(url, "load", lines)
    assert (first.exit_code, first.output) == (0, "4 events: 4 new, 0 known, 0 kept aside\n")
    assert sqllin(url, "load", lines).output == "4 events: 0 new, 4 known, 0 kept aside\n"
    assert sqllin(url, "load", array, one).output.startswith("5 events:")
    assert sqllin(url, "lineage", "u", "--at", THEN).output.splitlines()[3:] == [
        "  1  redshift://local/t",
        "  2  redshift://local/s",
    ]


def test_what_is_no_event_is_named_with_its_line(url: str) -> None:
    good, *_ = copied(1, 10, "s", "t")
    result = sqllin(
        url, "load", "-", text=b"\n".join([good, b'{"eventTime": "2026-01-01T00:00:00Z"}', b"nonsense"])
    )
    assert result.exit_code == 3
    assert "3 events: 3 new, 0 known, 2 kept aside" in result.output
    assert "- line 2: " in result.output
    assert "- line 3: this is no JSON" in result.output
    listed = sqllin(url, "events", "list", "--faulty")
    assert listed.output.count("kept aside") == 2
    assert sqllin(url, "events", "get", listed.output.split()[0]).output.strip() in (
        "nonsense",
        '{"eventTime": "2026-01-01T00:00:00Z"}',
    )


def test_impact_counts_values_and_influences_apart(url: str) -> None:
    decides = [{"type": "INDIRECT", "subtype": "FILTER"}]
    filtered = {
        "fields": {},
        "dataset": [{"namespace": "redshift://local", "name": "s", "field": "a", "transformations": decides}],
    }
    events = [
        *copied(1, 10, "s", "t"),
        *copied(2, 20, "t", "u"),
        event(3, 30, "COMPLETE", "f", outputs=[output("v", facets={"columnLineage": filtered})]),
        *copied(4, 40, "v", "w"),
    ]
    sqllin(url, "load", "-", text=b"\n".join(events))
    result = sqllin(url, "impact", "s.a", "--fail-if-any", "--at", THEN)
    assert result.exit_code == 4
    assert result.output.splitlines() == [
        "redshift://local/s.a",
        "",
        "values go to 2 in 2 datasets",
        "  1  redshift://local/t.a",
        "  2  redshift://local/u.a",
        "",
        "decides 1 in 1 datasets",
        "  1  redshift://local/v",
    ]
    assert "redshift://local/w" in sqllin(url, "impact", "s.a", "--indirect").output
    nothing = sqllin(url, "impact", "u.a", "--fail-if-any")
    assert (nothing.exit_code, nothing.output) == (0, "redshift://local/u.a\nnothing depends on it\n")


def test_the_past_is_asked_by_time(url: str) -> None:
    sqllin(
        url,
        "load",
        "-",
        text=b"\n".join(flat([copied(1, 10, "a", "t"), copied(2, 100, "b", "t", "OVERWRITE")])),
    )
    early, late = moment(50).isoformat(), moment(200).isoformat()
    assert "redshift://local/a" in sqllin(url, "lineage", "t", "--at", early).output
    assert "redshift://local/b" in sqllin(url, "lineage", "t", "--at", late).output
    difference = sqllin(url, "diff", "--from", early, "--to", late, "--format", "json")
    assert json.loads(difference.output)["datasets"] == {
        "new": ["redshift://local/b"],
        "gone": ["redshift://local/a"],
    }
    assert sqllin(url, "lineage", "t", "--at", "tomorrow").exit_code == 2
    assert len(sqllin(url, "history", "t").output.splitlines()) == 2


@pytest.mark.parametrize("format_", ["json", "csv", "mermaid", "dot"])
def test_lineage_is_written_in_every_format(url: str, format_: str) -> None:
    sqllin(url, "load", "-", text=b"\n".join(copied(1, 10, "s", "t")))
    written = sqllin(url, "lineage", "t.a", "--at", THEN, "--format", format_).output
    if format_ == "json":
        parsed = json.loads(written)
        assert parsed["edges"][0]["source"] == {
            "namespace": "redshift://local",
            "dataset": "s",
            "column": "a",
        }
        assert [node["distance"] for node in parsed["nodes"]] == [0, -1]
    elif format_ == "csv":
        assert (
            written.splitlines()[1]
            == "redshift://local,s,a,redshift://local,t,a,DIRECT,IDENTITY,false,,s-t-None"
        )
    else:
        assert "n1 --> n0" in written or "n1 -> n0" in written


def test_what_a_script_would_do_is_kept(url: str, tmp_path: Path) -> None:
    script = tmp_path / "load.sql"
    script.write_text(
        "insert into mart.sales select id, amount from app.orders; update mart.sales set amount = 0;"
    )
    schema = tmp_path / "schema.sql"
    schema.write_text(
        "create table mart.sales (id int, amount int); create table app.orders (id int, amount int);"
    )
    result = sqllin(url, "analyze", "-d", "redshift", "--schema", schema, "--save", script)
    assert "2 of 2 statements are new in the catalog" in result.stderr
    again = sqllin(url, "analyze", "-d", "redshift", "--schema", schema, "--save", script)
    assert "0 of 2 statements are new in the catalog" in again.stderr
    assert "redshift://local/dev.app.orders.amount" in sqllin(url, "lineage", "sales.amount").output


def test_a_catalog_that_cannot_be_reached_is_named(tmp_path: Path) -> None:
    for url, said in (
        ("mysql://x/y", "SQLite or PostgreSQL"),
        ("nonsense", "cannot be read"),
        (f"sqlite:///{tmp_path}", "cannot be opened"),
        ("postgresql://u:secret@127.0.0.1:1/db", "cannot be opened"),
    ):
        result = sqllin(url, "search", "x")
        assert result.exit_code == 2, result.output
        assert said in result.output
        assert "secret" not in result.output


def test_the_runs_that_wrote_what_a_run_read(url: str, tmp_path: Path) -> None:
    made = [
        copied(1, 10, "a", "t", "OVERWRITE"),
        copied(2, 20, "a", "t", "OVERWRITE"),
        copied(3, 22, "b", "t"),
        copied(4, 24, "b", "t"),
        copied(5, 30, "t", "u"),
        copied(6, 40, "c", "t", "OVERWRITE"),
    ]
    file = tmp_path / "events.jsonl"
    file.write_bytes(b"\n".join(flat(made)))
    sqllin(url, "load", file)
    runs = [str(UUID(int=number + 1)) for number in range(7)]
    result = sqllin(url, "lineage", "--run", runs[5], "--format", "json")
    found = json.loads(result.output)
    assert found["job"] == "t-u-None"
    assert [(one["dataset"], one["run"], one["runs"]) for one in found["writers"]] == [
        ("t", runs[4], 2),
        ("t", runs[2], 1),
    ]
    table = sqllin(url, "lineage", "--run", runs[5]).output.splitlines()
    assert table[1].endswith(f"{runs[4]}  b-t-None  (the last of 2 that added to it)")
    assert sqllin(url, "lineage", "--run", runs[1]).output.endswith(
        "no run is known that wrote what it read\n"
    )
    assert sqllin(url, "lineage", "--run", "none").exit_code == 2
    assert sqllin(url, "lineage").exit_code == 2


def test_all_that_was_ever_seen(url: str, tmp_path: Path) -> None:
    made = [
        copied(1, 10, "a", "t", "OVERWRITE"),
        copied(2, 20, "a", "t", "OVERWRITE"),
        copied(3, 30, "b", "t", "OVERWRITE"),
        copied(4, 40, "a", "t", "OVERWRITE"),
        copied(5, 50, "t", "u"),
        changed(6, 60, "u", "DROP"),
    ]
    file = tmp_path / "events.jsonl"
    file.write_bytes(b"\n".join(flat(made)))
    sqllin(url, "load", file)
    assert "/b" not in sqllin(url, "lineage", "t").output
    assert sqllin(url, "lineage", "t", "--history", "--stale-after", 99_999).output.splitlines() == [
        "redshift://local/t",
        "",
        "came from",
        "  1  redshift://local/a  3 runs, 2026-01-01 00:00:11 to 2026-01-01 00:00:41",
        "  1  redshift://local/b  1 run, 2026-01-01 00:00:31",
        "",
        "went to",
        "  1  redshift://local/u  1 run, 2026-01-01 00:00:51",
    ]
    found = json.loads(sqllin(url, "lineage", "t.a", "--history", "-f", "json", "--up", "1").output)
    assert {(edge["source"]["dataset"], edge["runs"]) for edge in found["edges"]} == {("a", 3), ("b", 1)}
    assert sqllin(url, "lineage", "t", "--history", "--at", "2026-01-01T00:00:15").output.count("run,") == 1


def test_the_catalog_knows_the_columns_of_a_star(url: str, tmp_path: Path) -> None:
    made, used = tmp_path / "made.sql", tmp_path / "used.sql"
    made.write_text("create table s (a int, b int);")
    used.write_text("create table t as select * from s;")
    assert "star" in sqllin(url, "analyze", "-d", "redshift", used).output.lower()
    assert sqllin(url, "analyze", "-d", "redshift", "--save", made).exit_code == 0
    for option in ("--use-catalog", "--save"):
        result = sqllin(url, "analyze", "-d", "redshift", "-f", "csv", "--strict", option, used)
        assert (result.exit_code, result.output.count("IDENTITY")) == (0, 2), result.output
    assert sqllin(url, "lineage", "t.b").output.splitlines()[3:] == ["  1  redshift://local/dev.public.s.b"]


def test_what_a_file_does_not_say_any_more_ends(url: str, tmp_path: Path) -> None:
    script, other = tmp_path / "load.sql", tmp_path / "other.sql"
    other.write_text("insert into u select a from s;")
    script.write_text("insert into t select a from old; insert into u select a from s;")

    def saved(file: Path) -> str:
        result = sqllin(url, "analyze", "-d", "redshift", "--save", file)
        assert result.exit_code == 0, result.output
        return result.stderr.splitlines()[-1]

    saved(other)
    assert saved(script) == "2 of 2 statements are new in the catalog"
    script.write_text("insert into t select a from new;")
    assert saved(script) == "1 of 1 statements are new in the catalog; 1 that stood there before are gone"
    assert sqllin(url, "lineage", "t").output.splitlines()[3:] == ["  1  redshift://local/dev.public.new"]
    assert "dev.public.s" in sqllin(url, "lineage", "u").output  # the other file says so, too
    assert saved(script) == "0 of 1 statements are new in the catalog"


def test_an_edge_names_the_job_that_started_its_own(url: str, tmp_path: Path) -> None:
    parent = {"run": {"runId": str(UUID(int=99))}, "job": {"namespace": "airflow", "name": "daily.load"}}
    moved = output("t", {"a": ["s.a"]})
    file = tmp_path / "events.jsonl"
    file.write_bytes(event(1, 10, "COMPLETE", "child", outputs=[moved], run_facets={"parent": parent}))
    sqllin(url, "load", file)
    (edge,) = json.loads(sqllin(url, "lineage", "t.a", "-f", "json").output)["edges"]
    assert (edge["job"], edge["parent"]) == ("child", "airflow/daily.load")
