"""The cases of tests/data/cases, and what is compared with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sqllineage_svc import ScriptLineage

DATA = Path(__file__).parent / "data"
Case = dict[str, Any]
Quad = tuple[str, str, str, str]


def load_cases(name: str) -> list[Case]:
    """The cases of one file."""
    lines = (DATA / "cases" / name).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


def end_to_end(script: ScriptLineage) -> tuple[set[Quad], set[Quad], set[tuple[str, str, str]]]:
    """Direct and indirect column edges and row edges of a script end to end, in lower case."""
    direct: set[Quad] = set()
    indirect: set[Quad] = set()
    for edge in script.columns:
        quad = (str(edge.source.dataset), edge.source.column, str(edge.target.dataset), edge.target.column)
        lower = (quad[0].lower(), quad[1].lower(), quad[2].lower(), quad[3].lower())
        (direct if edge.transformation.type == "DIRECT" else indirect).add(lower)
    rows = {
        (str(row.source.dataset).lower(), row.source.column.lower(), str(row.target).lower())
        for row in script.rows
    }
    return direct, indirect, rows
