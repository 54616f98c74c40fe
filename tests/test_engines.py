"""What real engines say depends on what, against the lineage; `python -m tests.perturb` takes other seeds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from tests.engines import Engine, EngineMissing, mariadb, postgres
from tests.generate import MYSQL, REDSHIFT, Grammar
from tests.perturb import run

PROVING = bool(os.environ.get("SQLLIN_PROVE"))
QUERIES = 10_000 if PROVING else 200
SEED = 7


def running(start: Callable[[], AbstractContextManager[Engine]]) -> Iterator[Engine]:
    """The engine, or a skipped test where it is not installed; in CI that is a failure."""
    try:
        with start() as engine:
            yield engine
    except EngineMissing as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def postgres_engine() -> Iterator[Engine]:
    yield from running(postgres)


@pytest.fixture(scope="module")
def mariadb_engine() -> Iterator[Engine]:
    yield from running(mariadb)


@pytest.mark.parametrize(
    ("engine", "grammar"),
    [("postgres_engine", REDSHIFT), ("mariadb_engine", MYSQL)],
    ids=["postgres", "mariadb"],
)
def test_the_lineage_names_every_column_that_a_result_depends_on(
    engine: str, grammar: Grammar, request: pytest.FixtureRequest
) -> None:
    outcome = run(request.getfixturevalue(engine), grammar, QUERIES, SEED)
    assert not outcome.missed, str(outcome)
    assert outcome.counts["issues"] == 0
    assert outcome.counts["queries"] >= 0.9 * QUERIES
