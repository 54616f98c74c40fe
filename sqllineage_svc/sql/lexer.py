"""Text to tokens, once for each statement: the depth check, the readers and the parser share them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType
from sqlglot.tokens import Tokenizer

from sqllineage_svc.errors import NestingTooDeep, UnreadableStatement
from sqllineage_svc.sql.crossings import CONDITIONS, JOINS, MAX_BARE_JOINS, crossed
from sqllineage_svc.sql.threads import once_a_thread
from sqllineage_svc.sql.tokens import END, STRINGS, first_column, word

MAX_NESTING = 200
"""Parentheses, CASEs or prefix operators inside one another; parsing recurses once or more for each."""

MAX_SUBQUERIES = 100
"""SELECTs inside one another; parsing time grows with the square of this."""

MAX_TYPES = 10
"""ARRAY[…], STRUCT(…) or OBJECT(…) inside one another; sqlglot 30.30's time doubles with each."""

_WORDS_OF_THEIR_OWN = frozenset(
    {"PRIMARY KEY", "FOREIGN KEY", "SQL SECURITY", "LOCK TABLES", "UNLOCK TABLES", "PARTITIONED BY"}
)
"""Pairs that sqlglot makes one token of and no query holds; readers take words one by one."""

COUNTED_WORDS = {
    "JOIN": MAX_BARE_JOINS, "SELECT": MAX_SUBQUERIES // 2, "FROM": MAX_SUBQUERIES // 2, "ARRAY": MAX_TYPES // 3,
    "STRUCT": MAX_TYPES // 3, "OBJECT": MAX_TYPES // 3,
}  # fmt: skip
"""The words that a limit counts, each with how often a text may hold it and surely be within; some share one."""

_OPENERS = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
_CLOSERS = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}
_ENDS_RUN = STRINGS | {
    TokenType.VAR, TokenType.IDENTIFIER, TokenType.NUMBER, TokenType.NULL, TokenType.TRUE, TokenType.FALSE,
    TokenType.STAR, TokenType.PLACEHOLDER, TokenType.COMMA,
}  # fmt: skip
_PREFIX, _OPERAND, _OPENS, _CLOSES, _SELECTS, _RESTARTS, _JOINS, _CONDITION, _TYPES, _FROM = range(10)
_TOKEN_ERROR_PLACE = re.compile(r"(\d+):(\d+)")


def tokenize(text: str, sqlglot: str) -> list[Token]:
    """The tokens of one statement; sqlglot's, but for the words it calls commands, whose rest it swallows.

    Raises UnreadableStatement where a quote or comment is not closed, NestingTooDeep above the limits.
    """
    try:
        tokens = _tokenizer(sqlglot).tokenize(text)
    except TokenError as error:
        place = _TOKEN_ERROR_PLACE.search(str(error))
        line, column = (int(place[1]), int(place[2])) if place else (1, 1)
        raise UnreadableStatement("a quote or comment is not closed", line, column) from error
    if ("/*" in text or "--" in text or "#" in text) and _divided(sqlglot).search(text):
        tokens = _reunited(tokens, _pairs(sqlglot))
    if _is_small(text, tokens) or _check_nesting(tokens) <= MAX_BARE_JOINS:
        return tokens
    return crossed(tokens)


@once_a_thread
def _tokenizer(sqlglot: str) -> Tokenizer:
    dialect = SqlglotDialect.get_or_raise(sqlglot)
    keywords = {
        text: kind
        for text, kind in dialect.tokenizer_class.KEYWORDS.items()
        if text not in _WORDS_OF_THEIR_OWN
    }
    changed = type("Tokens", (dialect.tokenizer_class,), {"COMMANDS": set(), "KEYWORDS": keywords})
    return cast(Tokenizer, changed(dialect))


@cache
def _pairs(sqlglot: str) -> dict[str, TokenType]:
    """The pairs of words that are one token: GROUP BY, DOUBLE PRECISION, …"""
    keywords = _tokenizer(sqlglot).KEYWORDS.items()
    return {
        text: kind for text, kind in keywords if [part.isalpha() for part in text.split(" ")] == [True, True]
    }


@cache
def _divided(sqlglot: str) -> re.Pattern[str]:
    """Finds the first word of a pair with a comment behind it, where sqlglot 30.30 sees no pair."""
    first = "|".join(dict.fromkeys(pair.split()[0] for pair in _pairs(sqlglot)))
    return re.compile(rf"\b(?:{first})\s*+(?:/\*|--|#)", re.IGNORECASE)


def _reunited(tokens: Sequence[Token], pairs: Mapping[str, TokenType]) -> list[Token]:
    """The tokens with the pairs of words that a comment divides as one token each."""
    found: list[Token] = []
    for token in tokens:
        before = found[-1] if found else END
        pair = f"{word(before)} {word(token)}"
        if pair in pairs and (before.comments or token.comments):
            found[-1] = Token(pairs[pair], pair, token.line, token.col, before.start, token.end)
        else:
            found.append(token)
    return found


@cache
def _roles() -> list[int]:
    """What each type of token does to the depth, by its number: a look-up for each token must be cheap."""
    roles = [_PREFIX] * (max(TokenType) + 1)
    groups = (
        (_ENDS_RUN, _OPERAND),
        (_OPENERS | {TokenType.CASE}, _OPENS),
        (_CLOSERS | {TokenType.END}, _CLOSES),
    )
    joins = ((JOINS, _JOINS), (CONDITIONS, _CONDITION))
    nested = ({TokenType.ARRAY, TokenType.STRUCT, TokenType.OBJECT}, _TYPES)
    alone = (
        ({TokenType.SELECT}, _SELECTS),
        ({TokenType.FROM}, _FROM),
        ({TokenType.SEMICOLON}, _RESTARTS),
        nested,
    )
    for types, role in (*groups, *joins, *alone):
        for token_type in types:
            roles[token_type] = role
    return roles


def _is_small(text: str, tokens: Sequence[Token]) -> bool:
    """Are there too few tokens, and too few of the counted words, for any limit? Most texts are so short."""
    if len(tokens) > MAX_NESTING:
        return False
    upper = text.upper()
    return all(upper.count(word) <= often for word, often in COUNTED_WORDS.items())


def _check_nesting(tokens: Sequence[Token]) -> int:
    """Refuse what would recurse too deep, by counting: parentheses, CASE, SELECT and runs without an operand.

    Returns how many JOINs have no ON or USING, CROSS and NATURAL ones among them.
    """
    roles = _roles()
    depth = run = bare = 0
    joins = [0]
    selects: list[int] = []
    types: list[int] = []
    for at, token in enumerate(tokens):
        role = roles[token.token_type]
        if role == _OPERAND:
            run = 0
            continue
        run += 1
        if role == _PREFIX and run <= MAX_NESTING:
            continue
        if role == _OPENS:
            depth += 1
            joins.append(0)
        elif role == _CLOSES:
            run = 0
            depth -= 1
            if len(joins) > 1:
                bare += joins.pop()
            while selects and selects[-1] > depth:
                selects.pop()
            while types and types[-1] >= depth:
                types.pop()
        elif role == _JOINS:
            joins[-1] += 1
        elif role == _CONDITION:
            joins[-1] -= joins[-1] > 0
        elif role in (_SELECTS, _FROM) and _begins_query(role, at, tokens, selects, depth):
            selects.append(depth)
            if len(selects) > MAX_SUBQUERIES:
                problem = f"more than {MAX_SUBQUERIES} queries inside one another"
                raise NestingTooDeep(problem, token.line, first_column(token))
        elif role == _TYPES:
            types.append(depth)
            if len(types) > MAX_TYPES:
                problem = f"more than {MAX_TYPES} types inside one another"
                raise NestingTooDeep(problem, token.line, first_column(token))
        elif role == _RESTARTS:  # the body of a routine: its statements are parsed one by one
            depth = run = 0
            selects.clear()
        if depth > MAX_NESTING or run > MAX_NESTING:
            raise NestingTooDeep(f"nested more than {MAX_NESTING} deep", token.line, first_column(token))
    return bare + sum(joins)


def _begins_query(role: int, at: int, tokens: Sequence[Token], selects: Sequence[int], depth: int) -> bool:
    """Does a query begin here inside another, in parentheses or (sqlglot takes it) without: `FROM a, FROM b`?"""
    if role == _SELECTS and (not selects or selects[-1] < depth):
        return True
    return at > 0 and word(tokens[at - 1]) in ("FROM", ",", "JOIN")
