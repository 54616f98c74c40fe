"""Statements with what their lineage names, to be held against what a real engine makes of other data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from sqllineage_svc import ColumnRef, ScriptLineage, StaticSchemas, load_dialect, trace_sql
from sqllineage_svc.engine.script import Script
from sqllineage_svc.model.lineage import StatementLineage
from sqllineage_svc.sql.split import split
from tests import changes, generate
from tests.engines import Rows
from tests.generate import Grammar
from tests.querytree import Table, Writer
from tests.tabledata import create

Source = tuple[str, str]
Answers = Sequence[Rows | None]


class Probe(Protocol):
    """Statements whose answers depend on columns that the lineage has to name.

    `counted` are the statements that tell how many rows that will be.
    """

    text: str
    issues: int

    @property
    def statements(self) -> Sequence[str]:
        """What to run."""

    @property
    def counted(self) -> Sequence[str]:
        """What tells, as its only answer of one number each, how many rows `statements` give."""

    def missed(self, source: Source, old: Answers, new: Answers) -> Iterator[str]:
        """The columns that are others now though the lineage does not name the source for them."""


@dataclass(frozen=True)
class Named:
    """The sources that a lineage names, for each column of a result and for its rows."""

    columns: Sequence[frozenset[Source]]
    rows: frozenset[Source]

    def missed(
        self, sources: frozenset[Source], old: Rows, new: Rows, besides: Sequence[int]
    ) -> Iterator[int]:
        """The columns, but for some, that changed though none of the sources is named.

        Where only the rows as a whole changed, the first column stands for them.
        """
        compared = [at for at in range(len(self.columns)) if at not in besides]
        changed = [at for at in compared if _column(old, at) != _column(new, at)]
        yield from (at for at in changed if not _names(self.columns[at] | self.rows, sources))
        apart = not changed and _only(old, compared) != _only(new, compared)
        if apart and not _names(self.rows.union(*self.columns), sources):
            yield 0


def _column(rows: Rows, at: int) -> Counter[str]:
    return Counter(row[at] for row in rows)


def _only(rows: Rows, columns: Sequence[int]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(row[at] for at in columns) for row in rows)


def _names(named: frozenset[Source], sources: frozenset[Source]) -> bool:
    return any(source in named or (source[0], "*") in named for source in sources)


def _seen_as(source: Source, tables: Sequence[Table]) -> frozenset[Source]:
    """The source and the columns that its table generates from it."""
    (table,) = (table for table in tables if table.name == source[0])
    return frozenset({source, *((table.name, name) for name in table.derived(source[1]))})


@dataclass(frozen=True)
class QueryProbe:
    """A query, whose answer is its rows."""

    text: str
    issues: int
    tables: Sequence[Table]
    named: Named

    @property
    def statements(self) -> Sequence[str]:
        """The query itself."""
        return (self.text,)

    @property
    def counted(self) -> Sequence[str]:
        """The number of its rows."""
        return (f"select count(*) from ({self.text}) as counted",)

    def missed(self, source: Source, old: Answers, new: Answers) -> Iterator[str]:
        """The result columns whose dependency on the source is not named."""
        if old[0] is None or new[0] is None:
            return
        for at in self.named.missed(_seen_as(source, self.tables), old[0], new[0], ()):
            yield f"column {at + 1}"


def query(random: Random, tables: Sequence[Table], grammar: Grammar) -> QueryProbe:
    """A new query and its lineage."""
    made = generate.query(random, list(tables), grammar)
    text = Writer().write(made)
    names = [f"p{at}" for at in range(len(made.outputs))]
    traced = _trace(f"insert into target ({', '.join(names)}) {text}", tables, grammar)
    return QueryProbe(text, len(traced.issues), tables, _named(traced, "target", names))


@dataclass(frozen=True)
class ChangeProbe:
    """Statements that change tables, whose answers are what those hold then; all is taken back each time."""

    changes: Sequence[str]
    issues: int
    tables: Sequence[Table]
    named: dict[str, Named] = field(hash=False)
    by_order: bool

    @property
    def text(self) -> str:
        """All of them."""
        return ";\n".join(self.changes)

    @property
    def statements(self) -> Sequence[str]:
        """The changes between the borders of a transaction, with a look at each target."""
        return self._around("select {} from {}")

    @property
    def counted(self) -> Sequence[str]:
        """The same with the number of rows of each target."""
        return self._around("select count(*) from {1}")

    def _around(self, look: str) -> Sequence[str]:
        looks = [look.format(", ".join(table.columns), table.name) for table in self._targets()]
        # a temporary table outlives a rollback in MariaDB, and a failed transaction reads nothing in PostgreSQL
        return ("begin", *self.changes, *looks, "rollback", f"drop table if exists {changes.TEMPORARY}")

    def _targets(self) -> list[Table]:
        return [table for table in self.tables if table.name in self.named]

    def _keys(self) -> list[Source]:
        return [(table.name, table.key) for table in self.tables if table.key is not None]

    def missed(self, source: Source, old: Answers, new: Answers) -> Iterator[str]:
        """The targets' columns whose dependency on the source is not named.

        What the source itself holds, and what its table generates from that, is other anyway.
        """
        done = 1 + len(self.changes)
        if None in (*old[1:done], *new[1:done]) or (self.by_order and source in self._keys()):
            return
        sources = _seen_as(source, self.tables)
        for at, table in enumerate(self._targets(), done):
            before, after = old[at], new[at]
            if before is None or after is None:  # the time for one statement was over
                continue
            columns = list(table.columns)
            besides = [columns.index(name) for owner, name in sources if owner == table.name]
            for column in self.named[table.name].missed(sources, before, after, besides):
                yield f"{table.name}.{columns[column]}"


def change(random: Random, tables: Sequence[Table], grammar: Grammar) -> ChangeProbe:
    """A new statement that changes tables, and its lineage."""
    made = changes.change(random, list(tables), grammar)
    traced = _trace(made.text, tables, grammar)
    named = {table.name: _named(traced, table.name, list(table.columns)) for table in made.targets}
    return ChangeProbe([made.text], len(traced.issues), tables, named, made.by_order)


def script(random: Random, tables: Sequence[Table], grammar: Grammar) -> ChangeProbe:
    """New statements in a row, and their lineage end to end."""
    made = changes.script(random, list(tables), grammar)
    dialect = load_dialect(grammar.name)
    known = Script(dialect, StaticSchemas())
    for table in tables:
        for source in split(create(table)[1], dialect.lexis):
            known.run(source)
    schemas = StaticSchemas([one.schema for _, one in known.session.tables.items() if one.schema])
    texts = [one.text for one in made]
    traced = trace_sql(";\n".join(texts), grammar.name, schemas)
    names = {table.name for one in made for table in one.targets}
    named = {
        table.name: _named(traced, table.name, list(table.columns)) for table in tables if table.name in names
    }
    return ChangeProbe(texts, len(traced.issues), tables, named, any(one.by_order for one in made))


def _trace(text: str, tables: Sequence[Table], grammar: Grammar) -> StatementLineage:
    """The lineage of a statement alone, the tables being made before."""
    made = "".join(f"{create(table)[1]};\n" for table in tables)
    (traced,) = trace_sql(made + text, grammar.name).statements[len(tables) :]
    return traced.lineage


def _named(traced: StatementLineage | ScriptLineage, target: str, names: Sequence[str]) -> Named:
    columns: dict[str, set[Source]] = {name: set() for name in names}
    for edge in traced.columns:
        if str(edge.target.dataset) == target:
            columns[edge.target.column].add(_source(edge.source))
    rows = frozenset(_source(edge.source) for edge in traced.rows if str(edge.target) == target)
    return Named([frozenset(found) for found in columns.values()], rows)


def _source(ref: ColumnRef) -> Source:
    return str(ref.dataset), ref.column
