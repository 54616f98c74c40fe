"""The limits of nesting, which short texts are spared to be counted against."""

from __future__ import annotations

import pytest
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.tokenizer_core import TokenType

from sqllineage_svc.dialect import installed_dialects, load_dialect
from sqllineage_svc.errors import NestingTooDeep
from sqllineage_svc.sql.crossings import JOINS
from sqllineage_svc.sql.lexer import COUNTED_WORDS, MAX_NESTING, MAX_TYPES, tokenize

COUNTED = JOINS | {
    TokenType.SELECT, TokenType.FROM, TokenType.ARRAY, TokenType.STRUCT, TokenType.OBJECT,
}  # fmt: skip


@pytest.mark.parametrize("name", installed_dialects())
def test_every_keyword_that_a_limit_counts_holds_a_counted_word(name: str) -> None:
    keywords = SqlglotDialect.get_or_raise(load_dialect(name).sqlglot).tokenizer_class.KEYWORDS
    counted = [text for text, kind in keywords.items() if kind in COUNTED]
    assert "SELECT" in counted
    assert [text for text in counted if not any(word in text for word in COUNTED_WORDS)] == []


@pytest.mark.parametrize(
    "text",
    [
        "(" * (MAX_NESTING + 1),
        "select " + "- " * (MAX_NESTING + 1) + "1",
        "select " + "array[" * (MAX_TYPES + 1),
        "select " + "Array[struct(" * (MAX_TYPES // 2 + 1),
        "select 1 " + "from " * 101,
    ],
    ids=["parentheses", "a run of signs", "arrays", "types of two kinds", "FROM behind FROM"],
)
@pytest.mark.parametrize("name", installed_dialects())
def test_a_text_above_a_limit_is_refused(name: str, text: str) -> None:
    with pytest.raises(NestingTooDeep):
        tokenize(text, load_dialect(name).sqlglot)


@pytest.mark.parametrize("name", installed_dialects())
def test_a_text_at_a_limit_is_not(name: str) -> None:
    text = "select " + "array[" * MAX_TYPES + "1" + "]" * MAX_TYPES
    assert len(tokenize(text, load_dialect(name).sqlglot)) == 3 * MAX_TYPES + 2
