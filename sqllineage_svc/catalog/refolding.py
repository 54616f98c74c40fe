"""The contributions of datasets: carried on by new runs, or made anew where a run comes late.

Of a catalog that was pruned they begin with what stood at the cut; what happens before it changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, delete, select, update

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.folding import FOREVER, Contribution, Effect, Happening, History, fold
from sqllineage_svc.catalog.interning import in_pieces, insert_all
from sqllineage_svc.catalog.mirroring import mirrored, other_names
from sqllineage_svc.catalog.snapshots import contribution_of, cut_of, histories_at_cut
from sqllineage_svc.catalog.stretches import Ran, Touch, Work

_RUN, _TOUCHED, _CONTRIBUTION = tables.run, tables.payload_dataset, tables.contribution


def carry_on(connection: Connection, happenings: Iterable[Happening], dirty: Iterable[int]) -> None:
    """Let new things happen; make anew what is `dirty`, and where something is earlier than the last known.

    The runs must be there already.
    """
    new: dict[int, list[Happening]] = defaultdict(list)
    happenings = list(happenings)
    cut = cut_of(connection)
    mirrors = mirrored(connection, happenings)
    for happening in (*happenings, *mirrors):
        for dataset in _of(happening) if happening.at >= cut else ():
            new[dataset].append(happening)
    late = set(dirty)
    late |= other_names(connection, late)
    late |= {one.dataset for one in mirrors if one.stretch is not None}  # each of its runs counts on its own
    ends = _ends(connection, new)
    late.update(
        dataset for dataset, some in new.items() if min(one.at for one in some) <= ends.get(dataset, 0)
    )
    stack = list(late)
    while stack:
        connected = {other for happening in new.get(stack.pop(), ()) for other in _of(happening)} - late
        late |= connected
        stack.extend(connected)
    timely = set(new) - late
    go_on(connection, {happening for dataset in timely for happening in new[dataset]})
    refold(connection, late)


def go_on(connection: Connection, going: Collection[Happening]) -> None:
    """Let things happen behind all that happened to their datasets so far."""
    datasets = {dataset for happening in going for dataset in _of(happening)}
    _write(connection, datasets, fold(going, _open(connection, datasets)), only_open=True)
    _end(connection, datasets, going)


def _of(happening: Happening) -> tuple[int, ...]:
    previous = happening.previous
    return (happening.dataset,) if previous is None else (happening.dataset, previous)


def _ends(connection: Connection, datasets: Iterable[int]) -> dict[int, int]:
    """The last moment at which something is known to have happened to each of the datasets."""
    table = tables.dataset.c
    found: dict[int, int] = {}
    for piece in in_pieces(datasets):
        rows = connection.execute(select(table.id, table.changed_at).where(table.id.in_(piece)))
        found.update(dict(rows.all()))
    return found


def _open(connection: Connection, datasets: Iterable[int]) -> dict[int, History]:
    """The histories of datasets with what is open now."""
    found: dict[int, History] = defaultdict(History)
    for piece in in_pieces(datasets):
        rows = connection.execute(
            select(_CONTRIBUTION)
            .where(_CONTRIBUTION.c.dataset_id.in_(piece), _CONTRIBUTION.c.valid_to == FOREVER)
            .order_by(_CONTRIBUTION.c.valid_from, _CONTRIBUTION.c.payload_id)
        )
        for row in rows:
            one = contribution_of(row._mapping)
            found[one.dataset].open[one.key] = one
    return found


def refold(connection: Connection, datasets: Iterable[int]) -> None:
    """Make the contributions of these datasets anew, and of all that renames connect with them."""
    dirty = _with_renamed(connection, set(datasets))
    happenings = _happenings(connection, dirty)
    others = other_names(connection, dirty) - dirty
    around = [*happenings, *_happenings(connection, others)]
    happenings += [one for one in mirrored(connection, around) if one.dataset in dirty]
    _write(connection, dirty, fold(happenings, histories_at_cut(connection, dirty)), only_open=False)
    _end(connection, dirty, happenings)


def _end(connection: Connection, datasets: Iterable[int], happenings: Iterable[Happening]) -> None:
    """Keep when something last happened to each of the datasets."""
    last = dict.fromkeys(datasets, 0)
    for happening in happenings:
        for dataset in _of(happening):
            last[dataset] = max(last[dataset], happening.whole.ends_at)
    if last:
        table = tables.dataset
        connection.execute(
            update(table).where(table.c.id == bindparam("dataset")).values(changed_at=bindparam("last")),
            [{"dataset": dataset, "last": at} for dataset, at in last.items()],
        )


def _write(
    connection: Connection, datasets: Iterable[int], histories: Mapping[int, History], only_open: bool
) -> None:
    """Put histories in the place of what was known of the datasets, or of what was open."""
    for piece in in_pieces(datasets):
        gone = delete(_CONTRIBUTION).where(_CONTRIBUTION.c.dataset_id.in_(piece))
        connection.execute(gone.where(_CONTRIBUTION.c.valid_to == FOREVER) if only_open else gone)
    rows = [_row(one) for history in histories.values() for one in (*history.closed, *history.open.values())]
    insert_all(connection, _CONTRIBUTION, rows)


def _with_renamed(connection: Connection, datasets: set[int]) -> set[int]:
    found, fresh = set(datasets), set(datasets)
    names = (_TOUCHED.c.dataset_id, _TOUCHED.c.previous_id)
    while fresh:
        connected: set[int] = set()
        for piece in in_pieces(fresh):
            for one, other in (names, names[::-1]):
                renamed = select(other).where(one.in_(piece), _TOUCHED.c.previous_id.is_not(None))
                connected.update(connection.scalars(renamed))
        fresh = connected - found
        found |= fresh
    return found


def _happenings(connection: Connection, datasets: set[int]) -> list[Happening]:
    found: dict[tuple[int, int], Happening] = {}
    for piece in in_pieces(datasets):
        for column in (_TOUCHED.c.dataset_id, _TOUCHED.c.previous_id):
            found.update({(one.run, one.number): one for one in happenings(connection, column.in_(piece))})
    return list(found.values())


def happenings(connection: Connection, which: ColumnElement[bool]) -> list[Happening]:
    """What runs did from the cut on that changes what datasets hold, as far as the condition on them says."""
    rows = connection.execute(
        select(
            _RUN.c.at, _RUN.c.id, _TOUCHED.c.number, _TOUCHED.c.dataset_id, _TOUCHED.c.effect,
            _RUN.c.payload_id, _RUN.c.job_id, _RUN.c.started_at, _TOUCHED.c.fills, _TOUCHED.c.live,
            _TOUCHED.c.previous_id,
        )
        .join(_TOUCHED, _TOUCHED.c.payload_id == _RUN.c.payload_id)
        .where(which, _RUN.c.effective, _RUN.c.at >= cut_of(connection), _TOUCHED.c.effect != int(Effect.READ))
    )  # fmt: skip
    return [
        Happening(at, run, number, dataset, Effect(effect), payload, job, started, fills, live, previous)
        for at, run, number, dataset, effect, payload, job, started, fills, live, previous in rows
    ]


def works_of(connection: Connection, runs: Iterable[Row[int, int, int, int, int]]) -> list[Work]:
    """What runs did that changed something, those together that did the same; each given as its id, when its
    effects were there, when it started, its payload and its job."""
    ran: dict[tuple[int, int], list[Ran]] = defaultdict(list)
    for id_, at, started_at, payload, job in runs:
        ran[payload, job].append((at, started_at, id_))
    touched = _TOUCHED.c
    does: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for piece in in_pieces({payload for payload, _ in ran}):
        columns = (
            touched.number,
            touched.dataset_id,
            touched.effect,
            touched.fills,
            touched.live,
            touched.previous_id,
        )
        changes = (touched.payload_id.in_(piece), touched.effect != int(Effect.READ))
        for payload, *row in connection.execute(select(touched.payload_id, *columns).where(*changes)):
            does[payload].append(tuple(row))
    return [
        (
            [
                Touch(number, dataset, Effect(effect), payload, job, fills, live, previous)
                for number, dataset, effect, fills, live, previous in does[payload]
            ],
            some,
        )
        for (payload, job), some in ran.items()
    ]


def _row(one: Contribution) -> dict[str, object]:
    return {
        "dataset_id": one.dataset,
        "payload_id": one.payload,
        "via_id": one.via,
        "valid_from": one.valid_from,
        "valid_to": one.valid_to,
        "read_from": one.read_from,
        "read_to": one.read_to,
        "job_id": one.job,
        "first_run_id": one.first_run,
        "last_run_id": one.last_run,
        "runs": one.runs,
        "replacing": one.replacing,
        "live": one.live,
        "declared": one.declared,
    }
