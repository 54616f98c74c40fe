"""What a search finds, and in which order: the same in both databases, whatever is typed."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.moments import microseconds
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.pruning import prune
from sqllineage_svc.catalog.reindexing import reindex
from sqllineage_svc.catalog.searching import search
from sqllineage_svc.catalog.words import Match, by_humps, by_runs, read_search
from sqllineage_svc.errors import UsageError
from tests.catalog.asking import derived, flat
from tests.catalog.events import NAMESPACE, changed, event, known_as, micros, output
from tests.catalog.test_order import emptied, runs

N = "redshift://local/"


def found(catalog: Catalog, text: str, limit: int = 50, at: float | None = None) -> list[tuple[str, str]]:
    """What is found, by what it is and its name."""
    time = micros(at) if at is not None else None
    with catalog.reading() as connection:
        return [(hit.where, hit.name.removeprefix(N)) for hit in search(connection, text, limit, time)]


def shop(catalog: Catalog) -> None:
    """A small catalog: two tables, and what made one of them."""
    fields = {"fields": [{"name": name, "type": "int"} for name in ("total", "orderTotal", "order_id")]}
    made = output("dev.shop.orders", {"total": ["dev.raw.pay_orders.order_total"]}, facets={"schema": fields})
    sql = {"sql": {"query": 'INSERT INTO "shop"."orders"\nSELECT sum(order_total) FROM raw.pay_orders o'}}
    ids = {"externalQuery": {"externalQueryId": "Q-4711", "source": "w"}}
    load(
        catalog,
        [event(1, 10, "COMPLETE", "nightly.load_orders", outputs=[made], job_facets=sql, run_facets=ids)],
    )


SQL, RUN = ("sql", "nightly.load_orders"), ("run", "nightly.load_orders")
JOB = ("job", "nightly.load_orders")
ORDERS, PAID = ("dataset", "dev.shop.orders"), ("dataset", "dev.raw.pay_orders")
TOTAL, HUMPS = ("column", "dev.shop.orders.total"), ("column", "dev.shop.orders.orderTotal")
ID, SOURCE = ("column", "dev.shop.orders.order_id"), ("column", "dev.raw.pay_orders.order_total")

ANSWERS = {
    "the name itself, then words, then beginnings": ("orders", [ORDERS, PAID, JOB, SQL]),
    "a beginning": ("ord", [PAID, ORDERS, SOURCE, HUMPS, ID, JOB, SQL]),
    "a word behind an underscore": ("total", [TOTAL, SOURCE, HUMPS, SQL]),
    "a column of a table": ("orders.total", [TOTAL]),
    "a part of a column's full name": ("shop.orders.ord", [HUMPS, ID]),
    "a full name": ("redshift://local/dev.shop.orders.total", [TOTAL]),
    "a name in another style": ("OrderTotal", [HUMPS, SOURCE, SQL]),
    "humps without their humps": ("ordertotal", [HUMPS]),
    "several words in any order": ("total shop", [HUMPS, TOTAL, SQL]),
    "words of the table alone are no column": ("shop dev", [ORDERS]),
    "the middle of a word": ("rders", []),
    "quoted names in SQL": ("shop.orders", [ORDERS, SQL]),
    "SQL": ("select SUM", [SQL]),
    "a query id": ("q-4711", [RUN]),
    "the beginning of a query id": ("Q-47", [RUN]),
    "a run id": ("00000000-0000-0000-0000-000000000002", [RUN]),
    "the beginning of a run id": ("00000000-0000-0000-0000-000000", [RUN]),
    "no words": ("%", []),
    "nothing": ("  ", []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ANSWERS.values(), ids=ANSWERS.keys())
def test_names_are_found_by_their_words(catalog: Catalog, text: str, expected: list[tuple[str, str]]) -> None:
    shop(catalog)
    assert found(catalog, text) == expected


SYNTAX = ['"orders"', "orders*", "(orders", "orders)", "-orders", "orders:*", "'orders'", "^orders", "orders;",
    "\\orders", "{orders}", "+orders", "orders & ", "| orders", "!orders", "<orders>"]  # fmt: skip


@pytest.mark.parametrize("text", SYNTAX)
def test_no_character_is_syntax(catalog: Catalog, text: str) -> None:
    shop(catalog)
    assert found(catalog, text)[:2] == [PAID, ORDERS]
    assert found(catalog, f"{text} {text}") == found(catalog, text)


@pytest.mark.parametrize(
    "text", ["orders NOT shop", "orders OR nothing", "NEAR(orders shop)", "a:orders", "words:orders"]
)
def test_no_word_is_syntax(catalog: Catalog, text: str) -> None:
    shop(catalog)
    assert found(catalog, text) == []


def test_the_limit_holds_for_all_together(catalog: Catalog) -> None:
    shop(catalog)
    assert found(catalog, "ord", 3) == [PAID, ORDERS, SOURCE]


def test_a_long_name_is_found_by_its_whole_beginning(catalog: Catalog) -> None:
    names = [f"{'x' * 60}_{end}" for end in ("one", "two")]
    load(catalog, [event(1, 10, "COMPLETE", outputs=[output(name) for name in names])])
    assert found(catalog, names[1]) == [("dataset", names[1])]
    assert found(catalog, "x" * 60) == [("dataset", name) for name in names]
    assert found(catalog, "x" * 59 + "y") == []


def test_a_text_of_very_many_words_is_kept(catalog: Catalog) -> None:
    query = "insert into t values " + ", ".join(f"('äöüword{at}')" for at in range(20_000))
    load(catalog, [event(1, 10, "COMPLETE", job_facets={"sql": {"query": query}})])
    with catalog.reading() as connection:
        hits = search(connection, "ÄÖÜWORD7", 50)
    assert [(hit.where, hit.name) for hit in hits] == [("sql", "job")]
    assert "('äöüword7')" in hits[0].text


def test_a_column_is_found_by_the_spelling_that_stays(catalog: Catalog) -> None:
    """Of two spellings the first in the order of letters is kept; what only the other said is forgotten."""
    one = output("t", {"ordertotal": ["s.a"]})
    other = output("t", {"orderTotal": ["s.a"]})
    load(catalog, [event(1, 10, "COMPLETE", outputs=[one])])
    assert found(catalog, "total") == []
    load(catalog, [event(2, 20, "COMPLETE", outputs=[other])])
    assert found(catalog, "total") == [("column", "t.orderTotal")]
    before = derived(catalog)
    reindex(catalog)
    assert derived(catalog) == before


TEXTS = st.text(st.sampled_from("aAbB1_.- \"'%*:()&|!<>\\/üÜİß\u0301"), max_size=12)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS)
@example(text='"')
@example(text="'' :* <->")
@example(text="a" * 5_000)
@example(text="a b " * 500)
@example(text="a." * 500)
@example(text="\\' \\\\")
def test_whatever_is_typed_finds_what_fits(catalog: Catalog, text: str) -> None:
    """The index finds nothing that does not fit by itself; a whole name always finds what it names."""
    names = ["aA.b_B", "ab.AB", "a1-b", "ÜaB/ß.b", "İb.bA", "a\u0301.b b"]
    load(catalog, [event(at, 10, "COMPLETE", name) for at, name in enumerate(names)])
    wanted = read_search(text)
    fit = {name for name in names if wanted.parts and wanted.match(N, name) is not None}
    with catalog.reading() as connection:
        assert {hit.name for hit in search(connection, text, 50)} <= fit
        for name in names:
            assert name in {hit.name for hit in search(connection, name, 50)}
            assert search(connection, N + name, 1)[0].name == name


def test_words_of_names() -> None:
    assert by_humps("shop.orderTotal_2 HTTPServer") == ("shop", "order", "total", "2", "http", "server")
    assert by_runs("shop.orderTotal_2 HTTPServer") == ("shop", "ordertotal", "2", "httpserver")
    assert read_search("ord").match("", "shop.orders") is Match.BEGINNING
    assert read_search("shop").match("", "shop.orders") is Match.WORDS
    assert read_search("Orders").match("", "shop.orders") is Match.NAME


def test_only_what_was_there_by_a_moment_is_found(catalog: Catalog) -> None:
    """A column by an edge or a schema, a job and its SQL by a run that had started, a table by one that had ended."""
    schema = {"schema": {"fields": [{"name": "shop_day", "type": "date"}]}}
    text = {"sql": {"query": "insert into shop_sales select shop_id from shop"}}
    moved = output("shop_sales", {"shop_id": ["shop.shop_id"]})
    load(
        catalog,
        [
            event(1, 10, "COMPLETE", "shop_first", inputs=["shop"]),
            event(2, 20, "START", "shop_load", job_facets=text),
            event(2, 30, "COMPLETE", "shop_load", job_facets=text, inputs=["shop"], outputs=[moved]),
            event(3, 40, "COMPLETE", "shop_load", outputs=[output("shop_sales", facets=schema)]),
            *changed(4, 50, "shop_old", "RENAME", "shop_sales"),
            event(
                5,
                60,
                "COMPLETE",
                "shop_read",
                inputs=["shop_old"],
                job_facets={"sql": {"query": "select shop"}},
            ),
            event(6, 70, "COMPLETE", inputs=[known_as(output("shop"), "s3://lake", (NAMESPACE, "shop_too"))]),
        ],
    )
    first = [("dataset", "shop"), ("job", "shop_first")]
    begun = [*first, ("job", "shop_load"), ("sql", "shop_load")]
    filled = [*begun, ("dataset", "shop_sales"), ("column", "shop.shop_id"), ("column", "shop_sales.shop_id")]
    told = [*filled, ("column", "shop_sales.shop_day")]
    moved_ = [*told, ("dataset", "shop_old"), ("job", "RENAME shop_old")]
    read = [*moved_, ("job", "shop_read"), ("sql", "shop_read")]
    for time, expected in (
        (9, []),
        (10, first),
        (29, begun),
        (30, filled),
        (40, told),
        (50, moved_),
        (60, read),
    ):
        assert sorted(found(catalog, "shop", at=time)) == sorted(expected), time
    every = sorted([*read, ("dataset", "s3://lake/shop"), ("dataset", "shop_too")])
    assert sorted(found(catalog, "shop", at=70)) == sorted(found(catalog, "shop")) == every
    run = "00000000-0000-0000-0000-000000000003"
    assert [found(catalog, run, at=time) for time in (19, 20)] == [[], [("run", "shop_load")]]
    prune(catalog, micros(80))
    assert sorted(found(catalog, "shop", at=80)) == sorted(found(catalog, "shop"))
    with pytest.raises(UsageError, match="pruned up to"):
        found(catalog, "shop", at=79)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=runs(), time=st.integers(0, 8))
def test_what_is_loaded_up_to_a_moment_is_what_was_there_then(
    catalog: Catalog, made: list[list[bytes]], time: int
) -> None:
    """Of runs that had ended by then, or begun behind it."""
    ended = [one for one in made if all(when(event_) <= micros(time) for event_ in one)]
    later = [one for one in made if all(when(event_) > micros(time) for event_ in one)]
    load(emptied(catalog), flat(ended))
    words = ("a", "b", "c", "d", "q", "select", "insert", "job", "0000")
    expected = [found(catalog, word) for word in words]
    load(catalog, flat(later))
    assert [found(catalog, word, at=time) for word in words] == expected


def when(raw: bytes) -> int:
    return microseconds(datetime.fromisoformat(json.loads(raw)["eventTime"]))
