"""Runs recorded in bulk are the runs that their events would have made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from unittest.mock import patch
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, update

from sqllineage_svc.catalog import reindexing, tables
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.origins import FROM_TRACES
from sqllineage_svc.catalog.pruning import prune
from sqllineage_svc.catalog.rebuilding import events_of
from sqllineage_svc.catalog.recording import RecordedRun, record
from sqllineage_svc.catalog.reindexing import reindex
from sqllineage_svc.catalog.ruling import add_rule
from sqllineage_svc.catalog.versions import JobVersion, version_of
from sqllineage_svc.errors import InvalidEvent, UsageError
from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.openlineage.incoming import RunState
from tests.catalog.asking import asked, derived
from tests.catalog.events import NAMESPACE, copied, event, micros, output
from tests.catalog.test_order import TABLES, emptied

STATES = st.sampled_from([RunState.COMPLETE, RunState.COMPLETE, RunState.FAIL, RunState.ABORT])
CHANGES = st.sampled_from([None, None, "OVERWRITE", "CREATE", "TRUNCATE", "DROP", "RENAME", "ALTER"])


def version(target: str, source: str, change: str | None = None, text: str | None = None) -> JobVersion:
    """What a job does that copies a column from one table to another."""
    renames = change == "RENAME"
    said = {"previous": source} if renames else {}
    moved = output(target, None if renames else {"a": [f"{source}.a"]}, change, **said)
    facets = {"sql": {"query": text or f"insert into {target} select a from {source}"}}
    return version_of(
        event(0, 0, "COMPLETE", f"{source}-{target}", outputs=[moved], inputs=[source], job_facets=facets)
    )


def ran(
    what: JobVersion, run: int, time: float, state: RunState = RunState.COMPLETE, **said: object
) -> RecordedRun:
    """A run that took a second."""
    identity = str(UUID(int=run + 1))
    return RecordedRun(what, identity, micros(time), micros(time + 1), state, **said)  # type: ignore[arg-type]


def as_events(catalog: Catalog, runs: Sequence[RecordedRun]) -> list[bytes]:
    """The events of recorded runs as the catalog builds them."""
    with catalog.reading() as connection:
        return [one for run in runs for one in events_of(connection, run.run_id)]


def graph(catalog: Catalog) -> dict[str, list[object]]:
    """All that is derived, whoever told it."""
    with catalog.writing() as connection:
        connection.execute(update(tables.run).values(origin=FROM_TRACES))
    return {name: rows for name, rows in derived(catalog).items() if name != "job_version"}


@st.composite
def recordings(draw: st.DrawFn) -> list[RecordedRun]:
    """Runs of a few jobs; times meet often, some fail."""
    made = []
    versions = [version(draw(TABLES), draw(TABLES), draw(CHANGES)) for _ in range(draw(st.integers(1, 4)))]
    for number in range(draw(st.integers(1, 14))):
        said = {
            "user": draw(st.sampled_from([None, "étl", "a\tb\\n"])),
            "rows": draw(st.none() | st.integers(0, 9)),
        }
        failed = draw(STATES)
        error = 'relation "x" does\nnot exist' if failed is RunState.FAIL else None
        run = ran(
            draw(st.sampled_from(versions)), number, draw(st.integers(0, 6)), failed, error=error, **said
        )
        made.append(run._replace(ended_at=run.started_at + draw(st.integers(0, 2)) * 1_000_000))
    return made


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(runs=recordings(), seed=st.integers(0, 1_000_000), batch=st.integers(1, 6))
def test_recorded_runs_are_what_their_events_make_in_any_order_and_anew(
    catalog: Catalog, runs: list[RecordedRun], seed: int, batch: int
) -> None:
    record(emptied(catalog), runs)
    expected = derived(catalog)
    events = as_events(catalog, runs)
    shuffled = [*runs, *Random(seed).sample(runs, len(runs) // 2)]
    Random(seed).shuffle(shuffled)
    report = record(emptied(catalog), shuffled, batch)
    assert (report.read, report.new) == (len(shuffled), len(runs))
    assert derived(catalog) == expected
    for piece in (20_000, 3):
        with patch.object(reindexing, "_RUNS", piece):
            reindex(catalog)
        assert derived(catalog) == expected
    recorded = graph(catalog)
    load(emptied(catalog), events)
    assert graph(catalog) == recorded


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    runs=recordings(),
    foreign=st.lists(
        st.tuples(st.integers(0, 16), st.integers(0, 7), TABLES, TABLES, st.booleans()), max_size=8
    ),
    seed=st.integers(0, 1_000_000),
)
def test_runs_of_events_and_of_traces_add_up_whichever_came_first(
    catalog: Catalog, runs: list[RecordedRun], foreign: list[tuple[int, int, str, str, bool]], seed: int
) -> None:
    """Some of the events are of runs that are recorded too."""
    events = [one for run, at, a, b, both in foreign for one in copied(run, at, a, b)[0 if both else 1 :]]
    load(emptied(catalog), events)
    record(catalog, runs)
    expected = derived(catalog)
    record(emptied(catalog), runs)
    load(catalog, events, 3)
    assert derived(catalog) == expected
    steps: list[bytes | RecordedRun] = [*runs, *events, *runs]
    Random(seed).shuffle(steps)
    emptied(catalog)
    for step in steps:
        if isinstance(step, bytes):
            load(catalog, [step])
        else:
            record(catalog, [step])
    assert derived(catalog) == expected
    reindex(catalog)
    assert derived(catalog) == expected


def test_a_start_of_another_does_not_hide_that_the_run_was_complete(catalog: Catalog) -> None:
    load(catalog, copied(7, 10, "s", "t")[:1])
    assert asked(catalog, "t", 30) == set()
    record(catalog, [ran(version("t", "s"), 7, 10, query_id="77", user="etl")])
    assert asked(catalog, "t", 30) == {"s"}
    with catalog.reading() as connection:
        facts, query = connection.execute(select(tables.run.c.facts, tables.run.c.query_id)).one()
        events = connection.scalar(select(func.count()).select_from(tables.event))
    assert (json.loads(facts), query) == ({"user": "etl"}, "77")
    assert events == 3


def test_failed_and_rolled_back_runs_change_nothing_but_are_there(catalog: Catalog) -> None:
    said = version("t", "s")
    record(catalog, [ran(said, 1, 10, RunState.FAIL, error="out of disk"), ran(said, 2, 20, RunState.ABORT)])
    assert asked(catalog, "t", 60) == set()
    with catalog.reading() as connection:
        rows = connection.execute(
            select(tables.run.c.state, tables.run.c.effective).order_by(tables.run.c.at)
        )
        assert rows.all() == [("FAIL", False), ("ABORT", False)]
        assert connection.scalar(select(func.count()).select_from(tables.contribution)) == 0


def test_secrets_are_cut_out_of_texts_and_errors(catalog: Catalog) -> None:
    said = version("t", "s", text="copy t from 's3://in/x' credentials 'aws_secret_access_key=abcd1234'")
    record(catalog, [ran(said, 1, 10, RunState.FAIL, error="cannot reach postgresql://etl:hunter2@db/x")])
    with catalog.reading() as connection:
        kept = repr([connection.execute(select(table)).all() for table in tables.metadata.sorted_tables])
        sent = b"".join(events_of(connection, str(UUID(int=2)))).decode()
    assert "abcd1234" not in kept + sent
    assert "hunter2" not in kept + sent
    assert "cannot reach postgresql://etl:***@db/x" in sent


def test_many_runs_are_one_contribution(catalog: Catalog) -> None:
    jobs = [version(f"t{number}", "s", "OVERWRITE") for number in range(20)]

    def runs() -> Iterator[RecordedRun]:
        return (ran(jobs[number % 20], number, number, query_id=str(number)) for number in range(10_000))

    assert record(catalog, runs(), 3_000).new == 10_000
    assert record(catalog, runs()).new == 0
    with catalog.reading() as connection:
        held = connection.execute(
            select(tables.contribution.c.runs, tables.contribution.c.valid_to).distinct()
        )
        assert held.all() == [(500, (1 << 63) - 1)]
        assert connection.scalar(select(func.count()).select_from(tables.contribution)) == 20
        assert connection.scalar(select(func.count()).select_from(tables.event)) == 0


def test_runs_in_a_row_over_the_moment_from_which_two_names_are_one(catalog: Catalog) -> None:
    place = DatasetName("s3://lake", "t")
    unloaded = {**output("", {"a": ["s.a"]}), "namespace": place.namespace, "name": place.name}
    filled = version_of(event(0, 0, "COMPLETE", "unload", outputs=[unloaded]))
    replaced = version("t", "s", "OVERWRITE")
    record(catalog, [ran(replaced, 9, 1), ran(filled, 0, 5)])
    with catalog.writing() as connection:
        add_rule(connection, DatasetName(NAMESPACE, "t"), place, micros(50), 0)
    record(catalog, [ran(replaced, 1 + number, time) for number, time in enumerate((10, 20, 60, 70))])
    at_once = derived(catalog)
    with catalog.reading() as connection:
        held = tables.contribution.c
        ended = select(held.valid_to).where(held.dataset_id == dataset_id(*place))
        assert connection.scalars(ended).all() == [micros(61)]
    reindex(catalog)
    assert derived(catalog) == at_once


def test_runs_are_told_apart_where_few_of_very_many_are_there_already(catalog: Catalog) -> None:
    job = version("t", "s")
    runs = [ran(job, number, number) for number in range(1_000)]
    again = runs[333:335]  # every sixth is looked for first, and these are none of them
    assert record(catalog, again).new == 2
    assert record(catalog, runs).new == 998
    at_once = derived(catalog)
    assert [row[10] for row in at_once["contribution"]] == [1_000]  # type: ignore[index]
    emptied(catalog)
    record(catalog, runs)
    assert derived(catalog) == at_once


def test_what_has_not_ended_is_refused_and_leaves_nothing(catalog: Catalog) -> None:
    said = version("t", "s")
    with pytest.raises(UsageError, match="is RUNNING; only a run that has ended can be recorded"):
        record(catalog, [ran(said, 1, 10), ran(said, 2, 20, RunState.RUNNING)])
    assert not any(derived(catalog).values())


def test_only_a_run_event_shows_a_version() -> None:
    with pytest.raises(InvalidEvent, match="a JobEvent says nothing of a job that has run"):
        version_of(b'{"eventTime": "2026-01-01T00:00:00Z", "job": {"namespace": "n", "name": "j"}}')


def test_what_ended_before_the_cut_is_not_taken(catalog: Catalog) -> None:
    load(catalog, copied(1, 10, "a", "b"))
    prune(catalog, micros(50))
    report = record(catalog, [ran(version("t", "s"), 7, 40), ran(version("t", "s"), 8, 60)])
    assert (report.read, report.new, report.late) == (2, 1, 1)
    assert asked(catalog, "t", 70) == {"s"}
