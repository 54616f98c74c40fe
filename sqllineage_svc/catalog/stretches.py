"""Many runs as few happenings: runs of one payload in a row are one stretch.

Nothing is lost by it: the fold of the stretches is the fold of the single runs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from sqllineage_svc.catalog.folding import Effect, Happening, Stretch
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.payloads import Payload

Ran = tuple[int, int, int]
"""When a run's effects were there, when it had started, and its id; runs happen in this order."""


class Touch(NamedTuple):
    """What every run of a payload, as a job has it, does to one dataset; the fields are those of Happening."""

    number: int
    dataset: int
    effect: Effect
    payload: int
    job: int
    fills: bool
    live: bool
    previous: int | None

    @property
    def moves(self) -> bool:
        """Does it connect two datasets?"""
        return self.effect is Effect.RENAME


Work = tuple[Sequence[Touch], list[Ran]]
"""What some runs all do, and the runs; these are sorted in place."""


def touches_of(payload: Payload, job: int) -> tuple[Touch, ...]:
    """What each run of a payload changes."""
    return tuple(
        Touch(
            number,
            dataset_id(*one.dataset),
            one.effect,
            payload.id,
            job,
            payload.fills(one.dataset),
            one.live,
            dataset_id(*one.previous) if one.previous is not None else None,
        )
        for number, one in enumerate(payload.touched)
        if one.effect is not Effect.READ
    )


def happenings_of(works: Iterable[Work]) -> Iterator[Happening]:
    """What happens in all of the runs, as few happenings as can say it."""
    by_dataset: dict[int, list[tuple[Touch, list[Ran]]]] = defaultdict(list)
    for touches, runs in works:
        runs.sort()
        for touch in touches if runs else ():
            by_dataset[touch.dataset].append((touch, runs))
            if touch.moves and touch.previous is not None and touch.previous != touch.dataset:
                by_dataset[touch.previous].append((touch, runs))
    for dataset, work in by_dataset.items():
        if _order_matters([touch for touch, _ in work]):
            yield from _in_turns(dataset, work)
        else:
            yield from (_stretch(touch, runs) for touch, runs in work)


def _order_matters(touches: Sequence[Touch]) -> bool:
    """Does it matter how the runs of several payloads follow each other?"""
    if any(touch.moves for touch in touches):
        return True
    ends = any(touch.effect.ends for touch in touches)
    return len(touches) > 1 and (ends or len({touch.payload for touch in touches}) < len(touches))


def _in_turns(dataset: int, work: Sequence[tuple[Touch, list[Ran]]]) -> Iterator[Happening]:
    """The stretches of one dataset of which now one payload runs, now another."""
    turns = [(run, touch.number, place) for place, (touch, runs) in enumerate(work) for run in runs]
    turns.sort()
    for place, stretch in groupby(turns, key=itemgetter(2)):
        touch, runs = work[place][0], [run for run, _, _ in stretch]
        if not touch.moves:
            yield _stretch(touch, runs)
        elif touch.dataset == dataset:
            yield from (_happening(touch, run) for run in runs)


def _stretch(touch: Touch, runs: Sequence[Ran]) -> Happening:
    """Runs in their order as one happening."""
    ends_at, started_at, last_run = runs[-1]
    read_from = started_at if touch.effect is Effect.OVERWRITE else min(map(itemgetter(1), runs))
    return _happening(touch, runs[0], Stretch(len(runs), last_run, ends_at, read_from))


def _happening(touch: Touch, run: Ran, stretch: Stretch | None = None) -> Happening:
    at, started_at, id_ = run
    return Happening(
        at,
        id_,
        touch.number,
        touch.dataset,
        touch.effect,
        touch.payload,
        touch.job,
        started_at,
        touch.fills,
        touch.live,
        touch.previous,
        stretch,
    )
