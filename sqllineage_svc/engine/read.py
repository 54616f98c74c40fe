"""Text to Statement: the warehouse's own readers know the verbs, sqlglot the queries inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot.tokenizer_core import Token

from sqllineage_svc.dialect import Dialect
from sqllineage_svc.errors import NestingTooDeep, UnreadableStatement
from sqllineage_svc.sql.identifiers import IdentifierRules
from sqllineage_svc.sql.lexer import tokenize
from sqllineage_svc.sql.readers.query import is_query, read_query
from sqllineage_svc.sql.reading import Reading
from sqllineage_svc.sql.statement import Inert, Statement
from sqllineage_svc.sql.tokens import first_column, shown, word, word_at
from sqllineage_svc.sql.versioned import expand_versioned


def read_statement(text: str, dialect: Dialect, identifiers: IdentifierRules) -> Statement:
    """What the statement of this text does.

    Raises UnreadableStatement where nobody understands it, NestingTooDeep where it is not safe to try.
    """
    try:
        return _read(_reading(text, dialect, identifiers), dialect)
    except RecursionError as error:
        raise NestingTooDeep("nested too deep to read") from error


def _reading(text: str, dialect: Dialect, identifiers: IdentifierRules) -> Reading:
    if dialect.lexis.versioned_comments:
        text = expand_versioned(text)
    tokens = tokenize(text, dialect.sqlglot)

    def read(tokens: Sequence[Token]) -> Statement:
        return _read(reading.with_tokens(tokens), dialect)

    def reread(inner: str) -> Reading:
        return _reading(inner, dialect, identifiers)

    reading = Reading(text, tokens, dialect.sqlglot, identifiers, read, reread)
    return reading


def _read(reading: Reading, dialect: Dialect) -> Statement:
    if not reading.tokens:
        return Inert("a comment")
    first, second = word(reading.tokens[0]), word_at(reading.tokens, 1)
    statement = _read_by_words(first, second, reading, dialect)
    if type(statement) is Inert and not dialect.committing.isdisjoint((first, f"{first} {second}")):
        return replace(statement, commits=True)
    return statement


def _read_by_words(first: str, second: str, reading: Reading, dialect: Dialect) -> Statement:
    for key in (f"{first} {second}", first):
        reader = dialect.readers.get(key)
        if reader is not None:
            return reader(reading)
        reason = dialect.inert.get(key)
        if reason is not None:
            return Inert(reason)
    if is_query(first):
        return read_query(reading)
    token = reading.tokens[0]
    raise UnreadableStatement(f"no statement begins with {shown(token)}", token.line, first_column(token))
