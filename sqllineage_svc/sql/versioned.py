"""Executable comments: `/*!50001 … */` is text to some servers and a comment to others.

Source: https://dev.mysql.com/doc/refman/8.4/en/comments.html, https://mariadb.com/kb/en/comment-syntax/
"""

from __future__ import annotations

import re

_OPENING = re.compile(r"/\*(M?)!(\d{5,6})?")
_NEVER = 99999
_LEXEMES = re.compile(
    r"'(?:[^'\\]++|''|\\.)*+'|\"(?:[^\"\\]++|\"\"|\\.)*+\"|`(?:[^`]++|``)*+`"
    r"|--(?=\s|\Z)[^\n]*+|#[^\n]*+|/\*(?!M?!).*?\*/|/\*M?!(?:\d{5,6})?|\*/",
    re.DOTALL,
)


def expand_versioned(text: str) -> str:
    """The text with executable comments opened, each mark replaced by as many blanks.

    Those of version 99999 and above (`/*!99999`, `/*M!999999`) are for no server and become blanks.
    """
    if "/*!" not in text and "/*M!" not in text:
        return text
    pieces: list[str] = []
    position = 0
    skipped_from = -1
    for match in _LEXEMES.finditer(text):
        mark = match.group()
        if opening := _OPENING.fullmatch(mark):
            version = int(opening.group(2) or 0)
            pieces += [text[position : match.start()], " " * len(mark)]
            position = match.end()
            if version == _NEVER or version >= _NEVER * 10 + 9:
                skipped_from = position
        elif mark == "*/":
            inside = text[position : match.start()]
            pieces += [_blanks(inside) if skipped_from >= 0 else inside, "  "]
            position, skipped_from = match.end(), -1
    return "".join([*pieces, text[position:]])


def _blanks(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
