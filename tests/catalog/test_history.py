"""What happened to a dataset, what is other at a second moment, and where a word stands."""

from __future__ import annotations

from sqllineage_svc.catalog.comparing import compare
from sqllineage_svc.catalog.finding import find
from sqllineage_svc.catalog.history import history
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.searching import search
from tests.catalog.asking import flat
from tests.catalog.events import changed, copied, event, micros, output


def schema(**columns: str) -> dict[str, object]:
    """A schema facet."""
    return {"schema": {"fields": [{"name": name, "type": type_} for name, type_ in columns.items()]}}


def altered(run: int, time: float, **columns: str) -> bytes:
    """A run after which table `t` has these columns."""
    return event(
        run, time, "COMPLETE", "alter", outputs=[output("t", None, "ALTER", facets=schema(**columns))]
    )


def happened(catalog: Catalog, table: str, until: float) -> list[tuple[int, str, int]]:
    with catalog.reading() as connection:
        entries = history(connection, find(connection, table).node.dataset, micros(until))
    return [((entry.at - micros(0)) // 1_000_000, entry.what, entry.times) for entry in entries]


def test_a_history_tells_what_happened(catalog: Catalog) -> None:
    load(
        catalog,
        flat(
            [
                copied(1, 10, "s", "t", "CREATE"),
                copied(2, 20, "s", "t"),
                copied(3, 30, "s", "t"),
                changed(4, 40, "t", "TRUNCATE"),
                changed(5, 50, "u", "RENAME", "t"),
                changed(6, 60, "u", "DROP"),
            ]
        ),
    )
    assert happened(catalog, "t", 100) == [
        (11, "replaced", 1),
        (21, "filled", 2),
        (40, "emptied", 1),
        (50, "renamed to u", 1),
    ]
    assert happened(catalog, "u", 100) == [(50, "renamed from t", 1), (60, "dropped", 1)]
    assert happened(catalog, "t", 25) == [(11, "replaced", 1), (21, "filled", 1)]


def test_a_history_tells_how_the_schema_changed(catalog: Catalog) -> None:
    load(
        catalog,
        [
            altered(1, 10, a="int", b="int"),
            altered(2, 20, a="bigint", c="text"),
            altered(3, 30, A="bigint", c="text"),
        ],
    )
    assert [what for _, what, _ in happened(catalog, "t", 100) if what.startswith("schema")] == [
        "schema: a int -> bigint, + c text, - b"
    ]


def test_two_moments_are_compared(catalog: Catalog) -> None:
    sql = {"sql": {"query": "insert into t select a from s"}}
    other = {"sql": {"query": "insert into t select a from s -- again"}}
    moved = output("t", {"a": ["s.a"]})
    load(
        catalog,
        [
            event(1, 10, "COMPLETE", "fill", outputs=[moved], job_facets=sql),
            altered(2, 11, a="int"),
            event(3, 20, "COMPLETE", "fill", outputs=[moved], job_facets=other),
            altered(4, 21, a="text"),
            *copied(5, 30, "x", "u"),
            *copied(6, 40, "y", "t", "OVERWRITE"),
        ],
    )
    with catalog.reading() as connection:
        nothing = compare(connection, micros(12), micros(15))
        rewritten = compare(connection, micros(12), micros(25))
        all_ = compare(connection, micros(25), micros(50))
        only = compare(connection, micros(25), micros(50), {find(connection, "t").node.dataset})
        back = compare(connection, micros(50), micros(25))
    assert not nothing
    assert [(job.job, job.was[-6:], job.now[-6:]) for job in rewritten.rewritten] == [
        ("fill", "from s", " again")
    ]
    assert [(found.dataset, list(map(str, changes))) for found, changes in rewritten.columns] == [
        ("t", ["a int -> text"])
    ]
    assert not rewritten.new_edges
    assert [found.dataset for found in all_.new_datasets] == ["u", "x", "y"]
    assert [found.dataset for found in all_.gone_datasets] == ["s"]
    assert [(edge.source.dataset, edge.target.dataset) for edge in all_.new_edges] == [("x", "u"), ("y", "t")]
    assert [(edge.source.dataset, edge.target.dataset) for edge in all_.gone_edges] == [("s", "t")]
    assert [(edge.source.dataset, edge.target.dataset) for edge in only.new_edges] == [("y", "t")]
    assert back.gone_edges == all_.new_edges
    assert back.new_datasets == all_.gone_datasets


def test_a_word_is_found_wherever_it_stands(catalog: Catalog) -> None:
    said = {"sql": {"query": "insert into t select a -- Needle here\nfrom s"}}
    ids = {"externalQuery": {"externalQueryId": "q-needle-7", "source": "w"}}
    outputs = [output("needle_table", {"a": ["s.needle_column"]})]
    load(catalog, [event(1, 10, "COMPLETE", "needle.job", outputs=outputs, job_facets=said, run_facets=ids)])
    with catalog.reading() as connection:
        hits = search(connection, "NEEDLE", 50) + search(connection, "q-needle", 50)
        assert [hit.where for hit in hits] == ["dataset", "column", "job", "sql", "run"]
        assert "Needle here from s" in hits[3].text
        assert "q-needle-7" in hits[4].text
        assert len(search(connection, "needle", 2)) == 2
        assert search(connection, "%", 50) == []
