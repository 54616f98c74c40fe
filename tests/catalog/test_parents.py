"""Runs that started others: what these have said counts once, and better, whichever came first."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from sqlalchemy import select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.answering import around
from sqllineage_svc.catalog.finding import find
from sqllineage_svc.catalog.history import history
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog, open_catalog
from sqllineage_svc.catalog.pruning import prune
from sqllineage_svc.catalog.reindexing import reindex
from sqllineage_svc.catalog.walking import Limits
from tests.catalog.asking import asked, derived, flat
from tests.catalog.events import NAMESPACE, copied, event, micros, output
from tests.catalog.test_order import emptied, started

DAG, TASK = 90, 91
LATE = 1_000


def lists(
    run: int, time: float, inputs: list[str], outputs: list[str], change: str | None = None
) -> list[bytes]:
    """A run that says what it read and wrote, and not of which columns."""
    job = {DAG: "daily", TASK: "daily.load"}[run]
    said = [output(name, None, change) for name in outputs]
    return [
        event(run, 0, "START", job),
        event(run, time, "COMPLETE", job, inputs=inputs, outputs=said),
    ]


def edges(catalog: Catalog, table: str, time: float = LATE) -> set[tuple[str, str]]:
    """The edges into a table as a whole: source and job."""
    with catalog.reading() as connection:
        answer = around(connection, find(connection, table), micros(time), Limits(1), None)
    return {(edge.source.dataset, edge.job) for edge in answer.edges}


def every_order(catalog: Catalog, *made: list[bytes]) -> None:
    """Load runs in every order and anew: it is the same each time."""
    load(catalog, flat(made))
    expected = derived(catalog)
    for order in permutations(made):
        load(emptied(catalog), flat(order), 1)
        assert derived(catalog) == expected
    reindex(catalog)
    assert derived(catalog) == expected


def test_what_its_children_say_a_run_does_not_say_again(catalog: Catalog) -> None:
    every_order(catalog, lists(DAG, 20, ["s"], ["t"]), started(copied(1, 10, "s", "t"), DAG))
    assert edges(catalog, "t") == {("s", "s-t-None")}
    with catalog.reading() as connection:
        entries = history(connection, dataset_id(NAMESPACE, "t"), micros(LATE))
        jobs = set(connection.scalars(select(tables.job.c.name)))
    assert [(entry.what, entry.job) for entry in entries] == [("filled", "s-t-None")]
    assert "daily" in jobs


def test_what_none_of_them_says_stays(catalog: Catalog) -> None:
    """Not every input goes into every output, but who knows: the child reads less than its parent."""
    child = started(copied(1, 10, "s", "t"), DAG)
    every_order(catalog, lists(DAG, 20, ["r", "s"], ["t", "u"]), child)
    assert edges(catalog, "t") == {
        ("r", "daily"), ("s", "s-t-None"),
    }  # fmt: skip
    assert asked(catalog, "u", LATE) == {"r", "s"}


def test_what_goes_on_from_child_to_child_is_said(catalog: Catalog) -> None:
    made = [started(copied(1, 10, "s", "m"), DAG), started(copied(2, 14, "m", "t"), DAG)]
    every_order(catalog, lists(DAG, 20, ["s"], ["t"]), *made)
    assert edges(catalog, "t") == {("m", "m-t-None")}
    assert asked(catalog, "t", LATE) == {"m", "s"}


def test_what_was_read_before_it_came_is_not_said(catalog: Catalog) -> None:
    made = [started(copied(1, 14, "s", "m"), DAG), started(copied(2, 10, "m", "t"), DAG)]
    every_order(catalog, lists(DAG, 20, ["s"], ["t"]), *made)
    assert ("s", "daily") in edges(catalog, "t")


@pytest.mark.parametrize("root", [None, DAG])
def test_grandchildren_say_it_too(catalog: Catalog, root: int | None) -> None:
    """By the task between them, or, where that has sent no events, by the run with which all began."""
    query = started(copied(1, 10, "s", "t"), TASK, root)
    task = [] if root is not None else started(lists(TASK, 15, ["s"], ["t"]), DAG)
    every_order(catalog, lists(DAG, 20, ["s"], ["t"]), task, query)
    assert edges(catalog, "t") == {("s", "s-t-None")}


@pytest.mark.parametrize("change", ["OVERWRITE", "TRUNCATE"])
def test_a_parent_does_not_end_what_its_children_wrote(catalog: Catalog, change: str) -> None:
    old, child = copied(1, 0, "old", "t"), started(copied(2, 10, "s", "t", "OVERWRITE"), DAG)
    every_order(catalog, old, lists(DAG, 20, ["s"], ["t"], change), child)
    assert asked(catalog, "t", 5) == {"old"}
    assert asked(catalog, "t", LATE, column="a") == {"s.a"}
    assert edges(catalog, "t") == {("s", "s-t-OVERWRITE")}


def test_a_child_that_failed_or_wrote_later_has_said_nothing(catalog: Catalog) -> None:
    failed = [event(1, 10, "FAIL", "child", inputs=["s"], outputs=[output("t", {"a": ["s.a"]})])]
    later = started(copied(2, 30, "s", "t"), DAG)
    every_order(catalog, lists(DAG, 20, ["s"], ["t"]), started(failed, DAG), later)
    assert edges(catalog, "t", 25) == {("s", "daily")}
    assert asked(catalog, "t", LATE, column="a") == {"s", "s.a"}
    assert ("s", "daily") in edges(catalog, "t")


def test_runs_that_started_each_other_are_both_believed(catalog: Catalog) -> None:
    one, other = started(lists(DAG, 20, ["s"], ["t"]), TASK), started(lists(TASK, 20, ["s"], ["t", "u"]), DAG)
    every_order(catalog, one, other)
    assert edges(catalog, "t") == {("s", "daily"), ("s", "daily.load")}


def test_what_a_child_takes_back_its_parent_says_again(catalog: Catalog) -> None:
    """A later event may say of the child that another started it, or that it read something else."""
    load(catalog, flat([lists(DAG, 20, ["s"], ["t"]), started(copied(1, 10, "s", "t"), DAG)]))
    assert ("s", "daily") not in edges(catalog, "t")
    load(catalog, started([event(1, 11.5, "OTHER", "s-t-None")], TASK))
    assert ("s", "daily") in edges(catalog, "t")


@pytest.mark.parametrize("known", [True, False])
def test_a_prune_keeps_what_a_parent_may_say_again(catalog: Catalog, tmp_path: Path, known: bool) -> None:
    """The parent goes on behind the cut; it may not have said anything yet."""
    begin, end = lists(DAG, 20, ["s"], ["t"])
    before = [*([begin] if known else []), *started(copied(1, 10, "s", "t"), DAG)]
    load(catalog, before)
    report = prune(catalog, micros(15))
    assert (report.runs, report.kept_runs) == (0, 1)
    load(catalog, [end])
    whole = open_catalog(f"sqlite:///{tmp_path / 'whole.db'}")
    load(whole, [*before, end])
    assert edges(catalog, "t") == edges(whole, "t") == {("s", "s-t-None")}
    whole.close()
    reindex(catalog)
    assert ("s", "daily") not in edges(catalog, "t")
    prune(catalog, micros(30))
    assert ("s", "daily") not in edges(catalog, "t")
