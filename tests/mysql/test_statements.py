"""What each statement does: the files in statements/ hold SQL and, behind `-->`, the value it is read as."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mysql.reading import says

FILES = sorted(Path(__file__).with_name("statements").glob("*.sql"))


def cases() -> list[tuple[str, str]]:
    pieces = [piece for file in FILES for piece in file.read_text("utf-8").strip().split("\n\n")]
    return [(sql.rstrip(";"), said) for sql, _, said in (piece.partition("\n--> ") for piece in pieces)]


@pytest.mark.parametrize(("sql", "said"), cases(), ids=lambda text: text[:60])
def test_a_statement_is_read_as(sql: str, said: str) -> None:
    assert says(sql) == said
