"""What is older than the cut goes, what answers from then on need stays; see also `test_pruned_answers`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import func, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.answering import around
from sqllineage_svc.catalog.comparing import compare
from sqllineage_svc.catalog.finding import find
from sqllineage_svc.catalog.history import history
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.pruning import prune
from sqllineage_svc.catalog.reindexing import reindex
from sqllineage_svc.catalog.walking import Limits
from sqllineage_svc.cli import main
from sqllineage_svc.errors import UsageError
from tests.catalog.asking import asked, derived, flat, names
from tests.catalog.events import NAMESPACE, changed, copied, event, micros, output

DAY = 24 * 3_600
VIEW = {"datasetType": {"datasetType": "VIEW"}}


def with_columns(*columns: str) -> dict[str, object]:
    return {"schema": {"fields": [{"name": name, "type": "int"} for name in columns]}}


def count(catalog: Catalog, table: str) -> int:
    with catalog.reading() as connection:
        return connection.scalar(select(func.count()).select_from(tables.metadata.tables[table])) or 0


def said(catalog: Catalog, table: str, until: float) -> list[str]:
    """The history of a table in words."""
    with catalog.reading() as connection:
        return [entry.what for entry in history(connection, dataset_id(NAMESPACE, table), micros(until))]


def pruned(catalog: Catalog, events: Sequence[bytes], cut: float) -> Catalog:
    """The catalog with these events, all of which are before the cut."""
    load(catalog, events)
    prune(catalog, micros(cut))
    assert count(catalog, "event") == 0
    return catalog


def test_staging_that_was_emptied_before_the_cut_passes_lineage_on(catalog: Catalog) -> None:
    events = [
        copied(1, 10, "other", "staging"),
        changed(2, 20, "staging", "TRUNCATE"),
        copied(3, 30, "source", "staging"),
        copied(4, 40, "staging", "mart"),
        changed(5, 50, "staging", "TRUNCATE"),
    ]
    pruned(catalog, flat(events), 100)
    for _ in range(2):
        assert asked(catalog, "mart", 100) == {"staging", "source"}
        assert asked(catalog, "source", 100, up=False) == {"staging", "mart"}
        assert asked(catalog, "staging", 100) == set()
        assert "other" not in names(catalog).values()
        reindex(catalog)
    load(catalog, copied(6, 110, "mart", "report"))
    assert asked(catalog, "report", 120) == {"mart", "staging", "source"}


def test_a_table_goes_on_from_what_it_held_at_the_cut(catalog: Catalog) -> None:
    pruned(catalog, flat([copied(1, 10, "a", "t"), copied(2, 20, "b", "t"), copied(3, 30, "x", "old")]), 100)
    more = [
        copied(4, 110, "c", "t"),
        copied(5, 120, "d", "t", "OVERWRITE"),
        changed(6, 130, "new", "RENAME", "old"),
    ]
    load(catalog, flat(reversed(more)))
    assert asked(catalog, "t", 100) == {"a", "b"}
    assert asked(catalog, "t", 115) == {"a", "b", "c"}
    assert asked(catalog, "t", 125) == {"d"}
    assert asked(catalog, "new", 140, column="a") == {"x.a"}
    assert asked(catalog, "old", 140) == set()
    loaded = derived(catalog)
    reindex(catalog)
    assert derived(catalog) == loaded


def test_columns_that_went_before_the_cut_are_gone(catalog: Catalog) -> None:
    filled = output("t", {"a": ["s.a"], "id": ["s.id"]}, "CREATE", facets=with_columns("a", "id"))
    view = output("v", {"id": ["t.id"]}, "CREATE", facets=VIEW)
    again = [
        event(
            4 + n,
            40 + n,
            "COMPLETE",
            "alter",
            outputs=[output("t", None, "ALTER", facets=with_columns("id"))],
        )
        for n in range(20)
    ]
    pruned(
        catalog,
        [
            event(1, 10, "COMPLETE", "fill", outputs=[filled]),
            *copied(2, 20, "t", "u"),
            event(3, 30, "COMPLETE", "view", outputs=[view]),
            *again,
        ],
        100,
    )
    assert asked(catalog, "t", 100, column="a") == set()
    assert asked(catalog, "v", 100, column="id") == {"t.id", "s.id"}
    assert asked(catalog, "u", 100, column="a") == {"t.a", "s.a"}
    assert count(catalog, "run") == 5  # the ALTERs after the first said nothing new, but for the last
    load(
        catalog,
        [event(90, 110, "COMPLETE", "alter", outputs=[output("t", None, "ALTER", facets=with_columns("z"))])],
    )
    assert said(catalog, "t", 120) == ["altered", "schema: + z int, - id"]


def test_a_column_that_went_and_came_again_before_the_cut_is_empty(catalog: Catalog) -> None:
    filled = output("t", {"a": ["s.a"], "id": ["s.id"]}, facets=with_columns("a", "id"))
    alters = [
        event(
            n,
            10 * n,
            "COMPLETE",
            "alter",
            outputs=[output("t", None, "ALTER", facets=with_columns(*columns))],
        )
        for n, columns in enumerate((("id",), ("id",), ("id", "a")), 2)
    ]
    pruned(catalog, [event(1, 10, "COMPLETE", "fill", outputs=[filled]), *alters], 100)
    assert asked(catalog, "t", 100, column="a") == set()
    assert asked(catalog, "t", 100, column="id") == {"s.id"}
    assert count(catalog, "run") == 3


def test_what_a_view_showed_when_it_was_read_before_the_cut_stays(catalog: Catalog) -> None:
    view = output("v", {"a": ["t.a"]}, "CREATE", facets=VIEW)
    events = [
        *copied(1, 5, "zero", "t", "OVERWRITE"),
        *copied(2, 10, "first", "t", "OVERWRITE"),
        event(3, 15, "COMPLETE", "see", outputs=[view]),
        *copied(4, 20, "v", "read"),
        *copied(5, 30, "second", "t", "OVERWRITE"),
        event(6, 40, "COMPLETE", "see", outputs=[view]),
    ]
    pruned(catalog, events, 100)
    assert asked(catalog, "read", 100) == {"v", "t", "first"}
    assert asked(catalog, "v", 100) == {"t", "second"}
    assert asked(catalog, "first", 100, up=False) == {"t", "v", "read"}


def test_the_difference_of_two_moments_knows_the_sql_from_before_the_cut(catalog: Catalog) -> None:
    said = [
        event(
            number, 10 + 100 * number, "COMPLETE", "job", job_facets={"sql": {"query": f"query {number}"}},
            outputs=[output("t", {"a": [f"s{number}.a"]}, facets=with_columns("a", *"bc"[:number]))],
        )
        for number in range(2)
    ]  # fmt: skip
    failed = event(5, 50, "FAIL", "job", job_facets={"sql": {"query": "query 5"}})
    pruned(catalog, [said[0], failed], 100)
    load(catalog, said[1:])
    with catalog.reading() as connection:
        found = compare(connection, micros(100), micros(120))
    assert [(one.was, one.now) for one in found.rewritten] == [("query 5", "query 1")]
    assert [str(change) for _, changes in found.columns for change in changes] == ["+ b int"]


def test_only_moments_from_the_cut_on_can_be_asked_about(catalog: Catalog) -> None:
    pruned(catalog, copied(1, 10, "a", "t"), 100)
    early, cut = micros(99), micros(100)
    with catalog.reading() as connection:
        node = find(connection, "t")
        around(connection, node, cut, Limits(), Limits())
        for ask in (
            lambda: around(connection, node, early, Limits(), None),
            lambda: history(connection, node.node.dataset, early),
            lambda: compare(connection, early, cut),
            lambda: compare(connection, cut, early),
        ):
            with pytest.raises(
                UsageError, match=r"pruned up to 2026-01-01 00:01:40: .* at 2026-01-01 00:01:39; ask"
            ):
                ask()


def test_what_comes_from_before_the_cut_is_kept_aside_and_changes_nothing(catalog: Catalog) -> None:
    known = copied(1, 10, "a", "t")
    pruned(catalog, known, 100)
    before = derived(catalog)
    report = load(catalog, [*known, *copied(2, 50, "b", "t", "OVERWRITE")])
    reason = "it is from before 2026-01-01 00:01:40, up to which the catalog was pruned"
    assert report.quarantined == [(position, reason) for position in (1, 2, 3, 4)]
    assert report.new == 4
    assert derived(catalog) == before
    reindex(catalog)
    assert derived(catalog) == before
    assert load(catalog, known).quarantined == [(1, reason), (2, reason)]
    assert prune(catalog, micros(200)).events == 4


def test_a_run_that_goes_on_over_the_cut_stays_as_it_is(catalog: Catalog) -> None:
    start, end = copied(2, 50, "staging", "mart")
    going = event(2, 150, "COMPLETE", "staging-mart-None", outputs=[output("mart", {"a": ["staging.a"]})])
    load(catalog, [*copied(1, 10, "source", "staging"), start, *changed(3, 60, "staging", "DROP")])
    assert prune(catalog, micros(100)).events == 3
    assert load(catalog, [start]).known == 1
    assert not load(catalog, [start]).quarantined
    load(catalog, [going])
    assert asked(catalog, "mart", 160) == {"staging", "source"}
    assert load(catalog, [end]).quarantined


def test_what_a_run_that_goes_on_may_have_read_stays(catalog: Catalog) -> None:
    """It says only in the end what it read; `unread` was emptied before it began."""
    emptied = [*changed(3, 40, "unread", "TRUNCATE"), *changed(4, 60, "staging", "TRUNCATE")]
    filled = flat([copied(1, 10, "source", "staging"), copied(2, 10, "other", "unread")])
    load(catalog, [*filled, *emptied, event(5, 50, "START", "going")])
    prune(catalog, micros(100))
    moved = output("mart", {"a": ["staging.a", "unread.a"]})
    load(catalog, [event(5, 150, "COMPLETE", "going", outputs=[moved])])
    assert asked(catalog, "mart", 160) == {"staging", "source", "unread"}


def test_what_a_stream_has_read_for_long_stays(catalog: Catalog) -> None:
    streams = {"jobType": {"processingType": "STREAMING"}}
    said = {"inputs": ["topic"], "outputs": [output("sink", {"a": ["topic.a"]})], "job_facets": streams}
    replaced = copied(2, 2 * DAY, "second", "topic", "OVERWRITE")
    stream = [event(3, day * DAY, "RUNNING", "stream", **said) for day in (1, 99, 150)]
    load(catalog, [*copied(1, 0, "first", "topic"), *replaced, *stream[:2]])
    prune(catalog, micros(98 * DAY))
    for upstream in (99.5, 151):
        assert asked(catalog, "sink", upstream * DAY) == {"topic", "first", "second"}
        load(catalog, stream[2:])


def test_a_run_of_which_nothing_was_heard_for_long_goes(catalog: Catalog) -> None:
    start, _ = copied(1, 0, "a", "b")
    load(catalog, [start, *changed(2, 0, "dropped", "DROP"), *changed(3, 31 * DAY, "dropped_late", "DROP")])
    prune(catalog, micros(40 * DAY))
    assert count(catalog, "event") == 0
    assert set(names(catalog).values()) == {"dropped_late"}


def test_a_second_prune_moves_the_cut_on(catalog: Catalog) -> None:
    pruned(catalog, flat([copied(1, 10, "a", "t"), copied(2, 20, "t", "u")]), 100)
    later = [
        copied(3, 110, "b", "t", "OVERWRITE"),
        copied(4, 120, "t", "u", "OVERWRITE"),
        changed(5, 130, "t", "DROP"),
    ]
    load(catalog, flat(later))
    prune(catalog, micros(200))
    assert count(catalog, "event") == 0
    assert asked(catalog, "u", 200) == {"t", "b"}
    assert "a" not in names(catalog).values()
    before = derived(catalog)
    assert prune(catalog, micros(200)).runs == 0
    assert {**derived(catalog), "cut": before["cut"]} == before
    with pytest.raises(UsageError, match="pruned up to 2026-01-01 00:03:20 already"):
        prune(catalog, micros(150))
    with pytest.raises(UsageError, match="lies ahead"):
        prune(catalog, micros(40_000 * DAY))


def test_a_dry_run_tells_and_changes_nothing(catalog: Catalog) -> None:
    events = flat([copied(1, 10, "a", "t"), copied(2, 20, "b", "t", "OVERWRITE"), copied(3, 30, "t", "u")])
    load(catalog, events)
    before, there = derived(catalog), count(catalog, "event")
    told = prune(catalog, micros(25), dry_run=True)
    assert (derived(catalog), count(catalog, "event")) == (before, there)
    assert prune(catalog, micros(25)) == told
    assert (told.events, told.runs, told.kept_runs) == (4, 1, 1)


def test_what_stood_at_the_cut_keeps_its_lineage_when_a_like_run_goes(catalog: Catalog) -> None:
    pruned(catalog, copied(1, 10, "a", "t"), 100)
    like = copied(2, 110, "a", "t")[1]
    load(catalog, [like])
    load(catalog, [event(2, 105, "RUNNING", "more", outputs=[output("t", {"b": ["a.b"]})])])
    assert asked(catalog, "t", 100, column="a") == {"a.a"}


def test_whatever_is_derived_is_mended_from_the_snapshot(catalog: Catalog) -> None:
    pruned(catalog, flat([copied(1, 10, "a", "t"), changed(2, 20, "u", "RENAME", "t")]), 100)
    load(catalog, copied(3, 110, "b", "u"))
    expected = derived(catalog)
    with catalog.writing() as connection:
        connection.execute(tables.contribution.delete())
        connection.execute(tables.run.delete().where(tables.run.c.origin == 0))
    reindex(catalog)
    assert derived(catalog) == expected
    assert asked(catalog, "u", 120) == {"a", "b"}


def sqllin(url: str, *arguments: str) -> Result:
    return CliRunner(env={"SQLLIN_CATALOG": url}).invoke(main, list(arguments))


def test_the_command_says_what_went_and_earlier_moments_are_refused(
    catalog: Catalog, catalog_url: str
) -> None:
    load(
        catalog,
        flat([copied(1, 10, "a", "t"), *[copied(n, n, "b", "t", "OVERWRITE") for n in range(20, 300)]]),
    )
    cut = "2026-01-01T00:04:00"
    told = sqllin(catalog_url, "catalog", "prune", "--older-than", cut, "--dry-run")
    assert told.output == (
        "440 events and 219 runs from before 2026-01-01 00:04:00 would go; "
        "1 runs that answers need would stay without their events\n"
    )
    pruned = sqllin(catalog_url, "catalog", "prune", "--older-than", cut).output.splitlines()
    assert pruned[0] == (
        "440 events and 219 runs from before 2026-01-01 00:04:00 are gone; "
        "1 runs that answers need stay without their events"
    )
    assert re.fullmatch(r"[\d.]+ MB before, [\d.]+ MB now", pruned[1])
    assert "pruned up to 2026-01-01 00:04:00" in sqllin(catalog_url, "catalog", "stats").output
    assert "is in no event" in sqllin(catalog_url, "catalog", "export").stderr
    for command in ("lineage", "impact", "history"):
        assert sqllin(catalog_url, command, "t", "--at", cut).exit_code == 0
        early = sqllin(catalog_url, command, "t", "--at", "2026-01-01T00:03")
        assert early.exit_code == 2
        assert "ask as of 2026-01-01 00:04:00 or later" in " ".join(early.output.split())
    assert sqllin(catalog_url, "diff", "--from", "2026-01-01", "--to", cut).exit_code == 2
    first, second = sqllin(catalog_url, "history", "t").output.splitlines()
    assert first == "what was before 2026-01-01 00:04:00 was pruned"
    assert second.startswith("2026-01-01 00:04:00  replaced (61 times until 2026-01-01 00:05:00)")
    assert "lies ahead" in sqllin(catalog_url, "catalog", "prune", "--older-than", "2999-01-01").output


def test_the_file_of_a_pruned_catalog_is_smaller(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    url = f"sqlite:///{path}"
    events = tmp_path / "events.jsonl"
    events.write_bytes(b"\n".join(flat([copied(n, n, "b", "t", "OVERWRITE") for n in range(2_000)])))
    sqllin(url, "load", str(events))
    before = path.stat().st_size
    sqllin(url, "catalog", "prune", "--older-than", "2026-02-01")
    assert path.stat().st_size < before / 4
    wal = path.with_name("catalog.db-wal")
    assert not wal.exists() or wal.stat().st_size == 0
