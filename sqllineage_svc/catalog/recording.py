"""Runs that traces of ours saw, in bulk: no event is kept of any, only what tells it from the other runs of its job.

Runs of events and runs of traces are of equal rank. What is known of a run under one id adds up: where there
are events of it too, a recorded run is kept as the events that it would have sent.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from json.encoder import encode_basestring_ascii as _quoted
from time import time_ns
from typing import NamedTuple

from sqlalchemy import BigInteger, Connection, any_, cast, func, select
from sqlalchemy.dialects.postgresql import ARRAY

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.arriving import arrive
from sqllineage_svc.catalog.bulk import Kept, RunIsThere, insert_runs, row_of
from sqllineage_svc.catalog.cleaning import redact_text
from sqllineage_svc.catalog.counting import DAY, exchange_readings
from sqllineage_svc.catalog.doings import doing_of, keep_doings
from sqllineage_svc.catalog.ids import dataset_id, run_id
from sqllineage_svc.catalog.interning import in_pieces, intern_payloads, shortened
from sqllineage_svc.catalog.loading import take_in
from sqllineage_svc.catalog.merging import merge, ruled
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.origins import FROM_EVENTS, FROM_TRACES
from sqllineage_svc.catalog.rebuilding import rebuilt
from sqllineage_svc.catalog.refolding import carry_on
from sqllineage_svc.catalog.snapshots import cut_of
from sqllineage_svc.catalog.stretches import Ran, Touch, happenings_of, touches_of
from sqllineage_svc.catalog.versions import JobVersion, keep_versions
from sqllineage_svc.errors import UsageError
from sqllineage_svc.openlineage.incoming import RunState

_BATCH = 200_000
_PICKED = 200
"""So many runs of a batch, at most, are looked for before all of them are tried."""
_STATES = {state: state.value for state in RunState}


class RecordedRun(NamedTuple):
    """A run of a version of a job.

    `run_id` is a UUID that the same run has again in another scan. Times are microseconds since 1970 in UTC;
    one that never ended has ended when it started. `state` is one that ends. `rows` are those that it put into
    its first output.
    """

    version: JobVersion
    run_id: str
    started_at: int
    ended_at: int | None = None
    state: RunState = RunState.COMPLETE
    user: str | None = None
    query_id: str | None = None
    rows: int | None = None
    error: str | None = None


@dataclass(slots=True)
class RecordReport:
    """How many runs were recorded, and how many of them had not been before.

    `late` ones ended before the cut up to which the catalog was pruned, and are not taken.
    """

    read: int = 0
    new: int = 0
    late: int = 0


def record(catalog: Catalog, runs: Iterable[RecordedRun], batch: int = _BATCH) -> RecordReport:
    """Record runs; each batch counts as a whole or not at all.

    A run that is there already changes nothing. Only one that is COMPLETE changes what datasets hold. Raises
    UsageError where a run has not ended.
    """
    report = RecordReport()
    for piece in _pieces(runs, batch):
        by_id: dict[int, RecordedRun] = {}
        for run in piece:
            by_id.setdefault(run_id(run.run_id), run)
        with catalog.writing() as connection:
            report.late += _drop_late(by_id, cut_of(connection))
            report.new += _take_in(connection, by_id)
        report.read += len(piece)
    return report


def _pieces(runs: Iterable[RecordedRun], size: int) -> Iterator[list[RecordedRun]]:
    iterator = iter(runs)
    while piece := list(islice(iterator, size)):
        yield piece


def _take_in(connection: Connection, by_id: Mapping[int, RecordedRun]) -> int:
    """Record runs, by their ids; how many say anything new.

    Mostly all of them do: so it is tried as if they did, unless a few that are picked out are there already.
    """
    if not _known(connection, islice(by_id, 0, None, len(by_id) // _PICKED + 1)):
        with suppress(RunIsThere):
            _insert(connection, by_id)
            return len(by_id)
    known = _known(connection, by_id)
    by_events = {id_: by_id[id_] for id_, origin in known.items() if origin == FROM_EVENTS}
    new = {id_: run for id_, run in by_id.items() if id_ not in known}
    _insert(connection, new)
    return len(new) + _add_to_events(connection, by_events)


def _drop_late(by_id: dict[int, RecordedRun], cut: int) -> int:
    """Take out the runs that ended before the cut; returns how many."""
    late = [
        id_ for id_, run in by_id.items() if (run.started_at if run.ended_at is None else run.ended_at) < cut
    ]
    for id_ in late:
        del by_id[id_]
    return len(late)


def _known(connection: Connection, ids: Iterable[int]) -> dict[int, int]:
    """Those of the ids under which a run is there, with its origin; asked for in one statement."""
    run = tables.run.c
    listed = ",".join(map(str, ids))
    if connection.dialect.name == "postgresql":
        among = run.id == any_(cast(func.string_to_array(listed, ","), ARRAY(BigInteger)))
    else:
        among = run.id.in_(select(func.json_each(f"[{listed}]").table_valued("value").c.value))
    return dict(connection.execute(select(run.id, run.origin).where(among)).all())


def _add_to_events(connection: Connection, by_id: Mapping[int, RecordedRun]) -> int:
    """Let runs of which there are events send their own too, where those say anything else; how many do."""
    keep_versions(connection, (run.version for run in by_id.values()))
    kept = {id_: next(_kept(run.version, [(id_, run)], [])) for id_, run in by_id.items()}
    rows = {id_: row_of(by_id[id_].version, one) for id_, one in kept.items()}
    run = tables.run
    for piece in in_pieces(by_id):
        for row in connection.execute(select(run).where(run.c.id.in_(piece))).mappings():
            if {**row, "origin": FROM_TRACES} == rows[row["id"]]:
                del rows[row["id"]]
    received = time_ns() // 1000
    events = [event for id_, row in rows.items() for event in rebuilt(by_id[id_].version.template, row)]
    return len(take_in(connection, [arrive(event, received) for event in events], received)) // 2


def _insert(connection: Connection, by_id: Mapping[int, RecordedRun]) -> None:
    """Insert runs, and carry on what they changed. Raises RunIsThere, with nothing done."""
    groups: dict[int, list[tuple[int, RecordedRun]]] = defaultdict(list)
    for item in by_id.items():
        groups[id(item[1].version)].append(item)
    works: list[tuple[JobVersion, list[tuple[int, RecordedRun]], list[Ran]]] = [
        (runs[0][1].version, runs, []) for runs in groups.values()
    ]
    insert_runs(connection, ((version, _kept(version, runs, effects)) for version, runs, effects in works))
    keep_versions(connection, (version for version, _, _ in works))
    intern_payloads(connection, (version.derived.payload for version, _, _ in works))
    keep_doings(connection, (doing_of(version.derived.row) for version, _, _ in works))
    carry_on(connection, happenings_of((_touches(version), effects) for version, _, effects in works), ())
    count_readings(connection, by_id)
    payloads = [version.derived.payload for version, _, _ in works]
    said = {dataset_id(*one.dataset) for payload in payloads for one in payload.touched if one.symlinks}
    merge(connection, said | ruled(connection, {name for payload in payloads for name in payload.datasets}))


def count_readings(connection: Connection, by_id: Mapping[int, RecordedRun]) -> None:
    """Count those runs that are complete and only read; unlike those of events they are kept as runs too."""
    rows = [
        {
            **run.version.derived.reading,
            "id": id_,
            "user": shortened(run.user or ""),
            "at": (at := run.started_at if run.ended_at is None else run.ended_at),
            "day": at // DAY,
        }
        for id_, run in by_id.items()
        if run.version.derived.reading is not None and run.state is RunState.COMPLETE
    ]
    if rows:
        exchange_readings(connection, [row["id"] for row in rows], rows)


def _kept(version: JobVersion, runs: Iterable[tuple[int, RecordedRun]], effects: list[Ran]) -> Iterator[Kept]:
    """The runs of a version as they are kept; those that changed something are added to its `effects`."""
    before, after, output = _facts_of(version)
    for id_, (_, name, started, ended, state, user, query_id, rows, error) in runs:
        if ended is None:
            ended = started
        elif started > ended:
            started = ended
        if state is RunState.COMPLETE:
            effects.append((ended, started, id_))
        elif not state.ends:
            raise UsageError(f"run {name} is {state.value}; only a run that has ended can be recorded")
        facts = before
        if user:
            facts += _user(user)
        facts += after
        if error is not None:
            facts += f', "error": {_quoted(_clean(error))}'
        if rows is not None and output:
            facts += f', "rows": {{{output}: {rows}}}'
        query = shortened(query_id) if query_id else None
        yield id_, name, _STATES[state], started, ended, query, f"{{{facts[2:]}}}"


def _touches(version: JobVersion) -> Sequence[Touch]:
    return touches_of(version.derived.payload, version.derived.row["job_id"])


def _facts_of(version: JobVersion) -> tuple[str, str, str]:
    """Of what is known of each run beside its row, as `facts` keeps it of events, JSON: what stands before the
    user, what behind, and the name of the first output."""
    common = json.loads(version.derived.row["facts"])
    before, after = (
        "".join(f", {_quoted(key)}: {_quoted(common[key])}" for key in keys if key in common)
        for keys in (("type", "dialect", "source"), ("parent",))
    )
    outputs = version.event.outputs
    return before, after, _quoted("/".join(outputs[0].name)) if outputs else ""


@lru_cache(maxsize=10_000)
def _user(name: str) -> str:
    return f', "user": {_quoted(name)}'


@lru_cache(maxsize=10_000)
def _clean(error: str) -> str:
    return redact_text(error)
