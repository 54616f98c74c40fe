"""The executed cases, and how much of their truth a tool found.

The truth is what changed when the statements really ran; see tests/data/cases.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CASES = Path(__file__).parents[1] / "tests" / "data" / "cases" / "executed.jsonl"


def executed_cases() -> list[Mapping[str, Any]]:
    """Every executed case, as the file has it."""
    return [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]


@dataclass(slots=True)
class Score:
    """Counts over cases. `true_found` of the `true` edges, among all `found`, of which `wrong` are false."""

    cases: int = 0
    failed: int = 0
    true: int = 0
    true_found: int = 0
    found: int = 0
    wrong: int = 0
    influences: int = 0
    influences_found: int = 0
    influences_reported: int = 0
    first_error: str = ""

    def add(self, case: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Count one case; an answer without edges is a case that failed altogether."""
        true, influences = _edges(case["direct"]), _edges(case["indirect"])
        tolerated = true | _edges(case["optional"]) | _edges(case["either"])
        found = {edge for edge in _edges(answer.get("direct", ())) if edge[2] in case["targets"]}
        columns = {(edge[2], edge[3]) for edge in tolerated | influences}
        reported = _spread(answer.get("indirect", ()), columns)
        self.cases += 1
        self.failed += bool(answer["errors"])
        self.first_error = self.first_error or next(
            (f"{case['id']}: {error}" for error in answer["errors"]), ""
        )
        self.true += len(true)
        self.true_found += len(found & true)
        self.found += len(found)
        self.wrong += len(found - tolerated)
        self.influences += len(influences)
        self.influences_found += len(reported & influences)
        self.influences_reported += len(reported)

    @property
    def recall(self) -> float:
        """True direct edges found ÷ true direct edges."""
        return self.true_found / self.true

    @property
    def precision(self) -> float:
        """Direct edges found that are true or tolerated ÷ direct edges found."""
        return 1 - self.wrong / self.found if self.found else 0.0


def _edges(edges: Iterable[Sequence[str]]) -> set[tuple[str, ...]]:
    return {tuple(edge) for edge in edges}


def _spread(influences: Iterable[Sequence[str]], columns: set[tuple[str, str]]) -> set[tuple[str, ...]]:
    """Each influence on a column; one on a whole table is on each of its columns that the case knows."""
    return {
        (source, column, target, name)
        for source, column, to, on in influences
        for target, name in columns
        if to == target and on in (None, name)
    }
