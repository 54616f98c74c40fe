"""The figures of `lineage_vs_parse`: seconds by program and round, and the tables made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.tables import print_table, spread

DIALECTS = ("redshift", "mysql")
GOAL = 1.3

TOKENIZE, PARSE = "tokenize", "parse"
STATEMENT, SCRIPT = "trace", "trace_sql"
QUALIFY, LINEAGE = "qualify + scope", "lineage by column"


@dataclass(frozen=True, slots=True)
class Figures:
    """CPU seconds over the texts of one size and dialect: program → one entry a round."""

    dialect: str
    lines: int
    statements: int
    text_bytes: int
    seconds: Mapping[str, list[float]]

    def ratios(self, program: str) -> list[float]:
        """The program's time in parses of the same texts, one entry a round."""
        return [own / parse for own, parse in zip(self.seconds[program], self.seconds[PARSE], strict=True)]

    def milliseconds(self, program: str) -> float:
        """The median CPU time of a statement."""
        return median(self.seconds[program]) / self.statements * 1000


def print_ratios(figures: Sequence[Figures]) -> None:
    """Our lineage beside parsing, a row for each size and dialect."""
    programs = (TOKENIZE, PARSE, STATEMENT, SCRIPT)
    print_table(
        f"Full column lineage, direct and indirect, in parses of the same text (goal {GOAL})\n"
        "CPU, median of the rounds (least-greatest). parse: sqlglot's tokenizer and parser.\n"
        "trace: one statement, text to edges. trace_sql: the public face (split, redact, replay, collapse).",
        (
            "lines",
            "texts",
            "bytes",
            *(f"{name} ms" for name in programs),
            "trace ÷ parse",
            "trace_sql ÷ parse",
        ),
        [
            (
                f"{one.dialect} {one.lines}",
                str(one.statements),
                str(one.text_bytes // one.statements),
                *(f"{one.milliseconds(program):.3f}" for program in programs),
                spread(one.ratios(STATEMENT)),
                spread(one.ratios(SCRIPT)),
            )
            for one in figures
        ],
    )


def print_growth(figures: Mapping[tuple[str, int], Figures]) -> None:
    """Whether long statements cost more per byte than middle ones."""
    programs = (PARSE, STATEMENT, SCRIPT)
    print_table(
        f"Cost per byte of text, statements of 500 lines ÷ of 50 (goal {GOAL}; 1 is linear)",
        ("", *programs),
        [
            (
                dialect,
                *(spread(_growth(figures[dialect, 500], figures[dialect, 50], name)) for name in programs),
            )
            for dialect in DIALECTS
        ],
    )


def _growth(long: Figures, middle: Figures, program: str) -> list[float]:
    pairs = zip(long.seconds[program], middle.seconds[program], strict=True)
    return [a / long.text_bytes / (b / middle.text_bytes) for a, b in pairs]


def print_others(figures: Sequence[Figures]) -> None:
    """What sqlglot has for lineage beside parsing."""
    programs = (QUALIFY, LINEAGE)
    print_table(
        "What sqlglot itself costs, in parses of the same text, on a sample\n"
        "qualify + scope: parse, qualify, traverse_scope. lineage by column: sqlglot.lineage for each,\n"
        "direct edges only (not for 500 lines: it takes minutes).",
        ("lines", "texts", *programs),
        [
            (
                f"{one.dialect} {one.lines}",
                str(one.statements),
                *(spread(one.ratios(program)) if program in one.seconds else "-" for program in programs),
            )
            for one in figures
        ],
    )
