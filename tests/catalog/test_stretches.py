"""Runs of one payload in a row, folded at once: the same contributions as run by run."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sqllineage_svc.catalog.folding import Contribution, Effect, Happening, History, fold
from sqllineage_svc.catalog.stretches import Ran, Touch, happenings_of

EFFECTS = [effect for effect in Effect if effect is not Effect.READ]


@st.composite
def works(draw: st.DrawFn) -> list[tuple[list[Touch], list[Ran]]]:
    """What a few jobs do to a few datasets, and when; times meet often, a payload may be that of two jobs."""
    made, run = [], 0
    for job in range(draw(st.integers(1, 4))):
        payload = draw(st.integers(1, 3)) * 10
        touches = []
        for number in range(draw(st.integers(1, 3))):
            effect = draw(st.sampled_from(EFFECTS))
            previous = draw(st.none() | st.integers(1, 4)) if effect is Effect.RENAME else None
            fills, live = draw(st.booleans()), payload == 10
            touches.append(
                Touch(
                    number, draw(st.integers(1, 4)), effect, payload + len(made), job, fills, live, previous
                )
            )
        runs: list[Ran] = []
        for started in draw(st.lists(st.integers(0, 12), max_size=8)):
            run += 1
            runs.append((started + draw(st.integers(0, 3)), started, run * 7919 % 61))
        made.append((touches, runs))
        if draw(st.booleans()):  # another job that does the same
            same = [touch._replace(job=job + 10) for touch in touches]
            made.append((same, [(4, 2, 1_000 + job), (9, 9, 2_000 + job)]))
    return made


def one_by_one(made: list[tuple[list[Touch], list[Ran]]]) -> list[Happening]:
    """Each run as happenings of its own."""
    return [
        Happening(
            at, run, touch.number, touch.dataset, touch.effect, touch.payload, touch.job, started,
            touch.fills, touch.live, touch.previous,
        )
        for touches, runs in made
        for at, started, run in runs
        for touch in touches
    ]  # fmt: skip


def contents(histories: dict[int, History]) -> set[Contribution]:
    """All contributions, with no regard to the order in which they are kept."""
    return {one for history in histories.values() for one in (*history.closed, *history.open.values())}


@settings(max_examples=500)
@given(made=works())
def test_stretches_fold_to_what_single_runs_fold_to(made: list[tuple[list[Touch], list[Ran]]]) -> None:
    assert contents(fold(happenings_of(made))) == contents(fold(one_by_one(made)))


@settings(max_examples=250)
@given(made=works(), cut=st.integers(0, 15))
def test_stretches_go_on_where_others_ended(made: list[tuple[list[Touch], list[Ran]]], cut: int) -> None:
    """A batch ends between two moments; the next one goes on with what is open."""
    first = [(touches, [run for run in runs if run[0] <= cut]) for touches, runs in made]
    second = [(touches, [run for run in runs if run[0] > cut]) for touches, runs in made]
    before = fold(happenings_of(first))
    assert contents(fold(happenings_of(second), before)) == contents(fold(one_by_one(made)))


def test_runs_of_one_payload_are_one_happening_until_another_replaces() -> None:
    copies = Touch(0, 1, Effect.OVERWRITE, 10, 5, True, False, None)
    truncates = Touch(0, 1, Effect.EMPTY, 20, 6, False, False, None)
    made = [([copies], [(at, at - 1, at) for at in (30, 10, 20, 60, 50)]), ([truncates], [(40, 39, 40)])]
    happened = sorted(happenings_of(made), key=lambda one: one.at)
    assert [(one.at, one.effect, *one.whole) for one in happened] == [
        (10, Effect.OVERWRITE, 3, 30, 30, 29),
        (40, Effect.EMPTY, 1, 40, 40, 39),
        (50, Effect.OVERWRITE, 2, 60, 60, 59),
    ]


def test_a_million_runs_that_add_are_one_happening_each_job() -> None:
    touches = [[Touch(0, job, Effect.ADD, job, job, True, False, None)] for job in range(3)]
    runs = [(at, at, at) for at in range(1_000)]
    happened = list(happenings_of((touch, list(runs)) for touch in touches))
    assert [(one.dataset, one.whole.runs) for one in happened] == [(0, 1_000), (1, 1_000), (2, 1_000)]
