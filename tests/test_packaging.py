"""The wheel holds what it needs, and dialects are declared where they are installed."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from sqllineage_svc.dialect import installed_dialects, load_dialect
from sqllineage_svc.errors import UnknownDialect

ROOT = Path(__file__).parent.parent
AGAIN = "run: pip install -e . again"


def test_folders_are_declared_and_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = project["entry-points"]["sqllin.dialects"]
    folders = {path.name for path in (ROOT / "dialects").iterdir() if (path / "__init__.py").is_file()}
    assert folders == {value.partition(":")[0] for value in declared.values()}, AGAIN
    assert set(declared) <= {point.name for point in entry_points(group="sqllin.dialects")}, AGAIN


@pytest.mark.parametrize("name", installed_dialects())
def test_a_dialect_answers_by_its_name(name: str) -> None:
    assert load_dialect(name).name == name


def test_an_unknown_dialect_lists_those_installed() -> None:
    with pytest.raises(UnknownDialect, match=r"no dialect 'redshit'.*mysql, redshift"):
        load_dialect("redshit")


def test_the_wheel_holds_types_facts_and_the_contract(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    for package in ("sqllineage_svc", "sqllin_redshift", "sqllin_mysql"):
        assert f"{package}/py.typed" in names
    assert {"sqllin_redshift/functions.toml", "sqllin_mysql/functions.toml"} <= names
    assert "sqllineage_svc/render/analyze.schema.json" in names
