"""Every question is answered in every format that it has; one that makes no sense is refused with what does."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from uuid import UUID

import pytest
from click.testing import CliRunner, Result

from sqllineage_svc.cli import main
from sqllineage_svc.commands.formats import FORMATS
from tests.catalog.asking import flat
from tests.catalog.events import copied, event, moment, output

AT, FROM, TO = (moment(time).isoformat() for time in (100, 15, 100))
QUESTIONS = {
    "lineage": ["lineage", "t.a", "--at", AT],
    "impact": ["impact", "t.a", "--at", AT],
    "diff": ["diff", "--from", FROM, "--to", TO],
    "history": ["history", "t"],
    "job": ["history", "s-t-None"],
    "search": ["search", "a"],
    "run": ["lineage", "--run", str(UUID(int=3))],
}
WITHOUT_PICTURE = {
    "history": "a history is",
    "job": "a history is",
    "search": "what a search finds is",
    "run": "what a run read is",
}


@pytest.fixture
def url(tmp_path: Path) -> str:
    place = f"sqlite:///{tmp_path / 'catalog.db'}"
    schemas = [
        output("u", facets={"schema": {"fields": [{"name": "a", "type": type_}]}})
        for type_ in ("int", "text")
    ]
    events = [
        copied(1, 10, "s", "t"),
        copied(2, 20, "t", "u"),
        [event(3, 12, "COMPLETE", "x", outputs=[schemas[0]])],
        [event(4, 40, "COMPLETE", "x", outputs=[schemas[1]])],
        copied(5, 50, "r", "t", "OVERWRITE"),
    ]
    result = CliRunner().invoke(main, ["load", "-", "--catalog", place], input=b"\n".join(flat(events)))
    assert result.exit_code == 0, result.output
    return place


def sqllin(url: str, *arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--catalog", url])


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_answered_or_refused(url: str, question: str, format_: str) -> None:
    result = sqllin(url, *QUESTIONS[question], "--format", format_)
    if format_ in ("mermaid", "dot") and question in WITHOUT_PICTURE:
        assert result.exit_code == 2
        said = f"Error: {WITHOUT_PICTURE[question]} shown as table, json or csv; {format_} draws what"
        assert said in " ".join(result.output.split())
        return
    assert result.exit_code == 0, result.output
    if format_ == "json":
        assert json.loads(result.output)
    elif format_ == "csv":
        rows = list(csv.DictReader(result.output.splitlines()))
        assert rows
        assert all(None not in row and None not in row.values() for row in rows)
    else:
        first = {"mermaid": "flowchart LR", "dot": "digraph "}.get(format_, "")
        assert result.output.startswith(first)
        assert len(result.output.splitlines()) > 1 or question == "history"


def test_what_changed_as_csv(url: str) -> None:
    assert sqllin(url, *QUESTIONS["diff"], "-f", "csv").output.splitlines() == [
        "change,kind,name,source,type,was,now",
        "new,dataset,redshift://local/r,,,,",
        "new,dataset,redshift://local/u,,,,",
        "new,edge,redshift://local/t.a,redshift://local/r.a,identity,,",
        "new,edge,redshift://local/u.a,redshift://local/t.a,identity,,",
        "gone,dataset,redshift://local/s,,,,",
        "gone,edge,redshift://local/t.a,redshift://local/s.a,identity,,",
        "changed,column,redshift://local/u.a,,,int,text",
    ]


def test_what_changed_as_a_picture(url: str) -> None:
    drawn = sqllin(url, *QUESTIONS["diff"], "-f", "mermaid").output
    assert '["+ r"]' in drawn
    assert '["- s"]' in drawn
    assert (drawn.count("-- new -->"), drawn.count("-. gone .->")) == (2, 1)
    dot = sqllin(url, *QUESTIONS["diff"], "-f", "dot").output
    assert (dot.count('[label="new", style=solid]'), dot.count('[label="gone", style=dashed]')) == (2, 1)


def test_a_search_as_of_a_moment(url: str) -> None:
    def rows(*more: str) -> list[str]:
        return sqllin(url, "search", "a", "-f", "csv", *more).output.splitlines()

    assert rows("--at", moment(15).isoformat()) == [
        "where,name,text",
        "column,redshift://local/s.a,a",
        "column,redshift://local/t.a,a",
        "column,redshift://local/u.a,a",
    ]
    assert "column,redshift://local/r.a,a" in rows()
    assert sqllin(url, "search", "a", "--at", "once").exit_code == 2


def test_runs_of_a_job_have_no_sql_to_lay_out(url: str) -> None:
    result = sqllin(url, "history", "s-t-None", "--formatted", "-f", "csv")
    assert result.exit_code == 2
    assert "have no SQL to lay out" in result.output
