"""Spellings that sqlglot 30.30 cannot parse, as others of the same lineage.

A rewrite is made on the tokens of a whole statement, whatever its verb, and only where the word that calls
for it is there. Tokens keep their places in the text, so that an error still points at it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from sqllin_redshift.exclude import exclude_from_stars
from sqllin_redshift.paths import shorten_paths
from sqllineage_svc.sql.reading import Reader, Reading
from sqllineage_svc.sql.statement import Statement
from sqllineage_svc.sql.tokens import behind_group, keyword, word, word_at

Tokens = Sequence[Token]
Change = Callable[[Tokens], Tokens]

_NULL = keyword("NULL", TokenType.NULL)
_NOT_EQUAL = keyword("<>", TokenType.NEQ)
_POWER = keyword("^", TokenType.CARET)
_MINUS = keyword("-", TokenType.DASH)
_AS = keyword("AS", TokenType.ALIAS)


def rewriting(reader: Reader) -> Reader:
    """The reader, given tokens that sqlglot can parse."""

    def read(reading: Reading) -> Statement:
        tokens = reading.tokens
        text = reading.text[tokens[0].start : max(tokens[0].start, tokens[-1].end) + 1]
        changes = _changes(text)
        return reader(reading.with_tokens(rewrite(tokens, changes), reading.common) if changes else reading)

    return read


def rewrite(tokens: Tokens, changes: Sequence[Change] | None = None) -> Tokens:
    """The tokens as sqlglot can parse them, by these changes or by all."""
    for change in changes if changes is not None else [change for *_, change in _REWRITES]:
        if not tokens:  # of an UNLOAD of nothing
            break
        tokens = change(tokens)
    return tokens


def _changes(text: str) -> list[Change]:
    """The changes that a text may need, looked up in it before any pass over its tokens."""
    lower = text.lower()
    return [change for hint, pattern, change in _REWRITES if hint in lower and pattern.search(lower)]


def _without_offset(tokens: Tokens) -> Tokens:
    """UNNEST(a) WITH OFFSET AS t (element, position): both columns come out of the array.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_FROM_clause-unnest-examples.html
    """
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        kept.append(tokens[at])
        at += 1
        if [word_at(tokens, at + ahead) for ahead in (-1, 0, 1)] == [")", "WITH", "OFFSET"]:
            at += 2
    return kept


def _hierarchy(tokens: Tokens) -> Tokens:
    """LEVEL holds no column's value, and PRIOR x is x of another row, where the query has CONNECT BY.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_CONNECT_BY_clause.html
    """
    depths = _depths(tokens)
    inside: set[int] = set()
    for at, token in enumerate(tokens):
        if word(token) == "CONNECT BY" and at not in inside:
            inside.update(_group(tokens, depths, at))
    kept: list[Token] = []
    for at, token in enumerate(tokens):
        text = word(token) if at in inside else ""
        if text == "PRIOR" and word_at(tokens, at + 1) not in (",", "FROM", "=", ".", ")", ""):
            continue
        if text != "LEVEL" or word_at(tokens, at - 1) in (".", "AS") or word_at(tokens, at + 1) in (".", "("):
            kept.append(token)
            continue
        kept.append(_NULL)
        if word_at(tokens, at - 1) in ("SELECT", "DISTINCT", ",") and word_at(tokens, at + 1) in (
            ",",
            "FROM",
        ):
            kept += [_AS, token]
    return kept


def _depths(tokens: Tokens) -> list[int]:
    depth = 0
    depths = []
    for token in tokens:
        depth -= token.token_type is TokenType.R_PAREN
        depths.append(depth)
        depth += token.token_type is TokenType.L_PAREN
    return depths


def _group(tokens: Tokens, depths: Sequence[int], at: int) -> range:
    """The positions around this one that are as deep or deeper: the query that it stands in."""
    start = end = at
    while start > 0 and depths[start - 1] >= depths[at] and word(tokens[start - 1]) != ";":
        start -= 1
    while end < len(depths) and depths[end] >= depths[at] and word(tokens[end]) != ";":
        end += 1
    return range(start, end)


def _type_test_as_null_test(tokens: Tokens) -> Tokens:
    """x IS [NOT] OF (type, …) asks about x alone, as IS [NOT] NULL does."""
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        if word_at(tokens, at - 1) in ("IS", "NOT") and [word_at(tokens, at), word_at(tokens, at + 1)] == [
            "OF",
            "(",
        ]:
            kept.append(_NULL)
            at = behind_group(tokens, at + 1)
        else:
            kept.append(tokens[at])
            at += 1
    return kept


def _second_without_precision(tokens: Tokens) -> Tokens:
    """INTERVAL DAY TO SECOND (4) without its precision.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_interval_data_types.html
    """
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        kept.append(tokens[at])
        at += 1
        if [word_at(tokens, at + back) for back in (-2, -1, 0)] == ["TO", "SECOND", "("]:
            at = behind_group(tokens, at)
    return kept


def _default_as_null(tokens: Tokens) -> Tokens:
    """SET a = DEFAULT takes no column's value, nor does VALUES (DEFAULT)."""
    if word(tokens[0]) not in ("UPDATE", "MERGE", "WITH"):
        return tokens
    return [_NULL if word(token) == "DEFAULT" else token for token in tokens]


def _types_in_one_token(tokens: Tokens) -> Tokens:
    """struct<a:int, b:array<int>> without what is inside, whose commas are not the column list's.

    The type's text still reaches from its first token to its last.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_CREATE_EXTERNAL_TABLE.html
    """
    if word(tokens[0]) not in ("CREATE", "ALTER"):
        return tokens
    kept: list[Token] = []
    depth = 0
    for at, token in enumerate(tokens):
        text = word(token)
        if text == "SELECT":
            return [*kept, *tokens[at:]]
        if text == "<" and (depth or word_at(tokens, at - 1) in ("STRUCT", "ARRAY", "MAP")):
            depth += 1
        elif depth and text in (">", ">>"):
            depth -= len(text)
            if depth <= 0:
                depth = 0
                kept.append(token)
        elif not depth:
            kept.append(token)
    return kept


def _properties_alone(tokens: Tokens) -> Tokens:
    """TABLE PROPERTIES ('k'='v') of an external table without its TABLE, which might begin a query."""
    return [
        token
        for at, token in enumerate(tokens)
        if [word_at(tokens, at + ahead) for ahead in range(4)] != ["TABLE", "PROPERTIES", "(", ""]
    ]


def _dropping(first: str, *before: str) -> Callable[[Tokens], Tokens]:
    """A rewrite that leaves the first word out where one of the others follows."""

    def drop(tokens: Tokens) -> Tokens:
        return [
            token
            for at, token in enumerate(tokens)
            if word(token) != first or word_at(tokens, at + 1) not in before
        ]

    return drop


def _replacing(old: str, new: Token) -> Callable[[Tokens], Tokens]:
    return lambda tokens: [new if word(token) == old else token for token in tokens]


def _not_equal(tokens: Tokens) -> Tokens:
    """a ^= b is a <> b. Source: https://docs.aws.amazon.com/redshift/latest/dg/r_comparison_condition.html"""
    kept: list[Token] = []
    for token in tokens:
        if word(token) == "=" and kept and word(kept[-1]) == "^":
            kept[-1] = _NOT_EQUAL
        else:
            kept.append(token)
    return kept


# operators: https://docs.aws.amazon.com/redshift/latest/dg/r_OPERATOR_SYMBOLS.html
_REWRITES: tuple[tuple[str, re.Pattern[str], Change], ...] = tuple(
    (hint, re.compile(pattern or re.escape(hint)), change)
    for hint, pattern, change in (
        ("[", "", shorten_paths),
        ("exclude", r"\bexclude\b", exclude_from_stars),
        ("connect", r"\bconnect\s+by\b", _hierarchy),
        ("offset", r"\bwith\s+offset\b", _without_offset),
        (" of", r"\bof\s*\(", _type_test_as_null_test),
        ("second", r"\bto\s+second\s*\(", _second_without_precision),
        (
            "national",
            r"\bnational\s+char",
            _dropping("NATIONAL", "CHAR", "CHARACTER", "CHAR VARYING", "CHARACTER VARYING"),
        ),
        ("properties", "", _properties_alone),
        ("serdeproperties", "", _dropping("WITH", "SERDEPROPERTIES")),
        ("approximate", "", _dropping("APPROXIMATE", "PERCENTILE_DISC")),
        ("default", r"\bdefault\b", _default_as_null),
        ("<", r"\b(?:struct|array|map)\s*<", _types_in_one_token),
        ("^", r"\^\s*=", _not_equal),
        ("#", r"#(?!\w)", _replacing("#", _POWER)),
        ("@", "", _replacing("@", _MINUS)),
    )
)
"""A piece of text to look for first, the pattern that then tells whether a change is needed, and the change."""
