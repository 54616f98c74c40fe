"""What all tests share: the package must be installed, since dialects are found by its metadata."""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, version

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Stop with a remedy where the package is not installed."""
    try:
        version("sqllineage-svc")
    except PackageNotFoundError:
        pytest.exit("sqllin is not installed here; run: pip install -e '.[dev]'", returncode=4)


@pytest.fixture(scope="session")
def proving() -> bool:
    """Is this `make prove`, with the full counts?"""
    return bool(os.environ.get("SQLLIN_PROVE"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-cases` writes the arrows anew; read the diff before it is committed."""
    parser.addoption("--update-cases", action="store_true", help="write the arrows of tests/cases anew")
