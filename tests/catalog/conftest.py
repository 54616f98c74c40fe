"""Catalogs for tests: one in SQLite and one in a real PostgreSQL, new for each test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from sqllineage_svc.catalog.opening import Catalog, open_catalog
from tests.engines import Engine, postgres, running

_numbers = count()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Engine]:
    """A PostgreSQL server; where it is not installed the test is skipped, in CI it fails."""
    yield from running(postgres)


@pytest.fixture(params=["sqlite", "postgresql"])
def catalog_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'catalog.db'}"
    server: Engine = request.getfixturevalue("postgres_server")
    name = f"catalog_{next(_numbers)}"
    assert server.run([f"create database {name}"]) == [[]]
    return server.url.replace("/postgres?", f"/{name}?")


@pytest.fixture
def catalog(catalog_url: str) -> Iterator[Catalog]:
    """An open catalog with nothing in it."""
    opened = open_catalog(catalog_url)
    yield opened
    opened.close()
