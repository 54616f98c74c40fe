"""What is upstream of a node has the node downstream: the two walks tell one graph."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.nodes import Node
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.walking import Limits, downstream, upstream
from tests.catalog.asking import asked, flat
from tests.catalog.events import NAMESPACE, event, micros, output
from tests.catalog.test_order import emptied, runs
from tests.catalog.test_pruned_answers import NAMES, changes

LIMITS = Limits(influences=True)


def nodes() -> Iterator[Node]:
    """Each table and its column."""
    for name in NAMES:
        yield from (Node.of(dataset_id(NAMESPACE, name), column) for column in (None, "a"))


def missing(connection: Connection, at: int) -> list[tuple[Node, Node]]:
    """Sources and targets of which only the walk upstream knows; a table stands for its columns."""
    down = {node: set(downstream(connection, [node], at, LIMITS).nodes) for node in nodes()}
    found = []
    for target in nodes():
        for source in upstream(connection, [target], at, LIMITS).nodes.keys() & down.keys():
            there = {target, Node.of(target.dataset)} & down[source]
            if not there and source.dataset != target.dataset:
                found.append((source, target))
    return found


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=runs(), more=changes(), time=st.integers(0, 9))
def test_what_is_upstream_is_downstream_from_there(
    catalog: Catalog, made: list[list[bytes]], more: list[list[bytes]], time: int
) -> None:
    load(emptied(catalog), flat([*made, *more]))
    with catalog.reading() as connection:
        assert missing(connection, micros(time)) == []


def test_what_was_filled_before_it_was_filled_anew(catalog: Catalog) -> None:
    filled = output("t", {"a": ["c.a"]}, "OVERWRITE")
    for run, start in enumerate((0, 2)):
        said = {"inputs": ["c"], "outputs": [filled]}
        load(catalog, [event(run, start, "START"), event(run, start + 1, "COMPLETE", **said)])
    for moment in (1.5, 5):
        assert asked(catalog, "c", moment, up=False) >= {"t"}
        assert asked(catalog, "t", moment) >= {"c"}
