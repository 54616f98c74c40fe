"""How large a catalog is, and its space given back after much has gone."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from sqlalchemy import Connection, text

from sqllineage_svc.catalog.opening import Catalog

_SQLITE = "select page_count * page_size from pragma_page_count, pragma_page_size"
_POSTGRESQL = "select pg_database_size(current_database())"


def size_in_bytes(connection: Connection) -> int:
    """How many bytes the database takes; in PostgreSQL with what others keep in it."""
    query = _POSTGRESQL if connection.dialect.name == "postgresql" else _SQLITE
    return int(connection.scalar(text(query)) or 0)


def give_space_back(catalog: Catalog) -> bool:
    """Give the space of what is gone back to the disk; False where others use the catalog all the time.

    SQLite writes its file anew. PostgreSQL uses such space again by itself, for what comes next.
    """
    if catalog.engine.dialect.name == "postgresql":
        return True
    with closing(catalog.engine.raw_connection()) as connection, closing(connection.cursor()) as cursor:
        try:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (busy, *_), *_ = cursor.fetchall()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise
            return False
    return not busy
