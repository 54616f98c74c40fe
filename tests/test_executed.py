"""Statements that were run on real engines: no influence missed, no direct edge that is not there."""

from __future__ import annotations

import pytest

from sqllineage_svc import trace_sql
from tests.truths import Case, Quad, end_to_end, load_cases

CASES = load_cases("executed.jsonl")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_what_ran_is_what_is_traced(case: Case) -> None:
    script = trace_sql(";\n".join(case["statements"]), case["dialect"], case["schema"])
    direct, indirect, rows = end_to_end(script)

    def reported(quad: Quad) -> bool:
        return quad in indirect or quad[:3] in rows

    truth = {
        kind: {tuple(quad) for quad in case[kind]} for kind in ("direct", "indirect", "either", "optional")
    }
    targets = {target.lower() for target in case["targets"]}
    assert not [quad for quad in truth["direct"] if quad not in direct], "a value's source is missing"
    assert not [quad for quad in truth["indirect"] if not reported(quad)], "an influence is missing"
    assert not [quad for quad in truth["either"] if quad not in direct and not reported(quad)]
    allowed = truth["direct"] | truth["optional"] | truth["either"]
    assert not [quad for quad in direct if quad[2] in targets and quad not in allowed], "a false direct edge"
    assert not [statement for statement in script.statements if statement.kind == "unreadable"]


def test_influences_are_not_everything_on_everything() -> None:
    """Reporting too much is allowed, but a tool that says all of everything would say nothing."""
    reported = shown = 0
    for case in CASES:
        script = trace_sql(";\n".join(case["statements"]), case["dialect"], case["schema"])
        _, indirect, rows = end_to_end(script)
        targets = {target.lower() for target in case["targets"]}
        columns = {(quad[2], quad[3]) for kind in ("direct", "indirect") for quad in map(tuple, case[kind])}
        spread = {quad for quad in indirect if quad[2] in targets} | {
            (*row, column) for row in rows for dataset, column in columns if dataset == row[2]
        }
        reported += len(spread)
        shown += len(case["indirect"]) + len(case["optional"]) + len(case["direct"])
    assert reported < 2.5 * shown
