"""JOINs that have no ON and no USING: said to be CROSS JOINs before they are parsed.

sqlglot 30.30 tries whether an ON further on belongs to such a JOIN, and inside that for each JOIN on the way:
the time doubles with every one.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from sqllineage_svc.errors import UnreadableStatement
from sqllineage_svc.sql.tokens import first_column, keyword, word

MAX_BARE_JOINS = 8
"""So many are parsed as they are."""

JOINS = {TokenType.JOIN, TokenType.STRAIGHT_JOIN}
CONDITIONS = {TokenType.ON, TokenType.USING}
_OUTER = {"LEFT", "RIGHT", "FULL", "OUTER"}
_NAMES_FOLLOW = {"AS", "."}
_CROSS = keyword("CROSS", TokenType.CROSS)
_JOIN = keyword("JOIN", TokenType.JOIN)


def crossed(tokens: list[Token]) -> list[Token]:
    """The tokens with CROSS before each JOIN that has no condition; the same where there are few.

    Raises UnreadableStatement at an outer join that has none, and where a name is missing before a JOIN.
    """
    bare = _bare_joins(tokens)
    if len(bare) <= MAX_BARE_JOINS:
        return tokens
    found: list[Token] = []
    for at, token in enumerate(tokens):
        if at not in bare:
            found.append(token)
            continue
        before = word(found[-1]) if found else ""
        if before in _NAMES_FOLLOW:  # CROSS would be taken for the name
            raise UnreadableStatement(f"a name is missing behind {before}", token.line, first_column(token))
        if before in _OUTER:
            raise UnreadableStatement("an outer join needs ON or USING", token.line, first_column(token))
        if before == "INNER":
            found.pop()
        found += [_CROSS, _JOIN]
    return found


def _bare_joins(tokens: Sequence[Token]) -> set[int]:
    """Where the JOINs are that no ON or USING belongs to: each belongs to the last open JOIN before it."""
    bare: set[int] = set()
    frames: list[list[int]] = [[]]
    for at, token in enumerate(tokens):
        kind = token.token_type
        if kind in JOINS:
            if not _needs_none(tokens, at):
                frames[-1].append(at)
        elif kind in CONDITIONS:
            if frames[-1] and word(tokens[at + 1] if at + 1 < len(tokens) else token) != "DUPLICATE":
                frames[-1].pop()
        elif kind is TokenType.L_PAREN:
            frames.append([])
        elif kind is TokenType.R_PAREN and len(frames) > 1:
            bare.update(frames.pop())
    return bare.union(*frames)


def _needs_none(tokens: Sequence[Token], at: int) -> bool:
    """Is it a CROSS or NATURAL JOIN?"""
    before = at - 1
    while before >= 0 and (word(tokens[before]) in _OUTER or word(tokens[before]) == "INNER"):
        before -= 1
    return before >= 0 and word(tokens[before]) in ("CROSS", "NATURAL")
