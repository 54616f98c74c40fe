"""Random queries that are valid by construction: every name resolves and every type fits.

Names collide on purpose (a few column names, CTEs called like tables, aliases used again inside), since that
is where resolving goes wrong. Results are deterministic: LIMIT stands only behind a total order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from tests.expressions import Expressions, Scope
from tests.querytree import INTEGER, TEXT, Cte, Item, Piece, Pieces, Query, Reference, Table

INTEGERS = ("k", "a", "b", "n")
TEXTS = ("s", "t", "u")
_ALIASES = ("x", "y", "z", "t0", "t1", "k")


@dataclass(frozen=True)
class Grammar:
    """What the dialect's warehouse can say, where they differ.

    `size` and `budget` bound a query: MariaDB's optimizer can hang on one that is made of many.
    """

    name: str
    full_join: bool
    listed_aliases: bool
    filter_clause: bool
    rollup: str
    temporary: str
    text_type: str
    size: int
    budget: int


REDSHIFT = Grammar("redshift", True, True, True, "rollup ({})", "temp", "varchar(9)", 3, 12)
MYSQL = Grammar("mysql", False, False, False, "{} with rollup", "temporary", "char(9)", 2, 6)
GRAMMARS = {grammar.name: grammar for grammar in (REDSHIFT, MYSQL)}


def tables(random: Random) -> list[Table]:
    """One to four tables that have a column `k` and some others in common."""
    made = []
    for at in range(random.randint(1, 4)):
        integers = ["k", *random.sample(INTEGERS[1:], random.randint(1, 3))]
        columns = dict.fromkeys(integers, INTEGER) | dict.fromkeys(
            random.sample(TEXTS, random.randint(1, 2)), TEXT
        )
        made.append(Table(f"t{at}", columns))
    return made


def query(random: Random, known: list[Table], grammar: Grammar) -> Query:
    """A query over these tables."""
    return Generator(random, known, grammar, grammar.budget).query(
        None, None, (), random.randint(0, grammar.size)
    )


@dataclass
class Generator:
    """Makes queries; `budget` is how many more of them may come before they become plain."""

    random: Random
    known: list[Table]
    grammar: Grammar
    budget: int
    expressions: Expressions = field(init=False)

    def __post_init__(self) -> None:
        self.expressions = Expressions(self.random, self)

    def chance(self, percent: int) -> bool:
        """True in so many cases of a hundred."""
        return self.random.randrange(100) < percent

    def query(
        self,
        kinds: list[str] | None,
        parent: Scope | None,
        ctes: tuple[Cte, ...],
        size: int,
        limit: bool = True,
    ) -> Query:
        """A query with output columns of these kinds (None: any), its names looked up in `parent` too."""
        self.budget -= 1
        size = size if self.budget > 0 else 0
        new: list[Cte] = []
        seen = ctes
        for _ in range(self.random.randint(1, 2) if size > 1 and self.chance(30) else 0):
            if not any(cte.recursive for cte in new):
                new.append(self._cte(seen, size - 1, new))
                seen = (*(cte for cte in seen if cte.name != new[-1].name), new[-1])
        if size > 0 and self.chance(22):
            made = self._set(kinds, parent, seen, size - 1, limit)
        else:
            made = self.select(kinds, parent, seen, size, limit)
        return Query(made.pieces, made.outputs, tuple(new))

    def _cte(self, ctes: tuple[Cte, ...], size: int, before: list[Cte]) -> Cte:
        taken = {cte.name for cte in before}
        if not before and self.chance(15):
            return self._recursive(ctes, size)
        names = [name for name in ("q1", "q2", *(table.name for table in self.known)) if name not in taken]
        name = self.random.choice(names)
        made = self.query(None, None, ctes, size)
        listed = tuple(self.names(list(made.outputs.values()))) if self.chance(25) else ()
        return Cte(name, made, listed)

    def _recursive(self, ctes: tuple[Cte, ...], size: int) -> Cte:
        """A recursive CTE that counts `n` up to a bound."""
        anchor = self.select([INTEGER, INTEGER, TEXT], None, ctes, 0, limit=False)
        start = Item(anchor, "anchor", ("n", "a", "s") if self.grammar.listed_aliases else ())
        columns = [Reference(start, name) for name in start.columns]
        cte = Cte("r", anchor, ("n", "a", "s"), recursive=True)
        itself = Item(Cte("r", Query((), {"n": INTEGER, "a": INTEGER, "s": TEXT}), itself=cte))
        hidden = {outer.name for outer in ctes}
        others = [Item(table, "other") for table in self.known if table.name not in hidden]
        scope = Scope([itself, *others[:1]] if self.chance(60) else [itself])
        pieces: list[Piece] = ["select ", *_joined(columns), " from ", start, " union "]
        pieces += ["select ", Reference(itself, "n"), " + 1, "]
        pieces += [*self.expressions.make(INTEGER, scope, 1, subqueries=False), " % 5, "]
        pieces += [*self.expressions.make(TEXT, scope, 0), " from ", itself]
        if len(scope.items) > 1:
            pieces += [", ", scope.items[1]]
        condition = self.expressions.condition(scope, 1, subqueries=False)
        pieces += [" where ", Reference(itself, "n"), " < 3 and ", *condition]
        cte.query = Query(tuple(pieces), {"n": INTEGER, "a": INTEGER, "s": TEXT})
        return cte

    def _set(
        self, kinds: list[str] | None, parent: Scope | None, ctes: tuple[Cte, ...], size: int, limit: bool
    ) -> Query:
        first = self._branch(kinds, parent, ctes, size, limit)
        outputs = first.outputs
        pieces: list[Piece] = [first]
        for _ in range(self.random.randint(1, 2)):
            pieces.append(self.random.choice((" union ", " union all ", " except ", " intersect ")))
            pieces.append(self._branch(list(outputs.values()), parent, ctes, size, limit))
        made = Query(tuple(pieces), outputs)
        return Query((*pieces, *self._ordered(made, limit)), outputs)

    def _branch(
        self, kinds: list[str] | None, parent: Scope | None, ctes: tuple[Cte, ...], size: int, limit: bool
    ) -> Query:
        if size > 0 and self.chance(20):
            return self._set(kinds, parent, ctes, size - 1, limit)
        return self.select(kinds, parent, ctes, size, limit)

    def _ordered(self, made: Query, limit: bool, first: Pieces = ()) -> Pieces:
        """ORDER BY over every column and, where allowed, a LIMIT."""
        if not self.chance(15):
            return ()
        order: list[Piece] = [" order by "]
        if first:
            order += [*first, self.random.choice((" desc, ", ", "))]
        ordinals = list(range(1, len(made.outputs) + 1))
        self.random.shuffle(ordinals)
        order.append(", ".join(map(str, ordinals)))
        if limit and self.chance(60):
            order.append(f" limit {self.random.randint(1, 3)}")
            if self.chance(30):
                order.append(" offset 1")
        return tuple(order)

    def select(
        self,
        kinds: list[str] | None,
        parent: Scope | None,
        ctes: tuple[Cte, ...],
        size: int,
        limit: bool = True,
    ) -> Query:
        """One SELECT."""
        scope = Scope([], parent, ctes)
        from_ = self._from(scope, ctes, size)
        if kinds is None and self.chance(20) and (star := self._star(scope)) is not None:
            head, outputs = star
        else:
            kinds = kinds or [self.random.choice((INTEGER, TEXT)) for _ in range(self.random.randint(1, 4))]
            outputs = dict(zip(self.names(kinds), kinds, strict=True))
            scope.aliases = frozenset(outputs)
            if self.chance(25):
                self.expressions.group(scope)
            head = self._projection(outputs, scope, size)
        distinct = "distinct " if self.chance(8) else ""
        pieces: list[Piece] = [f"select {distinct}", *head, " from ", *from_]
        plain = Scope(scope.items, parent, ctes, scope.aliases, merged=scope.merged, visible=scope.visible)
        if self.chance(45):
            pieces += [" where ", *self.expressions.condition(plain, size)]
        pieces += self._grouping(scope, size)
        made = Query(tuple(pieces), outputs)
        first: Pieces = ()
        if not distinct and not scope.grouped and scope.keys is None and self.chance(30):
            first = self.expressions.make(INTEGER, scope, 1)
        return Query((*pieces, *self._ordered(made, limit, first)), outputs)

    def _grouping(self, scope: Scope, size: int) -> list[Piece]:
        if scope.keys is None:
            return []
        pieces: list[Piece] = []
        if scope.keys:
            keys: list[Piece] = []
            for key, _ in scope.keys:
                keys += [*([", "] if keys else []), *key]
            before, after = self.grammar.rollup.split("{}") if self.chance(15) else ("", "")
            pieces += [" group by ", before, *keys, after]
        # MariaDB looks for k.t in HAVING outside where GROUP BY has it only inside a function
        plain = all(len(key) == 1 for key, _ in scope.keys) or self.grammar is not MYSQL
        if plain and self.chance(30):
            pieces += [" having ", *self.expressions.condition(scope, min(size, 1))]
        return pieces

    def _projection(self, outputs: dict[str, str], scope: Scope, size: int) -> list[Piece]:
        pieces: list[Piece] = []
        for name, kind in outputs.items():
            if pieces:
                pieces.append(", ")
            value = self.expressions.item(kind, scope, size)
            bare = len(value) == 1 and isinstance(value[0], Reference) and value[0].column == name
            pieces += [*value, "" if bare and self.chance(50) else f" as {name}"]
        return pieces

    def _star(self, scope: Scope) -> tuple[list[Piece], dict[str, str]] | None:
        """`*` or `t.*` and more, where all names differ."""
        outputs: dict[str, str] = {}
        head: list[Piece] = []
        names = [name for name in scope.visible for _ in range(scope.visible[name])]
        if self.chance(50) and len(set(names)) == len(names):
            for item in scope.ordered():
                outputs |= item
            return ["*"], outputs
        for item in scope.items:
            if not outputs.keys() & item.columns.keys():
                head += [*([", "] if head else []), Reference(item, "*")]
                outputs |= item.columns
        return (head, outputs) if head else None

    def _from(self, scope: Scope, ctes: tuple[Cte, ...], size: int) -> Pieces:
        pieces: list[Piece] = [self._item(scope, ctes, size)]
        for _ in range(self.random.choice((0, 0, 0, 1, 1, 2))):
            pieces += self._join(scope, ctes, size)
        return tuple(pieces)

    def _join(self, scope: Scope, ctes: tuple[Cte, ...], size: int) -> Pieces:
        before = dict(scope.visible)
        item = self._item(scope, ctes, size)
        common = [name for name in item.columns if before.get(name) == 1]
        kind = self.random.choice(("join", "join", "left join", "right join", "full join", "cross join"))
        if kind == "full join" and not self.grammar.full_join:
            kind = "left join"
        if kind == "cross join":
            return (" cross join ", item)
        if common and self.chance(35):
            names = self.random.sample(common, self.random.randint(1, min(2, len(common))))
            scope.merge(names, kind == "right join" and self.grammar.name == "mysql")
            return (f" {kind} ", item, f" using ({', '.join(names)})")
        if kind == "full join":
            left = self._integer_of(scope.items[:-1])
            right = self._integer_of(scope.items[-1:])
            return (
                (f" {kind} ", item, " on ", left, " = ", right) if left and right else (" cross join ", item)
            )
        return (f" {kind} ", item, " on ", *self.expressions.condition(scope, min(size, 1)))

    def _integer_of(self, items: list[Item]) -> Reference | None:
        found = [
            Reference(item, name) for item in items for name, kind in item.columns.items() if kind == INTEGER
        ]
        return self.random.choice(found) if found else None

    def _item(self, scope: Scope, ctes: tuple[Cte, ...], size: int) -> Item:
        """A table, a CTE or a derived table under a name that the scope has not yet."""
        taken = {item.name for item in scope.items}
        hidden = {cte.name for cte in ctes}
        sources: list[Table | Cte] = [table for table in self.known if table.name not in hidden]
        sources += [*ctes, *ctes]
        source: Table | Cte | Query = (
            self.query(None, None, ctes, size - 1)
            if not sources or (size > 0 and self.chance(25))
            else self.random.choice(sources)
        )
        alias = None
        if isinstance(source, Query) or source.name in taken or self.chance(60):
            alias = self.random.choice([name for name in _ALIASES if name not in taken])
        names: tuple[str, ...] = ()
        if alias is not None and self.grammar.listed_aliases and self.chance(15):
            kinds = source.outputs if isinstance(source, Query) else source.columns
            names = tuple(self.names(list(kinds.values())))
        item = Item(source, alias, names)
        scope.add(item)
        return item

    def names(self, kinds: list[str]) -> list[str]:
        """A name for each column, no two alike; integers and texts never share one."""
        found: list[str] = []
        for at, kind in enumerate(kinds):
            free = [name for name in (INTEGERS if kind == INTEGER else TEXTS) if name not in found]
            found.append(self.random.choice(free) if free else f"{'o' if kind == INTEGER else 'p'}{at}")
        return found


def _joined(references: list[Reference]) -> Pieces:
    pieces: list[Piece] = []
    for reference in references:
        pieces += [*([", "] if pieces else []), reference]
    return tuple(pieces)
