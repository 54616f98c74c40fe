"""The limits: what is deep is refused at once, what is long costs its length, and nothing crashes.

Each script is traced in a process of its own, so that a crash would be seen. Times are CPU times, compared
with much slack: they are to catch the square of a length, not a slow machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import pytest

from tests.growth import CHAINS, DEEP, Measured, measured_apart

PROVING = bool(os.environ.get("SQLLIN_PROVE"))
LONG = 100_000 if PROVING else 4_000
DIALECTS = ("redshift", "mysql")
READABLE_DEPTH = 50
_SLACK = 2.5
_AT_LEAST_SECONDS = 0.15
_MOST_SECONDS = 300.0

STATEFUL = {"statements", "inserts", "temp_tables", "broken", "unclosed_comments", "variables", "updates"}
"""Many statements; a tenth of them is as long as the other scripts are."""

SQUARE = {"inserts"}
"""Known to grow with the square: each INSERT joins its sources to those the column has already. No more than
the square is allowed."""

NOT_SAID = {
    "redshift": {"variables", "begin", "if"},
    "mysql": set(),
}
"""What a dialect does not have."""

LOOSE = {"assignments", "dots", "between", "bare_left_joins", "open_parentheses", "open_cases", "array"}
"""Deep, and either read at any depth or read at none."""

BROKEN = {"broken", "unclosed_comments"}
"""No SQL, and it must not cost more."""


def traced(name: str, counts: Sequence[int], dialect: str) -> list[Measured]:
    """The script of these lengths, in a process of its own; a crash or a hang fails the test."""
    return measured_apart(name, counts, dialect, _MOST_SECONDS)


def names(scripts: Iterable[str]) -> list[tuple[str, str]]:
    """The scripts by name, in each dialect that has what they say."""
    return [(name, dialect) for name in scripts for dialect in DIALECTS if name not in NOT_SAID[dialect]]


@pytest.mark.parametrize(("name", "dialect"), names(CHAINS))
def test_what_is_long_costs_its_length(name: str, dialect: str) -> None:
    count = LONG // 10 if name in STATEFUL or name in SQUARE else LONG
    short, long = traced(name, (count // 4, count), dialect)
    assert long.issues == () or name in BROKEN
    growth = 16 if name in SQUARE else 4
    assert long.seconds < _SLACK * growth * max(short.seconds, _AT_LEAST_SECONDS)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ["cte_chain", "temp_chain", "view_chain"])
def test_a_chain_of_queries_costs_its_length(name: str, dialect: str) -> None:
    short, long = traced(name, (125, 500), dialect)
    assert long.issues == ()
    assert long.columns == (501 if name == "view_chain" else 1)
    assert long.seconds < _SLACK * 4 * max(short.seconds, _AT_LEAST_SECONDS)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ["cte_diamond", "view_diamond"])
def test_a_million_paths_are_walked_once(name: str, dialect: str) -> None:
    (found,) = traced(name, (21,), dialect)
    assert found.issues == ()
    assert found.columns >= 1
    assert found.seconds < 5


@pytest.mark.parametrize(("name", "dialect"), names(DEEP))
def test_what_is_deep_is_refused_at_once(name: str, dialect: str) -> None:
    fair, deep, deeper = traced(name, (READABLE_DEPTH, 1_000, 20_000), dialect)
    if name not in LOOSE:
        assert "UnreadableStatement" not in fair.issues
        assert deep.issues[0] in ("UnreadableStatement", "NestingTooDeep")
        assert deeper.issues[0] in ("UnreadableStatement", "NestingTooDeep")
    assert deep.seconds < 2
    assert deeper.seconds < 20


@pytest.mark.parametrize("dialect", DIALECTS)
def test_ten_megabytes_are_read(dialect: str) -> None:
    (found,) = traced("long_literal", (100_000,), dialect)
    assert (found.issues, found.columns) == ((), 1)
    assert found.seconds < 20
