"""The order in which events come decides nothing."""

from __future__ import annotations

import json
from random import Random
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.indexing import rebuild_index
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog
from tests.catalog.asking import derived, flat
from tests.catalog.events import NAMESPACE, changed, copied, event, known_as, output

TABLES = st.sampled_from(["a", "b", "c", "d"])
CHANGES = st.sampled_from([None, None, "OVERWRITE", "CREATE", "ALTER"])
TIMES = st.integers(0, 6)


@st.composite
def reading(draw: st.DrawFn, number: int, time: int, source: str, other: str) -> list[bytes]:
    """A run that reads: its START or its end may say by whom and what else, or that it writes after all."""
    text = {"sql": {"query": draw(st.sampled_from(["select 1", "select 2"]))}}
    user = {"tags": {"tags": [{"key": "user", "value": draw(st.sampled_from(["ann", "bob"]))}]}}
    outputs = [output(other, {"a": [f"{source}.a"]})] if draw(st.integers(0, 3)) == 0 else []
    facets = {"schema": {"fields": [{"name": "a"}]}} if draw(st.booleans()) else {}
    start = event(number, time, "START", "q", inputs=[source], job_facets=text if draw(st.booleans()) else {})
    said = {"inputs": [source], "outputs": outputs, "job_facets": text}
    end = event(number, time + 1, "COMPLETE", "q", **said, run_facets=user if draw(st.booleans()) else {})
    more = event(number, time, "OTHER", "q", inputs=[other], run_facets=user)
    told = json.loads(end)
    told["inputs"][0]["facets"] = facets
    return [start, json.dumps(told).encode(), *([more] if draw(st.booleans()) else [])]


def started(events: list[bytes], by: int, root: int | None = None) -> list[bytes]:
    """The events of a run that another started, and (`root`) with which all began."""

    def named(run: int) -> dict[str, object]:
        return {"run": {"runId": str(UUID(int=run + 1))}, "job": {"namespace": "airflow", "name": f"j{run}"}}

    parent = named(by) if root is None else {**named(by), "root": named(root)}
    told = [json.loads(one) for one in events]
    for one in told:
        one["run"]["facets"] = {**one["run"].get("facets", {}), "parent": parent}
    return [json.dumps(one).encode() for one in told]


@st.composite
def listing(draw: st.DrawFn, number: int, time: int) -> list[bytes]:
    """A run that lists what those that it started have read and written; it may say what became of that, too."""
    inputs = draw(st.lists(TABLES, max_size=3))
    changes = st.sampled_from([None, None, None, "OVERWRITE", "TRUNCATE", "DROP"])
    outputs = [output(name, None, draw(changes)) for name in draw(st.sets(TABLES, max_size=3))]
    begun = event(number, max(0, time - 3), "START", "listing", inputs=inputs)
    return [begun, event(number, time + 1, "COMPLETE", "listing", inputs=inputs, outputs=outputs)]


@st.composite
def families(draw: st.DrawFn) -> list[list[bytes]]:
    """Some runs, of which each may have been started by any, even in a circle."""
    made = []
    for number, events in enumerate(draw(runs())):
        kind = draw(st.sampled_from(["alone", "listing", "child", "child", "both"]))
        some = draw(listing(number, draw(TIMES))) if kind in ("listing", "both") else events
        if kind in ("child", "both"):
            some = started(some, draw(st.integers(0, 7)), draw(st.none() | st.integers(0, 7)))
        made.append(some)
    return made


@st.composite
def runs(draw: st.DrawFn) -> list[list[bytes]]:
    """Some runs, each with its events; times meet often."""
    made = []
    for number in range(draw(st.integers(1, 8))):
        time = draw(TIMES)
        kinds = ["copy", "copy", "empty", "drop", "rename", "fail", "late", "read", "read", "known"]
        kind = draw(st.sampled_from(kinds))
        one, other = draw(TABLES), draw(TABLES)
        if kind == "copy":
            made.append(copied(number, time, one, other, draw(CHANGES)))
        elif kind == "rename":
            made.append(changed(number, time, one, "RENAME", other))
        elif kind == "fail":
            made.append([event(number, time, "FAIL", outputs=[output(one, {"a": [f"{other}.a"]})])])
        elif kind == "known":
            space = draw(st.sampled_from(["s3://lake", "s3://pond", "hive://h", NAMESPACE]))
            dataset = known_as(output(one), space, (NAMESPACE, other), ("arn:aws:glue:r:1", f"table/d/{one}"))
            made.append([event(number, time, "COMPLETE", inputs=[dataset])])
        elif kind == "read":  # what is counted may turn out to write, or be read by somebody
            made.append(draw(reading(number, time, one, other)))
        elif kind == "late":  # outputs and inputs in events of their own, the end before the rest
            moved = output(one, {"a": [f"{other}.a"]})
            running = event(number, time + 1, "RUNNING", inputs=[other], outputs=[moved])
            made.append([running, event(number, time + 2, "COMPLETE"), event(number, time, "START")])
        else:
            made.append(changed(number, time, one, "TRUNCATE" if kind == "empty" else "DROP"))
    return made


@pytest.fixture(scope="module")
def other_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('other') / 'catalog.db'}"


def emptied(catalog: Catalog) -> Catalog:
    with catalog.writing() as connection:
        for table in tables.metadata.sorted_tables:
            connection.execute(delete(table))
        rebuild_index(connection)
    return catalog


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=runs() | families(), seed=st.integers(0, 1_000_000), batch=st.integers(1, 5))
def test_shuffled_split_and_doubled_events_give_the_same_tables(
    catalog: Catalog, made: list[list[bytes]], seed: int, batch: int
) -> None:
    events = flat(made)
    load(emptied(catalog), events)
    expected = derived(catalog)
    random = Random(seed)
    shuffled = [*events, *random.sample(events, len(events) // 2)]
    random.shuffle(shuffled)
    load(emptied(catalog), shuffled, batch)
    found = derived(catalog)
    assert found == expected


def test_the_same_events_again_change_nothing(catalog: Catalog) -> None:
    events = flat([copied(1, 10, "a", "b"), copied(2, 20, "b", "c", "OVERWRITE")])
    first = load(catalog, events)
    before = derived(catalog)
    second = load(catalog, events)
    assert (first.new, second.new, second.known) == (4, 0, 4)
    assert derived(catalog) == before
