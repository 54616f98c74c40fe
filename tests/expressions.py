"""Random expressions over the columns that a scope has, by kind, for `tests.generate`."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from tests.querytree import INTEGER, TEXT, Constant, Cte, Item, Piece, Pieces, Query, Reference

if TYPE_CHECKING:
    from tests.generate import Generator


@dataclass
class Scope:
    """What an expression in one SELECT may refer to.

    `visible` counts the columns of each name; those `merged` by USING count once. `keys` are the group's
    expressions where there is a GROUP BY: outside of aggregates nothing else may be used.
    """

    items: list[Item]
    parent: Scope | None = None
    ctes: tuple[Cte, ...] = ()
    aliases: frozenset[str] = frozenset()
    keys: list[tuple[Pieces, str]] | None = None
    merged: list[dict[str, str]] = field(default_factory=list)
    visible: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.visible:
            items, self.items = self.items, []
            for item in items:
                self.add(item)

    @property
    def grouped(self) -> bool:
        """Is there an aggregate in the select list, or a GROUP BY?"""
        return self.keys is not None

    def add(self, item: Item) -> None:
        """Put one more item into FROM."""
        self.items.append(item)
        for name in item.columns:
            self.visible[name] = self.visible.get(name, 0) + 1
        self.merged.append(dict(item.columns))

    def merge(self, names: list[str], right_first: bool = False) -> None:
        """Let the last item share these columns with those before it; `merged` are the columns of `*`."""
        left: dict[str, str] = {}
        for columns in self.merged[:-1]:
            left |= columns
        right = self.merged[-1]
        common = {name: left[name] for name in names}
        ours = {name: kind for name, kind in left.items() if name not in common}
        theirs = {name: kind for name, kind in right.items() if name not in common}
        self.merged = [common, *([theirs, ours] if right_first else [ours, theirs])]
        for name in names:
            self.visible[name] -= 1

    def ordered(self) -> list[dict[str, str]]:
        """The columns of `*` in order, in groups."""
        return self.merged

    def references(self, kind: str, wide: bool = True) -> list[Reference]:
        """The references to columns of this kind, here and (with `wide`) in the queries around."""
        found: list[Reference] = []
        hidden: set[str] = set()
        shadowed: set[str] = set()
        scope: Scope | None = self
        while scope is not None:
            for item in scope.items:
                for name, its in item.columns.items():
                    if its != kind:
                        continue
                    if item.name not in hidden and (scope is self or scope.may_leave(item, name)):
                        found.append(Reference(item, name))
                        if (
                            scope.visible.get(name) == 1
                            and name not in shadowed
                            and not scope.is_merged(name)
                        ):
                            found.append(Reference(item, name, bare=True))
            if scope is self:
                found += [Reference(scope.items[0], name, bare=True) for name in scope.common(kind)]
            hidden |= {item.name for item in scope.items}
            shadowed |= scope.visible.keys() | scope.aliases
            scope = scope.parent if wide else None
        return found

    def common(self, kind: str) -> list[str]:
        """The columns of this kind that USING has merged, where their bare name is clear."""
        return [
            name
            for name, count in self.visible.items()
            if count == 1
            and self.is_merged(name)
            and any(item.columns.get(name) == kind for item in self.items)
        ]

    def is_merged(self, name: str) -> bool:
        """Is it a column of more items than are visible?"""
        return sum(name in item.columns for item in self.items) > self.visible.get(name, 0)

    def may_leave(self, item: Item, name: str) -> bool:
        """May a query inside this one refer to the column? In a group only to a key."""
        if self.keys is None:
            return True
        return any(
            len(key) == 1 and isinstance(key[0], Reference) and key[0].item is item and key[0].column == name
            and not self.is_merged(name)
            for key, _ in self.keys
        )  # fmt: skip


_AGGREGATES = ("sum", "min", "max", "count", "count distinct", "avg")
_COMPARISONS = (" = ", " <> ", " < ", " >= ")
_WINDOWS = ("sum", "min", "max", "count", "rank", "dense_rank", "first_value", "last_value")


class Expressions:
    """Makes expressions; subqueries come from the generator that it belongs to."""

    def __init__(self, random: Random, generator: Generator) -> None:
        self.random = random
        self.generator = generator
        self.mysql = generator.grammar.name == "mysql"

    def chance(self, percent: int) -> bool:
        """True in so many cases of a hundred."""
        return self.random.randrange(100) < percent

    def group(self, scope: Scope) -> None:
        """Give the scope a GROUP BY of up to two columns or functions of one; with none all rows are one."""
        keys: list[tuple[Pieces, str]] = []
        for _ in range(self.random.randint(0, 2)):
            kind = self.random.choice((INTEGER, TEXT))
            own = scope.references(kind, wide=False)
            if own:
                key: Pieces = (self.random.choice(own),)
                if self.chance(30):
                    key = ("abs(", *key, ")") if kind == INTEGER else ("upper(", *key, ")")
                keys.append((key, kind))
        scope.keys = keys

    def item(self, kind: str, scope: Scope, size: int) -> Pieces:
        """An expression for the select list: there, windows are allowed."""
        if kind == INTEGER and self.chance(12):
            return self.window(scope)
        return self.make(kind, scope, size)

    def make(self, kind: str, scope: Scope, size: int, subqueries: bool = True) -> Pieces:
        """An expression of this kind; in a grouped scope of keys and aggregates only."""
        if scope.grouped and self.chance(55):
            return self.aggregate(kind, scope)
        if size <= 0 or self.chance(35):
            return self.leaf(kind, scope)
        if subqueries and self.chance(15):
            return self.scalar(kind, scope, size)
        if self.chance(20):
            return self.case(kind, scope, size, subqueries)
        made = self._integer if kind == INTEGER else self._text
        return made(scope, size - 1, subqueries)

    def leaf(self, kind: str, scope: Scope) -> Pieces:
        """A column, a key of the group, or a constant."""
        if scope.keys is not None:
            keys = [key for key, its in scope.keys if its == kind]
            outer = [reference for reference in scope.references(kind) if reference.item not in scope.items]
            if keys and self.chance(85):
                return self.random.choice(keys)
            if outer and self.chance(50):
                return (self.random.choice(outer),)
        elif (references := scope.references(kind)) and self.chance(90):
            return (self.random.choice(references),)
        constant: Piece = Constant(kind, self.random.randint(0, 4))
        return (
            (constant,)
            if kind == INTEGER
            else ("cast(", constant, f" as {self.generator.grammar.text_type})")
        )

    def aggregate(self, kind: str, scope: Scope) -> Pieces:
        """An aggregate over the rows of a group."""
        rows = Scope(scope.items, None, scope.ctes, merged=scope.merged, visible=scope.visible)
        argument = self.make(kind, rows, 1, subqueries=False)
        if kind == TEXT:
            return (f"{self.random.choice(('min', 'max'))}(", *argument, ")")
        name = self.random.choice(_AGGREGATES)
        if name == "count" and self.chance(30):
            return ("count(*)",)
        made: Pieces = (f"{name.replace(' ', '(')} " if " " in name else f"{name}(", *argument, ")")
        if self.generator.grammar.filter_clause and self.chance(10):
            made = (*made, " filter (where ", *self.condition(rows, 0, subqueries=False), ")")
        return made

    def window(self, scope: Scope) -> Pieces:
        """A window function whose value does not depend on the order of equal rows."""
        name = self.random.choice(_WINDOWS)
        order = self.make(INTEGER, scope, 0)
        argument = (
            () if "rank" in name else order if name.endswith("_value") else self.make(INTEGER, scope, 1)
        )
        parts: list[Piece] = [f"{name}(", *argument, ") over ("]
        if self.chance(60):
            parts += ["partition by ", *self.make(self.random.choice((INTEGER, TEXT)), scope, 0), " "]
        return (*parts, "order by ", *order, ")")

    def scalar(self, kind: str, scope: Scope, size: int) -> Pieces:
        """A subquery of one value."""
        generator = self.generator
        inner = generator.select([kind], scope, scope.ctes, size - 1, limit=False)
        (column,) = inner.outputs
        outer = Item(generator.query([kind], None, scope.ctes, size - 1), "w")
        if self.chance(50):
            return (
                Query(
                    ("select max(", Reference(outer, next(iter(outer.columns))), ") from ", outer),
                    {column: kind},
                ),
            )
        limited = Query((*inner.pieces, " limit 1"), inner.outputs)
        if not any(isinstance(piece, str) and " order by " in piece for piece in inner.pieces):
            limited = Query((*inner.pieces, " order by 1 limit 1"), inner.outputs)
        return (limited,)

    def case(self, kind: str, scope: Scope, size: int, subqueries: bool) -> Pieces:
        """CASE, with or without an operand."""
        size -= 1
        pieces: list[Piece] = ["case "]
        operand = self.make(INTEGER, scope, 0) if self.chance(30) else ()
        pieces += [*operand, " "]
        for _ in range(self.random.randint(1, 2)):
            when = self.make(INTEGER, scope, 0) if operand else self.condition(scope, size, subqueries)
            pieces += ["when ", *when, " then ", *self.make(kind, scope, size, subqueries), " "]
        if self.chance(70):
            pieces += ["else ", *self.make(kind, scope, size, subqueries), " "]
        return (*pieces, "end")

    def _integer(self, scope: Scope, size: int, subqueries: bool) -> Pieces:
        def one() -> Pieces:
            return self.make(INTEGER, scope, size, subqueries)

        shapes: list[tuple[Piece | Pieces, ...]] = [
            ("(", one(), self.random.choice((" + ", " - ")), one(), ")"),
            ("abs(", one(), ")"),
            ("mod(", one(), ", 3)"),
            (self.random.choice(("coalesce(", "nullif(", "greatest(", "least(")), one(), ", ", one(), ")"),
            ("length(", self.make(TEXT, scope, size, subqueries), ")"),
            ("(- ", one(), ")") if not self.mysql else ("ifnull(", one(), ", ", one(), ")"),
        ]
        if self.mysql:
            shapes.append(("if(", self.condition(scope, size, subqueries), ", ", one(), ", ", one(), ")"))
        return flat(self.random.choice(shapes))

    def _text(self, scope: Scope, size: int, subqueries: bool) -> Pieces:
        def one() -> Pieces:
            return self.make(TEXT, scope, size, subqueries)

        shapes: list[tuple[Piece | Pieces, ...]] = [
            ("concat(", one(), ", ", one(), ")") if self.mysql else ("(", one(), " || ", one(), ")"),
            (self.random.choice(("upper(", "lower(", "trim(")), one(), ")"),
            (self.random.choice(("coalesce(", "nullif(")), one(), ", ", one(), ")"),
            ("replace(", one(), ", 'a', ", one(), ")"),
            (
                "cast(",
                self.make(INTEGER, scope, size, subqueries),
                f" as {self.generator.grammar.text_type})",
            ),
        ]
        return flat(self.random.choice(shapes))

    def condition(self, scope: Scope, size: int, subqueries: bool = True) -> Pieces:
        """A condition over the scope's columns."""
        if size > 0 and self.chance(30):
            first = self.condition(scope, size - 1, subqueries)
            second = self.condition(scope, size - 1, subqueries)
            return ("(", *first, self.random.choice((" and ", " or ")), *second, ")")
        if subqueries and size > 0 and self.chance(40):
            return self._with_subquery(scope, size)
        kind = self.random.choice((INTEGER, TEXT))
        left, right = (
            self.make(kind, scope, size - 1, subqueries),
            self.make(kind, scope, size - 1, subqueries),
        )
        null_safe = (" <=> ",) if self.mysql else (" is not distinct from ",)
        shapes: list[tuple[Piece | Pieces, ...]] = [
            (left, self.random.choice(_COMPARISONS), right),
            (left, self.random.choice(_COMPARISONS), right),
            (left, self.random.choice((" is null", " is not null"))),
            (left, " in (", right, ", ", self.leaf(kind, scope), ")"),
            (left, " between ", right, " and ", self.leaf(kind, scope)),
            ("not ", left, null_safe, right),
            (left, " like 'a%'") if kind == TEXT else (left, " <> 1"),
        ]
        return ("(", *flat(self.random.choice(shapes)), ")")

    def _with_subquery(self, scope: Scope, size: int) -> Pieces:
        kind = self.random.choice((INTEGER, TEXT))
        inner = self.generator.query([kind], scope, scope.ctes, size - 1, limit=False)
        left = self.make(kind, scope, 0)
        no = self.random.choice(("", "not "))
        if self.chance(45):
            return ("(", no, "exists ", inner, ")")
        if self.chance(70):
            return ("(", *left, f" {no}in ", inner, ")")
        return ("(", *left, self.random.choice((" > all ", " = any ", " <= any ")), inner, ")")


def flat(shape: tuple[Piece | Pieces, ...]) -> Pieces:
    """The pieces of pieces in one row."""
    found: list[Piece] = []
    for part in shape:
        found.extend(part if isinstance(part, tuple) else (part,))
    return tuple(found)
