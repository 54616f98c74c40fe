"""EXCLUDE: here it ends the select list and holds for all of it; sqlglot wants it behind each star.

Source: https://docs.aws.amazon.com/redshift/latest/dg/r_EXCLUDE_list.html
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token

from sqllineage_svc.sql.parse import CLOSE, OPEN
from sqllineage_svc.sql.tokens import word, word_at

Tokens = Sequence[Token]

_ENDS_LIST = {
    "FROM", "INTO", "WHERE", "GROUP BY", "ORDER BY", "HAVING", "LIMIT", "UNION", "EXCEPT", "MINUS",
    "INTERSECT", ")", ";", "",
}  # fmt: skip


def exclude_from_stars(tokens: Tokens) -> Tokens:
    """SELECT a.*, b.* EXCLUDE x, y FROM …  as  SELECT a.* EXCLUDE (x, y), b.* EXCLUDE (x, y) FROM … ."""
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        names, end = _names(tokens, at) if word(tokens[at]) == "EXCLUDE" else ((), at)
        if names and word_at(tokens, end) in _ENDS_LIST:
            clause = [tokens[at], OPEN, *names, CLOSE]
            for star in _stars(kept):
                kept[star + 1 : star + 1] = clause
            at = end
        else:
            kept.append(tokens[at])
            at += 1
    return kept


def _names(tokens: Tokens, at: int) -> tuple[Tokens, int]:
    """The tokens of the list of names behind EXCLUDE, with or without parentheses, and where it ends."""
    start = end = at + 1
    if word_at(tokens, start) == "(":
        while end < len(tokens) and word(tokens[end]) != ")":
            end += 1
        return tokens[start + 1 : end], end + 1
    while end < len(tokens) and word_at(tokens, end) not in _ENDS_LIST - {""}:
        end += 1
        if word_at(tokens, end) != ",":
            break
        end += 1
    return tokens[start:end], end


def _stars(tokens: Tokens) -> list[int]:
    """Where the stars of the select list that ends here stand, last first, but for those with an EXCLUDE."""
    found: list[int] = []
    depth = 0
    for at in range(len(tokens) - 1, -1, -1):
        text = word(tokens[at])
        depth += (text == ")") - (text == "(")
        if depth < 0 or (not depth and text == "SELECT"):
            break
        if not depth and text == "*" and word_at(tokens, at + 1) in (",", ""):
            found.append(at)
    return found
