"""What real engines say depends on what, against the lineage; `python -m tests.perturb` takes other seeds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from tests.engines import Engine, EngineMissing, mariadb, postgres
from tests.generate import MYSQL, REDSHIFT, Grammar
from tests.perturb import CHANGES, QUERIES, Kind, run

PROVING = bool(os.environ.get("SQLLIN_PROVE"))
STATEMENTS = {QUERIES: 10_000, CHANGES: 10_000} if PROVING else {QUERIES: 200, CHANGES: 150}
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


@pytest.mark.parametrize("kind", [QUERIES, CHANGES], ids=["queries", "changes"])
@pytest.mark.parametrize(
    ("engine", "grammar"),
    [("postgres_engine", REDSHIFT), ("mariadb_engine", MYSQL)],
    ids=["postgres", "mariadb"],
)
def test_the_lineage_names_every_column_that_a_result_depends_on(
    engine: str, grammar: Grammar, kind: Kind, request: pytest.FixtureRequest
) -> None:
    statements = STATEMENTS[kind]
    outcome = run(request.getfixturevalue(engine), grammar, statements, SEED, kind)
    assert not outcome.missed, str(outcome)
    assert outcome.counts["issues"] == 0
    assert outcome.counts["statements"] >= 0.75 * statements
