"""Laws of lineage, over generated queries: what must change nothing, and what must change one thing alone.

With `SQLLIN_PROVE` each is tried on many more queries, other ones every time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sqllineage_svc import ColumnRef, ScriptLineage, trace_sql
from tests import generate, pure
from tests.generate import GRAMMARS, Grammar
from tests.querytree import Query, Table, Writer, schema_of

PROVING = bool(os.environ.get("SQLLIN_PROVE"))
EXAMPLES = 5_000 if PROVING else 150
CASES = Path(__file__).parent / "data" / "cases"

Edge = tuple[str, str, str, bool]
RowEdge = tuple[str, str, str]

law = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not PROVING,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@dataclass
class Case:
    """A query over some tables; prints as the statement that it is traced as."""

    grammar: Grammar
    tables: list[Table]
    query: Query

    def statement(self, writer: Writer) -> str:
        """The script that fills the target from the query, written so."""
        text = writer.write(self.query)
        names = ", ".join(f"p{at}" for at in range(len(self.query.outputs)))
        return ";\n".join([*writer.statements, f"insert into target ({names}) {text}"])

    def trace(self, writer: Writer | None = None, rename: Callable[[str], str] = str) -> ScriptLineage:
        """The lineage of that script."""
        script = trace_sql(
            self.statement(writer or Writer()), self.grammar.name, schema_of(self.tables, rename)
        )
        assert not script.issues, script.issues
        return script

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(f"{self.grammar.name}, {dict(schema_of(self.tables))}:\n{self.statement(Writer())}\n")


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A query in one of the dialects."""
    grammar = draw(st.sampled_from(list(GRAMMARS.values())))
    random = Random(draw(st.integers(0, 2**40)))
    tables = generate.tables(random)
    return Case(grammar, tables, generate.query(random, tables, grammar))


def edges(script: ScriptLineage, rename: Callable[[str], str] = str) -> tuple[set[Edge], set[RowEdge]]:
    """The end-to-end edges as texts, the sources' relations renamed."""

    def name(source: ColumnRef) -> str:
        return f"{rename(str(source.dataset))}.{source.column}"

    columns = {
        (name(edge.source), str(edge.target), edge.transformation.name, edge.masking)
        for edge in script.columns
    }
    return columns, {(name(edge.source), str(edge.target), edge.transformation.name) for edge in script.rows}


def renamed(name: str) -> str:
    """Another name."""
    return f"{name}_renamed"


@law
@given(cases())
def test_renaming_a_table_renames_its_edges_and_nothing_else(case: Case) -> None:
    assert edges(case.trace(Writer(rename=renamed), renamed)) == edges(case.trace(), renamed)


@law
@given(cases())
def test_renaming_an_alias_changes_nothing(case: Case) -> None:
    assert edges(case.trace(Writer(rename_alias=renamed))) == edges(case.trace())


@pytest.mark.parametrize("way", ["derived", "cte"])
@law
@given(case=cases())
def test_reading_a_table_through_a_query_changes_nothing(way: str, case: Case) -> None:
    assert edges(case.trace(Writer(wrap=way))) == edges(case.trace())


@law
@given(cases(), st.randoms(use_true_random=False))
def test_a_comment_changes_nothing(case: Case, random: Random) -> None:
    assert edges(case.trace(Writer(noise=random))) == edges(case.trace())


@law
@given(cases(), st.integers(1, 5))
def test_another_literal_changes_nothing(case: Case, shift: int) -> None:
    assert edges(case.trace(Writer(shift=shift))) == edges(case.trace())


@law
@given(cases())
def test_temporary_tables_in_the_place_of_inner_queries_change_nothing(case: Case) -> None:
    split = case.trace(Writer(split=True, temporary=case.grammar.temporary))
    assert spread(split, case) == spread(case.trace(), case)


def spread(script: ScriptLineage, case: Case) -> tuple[set[Edge], set[tuple[str, str]]]:
    """The direct edges; and who decides each target column, be it the column's value or its rows."""
    columns, rows = edges(script)
    direct = {edge for edge in columns if edge[2] in ("IDENTITY", "TRANSFORMATION", "AGGREGATION")}
    deciding = {(source, target) for source, target, *_ in columns - direct}
    for source, target, _ in rows:
        deciding |= {(source, f"{target}.p{at}") for at in range(len(case.query.outputs))}
    return direct, deciding


def test_the_pure_and_the_compiled_sqlglot_agree() -> None:
    questions = [*case_questions(), *generated_questions(EXAMPLES)]
    compiled, found_compiled = ask(questions)
    pure_, found_pure = ask(questions, "--pure")
    assert found_compiled.endswith((".so", ".pyd")), (
        "sqlglot is not compiled here; run: pip install 'sqlglot[c]'"
    )
    assert found_pure.endswith(".py")
    assert len(compiled) == len(pure_) == len(questions)
    differing = [
        (question["text"], one, other)
        for question, one, other in zip(questions, compiled, pure_, strict=True)
        if one != other
    ]
    assert differing == []


def case_questions() -> list[dict[str, Any]]:
    """The scripts of all cases."""
    lines = [
        json.loads(line)
        for path in sorted(CASES.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    return [{"dialect": case["dialect"], "text": script_of(case), "schema": case["schema"]} for case in lines]


def script_of(case: Mapping[str, Any]) -> str:
    """A case's statements as one script."""
    return "\n".join(f"{text.rstrip().removesuffix(';')};" for text in case["statements"])


def generated_questions(count: int) -> list[dict[str, Any]]:
    """Generated queries in both dialects."""
    questions = []
    for seed in range(count):
        random = Random(seed)
        grammar = random.choice(list(GRAMMARS.values()))
        tables = generate.tables(random)
        case = Case(grammar, tables, generate.query(random, tables, grammar))
        questions.append(
            {"dialect": grammar.name, "text": case.statement(Writer()), "schema": schema_of(tables)}
        )
    return questions


def ask(questions: list[dict[str, Any]], *options: str) -> tuple[list[dict[str, Any]], str]:
    """The answers of a process of its own, and where it found sqlglot's tokenizer."""
    done = subprocess.run(
        [sys.executable, "-m", pure.__name__, *options],
        input="".join(json.dumps(question) + "\n" for question in questions),
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    first, *answers = (json.loads(line) for line in done.stdout.splitlines())
    return answers, first["tokenizer"]
