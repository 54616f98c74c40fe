"""What a real engine says depends on what: change one source column at a time and see what else changes.

A column of a result, or of a table that a statement has changed, which is other when only one source column
was depends on it, so the lineage has to name that source: for the column, or for what decides the rows.

    python -m tests.perturb --engine postgres --statements 20000 --seed 1 --kind changes
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from tests import changes, generate, probes
from tests.engines import Engine, Rows, mariadb, postgres
from tests.generate import Grammar
from tests.probes import Probe, Source
from tests.querytree import Table
from tests.tabledata import create, emptied, given_columns, insert, other, values

ENGINES = {"postgres": (postgres, generate.REDSHIFT), "mariadb": (mariadb, generate.MYSQL)}
_LIMITS = {"postgres": "set statement_timeout = 500", "mariadb": "set max_statement_time = 0.5"}
_MAX_ROWS = 400
_BATCH = 25


@dataclass(frozen=True)
class Kind:
    """What is probed: over which tables, and with what statements."""

    tables: Callable[[Random, Grammar], list[Table]]
    probe: Callable[[Random, Sequence[Table], Grammar], Probe]


QUERIES = Kind(lambda random, grammar: generate.tables(random), probes.query)
CHANGES = Kind(changes.tables, probes.change)
SCRIPTS = Kind(changes.tables, probes.script)
KINDS = {"queries": QUERIES, "changes": CHANGES, "scripts": SCRIPTS}


@dataclass(frozen=True)
class Missed:
    """A dependency that the engine shows and the lineage does not name, with the rows that show it."""

    seed: int
    text: str
    source: Source
    column: str
    tables: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]

    def __str__(self) -> str:
        shown = "\n".join((*self.tables, *self.before, "-- then", *self.after))
        return f"seed {self.seed}: {self.column} depends on {'.'.join(self.source)}\n{self.text}\n{shown}"


@dataclass
class Outcome:
    """The counts of a run, and what it found."""

    counts: Counter[str] = field(default_factory=Counter)
    missed: list[Missed] = field(default_factory=list)

    def __str__(self) -> str:
        counted = ", ".join(f"{number} {what}" for what, number in sorted(self.counts.items()))
        shortest = sorted(self.missed, key=lambda missed: len(missed.text))[:10]
        return "\n\n".join([f"{counted}; {len(self.missed)} missed dependencies", *map(str, shortest)])


def run(engine: Engine, grammar: Grammar, statements: int, seed: int, kind: Kind = QUERIES) -> Outcome:
    """Probe this many statements, in batches that share their tables."""
    outcome = Outcome()
    for at in range(-(-statements // _BATCH)):
        number = min(_BATCH, statements - at * _BATCH)
        outcome.counts["batches"] += 1
        try:
            _Batch(engine, grammar, kind, seed * 1_000_003 + at, outcome).run(number)
        except (subprocess.TimeoutExpired, _Disturbed):
            outcome.counts["batches too slow"] += 1
    return outcome


class _Disturbed(Exception):
    """The tables do not hold what they should: the time for one statement was over while they were filled."""


class _Batch:
    def __init__(self, engine: Engine, grammar: Grammar, kind: Kind, seed: int, outcome: Outcome) -> None:
        self.engine = engine
        self.seed = seed
        self.outcome = outcome
        self.random = Random(seed)
        self.tables = kind.tables(self.random, grammar)
        self.new_probe = lambda: kind.probe(self.random, self.tables, grammar)

    def run(self, number: int) -> None:
        made = [self.new_probe() for _ in range(number)]
        self.outcome.counts["issues"] += sum(probe.issues for probe in made)
        kept = self._counted(made)
        self.outcome.counts["statements"] += len(kept)
        for _ in range(2):
            self._perturb(kept)

    def _counted(self, made: Sequence[Probe]) -> list[Probe]:
        """Those probes that the engine can run, without giving too many rows."""
        script = [statement for table in self.tables for statement in create(table)]
        script += [insert(table, values(table, self.random)) for table in self.tables]
        answers = self._answers([*script, *(one for probe in made for one in probe.counted)])
        _done(answers, len(script))
        kept = []
        for probe in made:
            own = [next(answers) for _ in probe.counted]
            if any(answer is None for answer in own):
                self.outcome.counts["failed"] += 1
            elif sum(int(answer[0][0]) for answer in own if answer) <= _MAX_ROWS:
                kept.append(probe)
        return kept

    def _answers(self, script: Sequence[str]) -> Iterator[Rows | None]:
        return iter(self.engine.run([_LIMITS[self.engine.name], *script])[1:])

    def _perturb(self, kept: Sequence[Probe]) -> None:
        """New rows for all tables; then, one column at a time, other values in it."""
        data = {table.name: values(table, self.random) for table in self.tables}
        before = tuple(insert(table, data[table.name]) for table in self.tables)
        statements = [one for probe in kept for one in probe.statements]
        script = [emptied(table, self.engine.name) for table in self.tables]
        script += before
        filled = len(script)
        script += statements
        perturbed: list[tuple[Source, tuple[str, ...]]] = []
        for table, column in given_columns(self.tables):
            rows = data[table.name]
            for _ in range(2):
                changed = rows | {column: other(table, column, rows[column], self.random)}
                after = (emptied(table, self.engine.name), insert(table, changed))
                perturbed.append(((table.name, column), after))
                script += [*after, *statements]
            script += [emptied(table, self.engine.name), insert(table, rows)]
        answers = self._answers(script)
        _done(answers, filled)
        base = _own(kept, answers)
        for at, (source, after) in enumerate(perturbed):
            _done(answers, len(after))
            found = _own(kept, answers)
            if at % 2:
                _done(answers, len(after))
            for probe, old, new in zip(kept, base, found, strict=True):
                self.outcome.counts["comparisons"] += 1
                for column in probe.missed(source, old, new):
                    made = tuple(create(table)[1] for table in self.tables)
                    self.outcome.missed.append(
                        Missed(self.seed, probe.text, source, column, made, before, after)
                    )


def _done(answers: Iterator[Rows | None], statements: int) -> None:
    """Step over what fills tables. Raises _Disturbed where some of it failed."""
    if None in [next(answers) for _ in range(statements)]:
        raise _Disturbed


def _own(kept: Sequence[Probe], answers: Iterator[Rows | None]) -> list[list[Rows | None]]:
    return [[next(answers) for _ in probe.statements] for probe in kept]


def main() -> int:
    """Run from the command line; 1 when a dependency was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=ENGINES, required=True)
    parser.add_argument("--statements", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS, default="queries")
    options = parser.parse_args()
    start, grammar = ENGINES[options.engine]
    with start() as engine:
        outcome = run(engine, grammar, options.statements, options.seed, KINDS[options.kind])
    print(f"{engine.name}, seed {options.seed}: {outcome}")
    return 1 if outcome.missed else 0


if __name__ == "__main__":
    sys.exit(main())
