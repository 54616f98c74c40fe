"""Edges of jobs long unseen are marked stale, as of the moment that is asked about."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from sqllineage_svc.catalog.answering import around
from sqllineage_svc.catalog.finding import find
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.pruning import prune
from sqllineage_svc.catalog.walking import Limits
from sqllineage_svc.cli import main
from tests.catalog.asking import flat
from tests.catalog.events import changed, copied, event, micros, moment, output
from tests.catalog.test_reindexing import declared

DAY = 24 * 3_600
VIEW = {"datasetType": {"datasetType": "VIEW"}}


def stale(catalog: Catalog, table: str, day: float, days: int = 90) -> dict[str, bool]:
    """The sources of the edges around a table at a moment, and whether they are stale."""
    with catalog.reading() as connection:
        answer = around(connection, find(connection, table), micros(day * DAY), Limits(), None, days)
    return {edge.source.dataset: edge.stale for edge in answer.edges}


def test_an_edge_is_stale_so_many_days_after_its_last_run(catalog: Catalog) -> None:
    load(
        catalog, flat([copied(1, 0, "a", "t"), copied(2, 50 * DAY, "b", "t"), copied(3, 60 * DAY, "t", "u")])
    )
    assert stale(catalog, "u", 61) == {"t": False, "a": False, "b": False}
    assert stale(catalog, "u", 91) == {"t": False, "a": True, "b": False}
    assert stale(catalog, "u", 151) == {"t": True, "a": True, "b": True}
    assert stale(catalog, "t", 55, days=10) == {"a": True, "b": False}


def test_runs_after_the_moment_do_not_count(catalog: Catalog) -> None:
    load(catalog, flat(copied(number, day * DAY, "a", "t") for number, day in enumerate((0, 10, 200, 300))))
    expected = {50: False, 110: True, 199: True, 201: False, 301: False, 391: True}
    assert {day: stale(catalog, "t", day)["a"] for day in expected} == expected
    prune(catalog, micros(105 * DAY))
    later = {day: said for day, said in expected.items() if day > 105}
    assert {day: stale(catalog, "t", day)["a"] for day in later} == later


def test_an_edge_that_several_jobs_make_is_stale_where_all_are(catalog: Catalog) -> None:
    filled = [
        event(number, day * DAY, "COMPLETE", "j", outputs=[output("t", {"a": ["s.a"], other: ["s.b"]})])
        for number, day, other in ((1, 0, "x"), (2, 50, "y"))
    ]
    load(catalog, filled)
    with catalog.reading() as connection:
        answer = around(connection, find(connection, "t.a"), micros(100 * DAY), Limits(), None)
    assert [edge.stale for edge in answer.edges] == [False]
    assert stale(catalog, "t", 141) == {"s": True}


def test_a_renamed_table_tells_of_its_former_name(catalog: Catalog) -> None:
    load(catalog, flat([copied(1, 0, "a", "t"), changed(2, 80 * DAY, "u", "RENAME", "t")]))
    assert stale(catalog, "u", 85) == {"a": False}
    assert stale(catalog, "u", 95) == {"a": True}


def test_views_and_declarations_do_not_run(catalog: Catalog) -> None:
    view = output("v", {"a": ["t.a"]}, "CREATE", facets=VIEW)
    said = declared("j", 0, "x", output("w", {"a": ["x.a"]}))
    load(catalog, [event(1, 0, "COMPLETE", "view", outputs=[view]), said])
    assert stale(catalog, "v", 500) == {"t": False}
    assert stale(catalog, "w", 500) == {"x": False}


@pytest.mark.parametrize(
    ("format_", "mark"), [("mermaid", "n1 -- stale --> n0"), ("dot", 'n1 -> n0 [color=gray, label="stale"];')]
)
def test_what_is_stale_is_marked(catalog: Catalog, catalog_url: str, format_: str, mark: str) -> None:
    load(catalog, copied(1, 0, "s", "t"))
    runner = CliRunner(env={"SQLLIN_CATALOG": catalog_url})
    late, later = moment(80 * DAY).isoformat(), moment(100 * DAY).isoformat()

    def said(command: str, node: str, at: str, *more: str) -> str:
        return runner.invoke(main, [command, node, "--at", at, *more]).output

    assert mark in said("lineage", "t", later, "--format", format_)
    assert "stale" not in said("lineage", "t", late, "--format", format_)
    assert "1  redshift://local/s  stale" in said("lineage", "t", later)
    assert "1  redshift://local/t  stale" in said("impact", "s", later)
    assert "stale" not in said("impact", "s", later, "--stale-after", "101")
    parsed = json.loads(said("impact", "s", late, "--stale-after", "10", "--format", "json"))
    assert [edge["stale"] for edge in parsed["edges"]] == [True]
