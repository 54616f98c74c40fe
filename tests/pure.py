"""Answers as JSON, by the compiled sqlglot or by the pure Python one of the same installation.

    python -m tests.pure --pure < questions.jsonl > answers.jsonl

A question is {"dialect", "text", "schema"}. The compiled modules of sqlglotc lie beside the sources that they
were made from; a finder that sees only sources gives the pure build without another installation.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Any


class Sources(MetaPathFinder):
    """Finds sqlglot's modules among .py files only."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The source of a module of sqlglot; None for any other module."""
        if fullname.partition(".")[0] != "sqlglot":
            return None
        for directory in sys.path if path is None else path:
            spec = FileFinder(directory, (SourceFileLoader, [".py"])).find_spec(fullname)
            if spec is not None:
                return spec
        return None


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """All that is said of a script, as JSON can hold it."""
    from sqllineage_svc import trace_sql

    script = trace_sql(question["text"], question["dialect"], question["schema"])
    return {
        "columns": [_edge(edge) for edge in script.columns],
        "rows": [_edge(edge) for edge in script.rows],
        "statements": [
            {
                "kind": statement.kind,
                "skipped": statement.skipped,
                "inputs": [str(dataset) for dataset in statement.lineage.inputs],
                "outputs": [str(dataset) for dataset in statement.lineage.outputs],
                "columns": [_edge(edge) for edge in statement.lineage.columns],
                "rows": [_edge(edge) for edge in statement.lineage.rows],
                "issues": [list(issue_fields(issue)) for issue in statement.lineage.issues],
                "expressions": {str(ref): text for ref, text in statement.lineage.expressions.items()},
            }
            for statement in script.statements
        ],
    }


def issue_fields(issue: Any) -> tuple[str, str, int, int]:
    """An issue as a tuple."""
    return issue.code, issue.message, issue.line, issue.column


def _edge(edge: Any) -> list[Any]:
    return [str(edge.source), str(edge.target), edge.transformation.name, getattr(edge, "masking", None)]


def main() -> None:
    """Answer the questions of stdin on stdout; the first line says where sqlglot's tokenizer was found."""
    if "--pure" in sys.argv:
        sys.meta_path.insert(0, Sources())
    from sqlglot import tokenizer_core

    print(json.dumps({"tokenizer": tokenizer_core.__file__}))
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))))


if __name__ == "__main__":
    main()
