"""Several names of one dataset: by symlinks and by rules, moved, refused, and taken back."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from sqllineage_svc.catalog.comparing import compare
from sqllineage_svc.catalog.finding import find, names_of
from sqllineage_svc.catalog.folding import FOREVER
from sqllineage_svc.catalog.history import history
from sqllineage_svc.catalog.identities import Link, Saying, join
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.nodes import Node
from sqllineage_svc.catalog.opening import Catalog, open_catalog
from sqllineage_svc.catalog.reindexing import reindex
from sqllineage_svc.catalog.walking import Limits, downstream, upstream
from sqllineage_svc.cli import main
from sqllineage_svc.model.names import DatasetName
from tests.catalog.asking import derived, flat
from tests.catalog.events import NAMESPACE, copied, event, known_as, micros, output

GLUE = "arn:aws:glue:eu-west-1:123"
NAMES = {
    1: DatasetName("redshift://local", "dev.s.t"),
    2: DatasetName(GLUE, "table/s/t"),
    3: DatasetName("s3://lake", "t"),
    4: DatasetName("s3://lake", "t2"),
    5: DatasetName(GLUE, "table/s/u"),
    6: DatasetName("hive://h:9083", "s.t"),
}
ALWAYS = (0, FOREVER)
WAY = {"type": "DIRECT", "subtype": "IDENTITY"}


def links(*sayings: Saying) -> set[Link]:
    found, _ = join(sayings, NAMES)
    return {link for link in found if link.one < link.other}


def test_what_is_said_late_holds_of_all_time_and_through_others() -> None:
    found = links(Saying(2, 3, 50), Saying(1, 2, 99))
    assert found == {Link(1, 2, *ALWAYS), Link(2, 3, *ALWAYS), Link(1, 3, *ALWAYS)}


def test_a_table_that_is_said_to_lie_elsewhere_has_moved() -> None:
    found = links(Saying(2, 3, 10), Saying(4, 2, 20), Saying(3, 2, 30), Saying(1, 2, 5))
    of_glue = {(2, 3, 0, 20), (2, 4, 20, 30), (2, 3, 30, FOREVER)}
    assert found == {Link(*link) for link in of_glue} | {
        Link(1, other, start, end) for _, other, start, end in of_glue
    } | {Link(1, 2, *ALWAYS)}


def test_two_names_of_one_namespace_never_become_one() -> None:
    found, refused = join([Saying(2, 3, 10), Saying(5, 3, 20)], NAMES)
    assert set(found) == {Link(2, 3, *ALWAYS), Link(3, 2, *ALWAYS)}
    assert [(one.one, one.other, one.at, one.clash) for one in refused] == [(5, 3, 20, GLUE)]
    _, refused = join([Saying(2, 6, 10), Saying(5, 6, 20)], NAMES)
    assert [(one.one, one.other) for one in refused] == [(5, 6)]


def test_a_place_that_was_left_may_be_taken() -> None:
    found = links(Saying(2, 3, 10), Saying(2, 4, 20), Saying(5, 3, 30))
    assert found == {Link(2, 3, 0, 20), Link(2, 4, 20, FOREVER), Link(3, 5, 30, FOREVER)}


def test_a_rule_goes_before_what_events_say() -> None:
    found, refused = join([Saying(2, 6, 10), Saying(5, 6, 99, rule=True)], NAMES)
    assert set(found) == {Link(5, 6, 99, FOREVER), Link(6, 5, 99, FOREVER)}
    assert [(one.one, one.other) for one in refused] == [(2, 6)]


@given(
    st.lists(
        st.builds(
            Saying,
            st.sampled_from(sorted(NAMES)),
            st.sampled_from(sorted(NAMES)),
            st.integers(0, 5),
            st.booleans(),
        ).filter(lambda one: one.one != one.other),
        max_size=7,
    ),
    st.randoms(),
)
def test_links_are_of_no_two_names_of_one_namespace_at_a_time(sayings: list[Saying], random: object) -> None:
    found, refused = join(sayings, NAMES)
    for link in found:
        assert NAMES[link.one].namespace != NAMES[link.other].namespace
        assert link._replace(one=link.other, other=link.one) in found
        for next_ in found:
            if next_.one == link.other and next_.other != link.one:
                start = max(link.valid_from, next_.valid_from)
                end = min(link.valid_to, next_.valid_to)
                assert start >= end or any(
                    (one.one, one.other) == (link.one, next_.other)
                    and one.valid_from <= start
                    and end <= one.valid_to
                    for one in found
                )
    random.shuffle(sayings)  # type: ignore[attr-defined]
    assert join(sayings, NAMES) == (found, refused)


def reached(
    catalog: Catalog, namespace: str, name: str, time: float, up: bool, column: str | None = None
) -> set[str]:
    """The nodes around one, by the ids of what they are called."""
    start = Node.of(dataset_id(namespace, name), column)
    with catalog.reading() as connection:
        walk = (upstream if up else downstream)(connection, [start], micros(time), Limits())
        found = names_of(connection, walk.nodes)
    return {str(one) for one in found.values()}


def spark(run: int, time: float, source: tuple[str, str], place: str, table: str) -> bytes:
    """A Spark job that writes a Glue table: under the place of its files, with the table's name beside it."""
    moved = {
        "fields": {
            "A": {
                "inputFields": [
                    {"namespace": source[0], "name": source[1], "field": "a", "transformations": [WAY]}
                ]
            }
        }
    }
    written = known_as(
        output(place, facets={"columnLineage": moved}), "s3://lake", (GLUE, f"table/s/{table}")
    )
    return event(run, time, "COMPLETE", f"spark {table} {run}", outputs=[written])


def test_a_table_is_joined_with_its_files(catalog: Catalog) -> None:
    """Spark writes files; a warehouse reads the table."""
    load(catalog, [spark(1, 10, (NAMESPACE, "src"), "warehouse/t", "t")])
    read = known_as(output("table/s/t"), GLUE)
    moved = output("mart", None, facets={"columnLineage": {"fields": {"a": {"inputFields": [
        {"namespace": GLUE, "name": "table/s/t", "field": "a", "transformations": [WAY]}
    ]}}}})  # fmt: skip
    load(catalog, [event(2, 20, "COMPLETE", "copy", inputs=[read], outputs=[moved])])
    table = f"{GLUE}/table/s/t"
    assert reached(catalog, NAMESPACE, "mart", 30, True) == {
        f"{NAMESPACE}/mart", table, f"{NAMESPACE}/src",
    }  # fmt: skip
    assert reached(catalog, NAMESPACE, "mart", 30, True, "a") == {
        f"{NAMESPACE}/mart.a", f"{table}.a", f"{NAMESPACE}/src.a",
    }  # fmt: skip
    assert reached(catalog, NAMESPACE, "src", 30, False, "a") == {
        f"{NAMESPACE}/mart.a", f"{table}.a", f"{NAMESPACE}/src.a",
    }  # fmt: skip
    assert reached(catalog, "s3://lake", "warehouse/t", 30, False) == {table, f"{NAMESPACE}/mart"}
    with catalog.reading() as connection:
        for text in ("warehouse/t", "table/s/t", "s3://lake/warehouse/t"):
            assert str(find(connection, text)) == table
        assert str(find(connection, "warehouse/t.a")) == f"{table}.a"


def test_a_table_that_moved_has_what_lay_in_each_place_in_its_time(catalog: Catalog) -> None:
    load(
        catalog,
        [
            spark(1, 10, (NAMESPACE, "old"), "v1", "t"),
            spark(2, 20, (NAMESPACE, "new"), "v2", "t"),
            *flat([copied(3, 15, "x", "report"), copied(4, 25, "y", "report", "OVERWRITE")]),
        ],
    )
    table = f"{GLUE}/table/s/t"
    assert reached(catalog, GLUE, "table/s/t", 15, True) == {table, f"{NAMESPACE}/old"}
    assert reached(catalog, GLUE, "table/s/t", 30, True) == {table, f"{NAMESPACE}/new"}
    assert reached(catalog, "s3://lake", "v1", 30, True) == {"s3://lake/v1", f"{NAMESPACE}/old"}


def test_a_rule_is_tried_made_and_taken_back(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'catalog.db'}"
    one, other = "redshift://cname.example:5439", "redshift://wg1.us-west-2:5439"

    def sqllin(*arguments: str) -> str:
        result = CliRunner(env={"SQLLIN_CATALOG": url}).invoke(main, list(arguments))
        assert result.exit_code == 0, result.output
        return result.output

    def in_space(space: str, *events: bytes) -> list[bytes]:
        return [event.replace(NAMESPACE.encode(), space.encode()) for event in events]

    catalog = open_catalog(url)
    load(catalog, in_space(one, *copied(1, 10, "dev.s.a", "dev.s.b")))
    load(catalog, in_space(other, *copied(2, 20, "dev.s.b", "dev.s.c")))
    tried = sqllin("catalog", "merge", "--namespaces", one, other, "--dry-run")
    assert f"+ {one}/dev.s.b = {other}/dev.s.b" in tried
    assert sqllin("catalog", "identities") == "every table has one name\n"
    assert "dev.s.a" not in sqllin("lineage", "dev.s.c")
    made = sqllin("catalog", "merge", "--namespaces", one, other)
    assert f"+ {one}/dev.s.b = {other}/dev.s.b" in made
    assert f"{one}/dev.s.a" in sqllin("lineage", "dev.s.c")
    load(catalog, in_space(other, *copied(3, 5, "dev.s.x", "dev.s.a")))
    assert f"{other}/dev.s.x" in sqllin("lineage", "dev.s.c")
    listed = json.loads(sqllin("catalog", "identities", "--format", "json"))
    assert len(listed["identities"]) == 2
    before = derived(catalog)
    reindex(catalog)
    assert derived(catalog) == before
    gone = sqllin("catalog", "unmerge", listed["rules"][0]["key"])
    assert f"- {one}/dev.s.b = {other}/dev.s.b" in gone
    assert sqllin("catalog", "identities") == "every table has one name\n"
    assert "dev.s.a" not in sqllin("lineage", "dev.s.c")
    catalog.close()


def test_two_names_of_one_namespace_need_no_rule(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'catalog.db'}"
    catalog = open_catalog(url)
    load(catalog, copied(1, 10, "dev.s.a", "dev.s.b"))
    catalog.close()
    result = CliRunner(env={"SQLLIN_CATALOG": url}).invoke(main, ["catalog", "merge", "dev.s.a", "dev.s.b"])
    assert result.exit_code == 2
    assert "one namespace" in result.output


def test_history_and_differences_know_all_names(catalog: Catalog) -> None:
    load(
        catalog,
        [
            spark(1, 10, (NAMESPACE, "src"), "warehouse/t", "t"),
            event(
                2, 20, "COMPLETE", "empty", outputs=[known_as(output("table/s/t", None, "TRUNCATE"), GLUE)]
            ),
            spark(3, 30, (NAMESPACE, "other"), "warehouse/t", "t"),
        ],
    )
    table = f"{GLUE}/table/s/t"
    with catalog.reading() as connection:
        entries = history(connection, dataset_id(GLUE, "table/s/t"), micros(40))
        assert [(entry.what, entry.job) for entry in entries] == [
            ("filled", "spark t 1"),
            ("emptied", "empty"),
            ("filled", "spark t 3"),
        ]
        for time, sources in ((15, {"src"}), (25, set()), (35, {"other"})):
            names = {table, *(f"{NAMESPACE}/{name}" for name in sources)}
            assert reached(catalog, GLUE, "table/s/t", time, True) == names
        difference = compare(connection, micros(5), micros(15))
        assert [str(found) for found in difference.new_datasets] == [table, f"{NAMESPACE}/src"]
        assert {(str(edge.source), str(edge.target)) for edge in difference.new_edges} == {
            (f"{NAMESPACE}/src.a", f"{table}.A")
        }
