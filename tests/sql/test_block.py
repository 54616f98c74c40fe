"""The body of a PL/pgSQL routine, statement by statement."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sqllineage_svc.errors import NestingTooDeep, UnreadableStatement
from sqllineage_svc.sql.identifiers import Fold, IdentifierRules
from sqllineage_svc.sql.lexer import tokenize
from sqllineage_svc.sql.readers.block import MAX_BLOCKS, read_block, read_parameters
from sqllineage_svc.sql.readers.change import read_delete
from sqllineage_svc.sql.readers.insert import read_insert
from sqllineage_svc.sql.readers.query import read_query
from sqllineage_svc.sql.readers.routine import PLPGSQL
from sqllineage_svc.sql.reading import Reading
from sqllineage_svc.sql.statement import Block, Statement, Transaction, TransactionStep
from sqllineage_svc.sql.tokens import word
from tests.bodies import outline

LOWER = IdentifierRules(Fold.LOWER, Fold.LOWER, Fold.LOWER, Fold.LOWER)
HERE = Path(__file__)
READERS: dict[str, Callable[[Reading], Statement]] = {
    "SELECT": read_query,
    "INSERT": read_insert,
    "DELETE": read_delete,
    "ROLLBACK": lambda reading: Transaction(TransactionStep.ROLLBACK),
}


def reading_of(text: str) -> Reading:
    """A reading in a small dialect of PostgreSQL's grammar."""

    def read(tokens: object) -> Statement:
        inner = reading.with_tokens(list(tokens))  # type: ignore[call-overload]
        if word(inner.tokens[0]) not in READERS:
            raise UnreadableStatement("no statement")
        return READERS[word(inner.tokens[0])](inner)

    reading = Reading(text, tokenize(text, "postgres"), "postgres", LOWER, read, reading_of)
    return reading


def body(text: str) -> Block:
    reading = reading_of(text)
    return read_block(reading.cursor(), reading, PLPGSQL)


def test_every_statement_of_a_body_is_read() -> None:
    found = "\n".join(outline(body(HERE.with_name("plpgsql.sql").read_text("utf-8")), "postgres"))
    assert found == HERE.with_name("plpgsql.txt").read_text("utf-8").rstrip("\n")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("()", ()),
        ("(a IN int, OUT b numeric(10, 2), c text)", ("a", "b", "c")),
        ("(int, INOUT b text)", ("$1", "b")),
    ],
)
def test_parameters_have_names_or_numbers(text: str, names: tuple[str, ...]) -> None:
    assert read_parameters(reading_of(text).cursor()) == names


def test_blocks_may_not_nest_without_end() -> None:
    nested = "BEGIN " * (MAX_BLOCKS + 1) + "END; " * (MAX_BLOCKS + 1)
    with pytest.raises(NestingTooDeep):
        body(nested)


def test_a_body_without_its_end_is_unreadable() -> None:
    with pytest.raises(UnreadableStatement, match="expected END"):
        body("BEGIN IF a THEN NULL;")
