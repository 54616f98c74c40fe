"""Secrets out of query text, before anything else sees it.

The value goes, its quotes and line breaks stay: names, structure and line numbers are those of the statement.
What a secret is, is said by the warehouse's clauses (SecretRules) and by what shows in any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqllineage_svc.sql.secret_rules import Clause, SecretRules, fold
from sqllineage_svc.sql.secret_spans import Span, find_secrets

__all__ = ["Clause", "Cut", "SecretRules", "original_column", "redact", "redact_with_cuts"]

_LINE_BREAKS = re.compile(r"([\r\n]++)")
_MAX_READINGS = 10
"""What is left may read differently (a quote went with a secret): it is read until nothing is found."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A place where redaction made a line shorter, or longer (`removed` below 0).

    `position` is in the redacted text, behind what stands for the secret.
    """

    position: int
    removed: int


def redact(text: str, rules: SecretRules) -> str:
    """One statement's text with `***` for the value of each secret; the same object if it has none.

    Redacting twice is redacting once. Where a quote is never closed, all behind the first suspicious word
    goes.

        create user bo password 'Pw1';  ->  create user bo password '***';
    """
    return redact_with_cuts(text, rules)[0]


def redact_with_cuts(text: str, rules: SecretRules) -> tuple[str, tuple[Cut, ...]]:
    """The redacted text and where it differs, in order of position."""
    if not rules.may_hold_secrets(fold(text)):
        return text, ()
    cuts: tuple[Cut, ...] = ()
    for _ in range(_MAX_READINGS):
        redacted, made = _cut(text, _merge(find_secrets(text, rules)))
        if redacted == text:
            break
        text, cuts = redacted, _combine(cuts, made)
    return text, cuts


def original_column(text: str, cuts: Sequence[Cut], line: int, column: int) -> int:
    """The column, 1-based, that a column of the redacted text had on the same line before."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
        if start == 0:
            return column
    return column + sum(cut.removed for cut in cuts if start <= cut.position < start + column)


def _merge(spans: Iterable[Span]) -> list[Span]:
    """The spans in order; those that overlap or touch are one, so that one mask stands for them."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end, len(span.mask))):
        if span.start == span.end:
            continue
        if merged and span.start <= merged[-1].end:
            last = merged[-1]
            if span.end > last.end:
                merged[-1] = Span(last.start, span.end, last.mask)
        else:
            merged.append(span)
    return merged


def _cut(text: str, spans: Sequence[Span]) -> tuple[str, tuple[Cut, ...]]:
    pieces: list[str] = []
    cuts: list[Cut] = []
    at = length = 0
    for span in spans:
        pieces.append(text[at : span.start])
        length += span.start - at
        mask = span.mask
        for number, line in enumerate(_LINE_BREAKS.split(text[span.start : span.end])):
            kept = line if number % 2 else mask
            mask = "" if number % 2 == 0 else mask
            pieces.append(kept)
            length += len(kept)
            if len(kept) != len(line):
                cuts.append(Cut(length, len(line) - len(kept)))
        at = span.end
    pieces.append(text[at:])
    return "".join(pieces), tuple(cuts)


def _combine(earlier: Sequence[Cut], later: Sequence[Cut]) -> tuple[Cut, ...]:
    """The cuts of one redaction and of the next, in the text that the next one left."""
    moved: list[Cut] = []
    shift = passed = 0
    for cut in earlier:
        while passed < len(later) and later[passed].position + shift + later[passed].removed <= cut.position:
            shift += later[passed].removed
            passed += 1
        position = cut.position - shift
        if passed < len(later):  # within what the next redaction took away
            position = min(position, later[passed].position)
        moved.append(Cut(position, cut.removed))
    return tuple(sorted([*moved, *later], key=lambda cut: cut.position))
