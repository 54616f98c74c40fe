"""A bounded run of `tests.fuzz`: mutated statements neither escape, hang, crash nor print a secret."""

from __future__ import annotations

import os

from tests.fuzz import Finding, fuzz
from tests.mutate import SECRET, mutant

COUNT = 200_000 if os.environ.get("SQLLIN_PROVE") else 3_000


def test_nothing_escapes_hangs_crashes_or_shows_a_secret() -> None:
    events = list(fuzz(seed=1, start=0, count=COUNT))
    findings = [event for event in events if isinstance(event, Finding)]
    assert not findings, "\n\n".join(map(str, findings[:5]))
    assert len(events) == COUNT


def test_the_seed_and_the_number_make_a_mutant_again() -> None:
    assert [mutant(5, at) for at in range(20)] == [mutant(5, at) for at in range(20)]


def test_a_secret_is_planted_in_many_of_them() -> None:
    planted = [made for at in range(200) if (made := mutant(1, at)).secret]
    assert len(planted) > 30
    assert all(SECRET in made.text for made in planted)
