"""A script to its statements, by lexical rules alone.

A statement that does not parse must not cost its neighbours, so the script is cut before anything is parsed:
quotes, comments, `$$` bodies, `DELIMITER` and the BEGIN … END of a routine decide what a `;` means. Where a
quote is never closed, the script is cut at the next `;` that ends a line, and reading goes on behind it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from sqllineage_svc.sql.blocks import Routines


@dataclass(frozen=True, slots=True)
class SourceText:
    """One statement of a script, without its terminator.

    `line` and `column` are the 1-based place of the text's first character in the script.
    """

    text: str
    line: int = 1
    column: int = 1

    def place(self, line: int, column: int) -> tuple[int, int]:
        """The place in the script of a 1-based place in this text."""
        return self.line + line - 1, column + self.column - 1 if line == 1 else column


@dataclass(frozen=True)
class Lexis:
    """What a warehouse's client and lexer take for a quote, a comment or the end of a statement.

    `client_commands` matches, at the start of a statement, a whole line that the client keeps to itself.
    `terminators` are what ends a statement beside the delimiter (`\\G` in one client).
    """

    backslash_escapes: bool = False
    dollar_quotes: bool = False
    hash_comments: bool = False
    dash_needs_blank: bool = False
    versioned_comments: bool = False
    routine_bodies: bool = False
    delimiter_command: bool = False
    client_commands: str = ""
    terminators: tuple[str, ...] = ()
    _patterns: dict[str, re.Pattern[str]] = field(default_factory=dict, compare=False, repr=False)

    def statement_body(self, delimiter: str, unclosed: str = "") -> re.Pattern[str]:
        """Matches from a statement's start up to its delimiter, or up to a quote that is never closed.

        `unclosed` lists openers (`/` of a comment, `$`) known not to be closed any more; they are plain text.
        """
        key = delimiter + "\0" + unclosed
        pattern = self._patterns.get(key)
        if pattern is None:
            pattern = self._patterns[key] = re.compile(_body_pattern(self, delimiter, unclosed), re.DOTALL)
        return pattern

    @cached_property
    def client_command(self) -> re.Pattern[str] | None:
        """Matches a client command at the start of a statement."""
        return re.compile(self.client_commands, re.IGNORECASE) if self.client_commands else None

    @cached_property
    def blank(self) -> re.Pattern[str]:
        """Matches what holds no statement: white space and comments (a versioned comment is a statement)."""
        comments = _comment_pattern(
            self, block=r"/\*(?!M?!).*?\*/" if self.versioned_comments else r"/\*.*?\*/"
        )
        return re.compile(rf"(?:\s++|{comments})*+", re.DOTALL)


_DELIMITER_COMMAND = re.compile(r"DELIMITER[ \t]+(\S+)[^\n]*(?:\n|\Z)", re.IGNORECASE)
_COMMENT_STARTS = "-/#"
_SPACE = re.compile(r"\s*")
_STATEMENT_ENDS_LINE = re.compile(r";[ \t]*(?:\r?\n|\Z)")


def split(script: str, lexis: Lexis) -> Iterator[SourceText]:
    """The statements of a script in order, each with its place; those that hold only comments are left out."""
    if script.startswith("\ufeff"):
        script = script[1:]
    places = _Places(script)
    routines = Routines(attempts=20 if lexis.routine_bodies else 0)
    delimiter = ";"
    unclosed = ""
    position = 0
    while True:
        position = _end(_SPACE, script, position)
        if position >= len(script):
            return
        comes_first = script[position] in _COMMENT_STARTS and script[position] not in unclosed
        begins = _end(lexis.blank, script, position) if comes_first else position
        if lexis.delimiter_command and (command := _DELIMITER_COMMAND.match(script, begins)):
            delimiter = command.group(1)
            position = command.end()
            continue
        if lexis.client_command and (line := lexis.client_command.match(script, begins)):
            yield SourceText(line.group().strip(), *places.at(begins))
            position = line.end()
            continue
        routine = routines.end(script, position) if delimiter == ";" else None
        if routine is not None:
            end, after = routine, routine + 1
        else:
            end, after = _statement_end(script, position, lexis, delimiter, unclosed)
        if after < 0:
            unclosed += script[end]
            end, after = _resume(script, position)
        text = script[position:end].rstrip()
        if lexis.blank.fullmatch(text) is None:
            yield SourceText(text, *places.at(position))
        position = after


def _statement_end(script: str, start: int, lexis: Lexis, delimiter: str, unclosed: str) -> tuple[int, int]:
    """Where the statement's text ends and where the next may start; (position, -1) where nothing closes."""
    end = _end(lexis.statement_body(delimiter, unclosed), script, start)
    if end >= len(script):
        return end, end
    for terminator in (delimiter, *lexis.terminators):
        if script.startswith(terminator, end):
            return end, end + len(terminator)
    return (end, -1) if script[end] in "/$" else _resume(script, start)


def _resume(script: str, start: int) -> tuple[int, int]:
    """Where to cut, and go on, when a quote or comment that opens behind `start` is never closed."""
    resumed = _STATEMENT_ENDS_LINE.search(script, start)
    return (len(script), len(script)) if resumed is None else (resumed.start(), resumed.end())


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start)
    return start if match is None else match.end()


def _body_pattern(lexis: Lexis, delimiter: str, unclosed: str) -> str:
    backslash = r"\\" if lexis.backslash_escapes else ""
    escape = r"|\\." if lexis.backslash_escapes else ""
    strings = "'\"" if lexis.hash_comments else "'"  # else " quotes an identifier, which knows no backslash
    pieces = []
    if lexis.dollar_quotes and "$" not in unclosed:
        pieces += [r"\$(\w*)\$.*?\$\1\$", r"\$(?!\w*\$)"]
    for quote in "'\"`":
        inner, escaped = (backslash, escape) if quote in strings else ("", "")
        pieces.append(f"{quote}(?:[^{quote}{inner}]++|{quote}{quote}{escaped})*+{quote}")
    pieces.append(_comment_pattern(lexis, block="" if "/" in unclosed else None))
    ends = (delimiter, *lexis.terminators)
    special = {"'", '"', "`", "/", "-", *(end[0] for end in ends)}
    special |= {"$"} if lexis.dollar_quotes else set()
    special |= {"#"} if lexis.hash_comments else set()
    openers = {"'", '"', "`"} | ({"$"} if lexis.dollar_quotes and "$" not in unclosed else set())
    alone = _characters(special - openers)
    comment = r"(?!/\*)" if "/" not in unclosed else ""
    stop = "|".join(re.escape(end) for end in ends)
    return rf"(?:[^{_characters(special)}]++|{'|'.join(pieces)}|(?!{stop}){comment}[{alone}])*+"


def _characters(characters: set[str]) -> str:
    return "".join(re.escape(character) for character in sorted(characters))


def _comment_pattern(lexis: Lexis, block: str | None = None) -> str:
    dash = r"--(?=[\s]|\Z)[^\n]*+" if lexis.dash_needs_blank else r"--[^\n]*+"
    if block is None:
        block = r"/\*.*?\*/"
        if lexis.versioned_comments:
            quoted = r"'(?:[^'\\]++|''|\\.)*+'|\"(?:[^\"\\]++|\"\"|\\.)*+\"|`[^`]*+`"
            block = rf"/\*M?!(?:[^*'\"`]++|{quoted}|\*(?!/))*+\*/|/\*(?!M?!).*?\*/"
    line = r"#[^\n]*+" if lexis.hash_comments else ""
    return "|".join(piece for piece in (dash, block, line) if piece)


class _Places:
    """Line and column of positions in one script."""

    def __init__(self, script: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", script))]

    def at(self, position: int) -> tuple[int, int]:
        line = bisect_right(self._starts, position)
        return line, position - self._starts[line - 1] + 1
