"""Names and SQL texts as words, and what a person looks for among them.

A word starts at the beginning, behind whatever is no letter and no digit, and at a hump: `orderTotal` has the words
order and total, and is the word ordertotal as a whole. Letter case does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple
from unicodedata import normalize

Words = tuple[str, ...]

PAIR = "·"
"""Stands between two words; no word holds it."""

_RUN = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_END_OF_NAME = re.compile(r"[^./]*\Z")


class Match(IntEnum):
    """How well a name fits: it begins words of it, is whole words of it, or is its end as a whole."""

    BEGINNING = 1
    WORDS = 2
    NAME = 3


@dataclass(frozen=True, slots=True)
class Part:
    """What stands between two spaces of a search: words that follow each other, the last may be a beginning.

    `forms` are the words by humps and, where those differ, without regard to them.
    """

    forms: tuple[Words, ...]
    pattern: re.Pattern[str]

    def places(self, name: str, lowered: str, context: int) -> Iterator[Place]:
        """Where it stands in a name, of which so many characters are context."""
        found = self.pattern.search(lowered)
        while found is not None:
            start, end = found.span()
            if _is_edge(name, start):
                yield Place(own=end > context, whole=_is_edge(name, end))
            found = self.pattern.search(lowered, start + 1)


class Place(NamedTuple):
    """Where a part stands: does it lead into what is the name's own, does a word end there?"""

    own: bool
    whole: bool


@dataclass(frozen=True, slots=True)
class Search:
    """What a person looks for: all `parts` have to be there, in any order. No character has a meaning of its own."""

    text: str
    parts: tuple[Part, ...]

    def match(self, context: str, own: str) -> Match | None:
        """How well it fits a name of its `own` in a context; None where no part leads into what is its own."""
        full = _composed(context + own)
        lowered = full.lower()
        if self._ends(lowered):
            return Match.NAME
        name = full if len(full) == len(lowered) else lowered  # İ has two characters in lower case
        found = [set(part.places(name, lowered, len(_composed(context)))) for part in self.parts]
        if not all(found) or not any(place.own for places in found for place in places):
            return None
        whole = [{place for place in places if place.whole} for places in found]
        is_whole = all(whole) and any(place.own for places in whole for place in places)
        return Match.WORDS if is_whole else Match.BEGINNING

    def _ends(self, name: str) -> bool:
        """Is it the whole name, or all of its end behind a dot or slash?"""
        text = self.text.lower()
        return bool(text) and (name == text or name.endswith((f".{text}", f"/{text}")))


def read_search(text: str) -> Search:
    """What a person looks for: `total`, `orders.total`, `shop pay`."""
    text = _composed(text.strip())
    forms = [tuple(dict.fromkeys((by_humps(piece), by_runs(piece)))) for piece in text.split()]
    return Search(text, tuple(Part(form, _pattern(form[0])) for form in forms if form[0]))


def by_humps(text: str) -> Words:
    """The words of a text in their order: `orderTotal` is order, total."""
    return tuple(
        word.lower()
        for run in _runs(text)
        for word in ([run] if run.islower() or run.isupper() else _HUMP.split(run))
    )


def every_word(text: str) -> Iterable[str]:
    """All words of a text, by humps and without regard to them, each once."""
    runs = dict.fromkeys(_runs(text))
    words = {run.lower(): None for run in runs}
    if not text.islower():
        words.update(dict.fromkeys(by_humps(" ".join(runs))))
    return words


def every_pair(text: str) -> Iterable[str]:
    """Each two words of a text that follow each other without a space, with `PAIR` between them."""
    found: dict[str, None] = {}
    for piece in dict.fromkeys(_composed(text).split()):
        forms = (by_runs(piece),) if piece.islower() else (by_humps(piece), by_runs(piece))
        for words in forms:
            found.update(dict.fromkeys(map(PAIR.join, pairwise(words))))
    return found


def by_runs(text: str) -> Words:
    """The words of a text in their order, without regard to humps: `orderTotal` is ordertotal."""
    return tuple(run.lower() for run in _runs(text))


def last_name(text: str) -> str:
    """What stands behind the last dot or slash, as one word; "" where that has no letter or digit."""
    end = _END_OF_NAME.search(text)
    return "".join(by_runs(end[0])) if end is not None else ""


def _runs(text: str) -> list[str]:
    found: list[str] = _RUN.findall(_composed(text))
    return found


def _composed(text: str) -> str:
    """The text with each letter in one character where there is one."""
    return text if text.isascii() else normalize("NFC", text)


def _pattern(words: Words) -> re.Pattern[str]:
    return re.compile(r"(?:[^\w\s]|_)*".join(map(re.escape, words)))


def _is_edge(name: str, at: int) -> bool:
    """May a word begin or end here?"""
    inside = 0 < at < len(name) and name[at - 1].isalnum() and name[at].isalnum()
    return not inside or _HUMP.match(name, at) is not None
