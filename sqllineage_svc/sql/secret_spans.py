"""Finding the secrets in one statement's text.

Three readings add up: clauses and comparisons in the code; the same in the text of a literal or comment,
which may be a query; forms that show in any text (secret_text.py). Where a quote is never closed nobody knows
what is code, so all that follows the first suspicious word is a secret.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from sqllineage_svc.sql import secret_rules as find
from sqllineage_svc.sql.secret_rules import CLOSE, FILLER, OPEN, Patterns, SecretRules, fold
from sqllineage_svc.sql.secret_text import secrets_in_address, secrets_in_comment, secrets_in_literal

MASK = "***"
MAX_DEPTH = 4
"""Texts inside one another that are read; one still deeper with a suspicious word is a secret as a whole."""

_EQUALITIES = frozenset({"=", "==", ":=", "=>", "<=>", "<>", "!="})
_CONTROLS = re.compile(f"[{FILLER}{OPEN}{CLOSE}]")
_KEY_ID = re.compile("a[ks]ia")
_NAME = "name"
_ENDS_LITERAL = re.compile(r"[\s,;:.()\[\]{}=<>!|&^~?+\-*/%'\"`@#]")
"""What may stand right behind a literal."""

_CONTROL_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_MAY_BE_QUERY = re.compile(r"(?!\s*+[{\[].*[}\]]\s*+\Z)(?=.*?(?:['\"$=]|--|/\*))", re.DOTALL)  # {…} is JSON


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text that is a secret, and what stands for it."""

    start: int
    end: int
    mask: str = MASK


@dataclass(frozen=True, slots=True)
class _Piece:
    """The text of a literal; with no delimiter, of a comment; with _NAME, a quoted name that holds a quote."""

    start: int
    end: int
    delimiter: str


def find_secrets(text: str, rules: SecretRules) -> Iterator[Span]:
    """The secrets of a statement, in no order; they may overlap."""
    yield from _secrets(text, rules, "'", 0)


def _secrets(text: str, rules: SecretRules, quote: str, depth: int) -> Iterator[Span]:
    """The secrets of a text; `quote` is how a quote is written where the text stands."""
    filled = _fill(text, rules.patterns)
    if filled is None or _is_turned(text, *filled, rules):
        suspicious = rules.trigger.search(fold(text))
        if suspicious is not None:
            is_key = _KEY_ID.match(suspicious[0]) is not None
            yield Span(suspicious.start() if is_key else suspicious.end(), len(text))
        return
    code, pieces = filled
    if rules.may_hold_secrets(code):
        yield from _in_code(code, fold(text), rules.patterns, quote + MASK + quote)
    for piece in pieces:
        if piece.delimiter != _NAME and rules.may_hold_secrets(fold(text[piece.start : piece.end])):
            yield from _in_piece(text, piece, rules, quote, depth)


def _is_turned(text: str, code: str, pieces: list[_Piece], rules: SecretRules) -> bool:
    """Is what looks like code rather in a literal, since a quote is missing or too many?"""
    return (
        find.TURNED.search(code) is not None
        or any(find.TURNED_PAIR.search(run[0]) is not None for run in find.TURNED_RUN.finditer(code))
        or any(_is_inverted(text, piece, rules) for piece in pieces)
    )


def _is_inverted(text: str, piece: _Piece, rules: SecretRules) -> bool:
    """Is this literal or name rather what stands between two, a quote before it missing or too many?

    'it's', … identified by 'x'         has  ', … identified by '  with a word right behind it
    `it`s`, … identified by 'x', `y`    has a name with literals in it
    """
    behind = text[piece.end + 1 : piece.end + 2]
    is_literal = piece.delimiter in ("'", '"') and behind != "" and _ENDS_LITERAL.match(behind) is None
    inverted = piece.delimiter == _NAME or is_literal
    return inverted and rules.may_hold_secrets(fold(text[piece.start : piece.end]))


def _in_piece(text: str, piece: _Piece, rules: SecretRules, quote: str, depth: int) -> Iterator[Span]:
    """The secrets in a literal or comment of the text."""
    if depth >= MAX_DEPTH:
        yield Span(piece.start, piece.end)
        return
    is_literal = piece.delimiter != ""
    content = text[piece.start : piece.end]
    inner, escapes = _unescape(content, piece.delimiter, rules.lexis.backslash_escapes)
    shown = secrets_in_literal(inner, fold(inner)) if is_literal else secrets_in_comment(inner, fold(inner))
    spans = [Span(start, end) for start, end in shown]
    if _MAY_BE_QUERY.match(inner):
        deeper = depth + (1 if is_literal else 2)  # a comment is no place for queries within queries
        spans += _secrets(inner, rules, quote * 2 if piece.delimiter == "'" else quote, deeper)
    for span in spans:
        start, end = (piece.start + at + bisect_left(escapes, at) for at in (span.start, span.end))
        yield Span(start, end, span.mask)


def _unescape(content: str, delimiter: str, backslash: bool) -> tuple[str, list[int]]:
    """The text that a literal means, and where in it an escaped character, once two, stands."""
    if delimiter not in ("'", '"') or not (delimiter in content or (backslash and "\\" in content)):
        return content, []
    escapes: list[int] = []

    def character(found: re.Match[str]) -> str:
        escapes.append(found.start() - len(escapes))
        return _CONTROL_ESCAPES.get(found[0][1], found[0][1])

    return re.sub(
        rf"{delimiter}{delimiter}" + (r"|\\." if backslash else ""), character, content, flags=re.S
    ), escapes


def _fill(text: str, patterns: Patterns) -> tuple[str, list[_Piece]] | None:
    """The text folded, literals filled, comments blank; and what those hold. None where a quote is open."""
    text = _CONTROLS.sub(" ", text)
    filled: list[str] = []
    pieces: list[_Piece] = []
    at = 0
    for found in patterns.pieces.finditer(text):
        kind = found.lastgroup
        if kind is None:
            continue
        if kind == "name":
            if "'" in found["name"]:
                pieces.append(_Piece(*found.span("name"), _NAME))
            continue
        if kind == "open":
            return None
        start, end = found.span(kind)
        if kind in ("literal", "dollars"):
            delimiter = "$" if kind == "dollars" else text[start]
            width = len(found["tag"]) if kind == "dollars" else 1
            start, end = (start, end) if kind == "dollars" else (start + 1, end - 1)
            pieces.append(_Piece(start, end, delimiter))
            filled += text[at : start - width], OPEN * width, FILLER * (end - start), CLOSE * width
        else:  # a comment, or the opening of a comment that is code
            if kind != "versioned":
                pieces.append(_Piece(start, end, ""))
                start -= 1 if text[start - 1] == "#" else 2
            filled += text[at:start], " " * (found.end() - start)
        at = found.end()
    filled.append(text[at:])
    return fold("".join(filled)), pieces


def _in_code(code: str, text: str, patterns: Patterns, bare_mask: str) -> Iterator[Span]:
    """The secrets that the filled text gives away."""
    end = len(code)
    yield from (Span(*found) for found in secrets_in_address(code))
    yield from _behind(patterns.introducers, (find.CHAIN, find.BARE), code, (0, end), bare_mask)
    for region, introducers in patterns.regions:
        for found in region.finditer(code):
            yield from _behind(
                introducers,
                (find.CHAIN, find.CALL, find.BARE, find.QUOTED_NAME),
                code,
                found.span(),
                bare_mask,
            )
    yield from _behind(find.COMPARED, (find.CHAIN, find.CALL, find.NUMBER), code, (0, end), bare_mask)
    yield from _behind(patterns.functions, (find.CALL,), code, (0, end), bare_mask)
    for compared in find.COMPARED_WITH.finditer(code):
        if compared["name"] and find.NAMED.search(compared["name"]):
            yield from _literals(code, *compared.span("value"))
    yield from _in_rows(code)
    for literal in _behind(patterns.credentials, (find.CHAIN,), code, (0, end), bare_mask):
        for found in patterns.credential.finditer(text[literal.start : literal.end]):
            start, end = found.span("secret")
            yield Span(literal.start + start, literal.start + end)


def _behind(
    introducers: re.Pattern[str],
    values: tuple[re.Pattern[str], ...],
    code: str,
    region: tuple[int, int],
    bare_mask: str,
) -> Iterator[Span]:
    """The secrets directly behind what introduces them; no part of the code is read twice."""
    at, end = region
    while introducer := introducers.search(code, at, end):
        at = introducer.end()
        for value in values:
            found = value.match(code, at, end)
            if found is None:
                continue
            if value is find.CALL:
                at = _closing(code, found.end(), end)
                yield from _literals(code, found.end(), at)
            elif value is find.CHAIN:
                at = found.end()
                yield from _literals(code, *found.span())
            elif value is find.QUOTED_NAME:
                yield Span(*found.span("secret"))
            elif value is find.BARE or introducer["comparison"] in _EQUALITIES:
                yield Span(*found.span(), bare_mask)
            break


def _literals(code: str, start: int, end: int) -> Iterator[Span]:
    return (Span(*found.span("secret")) for found in find.LITERAL.finditer(code, start, end))


def _closing(code: str, start: int, end: int) -> int:
    """The end of the parentheses that open at `start`; `end` if they do not close."""
    depth = 0
    for found in find.PARENTHESIS.finditer(code, start, end):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return found.end()
    return end


def _in_rows(code: str) -> Iterator[Span]:
    """The literals of VALUES, or of a select list, that fill a column with a secret's name."""
    at = 0
    while rows := find.ROWS.search(code, at):
        at = rows.end()
        wanted = [bool(find.NAMED.search(name)) for name in rows["columns"].split(",")]
        if not any(wanted):
            continue
        first = at if rows["values"] is None else at + 1
        while True:
            for (start, at), secret in zip(_items(code, first), wanted, strict=False):
                if secret:
                    yield from _literals(code, start, at)
            following = None if rows["values"] is None else find.NEXT_ROW.match(code, at + 1)
            if following is None:
                break
            first = following.end() + 1


def _items(code: str, start: int) -> Iterator[tuple[int, int]]:
    """Start and end of each item of a list, whose parenthesis, if any, opens before `start`."""
    depth = 1
    for found in find.ITEM_END.finditer(code, start):
        depth += (found[0] == "(") - (found[0] == ")")
        ends_list = depth == 0 or (depth == 1 and found[0] not in "(),")
        if ends_list or (depth == 1 and found[0] == ","):
            yield start, found.start()
            start = found.end()
        if ends_list:
            return
    yield start, len(code)
