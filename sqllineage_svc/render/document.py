"""The JSON document of `sqllin analyze`: a stable contract, described by `analyze.schema.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from sqllineage_svc.engine.script import UNREADABLE, ScriptLineage, TracedStatement
from sqllineage_svc.model.lineage import ColumnEdge, Issue, RowEdge
from sqllineage_svc.model.names import ColumnRef
from sqllineage_svc.render.view import Naming, View

VERSION = 1
"""Raised when a field is taken away or changes its meaning; new fields do not raise it."""

Json = dict[str, Any]


def to_json(view: View) -> str:
    """The whole document as indented text."""
    return json.dumps(document(view), indent=2, ensure_ascii=False) + "\n"


def document(view: View) -> Json:
    """The document as plain values."""
    script, name = view.script, view.name
    return {
        "version": VERSION,
        "dialect": script.dialect.name,
        "statements": [_statement(statement, name) for statement in view.counted],
        "end_to_end": {
            "edges": [_edge(edge, name) for edge in script.columns],
            "row_edges": [_row_edge(edge, name) for edge in script.rows],
        },
        "skipped": [_skipped(statement) for statement in view.skipped],
        "summary": summary(script),
    }


def summary(script: ScriptLineage) -> dict[str, int]:
    """How much was understood, in counts."""
    counted = [statement for statement in script.statements if statement.skipped is None]
    unreadable = sum(statement.kind == UNREADABLE for statement in counted)
    return {
        "statements": len(script.statements),
        "understood": len(script.statements) - unreadable,
        "unreadable": unreadable,
        "skipped": len(script.statements) - len(counted),
        "edges": sum(len(statement.lineage.columns) for statement in counted),
        "row_edges": sum(len(statement.lineage.rows) for statement in counted),
        "issues": len(script.issues),
    }


def _statement(statement: TracedStatement, name: Naming) -> Json:
    lineage = statement.lineage
    return {
        "file": statement.file,
        "line": statement.line,
        "kind": statement.kind,
        "inputs": [name(dataset) for dataset in lineage.inputs],
        "outputs": [name(dataset) for dataset in lineage.outputs],
        "edges": [_edge(edge, name, lineage.expressions) for edge in lineage.columns],
        "row_edges": [_row_edge(edge, name) for edge in lineage.rows],
        "issues": [_issue(issue) for issue in lineage.issues],
    }


def _edge(edge: ColumnEdge, name: Naming, expressions: Mapping[ColumnRef, str] | None = None) -> Json:
    return {
        "source": _ref(edge.source, name),
        "target": _ref(edge.target, name),
        "type": edge.transformation.type,
        "subtype": edge.transformation.subtype,
        "expression": expressions.get(edge.target) if expressions is not None else None,
        "masking": edge.masking,
    }


def _row_edge(edge: RowEdge, name: Naming) -> Json:
    return {
        "source": _ref(edge.source, name),
        "target": name(edge.target),
        "type": edge.transformation.type,
        "subtype": edge.transformation.subtype,
    }


def _ref(ref: ColumnRef, name: Naming) -> list[str]:
    return [name(ref.dataset), ref.column]


def _issue(issue: Issue) -> Json:
    return {"code": issue.code, "message": issue.message, "line": issue.line, "column": issue.column}


def _skipped(statement: TracedStatement) -> Json:
    return {
        "file": statement.file,
        "line": statement.line,
        "kind": statement.kind,
        "reason": statement.skipped,
    }


def issues_of(statements: Iterable[TracedStatement]) -> list[tuple[TracedStatement, Issue]]:
    """Each issue with its statement."""
    return [(statement, issue) for statement in statements for issue in statement.lineage.issues]
