"""A query that reads and writes nothing is counted by user and day, and is no run."""

from __future__ import annotations

import json
from itertools import permutations

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.counting import Reader, Usage, reads_of
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.pruning import prune
from sqllineage_svc.catalog.reindexing import reindex
from sqllineage_svc.catalog.schemas import CatalogSchemas
from sqllineage_svc.cli import main
from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.errors import UsageError
from sqllineage_svc.model.names import Relation
from sqllineage_svc.model.schema import Column
from tests.catalog.asking import derived, flat
from tests.catalog.events import NAMESPACE, copied, event, micros, moment, output
from tests.catalog.test_order import emptied

DAY = 24 * 3_600
QUERY = {"sql": {"query": "select a from t"}}


def tagged(user: str) -> dict[str, object]:
    return {"tags": {"tags": [{"key": "user", "value": user}]}}


def read(run: int, time: float, user: str | None = None, *sources: str, state: str = "COMPLETE") -> bytes:
    """The end of a run that reads."""
    facets = tagged(user) if user is not None else {}
    return event(run, time, state, "q", inputs=sources or ["t"], job_facets=QUERY, run_facets=facets)


def usage(catalog: Catalog, table: str, at: float, days: int = 90) -> Usage | None:
    id_ = dataset_id(NAMESPACE, table)
    with catalog.reading() as connection:
        return reads_of(connection, [id_], micros(at), days).get(id_)


def runs(catalog: Catalog) -> list[str]:
    with catalog.reading() as connection:
        return sorted(connection.scalars(select(tables.run.c.state)))


def test_reads_are_counted_by_user_over_days(catalog: Catalog) -> None:
    load(catalog, [read(1, 10, "ann"), read(2, 20, "ann"), read(3, DAY, "bob", "t", "u"), read(4, 2 * DAY)])
    load(catalog, [read(1, 10, "ann"), read(5, 30, "ann", state="FAIL")])
    assert usage(catalog, "t", 2 * DAY) == Usage(
        4, (Reader("ann", 2, micros(20)), Reader("", 1, micros(2 * DAY)), Reader("bob", 1, micros(DAY)))
    )
    assert usage(catalog, "u", 2 * DAY) == Usage(1, (Reader("bob", 1, micros(DAY)),))
    assert usage(catalog, "t", 20) == Usage(2, (Reader("ann", 2, micros(20)),))
    assert usage(catalog, "t", 95 * DAY) is None
    assert usage(catalog, "t", 2 * DAY, days=1) == Usage(
        2, (Reader("", 1, micros(2 * DAY)), Reader("bob", 1, micros(DAY)))
    )
    assert runs(catalog) == ["FAIL"]


def test_what_writes_in_the_end_is_a_run_in_any_order(catalog: Catalog) -> None:
    events = [
        event(1, 10, "START", "q", inputs=["t"], job_facets=QUERY),
        read(1, 20, "ann"),
        event(1, 15, "RUNNING", "q", outputs=[output("u", {"a": ["t.a"]})]),
    ]
    for order in permutations(events):
        emptied(catalog)
        for count, one in enumerate(order, 1):
            load(catalog, [one])
            counted = events[1] in order[:count] and events[2] not in order[:count]
            assert usage(catalog, "t", DAY) == (
                Usage(1, (Reader("ann", 1, micros(20)),)) if counted else None
            )
            assert len(runs(catalog)) == (not counted)


def test_a_query_without_text_and_a_query_that_reads_nothing_are_runs(catalog: Catalog) -> None:
    load(catalog, [event(1, 10, "COMPLETE", inputs=["t"]), event(2, 10, "COMPLETE", job_facets=QUERY)])
    assert usage(catalog, "t", DAY) is None
    assert runs(catalog) == ["COMPLETE", "COMPLETE"]


def test_a_read_that_tells_columns_is_counted_and_still_tells_them(catalog: Catalog) -> None:
    told = json.loads(read(1, 10, "ann", "dev.public.t"))
    told["inputs"][0]["facets"] = {"schema": {"fields": [{"name": "a", "type": "int"}]}}
    load(catalog, [json.dumps(told).encode()])
    assert usage(catalog, "dev.public.t", DAY) == Usage(1, (Reader("ann", 1, micros(10)),))
    with catalog.reading() as connection:
        schemas = CatalogSchemas(connection, load_dialect("redshift"), NAMESPACE)
        found = schemas.find(Relation("dev", "public", "t"), moment(20))
    assert found is not None
    assert found.columns == (Column("a", "int"),)


@pytest.mark.parametrize(
    "facet", [{"hive_session": {"username": "eve"}}, {"trino_query_context": {"user": "eve"}}, tagged("eve")]
)
def test_the_user_is_told_in_several_ways(catalog: Catalog, facet: dict[str, object]) -> None:
    load(catalog, [event(1, 10, "COMPLETE", inputs=["t"], job_facets=QUERY, run_facets=facet)])
    assert usage(catalog, "t", DAY) == Usage(1, (Reader("eve", 1, micros(10)),))


def test_counts_stay_what_they_are_over_prunes_and_reindexing(catalog: Catalog) -> None:
    load(catalog, [read(n, n * DAY, "ann" if n % 3 else "bob") for n in range(200)])
    expected = {day: usage(catalog, "t", day * DAY) for day in range(130, 200, 10)}
    for cut in (100.5, 130):
        prune(catalog, micros(cut * DAY))
        assert {day: usage(catalog, "t", day * DAY) for day in expected} == expected
        before = derived(catalog)
        reindex(catalog)
        assert derived(catalog) == before
    assert len(before["usage"]) == 200 - 40
    assert len(before["reading"]) == 70
    with pytest.raises(UsageError, match="was pruned up to"):
        usage(catalog, "t", 129 * DAY)


def test_impact_says_who_reads(catalog: Catalog, catalog_url: str) -> None:
    reads = [read(10 + n, 100 + n, "ann", "u") for n in range(3)]
    load(
        catalog, [*flat([copied(1, 10, "s", "t"), copied(2, 20, "t", "u")]), *reads, read(20, DAY, None, "s")]
    )
    at = moment(2 * DAY).isoformat()
    runner = CliRunner(env={"SQLLIN_CATALOG": catalog_url})
    table = runner.invoke(main, ["impact", "s.a", "--at", at]).output.splitlines()
    assert table[-3:] == [
        "reads in the 90 days before",
        "  redshift://local/s        1  last 2026-01-02 00:00:00  somebody 1",
        "  redshift://local/u        3  last 2026-01-01 00:01:42  ann 3",
    ]
    parsed = json.loads(runner.invoke(main, ["impact", "t", "--at", at, "--format", "json"]).output)
    by = [{"user": "ann", "reads": 3, "last": "2026-01-01T00:01:42+00:00"}]
    assert parsed["usage"] == [{"namespace": NAMESPACE, "dataset": "u", "column": None, "reads": 3, "by": by}]
    assert "select a from t" in runner.invoke(main, ["search", "select a"]).output
