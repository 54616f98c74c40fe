"""Everything derived can be made anew: reindexing gives exactly the tables that loading gave."""

from __future__ import annotations

import json
from random import Random
from uuid import UUID

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, insert, select, update
from sqlalchemy.event import listens_for

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.recording import RecordedRun, record
from sqllineage_svc.catalog.reindexing import reindex
from sqllineage_svc.catalog.versions import version_of
from tests.catalog.asking import asked, derived, flat
from tests.catalog.events import NAMESPACE, changed, copied, event, known_as, micros, moment, output
from tests.catalog.test_order import TABLES, emptied, families, runs, started

JOBS = st.sampled_from(["loader", "view"])
FACTS = ("event", "job_version", "identity_rule", "cut", "snapshot")
COLUMNS = st.sampled_from(["a", "A", "b"])


def declared(job: str, time: float, source: str, target: dict[str, object]) -> bytes:
    """A JobEvent: a job that says what it would do."""
    content = {
        "eventTime": moment(time).isoformat(),
        "job": {
            "namespace": NAMESPACE,
            "name": job,
            "facets": {"sql": {"query": f"insert into x from {source}"}},
        },
        "inputs": [{"namespace": NAMESPACE, "name": source}],
        "outputs": [target],
    }
    return json.dumps(content).encode()


def described(time: float, target: dict[str, object]) -> bytes:
    """A DatasetEvent: a dataset that says where it comes from, or what became of it."""
    return json.dumps({"eventTime": moment(time).isoformat(), "dataset": target}).encode()


@st.composite
def declarations(draw: st.DrawFn) -> list[bytes]:
    """Some JobEvents and DatasetEvents; the spelling of columns varies."""
    made = []
    for _ in range(draw(st.integers(0, 5))):
        time, source, column = draw(st.integers(0, 6)), draw(TABLES), draw(COLUMNS)
        change = draw(st.sampled_from([None, None, "CREATE", "DROP"]))
        schema = {"schema": {"fields": [{"name": draw(COLUMNS), "type": "int"}]}}
        target = output(draw(TABLES), {column: [f"{source}.{draw(COLUMNS)}"]}, change, facets=schema)
        if draw(st.booleans()):
            made.append(declared(draw(JOBS), time, source, target))
        else:
            made.append(described(time, target))
    return made


@st.composite
def corrected(draw: st.DrawFn) -> list[list[bytes]]:
    """Runs whose events take back what earlier ones of the same run said."""
    made = []
    for number in range(100, 100 + draw(st.integers(0, 3))):
        events = []
        for time in range(draw(st.integers(1, 4))):
            state = draw(st.sampled_from(["START", "RUNNING", "COMPLETE"]))
            column, source, text = draw(COLUMNS), draw(TABLES), draw(st.sampled_from(["q1", "q2"]))
            schema = {"schema": {"fields": [{"name": draw(COLUMNS), "type": draw(JOBS)}]}}
            moved = output(draw(TABLES), {column: [f"{source}.{draw(COLUMNS)}"]}, facets=schema)
            facets: dict[str, object] = {"sql": {"query": text}}
            match draw(st.integers(0, 3)):
                case 0:
                    facets["jobType"] = {"emissionPattern": {"eventContentMode": "COMPLETE_SNAPSHOT"}}
                case 1:
                    facets["lineage"] = {"_deleted": True}
                case 2:
                    entry = {"namespace": NAMESPACE, "name": draw(TABLES), "type": "DATASET"}
                    facets["lineage"] = {"entries": [{**entry, "inputs": [{**entry, "name": source}]}]}
            said = {"outputs": [moved], "inputs": [draw(TABLES)], "job_facets": facets}
            events.append(event(number, time, state, draw(JOBS), **said))
        made.append(events)
    return made


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    made=runs() | families(),
    others=declarations(),
    odd=corrected(),
    seed=st.integers(0, 1_000_000),
    batch=st.integers(1, 5),
)
def test_reindexing_gives_what_loading_in_any_order_gave(
    catalog: Catalog,
    made: list[list[bytes]],
    others: list[bytes],
    odd: list[list[bytes]],
    seed: int,
    batch: int,
) -> None:
    events = [*flat(made), *others, *flat(odd)]
    random = Random(seed)
    shuffled = [*events, *random.sample(events, len(events) // 2)]
    random.shuffle(shuffled)
    load(emptied(catalog), shuffled, batch)
    loaded = derived(catalog)
    reindex(catalog)
    assert derived(catalog) == loaded
    load(emptied(catalog), events)
    assert derived(catalog) == loaded


FACTS_AND_EMPTY = (*FACTS, "expression")


def test_whatever_happened_to_the_tables_is_mended(catalog: Catalog) -> None:
    """Rows lost, left over and wrong, in every derived table."""
    said = [
        *flat(
            [copied(1, 10, "a", "b"), copied(2, 20, "b", "c", "CREATE"), changed(3, 30, "d", "RENAME", "c")]
        ),
        declared("j", 40, "d", output("e", {"x": ["d.a"]}, facets={"schema": {"fields": [{"name": "x"}]}})),
        event(5, 50, "COMPLETE", inputs=[known_as(output("e"), "s3://lake", (NAMESPACE, "e"))]),
        event(6, 60, "COMPLETE", inputs=[known_as(output("e"), "s3://lake", (NAMESPACE, "d"))]),
        *started([event(7, 70, "FAIL")], 1),
        event(4, 50, "COMPLETE", "q", inputs=["e"], job_facets={"sql": {"query": "select 1"}}),
        b"this is none",
    ]
    load(catalog, said)
    expected = derived(catalog)
    assert all(
        expected[table.name] for table in tables.metadata.sorted_tables if table.name not in FACTS_AND_EMPTY
    )
    with catalog.writing() as connection:
        for table in tables.metadata.sorted_tables:
            if table.name not in FACTS:
                row = dict(connection.execute(select(table).limit(1)).mappings().first() or {})
                connection.execute(delete(table))
                if row:
                    own = next(iter(table.primary_key.columns)).name
                    connection.execute(insert(table), [row, {**row, own: 12345}])
        connection.execute(update(tables.run).values(state="FAIL"))
    assert derived(catalog) != expected
    reindex(catalog)
    assert derived(catalog) == expected


def test_more_events_than_one_piece_at_one_moment(catalog: Catalog) -> None:
    """Pieces end between runs that happen at the same time to the same tables."""
    events = flat(
        [copied(number, number // 700, f"s{number % 3}", "t", "OVERWRITE") for number in range(1_200)]
    )
    load(catalog, events)
    loaded = derived(catalog)
    reindex(catalog)
    assert derived(catalog) == loaded
    assert len(loaded["run"]) == 1_200


def test_runs_of_traces_stay_with_all_that_they_name(catalog: Catalog) -> None:
    text = {"sql": {"query": "insert into t select a from s"}}
    moved = output("t", {"a": ["s.a"]}, facets={"schema": {"fields": [{"name": "a", "type": "int"}]}})
    traced = version_of(event(1, 0, "COMPLETE", "traced", outputs=[moved], job_facets=text))
    record(catalog, [RecordedRun(traced, str(UUID(int=7)), micros(10), query_id="4711", rows=3)])
    recorded = derived(catalog)
    load(catalog, copied(2, 20, "t", "u"))
    loaded = derived(catalog)
    with catalog.writing() as connection:
        for table in tables.metadata.sorted_tables:
            if table.name not in (*FACTS, "run"):
                connection.execute(delete(table))
    reindex(catalog)
    assert derived(catalog) == loaded
    assert asked(catalog, "u", 30) == {"t", "s"}
    with catalog.writing() as connection:
        connection.execute(delete(tables.event))
    reindex(catalog)
    assert derived(catalog) == recorded


def test_runs_of_traces_follow_what_their_version_is_found_to_do_now(catalog: Catalog) -> None:
    """As after an upgrade that reads more out of the same template."""
    traced = version_of(event(1, 0, "COMPLETE", "traced", outputs=[output("t", {"a": ["s.a"]})]))
    record(catalog, [RecordedRun(traced, str(UUID(int=7)), micros(10))])
    expected = derived(catalog)
    with catalog.writing() as connection:
        connection.execute(update(tables.job_version).values(id=5, payload_id=6))
        connection.execute(update(tables.run).values(payload_id=6))
    reindex(catalog)
    assert derived(catalog) == expected


def test_readers_see_the_old_tables_until_the_new_ones_are_complete(catalog: Catalog) -> None:
    load(catalog, flat([copied(1, 10, "a", "b"), copied(2, 20, "b", "c")]))
    right = derived(catalog)
    with catalog.writing() as connection:
        connection.execute(update(tables.run).values(state="WRONG"))
    wrong = derived(catalog)
    seen: list[dict[str, list[object]]] = []

    @listens_for(catalog.engine, "after_cursor_execute")
    def _read(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith(("INSERT INTO contribution", "DELETE FROM run")):
            seen.append(derived(catalog))

    reindex(catalog)
    assert seen == [wrong] * len(seen)
    assert len(seen) >= 2
    assert derived(catalog) == right
