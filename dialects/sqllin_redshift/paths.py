"""Paths into SUPER values where a table may stand: FROM t, t.orders[0].lines AS l."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token

from sqllineage_svc.sql.tokens import word

_BEFORE_ITEM = {"FROM", "JOIN", "UNPIVOT"}
_AFTER_FROM = {
    "WHERE", "GROUP BY", "HAVING", "QUALIFY", "ORDER BY", "LIMIT", "UNION", "EXCEPT", "MINUS", "INTERSECT",
    "SELECT", "SET", "START", "CONNECT BY", "WINDOW",
}  # fmt: skip
_IN_CONDITION = {"ON", "USING"}


def shorten_paths(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens with each path in a FROM clause cut at its first subscript.

    Whatever lies deeper has the same origin, the column that the path begins with.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/query-super.html
    """
    kept: list[Token] = []
    in_from = [False]
    item = False
    at = 0
    while at < len(tokens):
        token = tokens[at]
        text = word(token)
        if text == "[" and item:
            at = _behind_path(tokens, at)
            continue
        kept.append(token)
        at += 1
        if text == "(":
            in_from.append(in_from[-1] and item)
        elif text == ")" and len(in_from) > 1:
            in_from.pop()
            item = in_from[-1]
        elif text in _BEFORE_ITEM:
            in_from[-1] = item = True
        elif text in _AFTER_FROM:
            in_from[-1] = item = False
        elif text in _IN_CONDITION:
            item = False
        elif text == ",":
            item = in_from[-1]
    return kept


def _behind_path(tokens: Sequence[Token], at: int) -> int:
    """The position behind `[0].a.b[1]`."""
    while at < len(tokens):
        text = word(tokens[at])
        if text == "[":
            while at < len(tokens) and word(tokens[at]) != "]":
                at += 1
            at += 1
        elif text == ".":
            at += 2
        else:
            break
    return at
