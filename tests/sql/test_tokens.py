"""Tokens: what sqlglot's tokenizer leaves undone."""

from __future__ import annotations

import pytest

from sqllineage_svc.sql.lexer import tokenize


@pytest.mark.parametrize("comment", ["/* by */", "/**/", "-- by\n", "\n-- by\n"])
@pytest.mark.parametrize(
    "words", ["order by", "group by", "partition by", "grouping sets", "double precision", "char varying"]
)
@pytest.mark.parametrize("sqlglot", ["redshift", "mysql"])
def test_a_comment_does_not_divide_two_words_that_are_one_token(
    sqlglot: str, words: str, comment: str
) -> None:
    first, second = words.split()
    plain = tokenize(f"select {words} 1", sqlglot)
    divided = tokenize(f"select {first} {comment} {second} 1", sqlglot)
    assert [(token.token_type, token.text) for token in divided] == [
        (token.token_type, token.text) for token in plain
    ]


def test_a_quoted_word_is_no_part_of_a_pair() -> None:
    tokens = tokenize('select "order" /* x */ by', "redshift")
    assert [token.text for token in tokens] == ["select", "order", "by"]
