"""Folding: the one place where a written identifier becomes the name the warehouse uses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from sqllineage_svc.model.names import Relation

_ASCII_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def _ascii_lower(name: str) -> str:
    return name.lower() if name.isascii() else name.translate(_ASCII_LOWER)


_FUNCTIONS: dict[str, Callable[[str], str]] = {"keep": str, "lower": str.lower, "ascii_lower": _ascii_lower}


class Fold(Enum):
    """What a warehouse does to the letters of an identifier."""

    KEEP = "keep"
    LOWER = "lower"
    ASCII_LOWER = "ascii_lower"

    def __call__(self, name: str) -> str:
        """The name as the warehouse stores or compares it."""
        return self.function(name)

    @property
    def function(self) -> Callable[[str], str]:
        """The same as a function, for those who fold by the thousand."""
        return _FUNCTIONS[self._value_]


@dataclass(frozen=True, slots=True)
class IdentifierRules:
    """How a warehouse folds the names of relations and of columns, quoted or not."""

    relation: Fold
    quoted_relation: Fold
    column: Fold
    quoted_column: Fold

    @property
    def quotes_matter(self) -> bool:
        """May a name in quotes mean another thing than the same name without?"""
        return self.relation is not self.quoted_relation or self.column is not self.quoted_column

    def fold_relation(self, name: str, quoted: bool) -> str:
        """The part of a relation's name that this spelling stands for."""
        return (self.quoted_relation if quoted else self.relation)(name)

    def fold_column(self, name: str, quoted: bool) -> str:
        """The column name that this spelling stands for."""
        return (self.quoted_column if quoted else self.column)(name)


_PART = re.compile(r'"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|([^."`]+)')


def parse_relation(dotted: str, rules: IdentifierRules) -> Relation:
    """A dotted name, with quotes where a part needs them, as a Relation.

        fin."inv.2024"  ->  Relation(None, "fin", "inv.2024")

    Raises ValueError when the text is not one to three parts.
    """
    parts: list[str] = []
    position = 0
    while position <= len(dotted):
        match = _PART.match(dotted, position)
        if match is None:
            raise ValueError(f"{dotted!r} is not a table name; expected [[catalog.]schema.]table")
        double, back, plain = match.groups()
        quoted = double if double is not None else back
        name = plain if quoted is None else quoted.replace('""', '"').replace("``", "`")
        parts.append(rules.fold_relation(name.strip() if quoted is None else name, quoted is not None))
        position = match.end() + 1
        if match.end() < len(dotted) and dotted[match.end()] != ".":
            raise ValueError(f"{dotted!r} is not a table name; expected [[catalog.]schema.]table")
        if match.end() == len(dotted):
            break
    if not 1 <= len(parts) <= 3:
        raise ValueError(f"{dotted!r} has {len(parts)} parts; expected [[catalog.]schema.]table")
    catalog, schema, name = [None, None, None, *parts][-3:]
    return Relation(catalog, schema, name or "")
