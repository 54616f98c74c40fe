"""SQL with its arrows in the same file; the file's name is the sentence that it proves.

-- schema: app.orders(id, amount)           tables that the script does not make
--> mart.sales.total <- app.orders.amount  TRANSFORMATION      a column, end to end
--> mart.sales <- app.orders.status  FILTER                    what decides its rows
--! StarNotExpanded                                            an issue
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sqllineage_svc import ScriptLineage, trace_sql

FOLDER = Path(__file__).parent / "cases"
FILES = sorted(FOLDER.glob("*/*.sql"))
SCHEMA = re.compile(r"^-- schema: ([^(\s]+)\((.*)\)\s*$", re.MULTILINE)


def arrows(script: ScriptLineage) -> list[str]:
    """The arrows of a script, sorted, then its issues."""
    found = [
        f"--> {edge.target} <- {edge.source}  {edge.transformation.name}{'  masked' if edge.masking else ''}"
        for edge in script.columns
    ]
    found += [f"--> {row.target} <- {row.source}  {row.transformation.name}" for row in script.rows]
    return sorted(found) + [f"--! {issue.code}" for issue in script.issues]


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parent.name}-{path.stem}" for path in FILES])
def test_case(path: Path, request: pytest.FixtureRequest) -> None:
    text = path.read_text("utf-8")
    sql = [line for line in text.splitlines() if not line.startswith(("-->", "--!"))]
    tables = {name: dict.fromkeys(re.split(r",\s*", columns)) for name, columns in SCHEMA.findall(text)}
    expected = [line for line in text.splitlines() if line.startswith(("-->", "--!"))]
    found = arrows(trace_sql("\n".join(sql), path.parent.name, tables))
    if request.config.getoption("--update-cases"):
        path.write_text("\n".join([*sql, *found]) + "\n", "utf-8")
        return
    assert found == expected
