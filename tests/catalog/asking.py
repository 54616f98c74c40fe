"""What a catalog says, by names instead of ids, so that two catalogs can be compared."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.stepping import Node
from sqllineage_svc.catalog.walking import Limits, downstream, upstream
from tests.catalog.events import NAMESPACE, micros


def derived(catalog: Catalog) -> dict[str, list[object]]:
    """All derived rows, sorted."""
    with catalog.reading() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for table in tables.metadata.sorted_tables
            if table.name != "event"
        }


def names(catalog: Catalog) -> dict[int, str]:
    """Dataset names by id."""
    with catalog.reading() as connection:
        return {row.id: row.name for row in connection.execute(select(tables.dataset))}


def asked(catalog: Catalog, table: str, time: float, up: bool = True, column: str | None = None) -> set[str]:
    """What is upstream or downstream of a table, or column, at a moment."""
    with catalog.reading() as connection:
        found = reached(connection, table, time, up, column)
    known = names(catalog)
    return {_shown(node, known) for node in found}


def reached(
    connection: Connection, table: str, time: float, up: bool = True, column: str | None = None
) -> set[Node]:
    """The nodes upstream or downstream of a table, or column, at a moment."""
    start = Node(dataset_id(NAMESPACE, table), column)
    walk = (upstream if up else downstream)(connection, [start], micros(time), Limits())
    return {node for node in walk.nodes if node != start}


def _shown(node: Node, known: dict[int, str]) -> str:
    return known[node.dataset] + (f".{node.column}" if node.column is not None else "")


def flat(lists: Iterable[Iterable[bytes]]) -> list[bytes]:
    """The events of several runs in one list."""
    return [one for events in lists for one in events]
