"""What real engines say depends on what, against the lineage; `python -m tests.perturb` takes other seeds."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.engines import Engine, mariadb, postgres, running
from tests.generate import MYSQL, REDSHIFT, Grammar
from tests.perturb import KINDS, run

PROVING = bool(os.environ.get("SQLLIN_PROVE"))
FULL = {"queries": 10_000, "changes": 5_000, "scripts": 2_500}
SMALL = {"queries": 200, "changes": 120, "scripts": 50}
USABLE = {"queries": 0.9, "changes": 0.6, "scripts": 0.3}
"""The least share that the engine runs: it refuses some that would put NULL or the same key twice into a key."""
SEED = 7


@pytest.fixture(scope="module")
def postgres_engine() -> Iterator[Engine]:
    yield from running(postgres)


@pytest.fixture(scope="module")
def mariadb_engine() -> Iterator[Engine]:
    yield from running(mariadb)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("engine", "grammar"),
    [("postgres_engine", REDSHIFT), ("mariadb_engine", MYSQL)],
    ids=["postgres", "mariadb"],
)
def test_the_lineage_names_every_column_that_a_result_depends_on(
    engine: str, grammar: Grammar, kind: str, request: pytest.FixtureRequest
) -> None:
    statements = (FULL if PROVING else SMALL)[kind]
    outcome = run(request.getfixturevalue(engine), grammar, statements, SEED, KINDS[kind])
    assert not outcome.missed, str(outcome)
    assert outcome.counts["issues"] == 0
    assert outcome.counts["statements"] >= USABLE[kind] * statements
    assert outcome.counts["batches too slow"] <= 1 + 0.1 * outcome.counts["batches"], str(outcome)
