"""Faults that people reported in public trackers: none of them here."""

from __future__ import annotations

import time

import pytest

from sqllineage_svc import ScriptLineage, trace_sql
from tests.truths import Case, load_cases

CASES = load_cases("public_reports.jsonl")
CHANGES = ("insert", "update", "delete", "merge")


class Reported:
    """A script's lineage in the words of the cases: over all statements together."""

    def __init__(self, script: ScriptLineage, column_case: bool) -> None:
        self.inputs = {
            str(dataset) for statement in script.statements for dataset in statement.lineage.inputs
        }
        self.outputs = {
            str(dataset) for statement in script.statements for dataset in statement.lineage.outputs
        }
        self.changed = {
            str(dataset)
            for statement in script.statements
            if statement.kind in CHANGES
            for dataset in statement.lineage.outputs
        }
        self.direct: set[tuple[str, ...]] = set()
        self.indirect: set[tuple[str, ...]] = set()

        def column(name: str) -> str:
            return name if column_case else name.lower()

        for statement in script.statements:
            for edge in statement.lineage.columns:
                source = (str(edge.source.dataset), column(edge.source.column))
                if edge.transformation.type != "DIRECT":
                    self.indirect.add(source)
                elif not source[0].startswith(("s3://", "/")):  # no column edge is asserted from a file
                    self.direct.add((*source, str(edge.target.dataset), column(edge.target.column)))
            for row in statement.lineage.rows:
                self.indirect.add((str(row.source.dataset), column(row.source.column)))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_fault_is_not_here(case: Case) -> None:
    begun = time.monotonic()
    script = trace_sql("\n".join(case["statements"]), case["dialect"], case["schema"])
    assert time.monotonic() - begun < 20, "must end within seconds"
    folds = case["dialect"] == "mysql"  # column names compare without case there
    reported = Reported(script, column_case=not folds)
    expect = case["expect"]

    def folded(quads: list[list[str]]) -> set[tuple[str, ...]]:
        return {
            tuple(name.lower() if folds and at % 2 else name for at, name in enumerate(quad))
            for quad in quads
        }

    if expect["tables_in"] is not None:
        assert set(expect["tables_in"]) <= reported.inputs
        assert reported.inputs - set(expect["tables_in"]) <= reported.changed
    if expect["tables_out"] is not None:
        assert reported.outputs == set(expect["tables_out"])
    if expect["direct"] is not None:
        assert reported.direct == folded(expect["direct"])
    if expect["indirect"] is not None:
        sources = {quad[:2] for quad in reported.direct}
        assert reported.indirect - sources == folded(expect["indirect"])
    _check_errors(script, case)


def _check_errors(script: ScriptLineage, case: Case) -> None:
    unreadable = [statement for statement in script.statements if statement.kind == "unreadable"]
    if case["expect"]["error"] is None:
        if not case["why"].startswith("%s is replaced"):  # said there to be asserted neither way
            assert not unreadable
        return
    (statement,) = unreadable
    (issue,) = statement.lineage.issues
    assert issue.code == "UnreadableStatement"
    bad = _bad_lines(case)
    assert bad[0] <= issue.line <= bad[1]
    assert issue.column >= 1


def _bad_lines(case: Case) -> tuple[int, int]:
    """The first and last line, in the whole file, of the piece that cannot be read."""
    wanted = (
        "SELECT *\nINTO mart.t_0",
        "SELECT MAX(p.pk) KEEP",
        "INSERT INTO mart.e (id)",
        "INSERT INTO g2",
        "SELECT id FROM {{",
    )
    line = 1
    for piece in case["statements"]:
        lines = piece.count("\n") + 1
        if piece.strip().startswith(wanted):
            return line, line + lines - 1
        line += lines
    raise AssertionError("which piece is bad is not said here")
