"""LOAD DATA and LOAD XML: a file into a table.

Sources: https://dev.mysql.com/doc/refman/8.4/en/load-data.html, https://dev.mysql.com/doc/refman/8.4/en/load-xml.html
"""

from __future__ import annotations

from sqllineage_svc.model.names import Location
from sqllineage_svc.sql.readers.insert import read_assignments
from sqllineage_svc.sql.readers.routine import read_target
from sqllineage_svc.sql.reading import Reading
from sqllineage_svc.sql.statement import Load, Statement
from sqllineage_svc.sql.tokens import TokenCursor, split_list


def read_load(reading: Reading) -> Statement:
    """LOAD {DATA|XML} [LOCAL] INFILE 'f' [REPLACE|IGNORE] INTO TABLE t … [(columns, @variables)] [SET …]."""
    cursor = reading.cursor(1)
    xml = cursor.accept_any({"DATA", "XML"}) == "XML"
    cursor.until("INFILE", "FROM")  # MySQL 9: FROM INFILE | URL | S3
    cursor.accept("FROM")
    cursor.skip_any({"INFILE", "URL", "S3"})
    source = Location(cursor.string())
    keyed = bool(cursor.accept_any({"REPLACE", "IGNORE"}))
    cursor.until("TABLE")
    cursor.expect("TABLE")
    target = cursor.relation()
    if cursor.accept("PARTITION"):
        cursor.group()
    cursor.until("(", "SET")
    while cursor.sees("SET") and cursor.word(-1) == "CHARACTER":
        cursor.position += 1
        cursor.until("(", "SET")
    columns, variables = _fields(cursor) if cursor.word() == "(" else (None, ())
    assignments = read_assignments(cursor.rest(), reading) if cursor.accept("SET") else ()
    cursor.expect_end()
    return Load(target, source, columns, xml, variables, assignments, keyed)


def _fields(cursor: TokenCursor) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """The columns and the variables that take the file's fields; `()` names none."""
    names = [read_target(TokenCursor(piece, cursor.identifiers)) for piece in split_list(cursor.group())]
    if not names:
        return None, ()
    columns = tuple(name for name in names if not name.startswith("@"))
    return columns, tuple(name for name in names if name.startswith("@"))
