"""What a catalog says, by names instead of ids, so that two catalogs can be compared."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, select, text

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.finding import Found, names_of
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.nodes import Node
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.walking import Limits, downstream, upstream
from tests.catalog.events import NAMESPACE, micros


def derived(catalog: Catalog) -> dict[str, list[object]]:
    """All derived rows, sorted, and the words of the index with what has them."""
    with catalog.reading() as connection:
        found = {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for table in tables.metadata.sorted_tables
            if table.name not in ("event", "identity_rule")
        }
        return {**found, "search": sorted(map(tuple, connection.execute(text(_words(connection)))))}


def _words(connection: Connection) -> str:
    if connection.dialect.name == "postgresql":
        return "select lexeme, id from search, unnest(words)"
    connection.execute(
        text("create virtual table if not exists temp.words using fts5vocab(main, search, instance)")
    )
    return "select term, doc from temp.words"


def names(catalog: Catalog) -> dict[int, str]:
    """Dataset names by id."""
    with catalog.reading() as connection:
        return {row.id: row.name for row in connection.execute(select(tables.dataset))}


def asked(catalog: Catalog, table: str, time: float, up: bool = True, column: str | None = None) -> set[str]:
    """What is upstream or downstream of a table, or column, at a moment."""
    with catalog.reading() as connection:
        found = names_of(connection, reached(connection, table, time, up, column))
    return {_shown(one) for one in found.values()}


def reached(
    connection: Connection, table: str, time: float, up: bool = True, column: str | None = None
) -> set[Node]:
    """The nodes upstream or downstream of a table, or column, at a moment."""
    start = Node.of(dataset_id(NAMESPACE, table), column)
    walk = (upstream if up else downstream)(connection, [start], micros(time), Limits())
    return {node for node in walk.nodes if node != start}


def _shown(found: Found) -> str:
    return found.dataset + (f".{(found.column or '').lower()}" if found.column is not None else "")


def flat(lists: Iterable[Iterable[bytes]]) -> list[bytes]:
    """The events of several runs in one list."""
    return [one for events in lists for one in events]
