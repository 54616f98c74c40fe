"""What a dataset holds over time: runs in their order, folded into contributions.

A contribution is a payload, the lineage of one version of a job, from its first run until the content is
replaced. CREATE, OVERWRITE, TRUNCATE and DROP close what stood before, anything else adds to it, RENAME moves
it to another name. Pure: effects in, contributions out, the same for any order of arrival.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple

FOREVER = (1 << 63) - 1
"""The moment at which an open interval ends."""


class Effect(IntEnum):
    """What a run does to a dataset as a whole; kept as a number."""

    READ = 0
    ADD = 1
    OVERWRITE = 2
    EMPTY = 3
    DROP = 4
    RENAME = 5
    ALTER = 6
    DECLARE = 7
    TOLD = 8  # it says again what the runs that it started have done

    @property
    def replaces(self) -> bool:
        """Is what stood before gone?"""
        return self in (Effect.OVERWRITE, Effect.EMPTY, Effect.DROP)

    @property
    def ends(self) -> bool:
        """Is any of what stood before gone?"""
        return self.replaces or self is Effect.DECLARE

    @property
    def acts(self) -> bool:
        """Does it change anything?"""
        return self not in (Effect.READ, Effect.TOLD)


class Stretch(NamedTuple):
    """Runs of one payload in a row, between which nothing else happens to the dataset.

    `ends_at` is when the last one's effect is there, `read_from` the first moment at which sources were read of
    what is there in the end.
    """

    runs: int
    last_run: int
    ends_at: int
    read_from: int


@dataclass(frozen=True, slots=True)
class Happening:
    """One effect of one run on one dataset.

    Times are microseconds since 1970 in UTC; `at` is when the effect is there, `started_at` and `at` when
    its sources were read. `number` orders the effects of one run. `fills`: the payload has edges to it.
    `live`: it holds nothing itself and is read through, as a view is. `previous` is the dataset that a RENAME
    moved here. Where the same happens in a row, one stands for the whole `stretch`, of which it is the first.
    """

    at: int
    run: int
    number: int
    dataset: int
    effect: Effect
    payload: int
    job: int
    started_at: int
    fills: bool
    live: bool = False
    previous: int | None = None
    stretch: Stretch | None = None

    @property
    def whole(self) -> Stretch:
        """All of it, be it one run."""
        return self.stretch or Stretch(1, self.run, self.at, self.started_at)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one payload contributes to a dataset in [valid_from, valid_to).

    `via` is the dataset that the payload itself names: another one where its content was moved by a RENAME.
    Its sources were read in [read_from, read_to]; those of a `live` one are read whenever it is. `replacing`:
    each of its `runs` replaced the one before. `declared`: a job says that it would; no run was seen.
    """

    dataset: int
    payload: int
    via: int
    job: int
    valid_from: int
    valid_to: int
    read_from: int
    read_to: int
    first_run: int
    last_run: int
    runs: int
    replacing: bool
    live: bool
    declared: bool

    @property
    def key(self) -> tuple[int, int]:
        """What makes it another one: the payload, and the name it was written under."""
        return self.payload, self.via


@dataclass(slots=True)
class History:
    """The contributions of one dataset so far: `closed` ones, and the open ones by their key."""

    closed: list[Contribution] = field(default_factory=list)
    open: dict[tuple[int, int], Contribution] = field(default_factory=dict)

    def close(self, at: int, only: Callable[[Contribution], bool] | None = None) -> list[Contribution]:
        """End what is open; one that lasted no time was never there."""
        ended = [one for one in self.open.values() if only is None or only(one)]
        for one in ended:
            del self.open[one.key]
            if one.valid_from < at:
                self.closed.append(replace(one, valid_to=at))
        return ended

    def put(self, new: Contribution, ended: Iterable[Contribution] = ()) -> None:
        """Open a contribution; one like it that is open, or ended just now, goes on instead."""
        before = self.open.get(new.key) or next((one for one in ended if one.key == new.key), None)
        if before is None:
            self.open[new.key] = new
            return
        resumed = replace(before, valid_to=new.valid_from)
        if resumed in self.closed:
            self.closed.remove(resumed)
        self.open[new.key] = replace(
            before,
            read_from=new.read_from if new.replacing else min(before.read_from, new.read_from),
            read_to=max(before.read_to, new.read_to),
            last_run=new.last_run,
            runs=before.runs + new.runs,
            replacing=new.replacing,
        )


def fold(happenings: Iterable[Happening], before: Mapping[int, History] | None = None) -> dict[int, History]:
    """The history of each dataset to which something happens, in the order of the times.

    Where histories from `before` are given, they go on, and nothing may happen earlier than their end. What is
    renamed has to come with both its names.
    """
    histories: dict[int, History] = defaultdict(History, before or {})
    for happening in sorted(happenings, key=lambda one: (one.at, one.started_at, one.run, one.number)):
        if happening.effect is Effect.RENAME:
            _rename(happening, histories)
        else:
            _happen(happening, histories[happening.dataset])
    return histories


def _happen(happening: Happening, history: History) -> None:
    at = happening.at
    ended: list[Contribution] = []
    if happening.effect.replaces:
        ended = history.close(at)
    elif happening.effect is Effect.DECLARE:
        ended = history.close(at, lambda one: one.declared and one.job == happening.job)
    if happening.fills:
        history.put(_new(happening), ended)


def _new(happening: Happening) -> Contribution:
    replacing = happening.effect is Effect.OVERWRITE
    declared = happening.effect is Effect.DECLARE
    whole = happening.whole
    return Contribution(
        happening.dataset,
        happening.payload,
        happening.dataset,
        happening.job,
        happening.at,
        FOREVER,
        whole.read_from,
        whole.ends_at,
        happening.run,
        whole.last_run,
        whole.runs,
        replacing,
        happening.live or declared,
        declared,
    )


def _rename(happening: Happening, histories: Mapping[int, History]) -> None:
    """Move what the old name holds to the new one, whose own content ends."""
    at, old, new = happening.at, happening.previous, histories[happening.dataset]
    if old is None or old == happening.dataset:
        return
    moved = histories[old].close(at)
    new.close(at)
    for one in moved:
        new.put(replace(one, dataset=happening.dataset, valid_from=at, valid_to=FOREVER))
