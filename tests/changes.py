"""Random statements that change tables: INSERT, UPDATE, DELETE, MERGE and MySQL's own forms of them.

What they do is deterministic: where several rows could win, the order decides in which they are kept, and
LIMIT stands behind the order of a key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from tests import generate
from tests.expressions import Scope
from tests.generate import MYSQL, Generator, Grammar
from tests.querytree import INTEGER, Item, Piece, Pieces, Query, Reference, Table, Writer

TEMPORARY = "w0"
"""The temporary table of a script."""


@dataclass(frozen=True)
class Change:
    """A statement and the tables that it changes.

    `by_order`: where several rows could win, the order wins in which the rows are kept, and so do keys.
    """

    text: str
    targets: Sequence[Table]
    by_order: bool


def tables(random: Random, grammar: Grammar) -> list[Table]:
    """One to four tables, of which some have a key and, in MySQL, a generated column."""
    made = []
    for table in generate.tables(random):
        key = "k" if random.random() < 0.6 else None
        generated: dict[str, str] = {}
        if grammar is MYSQL and random.random() < 0.3:
            generated = {
                "g": random.choice([name for name, kind in table.columns.items() if kind == INTEGER])
            }
        columns = table.columns | dict.fromkeys(generated, INTEGER)
        made.append(replace(table, key=key, columns=columns, generated=generated))
    return made


def change(random: Random, known: list[Table], grammar: Grammar) -> Change:
    """A change of one of these tables, or of several."""
    return _Changes(random, known, grammar).any()


def script(random: Random, known: list[Table], grammar: Grammar) -> Sequence[Change]:
    """Two to four changes in a row, of which the first may fill a temporary table that the others use."""
    found: list[Change] = []
    tables = known
    if random.random() < 0.5:
        query = Generator(random, known, grammar, grammar.budget).query(None, None, (), 1)
        # in an order of its own: a plan's might decide which of several rows an UPDATE takes from it
        ordered = f"select * from ({Writer().write(query)}) as q order by {_ordinals(list(query.outputs))}"
        text = f"create {grammar.temporary} table {TEMPORARY} as {ordered}"
        found.append(Change(text, (), grammar is MYSQL))
        tables = [*known, Table(TEMPORARY, dict(query.outputs))]
    for _ in range(random.randint(2, 3)):
        found.append(_Changes(random, tables, grammar).any())
    return found


class _Changes:
    def __init__(self, random: Random, known: list[Table], grammar: Grammar) -> None:
        self.random = random
        self.known = known
        self.mysql = grammar is MYSQL
        self.size = random.randint(0, grammar.size)
        self.generator = Generator(random, known, grammar, grammar.budget)
        self.expressions = self.generator.expressions

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def any(self) -> Change:
        forms = [self.insert, self.insert_values, self.update, self.delete]
        if self.mysql:
            forms += [self.insert_keyed, self.insert_keyed, self.update_joined, self.delete_joined]
        else:
            forms += [self.update_from, self.delete_using, self.merge, self.merge]
        return self.random.choice(forms)()

    def table(self, keyed: bool = False, with_k: bool = False) -> Table:
        fitting = [
            table for table in self.known if (table.key or not keyed) and ("k" in table.columns or not with_k)
        ]
        return self.random.choice(fitting or self.known)

    def some(self, table: Table, key: bool = True) -> list[str]:
        """Some of the columns that may be given values; all of them, or without the key, as often."""
        names = [name for name in table.given if key or name != table.key]
        if self.chance(40):
            return names
        return self.random.sample(names, self.random.randint(1, len(names)))

    def inserted(self, with_k: bool = False) -> Table:
        """A table for new rows: where they would break a key, mostly one that has none."""
        free = [table for table in self.known if table.key is None and ("k" in table.columns or not with_k)]
        return (
            self.random.choice(free)
            if free and not self.mysql and self.chance(90)
            else self.table(with_k=with_k)
        )

    def insert(self) -> Change:
        table = self.inserted()
        names = self.some(table)
        query = Writer().write(
            self.generator.query([table.columns[name] for name in names], None, (), self.size)
        )
        listed = f" ({', '.join(names)})" if names != list(table.columns) or self.chance(50) else ""
        verb = self.insert_verb(table)
        if table.key and self.mysql:  # which of two rows with a key comes first must not be left to a plan
            query = f"select * from ({query}) as q order by {_ordinals(names)}"
        return self.made((f"{verb} {table.name}{listed} {query}",), table, by_order=True)

    def insert_verb(self, table: Table) -> str:
        if not self.mysql:
            return "insert into"
        return self.random.choice(("insert into", "insert ignore into", "replace into", "replace"))

    def insert_values(self) -> Change:
        table = self.inserted()
        names = self.some(table)
        values = [self.value(table.columns[name], Scope([]), 90) for name in names]
        verb = self.insert_verb(table)
        if self.mysql and self.chance(40):
            return self.made((f"{verb} {table.name} set ", *_assigned(names, values)), table)
        return self.made((f"{verb} {table.name} ({', '.join(names)}) values (", *_listed(values), ")"), table)

    def insert_keyed(self) -> Change:
        """INSERT … ON DUPLICATE KEY UPDATE.

        Where several rows of the query may have one key, their order is said; what is updated then reads no
        column of the query, since behind a sort MariaDB may give those of another row.
        """
        table = self.table(keyed=True)
        names = list(dict.fromkeys([*self.some(table), *([table.key] if table.key else [])]))
        others = [other for other in self.known if other.key and other.name != table.name]
        sorted_ = not others or self.chance(50)
        if sorted_:
            from_, both = self.joined(Item(table))
        else:
            source = Item(self.random.choice(others))
            from_, both = (source,), self.scope([Item(table)], Scope([source]))
        scope = Scope(both.items[1:], merged=both.merged[1:], visible=dict(both.visible))
        values = [self.value(table.columns[name], scope) for name in names]
        if not sorted_ and table.key:
            values[names.index(table.key)] = (Reference(source, "k"),)
        pieces: list[Piece] = [f"insert into {table.name} ({', '.join(names)}) select ", *_listed(values)]
        pieces += [" from ", *from_, *(self.where(scope) or (" where true",))]
        pieces += [f" order by {_ordinals(names)}"] if sorted_ else []
        updated = [name for name in self.some(table, key=self.chance(20)) if name != "k" or self.chance(30)]
        updated = updated or [name for name in table.given if name != table.key]
        seen = _alone(both) if sorted_ else both
        changed = [self.updated(table, name, names, seen) for name in updated]
        return self.made(
            (*pieces, " on duplicate key update ", *_assigned(updated, changed)), table, by_order=True
        )

    def updated(self, table: Table, name: str, inserted: list[str], scope: Scope) -> Pieces:
        """What a column becomes where its row is there already."""
        kind = table.columns[name]
        fitting = [column for column in inserted if table.columns[column] == kind]
        new: Pieces = (f"values({self.random.choice(fitting)})",) if fitting else ()
        if new and self.chance(40):
            return new
        old = self.expressions.make(kind, scope, 1, subqueries=False)
        if new and self.chance(60):
            shape = self.random.choice(("coalesce({}, {})", "if({} > {}, null, 'x')", "greatest({}, {})"))
            before, between, after = shape.split("{}")
            return (before, *new, between, *old, after)
        return old

    def update(self) -> Change:
        table = self.table()
        item = self.target(table)
        scope = Scope([item])
        names = self.some(table, key=self.chance(30))
        values = [self.value(table.columns[name], scope) for name in names]
        pieces = ["update ", item, " set ", *_assigned(names, values), *self.where(scope, 80)]
        return self.made((*pieces, *self.limited(table)), table)

    def delete(self) -> Change:
        table = self.table()
        item = Item(table)
        limited = self.limited(table)
        pieces = ("delete from ", item, *self.where(Scope([item]), 95), *limited)
        # MariaDB may run a subquery of a DELETE once more after it has deleted a row
        return self.made(pieces, table, by_order=not limited)

    def limited(self, table: Table) -> Pieces:
        """MySQL's ORDER BY and LIMIT."""
        if not self.mysql or table.key is None or self.chance(75):
            return ()
        return (
            f" order by {table.key}{self.random.choice(('', ' desc'))} limit {self.random.randint(1, 3)}",
        )

    def update_from(self) -> Change:
        """PostgreSQL's UPDATE … FROM; where several rows match, one that its plan chooses wins.

        So either each row matches one at most, or all that match would set the same.
        """
        table = self.table(with_k=True)
        item = self.target(table)
        names = self.some(table, key=self.chance(20))
        if "k" in table.columns and self.chance(50):
            source = self.matched(table)
            scope = seen = Scope([item, source])
            from_: Pieces = (source,)
            where: list[Piece] = [" where ", Reference(item, "k"), " = ", Reference(source, "k")]
            if self.chance(50):
                where += [" and ", *self.expressions.condition(scope, self.size)]
        else:
            from_, scope = self.joined(item)
            seen = _alone(scope)
            where = [*self.where(scope, 90)]
        values = [self.value(table.columns[name], seen) for name in names]
        return self.made(
            ("update ", item, " set ", *_assigned(names, values), " from ", *from_, *where), table
        )

    def delete_using(self) -> Change:
        table = self.table()
        item = Item(table)
        from_, scope = self.joined(item)
        return self.made(("delete from ", item, " using ", *from_, *self.where(scope, 95)), table)

    def joined(self, target: Item, size: int | None = None) -> tuple[Pieces, Scope]:
        """FROM beside a target: its items and all that conditions may then refer to.

        Of size 0 it is of tables alone. In a subquery, whatever it sorts by might decide which of several
        rows wins.
        """
        while True:
            scope = Scope([])
            from_ = self.generator._from(scope, (), self.size if size is None else size)
            if all(item.name != target.name for item in scope.items):
                return from_, self.scope([target, *scope.items], scope)

    def scope(self, items: list[Item], joined: Scope) -> Scope:
        """A scope of a first item and of those that are joined already."""
        visible = dict(joined.visible)
        for name in items[0].columns:
            visible[name] = visible.get(name, 0) + 1
        return Scope(items, merged=[dict(items[0].columns), *joined.merged], visible=visible)

    def merge(self) -> Change:
        table = self.inserted(with_k=True)
        target = Item(table)
        source = self.matched(table)
        on: list[Piece] = [Reference(target, "k"), " = ", Reference(source, "k")]
        scope = Scope([target, source])
        if self.chance(30):
            on += [" and ", *self.expressions.condition(scope, 1, subqueries=False)]
        pieces: list[Piece] = ["merge into ", target, " using ", source, " on (", *on, ")"]
        if self.chance(25):
            pieces.append(" when matched then delete")
        else:
            names = self.some(table, key=self.chance(10))
            values = [self.value(table.columns[name], scope) for name in names]
            pieces += [" when matched then update set ", *_assigned(names, values)]
        names = self.some(table)
        values = [self.value(table.columns[name], Scope([source])) for name in names]
        pieces += [f" when not matched then insert ({', '.join(names)}) values (", *_listed(values), ")"]
        return self.made(tuple(pieces), table)

    def matched(self, target: Table) -> Item:
        """What is merged: each `k` once, so that no row of the target matches two."""
        keyed = [table for table in self.known if table.key and table is not target]
        if keyed and self.chance(70):
            return Item(self.random.choice(keyed), self.random.choice((None, "y", "z")))
        item = Item(self.table(with_k=True))
        others = [name for name in item.columns if name != "k"]
        pieces: list[Piece] = ["select ", Reference(item, "k")]
        for name in others:
            pieces += [", max(", Reference(item, name), f") as {name}"]
        kinds = {name: item.columns[name] for name in ("k", *others)}
        return Item(Query((*pieces, " from ", item, " group by ", Reference(item, "k")), kinds), "y")

    def update_joined(self) -> Change:
        """MySQL's UPDATE of one or more of several tables."""
        from_, scope = self.tables_joined(0)
        pieces: list[Piece] = ["update ", *from_, " set "]
        targets: list[Table] = []
        for item in self.targets(scope):
            names = self.some(item.source, key=self.chance(20))  # type: ignore[arg-type]
            for name in names:
                value = self.value(item.columns[name], scope)
                pieces += [*([", "] if targets else []), Reference(item, name), " = ", *value]
                targets.append(item.source)  # type: ignore[arg-type]
        return self.made((*pieces, *self.where(scope, 80)), *targets, by_order=True)

    def delete_joined(self) -> Change:
        """MySQL's DELETE from one or more of several tables."""
        from_, scope = self.tables_joined(self.size)
        items = self.targets(scope)
        names = ", ".join(item.name for item in items)
        before, between = ("delete ", " from ") if self.chance(60) else ("delete from ", " using ")
        pieces = [before, names, between, *from_, *self.where(scope, 90)]
        return self.made(tuple(pieces), *(item.source for item in items))  # type: ignore[arg-type]

    def tables_joined(self, size: int) -> tuple[Pieces, Scope]:
        """FROM with at least one table in it that can be changed."""
        while True:
            scope = Scope([])
            from_ = self.generator._from(scope, (), size)
            if any(isinstance(item.source, Table) for item in scope.items):
                return from_, scope

    def targets(self, scope: Scope) -> list[Item]:
        items = [item for item in scope.items if isinstance(item.source, Table)]
        return self.random.sample(items, self.random.randint(1, min(2, len(items))))

    def target(self, table: Table) -> Item:
        return Item(table, self.random.choice((None, None, "x")))

    def value(self, kind: str, scope: Scope, subquery: int = 15) -> Pieces:
        """What a column is set to."""
        if self.size > 0 and self.chance(subquery):
            return self.expressions.scalar(kind, scope, self.size)
        return self.expressions.make(kind, scope, self.size)

    def where(self, scope: Scope, percent: int = 60) -> Pieces:
        if not self.chance(percent):
            return ()
        return (" where ", *self.expressions.condition(scope, self.size))

    def made(self, pieces: Pieces, *targets: Table, by_order: bool = False) -> Change:
        text = Writer().write(Query(pieces, {}))
        return Change(text, list({table.name: table for table in targets}.values()), by_order and self.mysql)


def _alone(scope: Scope) -> Scope:
    """Of a scope the first item; its names without one are still to be seen only once in all."""
    first = scope.items[0]
    return Scope([first], merged=[dict(first.columns)], visible=dict(scope.visible))


def _ordinals(names: Sequence[str]) -> str:
    return ", ".join(str(at) for at in range(1, len(names) + 1))


def _listed(values: Sequence[Pieces]) -> Pieces:
    pieces: list[Piece] = []
    for value in values:
        pieces += [*([", "] if pieces else []), *value]
    return tuple(pieces)


def _assigned(names: Sequence[str], values: Sequence[Pieces]) -> Pieces:
    return _listed([(f"{name} = ", *value) for name, value in zip(names, values, strict=True)])
