"""A fault of ours costs one statement: it is said, the rest goes on, and nothing of the text is in the message."""

from __future__ import annotations

import pytest

from sqllineage_svc import trace_sql
from sqllineage_svc.engine import script


def test_a_fault_is_an_issue_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    read = script.read_statement

    def failing(text: str, *others: object) -> object:
        if "broken" in text:
            raise KeyError("a value of the statement")
        return read(text, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(script, "read_statement", failing)
    done = trace_sql("select 1;\ninsert into t select broken;\ninsert into t (a) select b from s", "redshift")
    (issue,) = [issue for issue in done.issues if issue.code == "InternalError"]
    assert (issue.line, issue.column) == (2, 1)
    assert "KeyError in test_faults.py" in issue.message
    assert "a value of" not in issue.message
    assert [(edge.source.column, edge.target.column) for edge in done.statements[2].lineage.columns] == [
        ("b", "a")
    ]
