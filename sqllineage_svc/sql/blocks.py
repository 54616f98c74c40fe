"""Where a routine ends that is written without another delimiter: the BEGIN … END of its body.

A log holds `CREATE PROCEDURE … BEGIN …; …; END` as the client sent it, with `;` inside. Words open and close
blocks; a word opens one only where a statement may start, so that IF(…) and REPEAT(…) stay functions.

Source: https://dev.mysql.com/doc/refman/8.4/en/sql-compound-statements.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ROUTINE = re.compile(
    r"(?:\s++|/\*(?!M?!).*?\*/|/\*M?!\d*|\*/|--[^\n]*+|#[^\n]*+)*+"
    r"(?:CREATE\b(?:(?!\bAS\b|\bSELECT\b)[^;(]){0,200}?\b(?:PROCEDURE|FUNCTION|TRIGGER|EVENT)\b|BEGIN\s+NOT\s+ATOMIC\b)",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(
    r"'(?:[^'\\]++|''|\\.)*+'|\"(?:[^\"\\]++|\"\"|\\.)*+\"|`(?:[^`]++|``)*+`"
    r"|--(?=\s|\Z)[^\n]*+|#[^\n]*+|/\*(?!M?!).*?(?:\*/|\Z)|/\*M?!\d*|\*/|[A-Za-z_][\w$]*+|;|[(),:]|[^\s\w]|\d+",
    re.DOTALL,
)
_COMMENTS = ("--", "#", "/*", "*/")
_STARTS_STATEMENT = {";", ":", "THEN", "ELSE", "BEGIN", "DO", "LOOP", "REPEAT", "ROW", ")", "SQL", "DATA",
                     "DETERMINISTIC", "DEFINER", "INVOKER", "ATOMIC", "EXIT", "CONTINUE"}  # fmt: skip
_BLOCKS = {"BEGIN", "IF", "CASE", "LOOP", "WHILE", "REPEAT", "FOR"}


class Routines:
    """Finds the routines of one script.

    Unbalanced ones are looked for to the script's end, so after a few of them no more are tried: the
    time must not grow with the square of the script.
    """

    def __init__(self, attempts: int) -> None:
        self._attempts = attempts
        self._last_comment_end: int | None = None

    def end(self, script: str, start: int) -> int | None:
        """The position of the `;` (or the script's end) that ends the routine at `start`.

        None when no routine starts there, or when its blocks do not balance before the script ends.
        """
        if self._last_comment_end is None:
            self._last_comment_end = script.rfind("*/")
        unclosed = start > self._last_comment_end and script.startswith("/*", start)
        if not self._attempts or unclosed or _ROUTINE.match(script, start) is None:
            return None
        depth = 0
        for position, depth in _semicolons(script, start):
            if depth <= 0:
                return position
        self._attempts -= 1
        return None


def _semicolons(script: str, start: int) -> Iterator[tuple[int, int]]:
    """Each `;` behind `start`, and how many blocks are open there; at last the script's end."""
    depth = 0
    previous = ""
    for match in _WORD.finditer(script, start):
        text = match.group()
        if text.startswith(_COMMENTS):
            continue
        word = text.upper()
        if word == ";":
            yield match.start(), depth
        elif previous == "END":
            if word in _BLOCKS:
                word = "END " + word
        elif word == "END":
            depth -= 1
        elif word == "CASE" or (word in _BLOCKS and _opens(script, match.end(), word, previous)):
            depth += 1
        previous = word
    yield len(script), depth


def _opens(script: str, after: int, word: str, previous: str) -> bool:
    if word == "BEGIN":
        return True
    if previous not in _STARTS_STATEMENT:
        return False
    if word in ("IF", "REPEAT"):
        until = script.find(";", after)
        return (
            word == "REPEAT"
            or re.search(r"\bTHEN\b", script[after : until if until >= 0 else None], re.I) is not None
        )
    return True
