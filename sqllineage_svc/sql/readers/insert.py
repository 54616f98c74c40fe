"""INSERT and REPLACE, in all the forms that say where the rows come from."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from sqllineage_svc.sql.parse import CLOSE, OPEN, joined
from sqllineage_svc.sql.readers.query import is_query
from sqllineage_svc.sql.reading import Reading
from sqllineage_svc.sql.statement import Assignment, Statement, Write
from sqllineage_svc.sql.tokens import TokenCursor, split_list, word

_MODIFIERS = {"LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE", "INTO", "OVERWRITE"}
_VALUES = Token(TokenType.VALUES, "VALUES")
_LITERAL = {
    TokenType.NUMBER, TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.HEX_STRING, TokenType.BIT_STRING,
    TokenType.NULL, TokenType.TRUE, TokenType.FALSE, TokenType.DEFAULT, TokenType.DASH, TokenType.PLUS,
    TokenType.L_PAREN, TokenType.R_PAREN, TokenType.COMMA,
}  # fmt: skip


def read_insert(reading: Reading) -> Statement:
    """INSERT [INTO] t [(columns)] query | VALUES … | SET … | DEFAULT VALUES [ON DUPLICATE KEY UPDATE …].

    Sources: https://docs.aws.amazon.com/redshift/latest/dg/r_INSERT_30.html,
    https://dev.mysql.com/doc/refman/8.4/en/insert.html
    """
    return _read(reading, replaces=False)


def read_replace(reading: Reading) -> Statement:
    """REPLACE: an INSERT that first deletes the rows of the same key.

    Source: https://dev.mysql.com/doc/refman/8.4/en/replace.html
    """
    return _read(reading, replaces=True)


def _read(reading: Reading, replaces: bool) -> Statement:
    cursor = reading.cursor(1)
    keyed = replaces
    while modifier := cursor.accept_any(_MODIFIERS):
        keyed = keyed or modifier == "IGNORE"
    target = cursor.relation()
    if cursor.accept("PARTITION"):
        cursor.group()
    columns = _column_list(cursor)
    query, columns = _rows(cursor, reading, columns)
    alias, alias_columns = _row_alias(cursor)
    updates: tuple[Assignment, ...] = ()
    if cursor.accept("ON", "DUPLICATE", "KEY", "UPDATE"):
        keyed = True
        updates = read_assignments(cursor.until("RETURNING"), reading)
    if not cursor.sees("RETURNING"):
        cursor.expect_end()
    return Write(
        target, query, columns, keyed=keyed, updates=updates, row_alias=alias, row_columns=alias_columns
    )


def _column_list(cursor: TokenCursor) -> tuple[str, ...] | None:
    """(a, b): but (SELECT …) is the query, and () is no list."""
    if cursor.word() != "(" or is_query(cursor.word(1)):
        return None
    columns = cursor.columns()
    return columns or None


def _rows(
    cursor: TokenCursor, reading: Reading, columns: tuple[str, ...] | None
) -> tuple[exp.Expr | None, tuple[str, ...] | None]:
    if cursor.accept("DEFAULT", "VALUES"):
        return None, columns
    if cursor.accept("SET"):
        assignments = split_list(cursor.until("ON", "AS", "RETURNING"))
        names, values = zip(*(_assignment(piece, reading) for piece in assignments), strict=True)
        return reading.query([_VALUES, OPEN, *joined(values), CLOSE]), tuple(names)
    start = cursor.position
    if cursor.accept_any({"VALUES", "VALUE"}):
        tokens = cursor.until("ON", "AS", "RETURNING")
        if all(token.token_type in _LITERAL for token in tokens):
            return None, columns
        tokens = [token for token in tokens if word(token) != "ROW"]
        return reading.query([_VALUES, *tokens]), columns
    lower = reading.text.lower()  # a look at the text is cheaper than one at each token
    if "duplicate" in lower or "returning" in lower:
        _to_on_duplicate(cursor)
    else:
        cursor.rest()
    return reading.query(cursor.tokens[start : cursor.position]), columns


def _to_on_duplicate(cursor: TokenCursor) -> None:
    while not cursor.at_end:
        cursor.until("ON", "RETURNING")
        if cursor.sees("ON", "DUPLICATE") or cursor.sees("RETURNING"):
            return
        if not cursor.at_end:
            cursor.position += 1


def _row_alias(cursor: TokenCursor) -> tuple[str | None, tuple[str, ...]]:
    if not cursor.accept("AS"):
        return None, ()
    alias = cursor.relation().name
    return alias, cursor.columns() if cursor.word() == "(" else ()


def read_assignments(tokens: Sequence[Token], reading: Reading) -> tuple[Assignment, ...]:
    """`a = 1, t.b = c`: what each column gets."""
    pieces = split_list(tokens)
    targets: list[tuple[str | None, str]] = []
    values: list[Sequence[Token]] = []
    for piece in pieces:
        cursor = TokenCursor(piece, reading.identifiers)
        targets.append(cursor.dotted_column())
        if not cursor.accept_any({"=", ":="}):
            raise cursor.error("expected =")
        values.append(cursor.rest())
    expressions = reading.expressions(values)
    if len(expressions) != len(targets):
        raise TokenCursor(tokens, reading.identifiers).error("these assignments cannot be read")
    return tuple(
        Assignment(column, expression, qualifier)
        for (qualifier, column), expression in zip(targets, expressions, strict=True)
    )


def _assignment(piece: Sequence[Token], reading: Reading) -> tuple[str, Sequence[Token]]:
    cursor = TokenCursor(piece, reading.identifiers)
    column = cursor.column()
    if not cursor.accept_any({"=", ":="}):
        raise cursor.error("expected =")
    return column, cursor.rest()
