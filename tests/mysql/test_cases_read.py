"""Every statement of the public reports and of the executed cases can be read, but for the bad ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sqllineage_svc.errors import UnreadableStatement
from sqllineage_svc.sql.split import split
from tests.mysql.reading import MYSQL, read

CASES = Path(__file__).parents[1] / "data" / "cases"


def cases() -> list[dict[str, Any]]:
    texts = [(CASES / f"{name}.jsonl").read_text("utf-8") for name in ("public_reports", "executed")]
    lines = [line for text in texts for line in text.split("\n") if line]
    return [case for case in map(json.loads, lines) if case["dialect"] == "mysql"]


def unreadable(case: dict[str, Any]) -> list[str]:
    """The statements of a case that cannot be read."""
    found = []
    separator = "\n" if "expect" in case else ";\n"
    for source in split(separator.join(case["statements"]), MYSQL.lexis):
        try:
            read(source.text)
        except UnreadableStatement:
            found.append(source.text)
    return found


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_a_case_reads(case: dict[str, Any]) -> None:
    expects_error = bool(case.get("expect", {}).get("error"))
    assert len(unreadable(case)) == int(expects_error)
