"""A pruned catalog answers as one that was not, as of any moment from the cut on, whatever comes later."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.comparing import compare
from sqllineage_svc.catalog.counting import reads_of
from sqllineage_svc.catalog.history import history
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog, open_catalog
from sqllineage_svc.catalog.pruning import prune
from sqllineage_svc.catalog.reindexing import reindex
from sqllineage_svc.catalog.schemas import CatalogSchemas
from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.model.names import Relation
from tests.catalog import events as made_of
from tests.catalog.asking import derived, flat, reached
from tests.catalog.events import NAMESPACE, micros, moment, output
from tests.catalog.test_order import emptied, families, runs
from tests.catalog.test_reindexing import corrected, declarations

ALTERED = ("dev.public.e", "dev.public.f")
"""Tables whose columns change; none of them is renamed."""
NAMES = ("a", "b", "c", "d", *ALTERED)
LAST = 8


@st.composite
def changes(draw: st.DrawFn) -> list[list[bytes]]:
    """Runs that make, alter and see through tables, and say their columns and SQL."""
    made = []
    for number in range(200, 200 + draw(st.integers(0, 6))):
        time, table, source = (
            draw(st.integers(0, 6)),
            draw(st.sampled_from(ALTERED)),
            draw(st.sampled_from(NAMES)),
        )
        kind = draw(st.sampled_from(["alter", "alter", "make", "fill", "view"]))
        columns = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True))
        schema = {
            "schema": {"fields": [{"name": name, "type": draw(st.sampled_from("ts"))} for name in columns]}
        }
        feeds = None if kind == "alter" else {name: [f"{source}.a"] for name in columns}
        change = {"alter": "ALTER", "make": draw(st.sampled_from(["CREATE", "OVERWRITE"])), "view": "CREATE"}
        if kind == "view":
            schema["datasetType"] = {"datasetType": "VIEW"}  # type: ignore[dict-item]
        moved = output(table, feeds, change.get(kind), facets=schema)
        text = {"sql": {"query": draw(st.sampled_from(["q1", "q2", "q3"]))}}
        said = {"inputs": [source], "outputs": [moved], "job_facets": text}
        started = made_of.event(
            number, max(0, time - draw(st.integers(0, 3))), "START", kind, inputs=[source]
        )
        made.append([started, made_of.event(number, time, "COMPLETE", kind, **said)])
    return made


def time_of(raw: bytes) -> str:
    return str(json.loads(raw)["eventTime"])


def until_the_end(events: Sequence[bytes]) -> list[bytes]:
    """The events of a run, without those that come behind the one that ends it."""
    ends = [time_of(one) for one in events if json.loads(one)["eventType"] in ("COMPLETE", "FAIL")]
    return [one for one in events if not ends or time_of(one) <= min(ends)]


def came_from(connection: Connection, at: int) -> dict[str, set[int]]:
    """What each table came from at a moment, walked from each contribution to what was read for that one alone."""
    held = connection.execute(select(tables.contribution)).all()
    sources: dict[tuple[int, int], list[int]] = defaultdict(list)
    for link in connection.execute(select(tables.link)):
        sources[link.payload_id, link.target_dataset_id].append(link.source_dataset_id)
    found = {}
    for name in NAMES:
        start = dataset_id(NAMESPACE, name)
        stack, seen = [(start, at, at)], set[tuple[int, int, int]]()
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            dataset, begin, end = state
            for one in held:
                if one.dataset_id != dataset or one.valid_from > min(end, at) or one.valid_to <= begin:
                    continue
                read = (begin, end) if one.live else (one.read_from, min(one.read_to, at))
                stack += [(source, *read) for source in sources[one.payload_id, one.via_id]]
        found[name] = {dataset for dataset, _, _ in seen}
    return found


def answers(connection: Connection, since: int) -> Iterator[tuple[object, ...]]:
    """What a catalog says as of some moments from one on."""
    schemas = CatalogSchemas(connection, load_dialect("redshift"), NAMESPACE)
    for time in moments_from(since):
        for name in NAMES:
            yield (
                "history",
                time,
                name,
                *history(connection, dataset_id(NAMESPACE, name), micros(time), micros(since)),
            )
            relation = Relation(*name.split(".")) if "." in name else Relation(None, "public", name)
            yield "columns", time, name, schemas.find(relation, moment(time))
            for column in (None, "a"):
                yield "upstream", time, name, column, reached(connection, name, time, column=column)
        yield (
            "usage",
            time,
            reads_of(connection, [dataset_id(NAMESPACE, name) for name in NAMES], micros(time)),
        )
        yield "diff", time, compare(connection, micros(since), micros(time))


def moments_from(since: int) -> list[int]:
    return sorted({since, min(since + 2, LAST), LAST})


def check(pruned: Catalog, whole: Catalog, since: int) -> None:
    """Both say the same as of any moment from one on.

    A walk downstream counts a dataset from the first to the last moment that something came of the start; what
    was pruned may shorten that, but what it truly led to is there.
    """
    with pruned.reading() as one, whole.reading() as other:
        assert list(answers(one, since)) == list(answers(other, since))
        for time in moments_from(since):
            came = came_from(other, micros(time))
            for name in NAMES:
                id_ = dataset_id(NAMESPACE, name)
                down, all_ = (
                    {node.dataset for node in reached(store, name, time, up=False)} | {id_}
                    for store in (one, other)
                )
                assert down <= all_
                assert down >= {dataset_id(NAMESPACE, end) for end in NAMES if id_ in came[end]} & all_


@pytest.fixture
def whole(tmp_path: Path) -> Iterator[Catalog]:
    """A catalog that is not pruned."""
    opened = open_catalog(f"sqlite:///{tmp_path / 'whole.db'}")
    yield opened
    opened.close()


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    made=runs() | families(), others=declarations(), odd=corrected(), more=changes(),
    seed=st.integers(0, 1_000_000), cuts=st.lists(st.integers(0, LAST - 1), min_size=2, max_size=2),
)  # fmt: skip
def test_answers_from_the_cut_on_stay_what_they_are(
    catalog: Catalog,
    whole: Catalog,
    made: list[list[bytes]],
    others: list[bytes],
    odd: list[list[bytes]],
    more: list[list[bytes]],
    seed: int,
    cuts: list[int],
) -> None:
    events = [*flat(map(until_the_end, [*made, *odd, *more])), *others]
    random = Random(seed)
    random.shuffle(events)
    first, second = (min(cuts), max(cuts))
    before = [one for one in events if time_of(one) < moment(first).isoformat() or random.random() < 0.5]
    later = [one for one in events if one not in before]
    for store in (emptied(catalog), emptied(whole)):
        load(store, before, 3)
    report = prune(catalog, micros(first))
    event(f"events removed: {min(report.events, 5)}, runs kept: {min(report.kept_runs, 3)}")
    check(catalog, whole, first)
    load(whole, later, 3)
    assert not load(catalog, later, 3).quarantined
    check(catalog, whole, first)
    loaded = derived(catalog)
    reindex(catalog)
    assert derived(catalog) == loaded
    prune(catalog, micros(second))
    check(catalog, whole, second)
    pruned = derived(catalog)
    reindex(catalog)
    assert derived(catalog) == pruned
