"""What a real engine says depends on what: change one source column at a time and see which results change.

A result column that changes when only one source column did depends on it, so the lineage has to name that
column: as an edge of the result column, or as one that decides the rows.

    python -m tests.perturb --engine postgres --queries 20000 --seed 1
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from sqllineage_svc import ColumnRef, trace_sql
from tests import generate
from tests.engines import Engine, Rows, mariadb, postgres
from tests.generate import Grammar
from tests.querytree import INTEGER, Table, Writer, schema_of

Source = tuple[str, str]
Values = dict[str, list[str]]
"""Column to its literals, row by row."""

ENGINES = {"postgres": (postgres, generate.REDSHIFT), "mariadb": (mariadb, generate.MYSQL)}
_LIMITS = {"postgres": "set statement_timeout = 300", "mariadb": "set max_statement_time = 0.3"}
_MAX_ROWS = 400
_BATCH = 25


@dataclass(frozen=True)
class Probe:
    """A query with the sources that its lineage names, for each result column and for the rows."""

    text: str
    columns: tuple[frozenset[Source], ...]
    rows: frozenset[Source]

    def named(self, at: int) -> frozenset[Source]:
        """All sources of a result column."""
        return self.columns[at] | self.rows


@dataclass(frozen=True)
class Missed:
    """A dependency that the engine shows and the lineage does not name, with the rows that show it."""

    seed: int
    probe: Probe
    source: Source
    column: int
    before: tuple[str, ...]
    after: tuple[str, ...]

    def __str__(self) -> str:
        shown = "\n".join((*self.before, "-- then", *self.after))
        found = f"seed {self.seed}: column {self.column + 1} depends on {'.'.join(self.source)}"
        return f"{found}\n{self.probe.text}\n{shown}"


@dataclass
class Outcome:
    """The counts of a run, and what it found."""

    counts: Counter[str] = field(default_factory=Counter)
    missed: list[Missed] = field(default_factory=list)

    def __str__(self) -> str:
        counted = ", ".join(f"{number} {what}" for what, number in sorted(self.counts.items()))
        shortest = sorted(self.missed, key=lambda missed: len(missed.probe.text))[:10]
        return "\n\n".join([f"{counted}; {len(self.missed)} missed dependencies", *map(str, shortest)])


def run(engine: Engine, grammar: Grammar, queries: int, seed: int) -> Outcome:
    """Probe this many queries, in batches that share their tables."""
    outcome = Outcome()
    for at in range(-(-queries // _BATCH)):
        try:
            _batch(engine, grammar, seed * 1_000_003 + at, min(_BATCH, queries - at * _BATCH), outcome)
        except subprocess.TimeoutExpired:
            outcome.counts["batches too slow"] += 1
    return outcome


def _batch(engine: Engine, grammar: Grammar, seed: int, queries: int, outcome: Outcome) -> None:
    random = Random(seed)
    tables = generate.tables(random)
    probes = [probe(random, tables, grammar, outcome) for _ in range(queries)]
    data = {table.name: _values(table, random) for table in tables}
    setup = [_LIMITS[engine.name], *(statement for table in tables for statement in _create(table))]
    setup += [_insert(table, data[table.name]) for table in tables]
    counts = engine.run([*setup, *(f"select count(*) from ({one.text}) as counted" for one in probes)])[
        len(setup) :
    ]
    outcome.counts["failed"] += sum(count is None for count in counts)
    kept = [one for one, count in zip(probes, counts, strict=True) if count and int(count[0][0]) <= _MAX_ROWS]
    outcome.counts["queries"] += len(kept)
    for _ in range(2):
        _perturb(engine, seed, tables, kept, random, outcome)


def probe(random: Random, tables: list[Table], grammar: Grammar, outcome: Outcome) -> Probe:
    """A new query and its lineage."""
    made = generate.query(random, tables, grammar)
    text = Writer().write(made)
    names = [f"p{at}" for at in range(len(made.outputs))]
    script = trace_sql(f"insert into target ({', '.join(names)}) {text}", grammar.name, schema_of(tables))
    outcome.counts["issues"] += len(script.issues)
    columns: dict[str, set[Source]] = {name: set() for name in names}
    for edge in script.columns:
        columns[edge.target.column].add(_source(edge.source))
    rows = frozenset(_source(edge.source) for edge in script.rows)
    return Probe(text, tuple(frozenset(found) for found in columns.values()), rows)


def _source(ref: ColumnRef) -> Source:
    return str(ref.dataset), ref.column


def _perturb(
    engine: Engine,
    seed: int,
    tables: Sequence[Table],
    probes: Sequence[Probe],
    random: Random,
    outcome: Outcome,
) -> None:
    """New rows for all tables; then, one column at a time, other values in it."""
    data = {table.name: _values(table, random) for table in tables}
    before = tuple(_insert(table, data[table.name]) for table in tables)
    texts = [one.text for one in probes]
    script: list[str] = [
        _LIMITS[engine.name],
        *(f"delete from {table.name}" for table in tables),
        *before,
        *texts,
    ]
    changes: list[tuple[Source, tuple[str, ...]]] = []
    for table, column in _columns(tables):
        for _ in range(2):
            changed = data[table.name] | {
                column: _other(table.columns[column], data[table.name][column], random)
            }
            after = (f"delete from {table.name}", _insert(table, changed))
            changes.append(((table.name, column), after))
            script += [*after, *texts]
        script += [f"delete from {table.name}", _insert(table, data[table.name])]
    answers = iter(engine.run(script))
    for _ in range(1 + 2 * len(tables)):
        next(answers)
    base = [next(answers) for _ in texts]
    for at, (source, after) in enumerate(changes):
        next(answers), next(answers)
        found = [next(answers) for _ in texts]
        if at % 2:
            next(answers), next(answers)
        for one, old, new in zip(probes, base, found, strict=True):
            outcome.counts["comparisons"] += 1
            if old is not None and new is not None and old != new:
                outcome.missed += [
                    Missed(seed, one, source, column, before, after)
                    for column in _missed(one, source, old, new)
                ]


def _missed(one: Probe, source: Source, old: Rows, new: Rows) -> Iterator[int]:
    """The result columns that changed though the lineage has no such source for them.

    Where only the rows as a whole changed, the first column stands for them.
    """
    changed = [
        at
        for at in range(len(one.columns))
        if Counter(row[at] for row in old) != Counter(row[at] for row in new)
    ]
    yield from (at for at in changed if not _names(one.named(at), source))
    if not changed and Counter(old) != Counter(new):
        everything = one.rows.union(*one.columns)
        if not _names(everything, source):
            yield 0


def _names(sources: frozenset[Source], source: Source) -> bool:
    return source in sources or (source[0], "*") in sources


def _columns(tables: Sequence[Table]) -> Iterator[tuple[Table, str]]:
    for table in tables:
        for column in table.columns:
            yield table, column


def _create(table: Table) -> list[str]:
    columns = ", ".join(
        f"{name} {'int' if kind == INTEGER else 'varchar(20)'}" for name, kind in table.columns.items()
    )
    return [f"drop table if exists {table.name}", f"create table {table.name} ({columns})"]


def _insert(table: Table, values: Values) -> str:
    rows = ", ".join(
        f"({', '.join(row)})" for row in zip(*(values[name] for name in table.columns), strict=True)
    )
    return f"insert into {table.name} values {rows}"


def _values(table: Table, random: Random) -> Values:
    rows = random.randint(2, 5)
    return {name: [_value(kind, random) for _ in range(rows)] for name, kind in table.columns.items()}


def _other(kind: str, values: list[str], random: Random) -> list[str]:
    """Other values: in all rows, or in one."""
    if random.random() < 0.5:
        return [_value(kind, random) for _ in values]
    at = random.randrange(len(values))
    return [_value(kind, random) if row == at else value for row, value in enumerate(values)]


def _value(kind: str, random: Random) -> str:
    if random.random() < 0.12:
        return "null"
    return str(random.randint(0, 4)) if kind == INTEGER else f"'{random.choice('aabcxy')}'"


def main() -> int:
    """Run from the command line; 1 when a dependency was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=ENGINES, required=True)
    parser.add_argument("--queries", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start, grammar = ENGINES[options.engine]
    with start() as engine:
        outcome = run(engine, grammar, options.queries, options.seed)
    print(f"{engine.name}, seed {options.seed}: {outcome}")
    return 1 if outcome.missed else 0


if __name__ == "__main__":
    sys.exit(main())
