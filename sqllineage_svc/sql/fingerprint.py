"""A statement without its literals: statements that differ in nothing else have one fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from sqllineage_svc.errors import StatementError
from sqllineage_svc.sql.lexer import tokenize
from sqllineage_svc.sql.tokens import is_string

_NAMES = {TokenType.VAR, TokenType.IDENTIFIER, TokenType.PARAMETER}
_IN_LISTS = {"?", ",", "+", "-", "NULL", "TRUE", "FALSE", "DEFAULT"}


def fingerprint(text: str, sqlglot: str) -> str:
    """64 hexadecimal digits, equal for statements that differ only in literals, layout and comments.

    Keywords count in any letter case, names as they are written. A list in parentheses that holds literals
    alone counts once, however long it is, and so do the rows of VALUES. A text that has no tokens or cannot
    be cut into them counts as it is.

        select a from t where b in (1, 2)  =  SELECT a FROM t WHERE b IN (3) -- tomorrow
    """
    try:
        tokens = tokenize(text, sqlglot)
    except StatementError:
        tokens = []
    template = " ".join(_without_lists([_written(token) for token in tokens])) if tokens else text
    return hashlib.sha256(template.encode("utf-8", "surrogatepass")).hexdigest()


def _written(token: Token) -> str:
    if is_string(token) or token.token_type is TokenType.NUMBER:
        return "?"
    if token.token_type is TokenType.IDENTIFIER:
        return '"' + token.text.replace('"', '""') + '"'
    return token.text if token.token_type in _NAMES else token.text.upper()


def _without_lists(words: Sequence[str]) -> Iterable[str]:
    """The words with each list of literals as `(?)`, and lists in a row as one."""
    result: list[str] = []
    at = 0
    while at < len(words):
        end = _end_of_list(words, at)
        if not end:
            result.append(words[at])
            at += 1
            continue
        if result[-2:] == ["(?)", ","]:
            result.pop()
        else:
            result.append("(?)")
        at = end
    return result


def _end_of_list(words: Sequence[str], start: int) -> int:
    """Where the list of literals that opens here ends; 0 if none opens."""
    if words[start] != "(":
        return 0
    at = start + 1
    while at < len(words) and words[at] in _IN_LISTS:
        at += 1
    return at + 1 if at > start + 1 and at < len(words) and words[at] == ")" else 0
