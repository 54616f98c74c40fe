"""Queries whose rows go to files or variables, and statements that are queries in other words: HANDLER, DO.

Source: https://dev.mysql.com/doc/refman/8.4/en/select-into.html
"""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from sqllineage_svc.model.names import Location
from sqllineage_svc.sql.parse import FROM, SELECT, STAR
from sqllineage_svc.sql.readers.query import read_query
from sqllineage_svc.sql.readers.routine import find_into, read_select
from sqllineage_svc.sql.reading import Reader, Reading
from sqllineage_svc.sql.statement import Inert, Read, Statement, Unload

_FILES = ("OUTFILE", "DUMPFILE")
_BEHIND_OPTIONS = ("FROM", "WHERE", "GROUP BY", "HAVING", "WINDOW", "ORDER BY", "LIMIT", "FOR", "LOCK")


def read_any_query(reading: Reading) -> Statement:
    """SELECT, VALUES, TABLE or one in parentheses; INTO may stand before FROM or at the end."""
    cursor = reading.cursor()
    start = find_into(reading.tokens)
    if start is None:
        return read_query(reading)
    if cursor.word(start + 1) not in _FILES:
        return read_select(reading) or read_query(reading)
    cursor.position = start + 2
    target = Location(cursor.string())
    cursor.until(*_BEHIND_OPTIONS)
    return Unload(reading.query([*reading.tokens[:start], *cursor.rest()]), target)


def with_into(reader: Reader) -> Reader:
    """A reader of WITH …, also where the rows of its SELECT go to a file or variables."""

    def read(reading: Reading) -> Statement:
        start = find_into(reading.tokens)
        into = start is not None and reading.cursor().word(start + 1) in (*_FILES, "@")
        return read_any_query(reading) if into else reader(reading)

    return read


def read_handler(reading: Reading) -> Statement:
    """HANDLER t READ … [WHERE …] [LIMIT …]: rows of a table, without SELECT.

    Source: https://dev.mysql.com/doc/refman/8.4/en/handler.html
    """
    cursor = reading.cursor(1)
    cursor.relation()
    named = reading.tokens[1 : cursor.position]
    if not cursor.accept("READ"):
        return Inert("opens or closes a table for HANDLER … READ")
    cursor.until("WHERE", "LIMIT")
    return Read(reading.query([SELECT, STAR, FROM, *named, *cursor.rest()]))


def read_do(reading: Reading) -> Statement:
    """DO expressions: a SELECT without a result; without a subquery it reads nothing.

    Source: https://dev.mysql.com/doc/refman/8.4/en/do.html
    """
    if any(token.token_type in (TokenType.SELECT, TokenType.COLON_EQ) for token in reading.tokens):
        return Read(reading.query([SELECT, *reading.tokens[1:]]))
    return Inert("evaluates expressions of no table")
