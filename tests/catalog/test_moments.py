"""What a dataset came from at a moment: what stood then, read when it was read."""

from __future__ import annotations

from itertools import pairwise

from sqllineage_svc.catalog.comparing import compare
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.nodes import Node
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.walking import Limits, downstream
from tests.catalog.asking import asked, flat
from tests.catalog.events import NAMESPACE, changed, copied, event, micros, output


def test_what_is_replaced_ends_and_what_is_added_stays(catalog: Catalog) -> None:
    load(
        catalog,
        flat(
            [
                copied(1, 10, "a", "t"),
                copied(2, 20, "b", "t"),
                copied(3, 30, "c", "t", "OVERWRITE"),
                changed(4, 40, "t", "TRUNCATE"),
            ]
        ),
    )
    assert asked(catalog, "t", 5) == set()
    assert asked(catalog, "t", 15) == {"a"}
    assert asked(catalog, "t", 25) == {"a", "b"}
    assert asked(catalog, "t", 35) == {"c"}
    assert asked(catalog, "t", 45) == set()
    assert asked(catalog, "a", 25, up=False) == {"t"}
    assert asked(catalog, "a", 35, up=False) == set()


def test_columns_are_walked_without_regard_to_case(catalog: Catalog) -> None:
    moved = output("t", {"Total": ["s.AMOUNT", "s.tax"]})
    load(catalog, [event(1, 10, "COMPLETE", outputs=[moved]), *copied(2, 20, "t", "u")])
    assert asked(catalog, "t", 30, column="total") == {"s.amount", "s.tax"}
    assert asked(catalog, "s", 30, up=False, column="tax") == {"t.total"}


def test_staging_that_was_emptied_after_its_load_passes_lineage_on(catalog: Catalog) -> None:
    load(
        catalog,
        flat(
            [
                copied(1, 10, "source", "staging"),
                copied(2, 20, "staging", "mart"),
                changed(3, 30, "staging", "TRUNCATE"),
                copied(4, 40, "other", "staging"),
            ]
        ),
    )
    assert asked(catalog, "mart", 50) == {"staging", "source"}
    assert asked(catalog, "source", 50, up=False) == {"staging", "mart"}
    assert asked(catalog, "other", 50, up=False) == {"staging"}
    assert asked(catalog, "staging", 35) == set()


def test_readers_of_a_table_keep_their_upstream_when_it_is_swapped(catalog: Catalog) -> None:
    load(
        catalog,
        flat(
            [
                copied(1, 10, "blue_source", "live"),
                copied(2, 20, "live", "report", "OVERWRITE"),
                copied(3, 30, "green_source", "next", "CREATE"),
                changed(4, 40, "old", "RENAME", "live"),
                changed(5, 41, "live", "RENAME", "next"),
            ]
        ),
    )
    assert asked(catalog, "live", 35) == {"blue_source"}
    assert asked(catalog, "live", 50) == {"green_source"}
    assert asked(catalog, "old", 50) == {"blue_source"}
    assert asked(catalog, "next", 50) == set()
    assert asked(catalog, "report", 50) == {"live", "blue_source"}


def test_a_renamed_table_has_its_columns(catalog: Catalog) -> None:
    load(catalog, flat([copied(1, 10, "s", "t"), changed(2, 20, "u", "RENAME", "t")]))
    assert asked(catalog, "u", 30, column="a") == {"s.a"}
    assert asked(catalog, "s", 30, up=False, column="a") == {"u.a"}
    assert asked(catalog, "s", 15, up=False, column="a") == {"t.a"}


def test_a_view_shows_what_its_table_holds_when_it_is_read(catalog: Catalog) -> None:
    kind = {"datasetType": {"datasetType": "VIEW"}}
    view = output("v", {"a": ["t.a"]}, "CREATE", facets=kind)
    load(
        catalog,
        [
            *copied(1, 10, "first", "t", "OVERWRITE"),
            event(2, 20, "COMPLETE", outputs=[view]),
            *copied(3, 30, "second", "t", "OVERWRITE"),
            *copied(4, 40, "v", "read"),
        ],
    )
    assert asked(catalog, "v", 25) == {"t", "first"}
    assert asked(catalog, "v", 35) == {"t", "second"}
    assert asked(catalog, "read", 50) == {"v", "t", "second"}
    assert asked(catalog, "second", 50, up=False) == {"t", "v", "read"}


def test_a_failed_run_changes_nothing(catalog: Catalog) -> None:
    failed = event(1, 10, "FAIL", outputs=[output("t", {"a": ["s.a"]}, "OVERWRITE")])
    load(catalog, [*copied(2, 5, "before", "t"), failed])
    assert asked(catalog, "t", 20) == {"before"}


def test_circles_end(catalog: Catalog) -> None:
    load(catalog, flat([copied(1, 10, "a", "b"), copied(2, 20, "b", "c"), copied(3, 30, "c", "a")]))
    assert asked(catalog, "c", 40) == {"a", "b"}
    assert asked(catalog, "a", 40, up=False) == {"b", "c"}


def test_a_column_that_an_alter_took_away_has_no_upstream_any_more(catalog: Catalog) -> None:
    left = {"schema": {"fields": [{"name": "id", "type": "int"}]}}
    load(
        catalog,
        [
            event(1, 10, "COMPLETE", "fill", outputs=[output("t", {"a": ["s.a"], "id": ["s.id"]})]),
            *copied(2, 20, "t", "u"),
            event(3, 30, "COMPLETE", "alter", outputs=[output("t", None, "ALTER", facets=left)]),
        ],
    )
    assert asked(catalog, "t", 25, column="a") == {"s.a"}
    assert asked(catalog, "t", 35, column="a") == set()
    assert asked(catalog, "t", 35, column="id") == {"s.id"}
    assert asked(catalog, "u", 35, column="a") == {"t.a", "s.a"}
    assert asked(catalog, "s", 35, up=False, column="a") == {"t.a", "u.a"}
    load(catalog, [event(4, 40, "COMPLETE", "fill", outputs=[output("t", {"a": ["s.a"]})])])
    assert asked(catalog, "t", 45, column="a") == {"s.a"}


def test_a_table_and_its_column_are_walked_each_by_its_own_edges(catalog: Catalog) -> None:
    load(catalog, flat([copied(1, 10, "s", "t"), copied(2, 20, "t", "u")]))
    starts = [Node.of(dataset_id(NAMESPACE, "s")), Node.of(dataset_id(NAMESPACE, "s"), "a")]
    with catalog.reading() as connection:
        walk = downstream(connection, starts, micros(30), Limits())
        hops = {(hop.source, hop.target) for hop in walk.hops}
    wholes = [dataset_id(NAMESPACE, name) for name in "stu"]
    columns = [Node.of(id_, "a").id for id_ in wholes]
    assert hops == {*pairwise(wholes), *pairwise(columns)}


def test_a_renamed_table_loses_no_column_by_what_was_done_to_another_of_its_name(catalog: Catalog) -> None:
    without = output("t", None, "ALTER", facets={"schema": {"fields": [{"name": "b"}]}})
    load(
        catalog,
        [
            *copied(1, 10, "src", "s"),
            event(2, 20, "COMPLETE", "alter", outputs=[without]),
            *changed(3, 25, "t", "DROP"),
            *changed(4, 30, "t", "RENAME", "s"),
        ],
    )
    assert asked(catalog, "t", 40, column="a") == {"src.a"}
    assert asked(catalog, "src", 40, up=False, column="a") == {"t.a"}
    with catalog.reading() as connection:
        edges = compare(connection, micros(28), micros(40)).new_edges
    assert {(edge.source.column, edge.target.dataset) for edge in edges} == {("a", "t")}
