"""What the import contracts cannot see: names of warehouses, and ways around the front door."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_FOLDERS = ("model", "sql", "engine", "openlineage")
LOWER_FLOORS = [
    *(path for folder in _FOLDERS for path in sorted((ROOT / "sqllineage_svc" / folder).rglob("*.py"))),
    ROOT / "sqllineage_svc" / "dialect.py",
    ROOT / "sqllineage_svc" / "errors.py",
]
WAREHOUSES = re.compile(r"redshift|mysql|mariadb|postgres", re.IGNORECASE)
ADDRESS = re.compile(r"https?://\S+")


@pytest.mark.parametrize("path", LOWER_FLOORS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_lower_floor_names_a_warehouse(path: Path) -> None:
    """Facts of a warehouse live in dialects/; only the address of a source may name one."""
    lines = ADDRESS.sub("", path.read_text("utf-8")).splitlines()
    named = [f"line {at}: {line.strip()}" for at, line in enumerate(lines, 1) if WAREHOUSES.search(line)]
    assert not named


def test_dialects_are_imported_by_their_own_names() -> None:
    """Imported by way of the folder, a dialect would be a second, unequal object."""
    other_name = "dialects." + "sqllin_"
    sources = [
        path for folder in ("sqllineage_svc", "dialects", "tests") for path in (ROOT / folder).rglob("*.py")
    ]
    assert not [path for path in sources if other_name in path.read_text("utf-8")]


def test_files_stay_short() -> None:
    """A module past 400 lines is split along the "and" in its docstring."""
    sources = [path for folder in ("sqllineage_svc", "dialects") for path in (ROOT / folder).rglob("*.py")]
    assert not [path for path in sources if len(path.read_text("utf-8").splitlines()) > 400]
