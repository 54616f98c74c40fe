"""Queries that read and write nothing: counted by query, user and day, not kept as runs.

What a run is, all its events together say: one whose end names outputs after all is no reading any more. So the
readings are kept, a few numbers each, and what they count is added up anew where one of them changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Select,
    bindparam,
    delete,
    func,
    insert,
    literal,
    select,
)

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.folding import Effect
from sqllineage_svc.catalog.interning import in_pieces
from sqllineage_svc.catalog.origins import FROM_EVENTS, FROM_SNAPSHOT
from sqllineage_svc.catalog.snapshots import refuse_before_cut

DAYS = 90
"""So far back it is told how often a dataset was read."""
DAY = timedelta(days=1) // timedelta(microseconds=1)

_READING, _USAGE = tables.reading.c, tables.usage.c
_KEY = ("job_id", "payload_id", "text_id", "user", "day")
COUNTED = [*_KEY, "origin", "count", "last"]
"""The columns of `usage`."""


class Reader(NamedTuple):
    """Somebody who read a dataset, "" where nobody knows who: how often, and when last."""

    user: str
    reads: int
    last: int


@dataclass(frozen=True, slots=True)
class Usage:
    """How often a dataset was read, by whom; who read most comes first."""

    reads: int
    readers: tuple[Reader, ...]


def reads_of(connection: Connection, datasets: Iterable[int], at: int, days: int = DAYS) -> dict[int, Usage]:
    """How often each of the datasets was read in the last days before a moment, whose own day counts as a whole.

    Raises UsageError where the moment is before the cut.
    """
    refuse_before_cut(connection, at)
    readers: dict[int, list[Reader]] = defaultdict(list)
    touched = tables.payload_dataset.c
    for piece in in_pieces(datasets):
        read = (
            select(touched.payload_id, touched.dataset_id)
            .where(touched.dataset_id.in_(piece), touched.effect == int(Effect.READ))
            .distinct()
            .subquery()
        )
        rows = connection.execute(
            select(read.c.dataset_id, _USAGE.user, func.sum(_USAGE.count), func.max(_USAGE.last))
            .join_from(read, tables.usage, _USAGE.payload_id == read.c.payload_id)
            .where(_USAGE.day.between(at // DAY - days, at // DAY))
            .group_by(read.c.dataset_id, _USAGE.user)
        )
        for dataset, user, count, last in rows:
            readers[dataset].append(Reader(user, int(count), last))
    return {dataset: _usage(some) for dataset, some in readers.items()}


def together(usages: Iterable[Usage]) -> Usage:
    """What a dataset was read under all its names."""
    found: dict[str, Reader] = {}
    for reader in (reader for usage in usages for reader in usage.readers):
        known = found.get(reader.user, Reader(reader.user, 0, 0))
        found[reader.user] = Reader(reader.user, known.reads + reader.reads, max(known.last, reader.last))
    return _usage(found.values())


def _usage(readers: Collection[Reader]) -> Usage:
    ordered = sorted(readers, key=lambda one: (-one.reads, one.user))
    return Usage(sum(one.reads for one in readers), tuple(ordered))


def exchange_readings(
    connection: Connection, runs: Sequence[int], rows: Sequence[Mapping[str, Any]]
) -> set[int]:
    """Put readings in the place of what was known of runs, and count anew; returns the payloads they had."""
    keys: dict[tuple[Any, ...], None] = {}
    payloads: set[int] = set()
    for piece in in_pieces(runs):
        known = select(*(_READING[name] for name in _KEY)).where(_READING.id.in_(piece))
        for row in connection.execute(known):
            keys[tuple(row)] = None
            payloads.add(row.payload_id)
        connection.execute(delete(tables.reading).where(_READING.id.in_(piece)))
    if rows:
        connection.execute(tables.reading.insert(), rows)
        keys.update(dict.fromkeys(tuple(row[name] for name in _KEY) for row in rows))
    _count(connection, [{f"of_{name}": part for name, part in zip(_KEY, key, strict=True)} for key in keys])
    return payloads


def _count(connection: Connection, keys: Sequence[Mapping[str, Any]]) -> None:
    """Count what these keys stand for anew."""
    if not keys:
        return
    of: list[BindParameter[Any]] = [bindparam(f"of_{name}") for name in _KEY]
    ours = [_USAGE[name] == one for name, one in zip(_KEY, of, strict=True)]
    connection.execute(delete(tables.usage).where(*ours, _USAGE.origin == FROM_EVENTS), keys)
    read = [_READING[name] == one for name, one in zip(_KEY, of, strict=True)]
    counted = counts(FROM_EVENTS).where(*read)
    connection.execute(insert(tables.usage).from_select(COUNTED, counted), keys)


def keep_counts(connection: Connection, cut: int, over: ColumnElement[bool]) -> None:
    """Let what readings from before a cut count be a fact, as far as it is told how often something was read."""
    since = cut // DAY - DAYS
    connection.execute(delete(tables.usage).where(_USAGE.day < since))
    counted = [
        *connection.execute(counts(FROM_SNAPSHOT).where(over, _READING.day >= since)),
        *connection.execute(select(tables.usage).where(_USAGE.origin == FROM_SNAPSHOT)),
    ]
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for one in counted:
        *key, origin, count, last = one
        row = rows.setdefault(
            tuple(key), {**dict(zip(_KEY, key, strict=True)), "origin": origin, "count": 0, "last": last}
        )
        row.update(count=row["count"] + count, last=max(row["last"], last))
    connection.execute(delete(tables.usage).where(_USAGE.origin == FROM_SNAPSHOT))
    if rows:
        connection.execute(tables.usage.insert(), list(rows.values()))


def counts(origin: int) -> Select[Any]:
    """The rows of `usage` that readings make, in the order of COUNTED."""
    own = [_READING[name] for name in _KEY]
    return select(*own, literal(origin), func.count(), func.max(_READING.at)).group_by(*own)
