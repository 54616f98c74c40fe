"""What full column lineage costs, as a ratio to parsing the same text: python -m benchmarks.lineage_vs_parse

A ratio is of CPU times within one run: the programs take turns at small pieces of the corpus, so that what
slows the machine slows them alike. Nothing is asserted; the goal is printed beside.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time

from sqlglot import exp, parse_one
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.lineage import lineage
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope
from sqlglot.schema import MappingSchema

from benchmarks.corpus import SIZES, corpus
from benchmarks.phrases import SCHEMA
from benchmarks.ratios import (
    DIALECTS,
    LINEAGE,
    PARSE,
    QUALIFY,
    SCRIPT,
    STATEMENT,
    TOKENIZE,
    Figures,
    print_growth,
    print_others,
    print_ratios,
)
from benchmarks.tables import machine, parser_build, write_json
from sqllineage_svc import load_dialect, trace_sql
from sqllineage_svc.engine.read import read_statement
from sqllineage_svc.engine.script import provider_of
from sqllineage_svc.engine.session import Session
from sqllineage_svc.engine.trace import trace

COUNTS = {5: 240, 50: 60, 500: 8}
"""Statements of each size, so that each size takes about as long."""
PIECES = {5: 40, 50: 10, 500: 1}
"""Statements that one program takes before it is the next one's turn."""

Program = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Subject:
    """Programs that take turns at the same texts, and what they took so far."""

    figures: Figures
    texts: Sequence[str]
    programs: Mapping[str, Program]

    def run_round(self, collector: bool) -> None:
        """Every program over all texts, in turns; adds one entry to each program's seconds."""
        taken = dict.fromkeys(self.programs, 0.0)
        piece = PIECES[self.figures.lines]
        for at in range(0, len(self.texts), piece):
            for name, program in self.programs.items():
                taken[name] += _timed(program, self.texts[at : at + piece], collector)
        for name, seconds in taken.items():
            self.figures.seconds[name].append(seconds)


def main() -> None:
    """Measure, print, and write JSON where asked."""
    arguments = _arguments()
    collector = "on" if arguments.collector else "off while measuring"
    print(f"{parser_build()}; {machine()}; {arguments.rounds} rounds; garbage collector {collector}")
    corpora = {
        (dialect, lines): corpus(dialect, lines, COUNTS[lines]) for dialect in DIALECTS for lines in SIZES
    }
    own = [_subject(*key, texts, _own(key[0])) for key, texts in corpora.items()]
    others = [
        _subject(*key, texts[: max(4, len(texts) // 10)], _sqlglots(*key)) for key, texts in corpora.items()
    ]
    _run(own, arguments.rounds, arguments.collector)
    _run(others, min(3, arguments.rounds), arguments.collector)
    print_ratios([subject.figures for subject in own])
    print_growth({key: subject.figures for key, subject in zip(corpora, own, strict=True)})
    print_others([subject.figures for subject in others])
    figures = {"lineage": own, "sqlglot": others}
    write_json(
        arguments.json, {name: [asdict(one.figures) for one in ones] for name, ones in figures.items()}
    )


def _subject(dialect: str, lines: int, texts: Sequence[str], programs: Mapping[str, Program]) -> Subject:
    text_bytes = sum(len(text.encode()) for text in texts)
    return Subject(
        Figures(dialect, lines, len(texts), text_bytes, {name: [] for name in programs}), texts, programs
    )


def _run(subjects: Sequence[Subject], rounds: int, collector: bool) -> None:
    """The rounds, each over all sizes and dialects, after all caches are warm."""
    for subject in subjects:
        for program in subject.programs.values():
            _timed(program, subject.texts[: PIECES[subject.figures.lines]], collector)
    gc.collect()
    gc.freeze()  # what is there now costs the later collections nothing
    for _ in range(rounds):
        for subject in subjects:
            subject.run_round(collector)


def _timed(program: Program, texts: Sequence[str], collector: bool) -> float:
    gc.collect()
    if not collector:
        gc.disable()
    start = process_time()
    for text in texts:
        program(text)
    taken = process_time() - start
    gc.enable()
    return taken


def _own(name: str) -> dict[str, Program]:
    dialect, sqlglot_dialect = load_dialect(name), SqlglotDialect.get_or_raise(name)
    schemas = provider_of(SCHEMA, dialect.identifiers)
    session = Session.start(dialect, schemas)

    def parse(text: str) -> object:
        return sqlglot_dialect.parser().parse(sqlglot_dialect.tokenize(text), text)

    def statement(text: str) -> object:
        return trace(read_statement(text, dialect, session.identifiers), session)

    return {
        TOKENIZE: sqlglot_dialect.tokenize,
        PARSE: parse,
        STATEMENT: statement,
        SCRIPT: lambda text: trace_sql(text, name, schemas),
    }


def _sqlglots(dialect: str, lines: int) -> dict[str, Program]:
    """What sqlglot itself has for lineage, each with the parsing it needs."""
    sqlglot_dialect = SqlglotDialect.get_or_raise(dialect)
    schema = MappingSchema(_nested(), dialect=dialect)

    def query(text: str) -> exp.Query:
        tree = parse_one(text, read=dialect)
        return tree.expression if isinstance(tree.expression, exp.Query) else tree.find(exp.Query)  # type: ignore[return-value]

    def scopes(text: str) -> object:
        return list(traverse_scope(qualify(query(text), schema=schema, dialect=dialect)))

    def columns(text: str) -> object:
        tree = query(text)
        return [lineage(name, tree, schema=schema, dialect=dialect) for name in tree.named_selects]

    programs: dict[str, Program] = {
        PARSE: lambda text: sqlglot_dialect.parser().parse(sqlglot_dialect.tokenize(text), text),
        QUALIFY: scopes,
    }
    if lines < 500:
        programs[LINEAGE] = columns
    return programs


def _nested() -> dict[str, object]:
    nested: dict[str, dict[str, Mapping[str, str]]] = {}
    for name, columns in SCHEMA.items():
        schema, _, table = name.partition(".")
        nested.setdefault(schema, {})[table] = columns
    return dict(nested)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="rounds to take the median of")
    parser.add_argument(
        "--collector", action="store_true", help="leave the garbage collector on while measuring"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every round's figures here")
    return parser.parse_args()


if __name__ == "__main__":
    main()
