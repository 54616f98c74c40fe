"""A seeded corpus of the statements that fill a warehouse: 5, 50 or 500 lines, in either dialect.

CREATE TABLE AS and INSERT … SELECT over joins, chains of CTEs, CASE, windows, aggregates, subqueries and
unions, with column names of one schema (`phrases.SCHEMA`). The same seed makes the same texts.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from benchmarks.phrases import AGGREGATES, ITEMS, PREDICATES, SPELLINGS, TABLES, WORDS, Spelling

SIZES = (5, 50, 500)
_ALIASES = "abcdefgh"
_HOLE = re.compile(r"<(\w)>")


def corpus(dialect: str, lines: int, count: int, seed: int = 1) -> list[str]:
    """This many distinct statements of about this many lines, without a terminator."""
    writer = _Writer(SPELLINGS[dialect], random.Random(f"{dialect} {lines} {seed}"))
    texts: dict[str, None] = {}
    while len(texts) < count:
        texts[writer.short() if lines <= 5 else writer.long(lines)] = None
    return list(texts)


@dataclass(frozen=True, slots=True)
class _Source:
    """Something to select from, under an alias; `columns` are name → kind."""

    alias: str
    text: str
    columns: Mapping[str, str]

    def named(self, kind: str) -> list[str]:
        """The columns of this kind, with the alias before them."""
        return [f"{self.alias}.{column}" for column, of in self.columns.items() if of == kind]


@dataclass(slots=True)
class _Items:
    """A select list while it is written: a text and a kind for each name."""

    texts: list[str] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    def add(self, expression: str, kind: str) -> None:
        """Take an expression not yet taken, under the name it says with `as` or that of its first column."""
        if expression in self._taken:
            return
        self._taken.add(expression)
        body, _, word = expression.rpartition(" as ")
        if not body or " " in word:
            body, word = expression, ""
        column = re.search(r"\b\w\.(\w+)", body)
        name = "_".join(filter(None, (column[1] if column else "", word)))[:50]
        free = next(
            new for n in range(1, 999) if (new := name if n == 1 else f"{name}_{n}") not in self.columns
        )
        self.columns[free] = kind
        plain = re.fullmatch(rf"\w\.{free}", body)
        self.texts.append(body if plain else f"{body} as {free}")


class _Writer:
    """Writes statements in one dialect, each different from the last."""

    def __init__(self, spelling: Spelling, chance: random.Random) -> None:
        self.spelling = spelling
        self.chance = chance
        self.items = {kind: ITEMS[kind] + spelling.items.get(kind, ()) for kind in ITEMS}
        self.aggregates = AGGREGATES + spelling.aggregates
        self.unread: list[_Source] = []

    def short(self) -> str:
        """A statement of five long lines."""
        sources = self._tables(2)
        shape = self.chance.choice(("aggregate", "window", "cte", "union"))
        joined = f"from {self._joined(sources, ' ')}"
        where = f"where {self._predicate(sources)} and {self._predicate(sources)}"
        if shape == "aggregate":
            items, keys = self._grouped(sources, 4)
            return self._flat(items, [joined, where, f"group by {', '.join(keys)}"])
        if shape == "union":
            items, other = _Items(), self._tables(1)
            for kind in "itnd":
                items.add(self._item(sources[:1], kind), kind)
            second = ", ".join(self._column(other, kind) for kind in "itnd")
            first_where = f"from {sources[0].text} {sources[0].alias} where {self._predicate(sources[:1])}"
            lines = [first_where, "union all", f"select {second} from {other[0].text} {other[0].alias}"]
            return self._flat(items, lines)
        if shape == "window":
            items = self._listed(sources, 3)
            items.add(
                f"row_number() over ({self._fill('partition by <i> order by <d> desc', sources)}) as rn", "n"
            )
            return self._flat(items, [joined, where, f"  and {self._subquery(sources)}"])
        inner, inner_keys = self._grouped(sources[1:], 4)
        recent = _Source("r", "recent", inner.columns)
        with_clause = (
            f"with recent as (select {', '.join(inner.texts)} from {sources[1].text} {sources[1].alias} "
            f"group by {', '.join(inner_keys)})"
        )
        outer = [sources[0], recent]
        lines = [f"from {self._joined(outer, ' ')}", f"where {self._predicate(outer)}"]
        return self._flat(self._listed(outer, 4), lines, [with_clause])

    def long(self, lines: int) -> str:
        """A chain of CTEs with a wide SELECT at its end."""
        made: list[_Source] = []
        body = ["with"]
        kept_for_the_end = 22 + lines // 12
        while not made or lines - len(body) > kept_for_the_end:
            block, columns = self._cte(made)
            name = f"step_{len(made) + 1}"
            body += [f"{name} as (", *(f"    {line}" for line in block), "),"]
            made.append(_Source("", name, columns))
            self.unread.append(made[-1])
        body[-1] = ")"
        ends = self._chosen(made, max(2, min(len(self.unread), len(_ALIASES))))
        self.unread.clear()
        return "\n".join(self._ended(body, ends, lines))

    def _ended(self, body: Sequence[str], sources: list[_Source], lines: int) -> list[str]:
        items, clauses = _Items(), self._clauses(sources, 2)
        texts: list[str] = []
        head = self._head(items.columns)
        while len(texts) < 4 or len(head) + len(body) + len(texts) + len(clauses) + 1 < lines:
            items.add(self._item(sources, self.chance.choice("nnntdi")), "n")
            texts, head = _separated(items.texts), self._head(items.columns)
        if self.chance.random() < 0.5:
            head = [f"create table mart.{self._target()}{self._layout(items.columns)} as"]
        return [*head, *body, "select", *texts, *clauses]

    def _cte(self, made: list[_Source]) -> tuple[list[str], Mapping[str, str]]:
        """The lines of one SELECT, over tables and the CTEs before it, and the columns it gives."""
        sources = self._chosen(made, self.chance.choice((1, 2, 2, 3)))
        shape = self.chance.choice(("join", "join", "aggregate", "ranked", "union"))
        if shape == "ranked":
            return self._ranked(sources[0])
        if shape == "aggregate":
            items, keys = self._grouped(sources, self.chance.randint(6, 10))
            return [
                "select",
                *_separated(items.texts),
                *self._clauses(sources, 1),
                f"group by {', '.join(keys)}",
            ], items.columns
        items = self._listed(sources, self.chance.randint(6, 14))
        lines = ["select", *_separated(items.texts), *self._clauses(sources, 2)]
        if shape == "union":
            other = self._tables(1)
            second = [self._column(other, kind) for kind in items.columns.values()]
            lines += [
                "union all",
                "select",
                *(f"    {line}" for line in wrap(", ".join(second), 90)),
                *self._clauses(other, 1),
            ]
        return lines, items.columns

    def _ranked(self, source: _Source) -> tuple[list[str], Mapping[str, str]]:
        """The newest row of each group: by QUALIFY, or by a number that an outer query compares."""
        window = f"row_number() over ({self._fill('partition by <i> order by <d> desc', [source])})"
        inner = [f"from {source.text} {source.alias}", f"where {self._predicate([source])}"]
        if self.spelling.qualify and self.chance.random() < 0.5:
            return [f"select {source.alias}.*", *inner, f"qualify {window} = 1"], source.columns
        lines = [f"select {source.alias}.*,", f"    {window} as rn", *inner]
        columns = {**source.columns, "rn": "n"}
        return [
            "select *",
            "from (",
            *(f"    {line}" for line in lines),
            ") ranked",
            "where ranked.rn = 1",
        ], columns

    def _clauses(self, sources: Sequence[_Source], predicates: int) -> list[str]:
        joined = self._joined(sources, "\n").split("\n")
        conditions = [self._predicate(sources) for _ in range(predicates)]
        if self.chance.random() < 0.4:
            conditions.append(self._subquery(sources))
        return [
            f"from {joined[0]}",
            *joined[1:],
            f"where {conditions[0]}",
            *(f"  and {c}" for c in conditions[1:]),
        ]

    def _listed(self, sources: Sequence[_Source], width: int) -> _Items:
        items = _Items()
        for kind in ["i", "d", *(self.chance.choice("nnnttdi") for _ in range(width - 2))]:
            items.add(self._item(sources, kind), kind)
        return items

    def _grouped(self, sources: Sequence[_Source], width: int) -> tuple[_Items, list[str]]:
        """A select list of keys and aggregates, and the keys."""
        items = _Items()
        keys = {self._column(sources, kind): kind for kind in "itd"}
        for key, kind in keys.items():
            items.add(key, kind)
        for _ in range(width - len(keys)):
            items.add(self._fill(self.chance.choice(self.aggregates), sources), "n")
        return items, list(keys)

    def _item(self, sources: Sequence[_Source], kind: str) -> str:
        if kind == "n" and self.chance.random() < 0.04:
            table, key, outer = self._correlated(sources)
            return f"(select max(x.{_first(table, 'n')}) from {table} x where x.{key} = {outer}) as best"
        return self._fill(self.chance.choice(self.items[kind]), sources)

    def _predicate(self, sources: Sequence[_Source]) -> str:
        return self._fill(self.chance.choice(PREDICATES), sources)

    def _subquery(self, sources: Sequence[_Source]) -> str:
        table, key, outer = self._correlated(sources)
        number = _first(table, "n")
        if self.chance.random() < 0.5:
            return (
                f"exists (select 1 from {table} x where x.{key} = {outer} and x.{number} > {self._number()})"
            )
        return f"{outer} in (select x.{key} from {table} x where x.{number} > {self._number()})"

    def _correlated(self, sources: Sequence[_Source]) -> tuple[str, str, str]:
        """A table, an id of it, and a column outside that the id is compared with."""
        outer = self._column(sources, "i")
        name = outer.partition(".")[2]
        table = self.chance.choice([table for table in TABLES if name in TABLES[table]] or list(TABLES))
        return table, name if name in TABLES[table] else _first(table, "i"), outer

    def _column(self, sources: Sequence[_Source], kind: str) -> str:
        found = [name for source in sources for name in source.named(kind)]
        return self.chance.choice(
            found or [f"{source.alias}.{name}" for source in sources for name in source.columns]
        )

    def _fill(self, phrase: str, sources: Sequence[_Source]) -> str:
        def filled(hole: re.Match[str]) -> str:
            match hole[1]:
                case "k":
                    return self._number()
                case "w":
                    return self.chance.choice(WORDS)
                case "m":
                    return f"{self.chance.randint(1, 12):02}"
                case kind:
                    return self._column(sources, kind)

        return _HOLE.sub(filled, phrase)

    def _number(self) -> str:
        return str(self.chance.randint(1, 500))

    def _tables(self, count: int) -> list[_Source]:
        return self._chosen([], count)

    def _chosen(self, made: Sequence[_Source], count: int) -> list[_Source]:
        """Sources under aliases of their own: CTEs that nobody read yet, new CTEs, tables."""
        chosen: list[_Source] = []
        for alias in _ALIASES[:count]:
            if self.unread and (count > 3 or self.chance.random() < 0.5):
                source = self.unread.pop(0)
            elif made and self.chance.random() < 0.3:
                source = self.chance.choice(made[-4:])
            else:
                table = self.chance.choice(list(TABLES))
                source = _Source("", table, TABLES[table])
            chosen.append(_Source(alias, source.text, source.columns))
        return chosen

    def _joined(self, sources: Sequence[_Source], separator: str) -> str:
        parts = [f"{sources[0].text} {sources[0].alias}"]
        for at, source in enumerate(sources[1:], 1):
            left, right = self._key(sources[:at], source)
            kind = self.chance.choice(("join", "left join"))
            parts.append(f"{kind} {source.text} {source.alias} on {right} = {left}")
        return separator.join(parts)

    def _key(self, before: Sequence[_Source], source: _Source) -> tuple[str, str]:
        """Two ids of the same name, if there are such; else any two."""
        for name in source.named("i"):
            for other in before:
                same = f"{other.alias}.{name.partition('.')[2]}"
                if same in other.named("i"):
                    return same, name
        return self._column(before, "i"), self._column([source], "i")

    def _flat(self, items: _Items, rest: Sequence[str], before: Sequence[str] = ()) -> str:
        head = self._head(items.columns, 999)
        if self.chance.random() < 0.5:
            head = [f"create table mart.{self._target()}{self._layout(items.columns)} as"]
        return "\n".join([*head, *before, f"select {', '.join(items.texts)}".replace("\n", " "), *rest])

    def _head(self, columns: Mapping[str, str], width: int = 100) -> list[str]:
        return wrap(
            f"insert into mart.{self._target()} ({', '.join(columns)})", width, break_long_words=False
        )

    def _layout(self, columns: Mapping[str, str]) -> str:
        return self.spelling.layout.format(key=next(iter(columns)))

    def _target(self) -> str:
        return f"{self.chance.choice(WORDS).lower()}_{self.chance.choice(list(TABLES)).partition('.')[2]}"


def _first(table: str, kind: str) -> str:
    return next(column for column, of in TABLES[table].items() if of == kind)


def _separated(texts: Sequence[str]) -> list[str]:
    """The items one below the other, each but the last with its comma."""
    lines = ",\n".join(texts).split("\n")
    return [f"    {line}" for line in lines]
