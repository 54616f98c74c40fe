"""Runs out of events: all events of one run together say what it read, changed and moved."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.among import among, rows_among
from sqllineage_svc.catalog.ancestors import ancestor_rows, ancestors_of, with_descendants
from sqllineage_svc.catalog.arriving import RUN_EVENT, Arrival, again, declaration_id
from sqllineage_svc.catalog.counting import DAY, exchange_readings
from sqllineage_svc.catalog.doings import Doing, doing_of, forget_doings, keep_doings
from sqllineage_svc.catalog.facts import facts_of, query_id_of, text_of
from sqllineage_svc.catalog.folding import Effect, Happening
from sqllineage_svc.catalog.ids import dataset_id, identify, job_id, run_id
from sqllineage_svc.catalog.indexing import job_thing, text_thing
from sqllineage_svc.catalog.interning import (
    forget_payloads,
    in_pieces,
    insert_named,
    intern_names,
    intern_payloads,
    shortened,
)
from sqllineage_svc.catalog.merging import merge, ruled
from sqllineage_svc.catalog.moments import microseconds
from sqllineage_svc.catalog.origins import FROM_EVENTS
from sqllineage_svc.catalog.payloads import Payload, payload_of
from sqllineage_svc.catalog.refolding import carry_on
from sqllineage_svc.catalog.stretches import happenings_of, touches_of
from sqllineage_svc.catalog.telling import without_told
from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.openlineage.accumulating import Accumulated, accumulate
from sqllineage_svc.openlineage.claims import claims_of
from sqllineage_svc.openlineage.incoming import EventKind, IncomingEvent, JobName, RunState
from sqllineage_svc.openlineage.users import user_of

DECLARED = "DECLARED"
"""The state of what a JobEvent or DatasetEvent declares: nothing has run."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A run as it is kept, with its job, its SQL text and what it did.

    `reading`: what is counted of it, where it read and wrote nothing. `ancestors`: the runs that it was started by.
    """

    row: Mapping[str, Any]
    job: JobName | None
    text: str | None
    payload: Payload
    reading: Mapping[str, Any] | None = None
    ancestors: Sequence[Mapping[str, Any]] = ()

    @property
    def is_kept(self) -> bool:
        """Is it a run? One that is counted is none, unless it tells columns."""
        return self.reading is None or any(one.columns is not None for one in self.payload.touched)


def derive(connection: Connection, arrivals: Iterable[Arrival]) -> None:
    """Derive anew what new events change: their runs, and the contributions of all that these touch.

    Each event may come once.
    """
    runs: dict[int, None] = {}
    declared: list[Derived] = []
    names = Names()
    for arrival in arrivals:
        if arrival.event is None:
            continue
        if arrival.event.kind is EventKind.RUN:
            runs[arrival.subject] = None
            names.add(arrival.event)
        else:
            declared.append(derive_declaration(arrival.hash, arrival.event))
    derived = [derive_run(run, events) for run, events in _events_of(connection, list(runs)).items()]
    derived += declared
    above = ancestors_of(connection, runs)
    dirty = exchange_runs(connection, derived)
    names.insert(connection)
    by_id = {one.row["id"]: one for one in derived}
    above |= ancestors_of(connection, runs) | with_descendants(connection, runs)
    retold = retell(connection, above)
    exchange_runs(connection, [one for one in retold if one.row["id"] in by_id])
    before = exchange_runs(connection, [one for one in retold if one.row["id"] not in by_id])
    by_id.update((one.row["id"], one) for one in retold)
    carry_on(connection, _happenings(by_id.values()), dirty.contents | before.contents)
    named = names.datasets | {name for one in derived for name in one.payload.datasets}
    merge(connection, dirty.names | ruled(connection, named))


def retell(connection: Connection, runs: Iterable[int]) -> list[Derived]:
    """Of these runs those of which more, or less, than is kept was said by runs that they started, as they are now.

    All the runs have to be there already.
    """
    run = tables.run.c
    from_events = among(run.id, connection.dialect), run.origin == FROM_EVENTS
    kept = dict(rows_among(connection, select(run.id, run.payload_id).where(*from_events), runs))
    found = []
    for id_, events in _events_of(connection, list(kept)).items():
        whole = derive_run(id_, events)
        payload = without_told(connection, id_, whole.row["at"], whole.payload)
        if payload.id != kept[id_]:
            found.append(replace(whole, row={**whole.row, "payload_id": payload.id}, payload=payload))
    return found


class Dirty(NamedTuple):
    """Datasets of which something was known that may hold no more: what they hold, or their other names."""

    contents: set[int]
    names: set[int]


def exchange_runs(connection: Connection, derived: Sequence[Derived]) -> Dirty:
    """Put runs in the place of what was known of them."""
    runs = [one.row["id"] for one in derived]
    before, done, dirty = _before(connection, runs)
    intern_payloads(connection, (one.payload for one in derived))
    names = Names()
    for one in derived:
        names.add_job(one.job, one.text)
    names.insert(connection)
    kept = [one.row for one in derived if one.is_kept]
    if kept:
        connection.execute(tables.run.insert(), kept)
    keep_doings(connection, map(doing_of, kept))
    forget_doings(connection, done.difference(map(doing_of, kept)))
    ancestors = [row for one in derived for row in one.ancestors]
    if ancestors:
        connection.execute(tables.ancestor.insert(), ancestors)
    read = exchange_readings(connection, runs, [one.reading for one in derived if one.reading is not None])
    unsaid = _symlinked_by(connection, read)
    forget_payloads(connection, before | read)
    said = {
        dataset_id(*touched.dataset) for one in derived for touched in one.payload.touched if touched.symlinks
    }
    return Dirty(dirty.contents, dirty.names | unsaid | said)


class Names:
    """What single events name.

    A run that was known in part may have named what it does not any more. So that it does not matter which
    parts were known when, all that an event says has its name kept, whatever its run says in the end.
    """

    def __init__(self) -> None:
        self._payloads: list[Payload] = []
        self._jobs: dict[int, Mapping[str, object]] = {}
        self._texts: dict[int, Mapping[str, object]] = {}

    def add(self, event: IncomingEvent, payload: Payload | None = None) -> None:
        """Add what one event of a run says; `payload` is its own, where that is known already."""
        self._payloads.append(payload or payload_of(event, claims_of(event)))
        if "lineage" in event.job_facets:  # another event of the run may delete it
            rest = {name: facet for name, facet in event.job_facets.items() if name != "lineage"}
            self._payloads.append(payload_of(event, claims_of(replace(event, job_facets=rest))))
        self.add_job(event.job, text_of(event))

    def add_job(self, job: JobName | None, text: str | None) -> None:
        """Add a job and an SQL text."""
        if job is not None:
            id_ = job_id(*job)
            self._jobs[id_] = {"id": id_, "namespace": job.namespace, "name": shortened(job.name)}
        if text is not None:
            id_ = identify("sql", text)
            self._texts[id_] = {"id": id_, "text": text}

    @property
    def datasets(self) -> set[DatasetName]:
        """The datasets that they name."""
        return {name for payload in self._payloads for name in payload.datasets}

    def insert(self, connection: Connection) -> None:
        """Keep those that are not there yet."""
        intern_names(connection, self._payloads)
        insert_named(connection, tables.job, list(self._jobs.values()), job_thing)
        insert_named(connection, tables.sql_text, list(self._texts.values()), text_thing)


def _before(connection: Connection, runs: Sequence[int]) -> tuple[set[int], set[Doing], Dirty]:
    """Take out what was known of runs: their payloads, what they did, and what that had said of datasets."""
    payloads: set[int] = set()
    done: set[Doing] = set()
    effective: set[int] = set()
    run = tables.run.c
    for piece in in_pieces(runs):
        known = select(run.job_id, run.payload_id, run.text_id, run.effective).where(run.id.in_(piece))
        for row in connection.execute(known).mappings():
            payloads.add(row["payload_id"])
            done.add(doing_of(row))
            if row["effective"]:
                effective.add(row["payload_id"])
        connection.execute(delete(tables.run).where(run.id.in_(piece)))
        connection.execute(delete(tables.ancestor).where(tables.ancestor.c.run_id.in_(piece)))
    return payloads, done, Dirty(_changed_by(connection, effective), _symlinked_by(connection, payloads))


def _happenings(derived: Iterable[Derived]) -> Iterator[Happening]:
    """What runs do to their datasets."""
    rows = ((one.row, one.payload) for one in derived if one.row["effective"])
    return happenings_of(
        (touches_of(payload, row["job_id"]), [(row["at"], row["started_at"], row["id"])])
        for row, payload in rows
    )


def _changed_by(connection: Connection, payloads: Iterable[int]) -> set[int]:
    """The datasets that payloads change."""
    touched = tables.payload_dataset
    found: set[int] = set()
    for piece in in_pieces(payloads):
        found.update(
            connection.scalars(
                select(touched.c.dataset_id).where(
                    touched.c.payload_id.in_(piece), touched.c.effect != int(Effect.READ)
                )
            )
        )
    return found


def _symlinked_by(connection: Connection, payloads: Iterable[int]) -> set[int]:
    """The datasets that have other names by these payloads."""
    symlink = tables.symlink.c
    found: set[int] = set()
    for piece in in_pieces(payloads):
        found.update(connection.scalars(select(symlink.dataset_id).where(symlink.payload_id.in_(piece))))
    return found


def _events_of(connection: Connection, runs: Sequence[int]) -> dict[int, list[IncomingEvent]]:
    """All events of some runs, in the order of their times."""
    event = tables.event
    found: dict[int, list[IncomingEvent]] = {}
    for piece in in_pieces(runs):
        rows = connection.execute(
            select(event.c.subject, event.c.payload)
            .where(event.c.subject.in_(piece), event.c.kind == RUN_EVENT)
            .order_by(event.c.subject, event.c.event_time, event.c.hash)
        )
        for subject, payload in rows:
            found.setdefault(subject, []).append(again(payload))
    return found


def derive_run(identity: int, events: Sequence[IncomingEvent]) -> Derived:
    """A run from all its events, in the order of their times."""
    whole = accumulate(events)
    event = whole.event
    state = event.state or RunState.OTHER
    effective = state is RunState.COMPLETE or (not state.ends and _streams(event))
    return _derived(identity, whole, state.value, effective)


def _streams(event: IncomingEvent) -> bool:
    """Does the job never end, so that what it does while it runs counts?"""
    return str(event.job_facets.get("jobType", {}).get("processingType", "")).upper() == "STREAMING"


def derive_declaration(hash_: bytes, event: IncomingEvent) -> Derived:
    """What a JobEvent or DatasetEvent declares, as a run that never ran."""
    return _derived(declaration_id(hash_), accumulate([event]), DECLARED, effective=True)


def _derived(identity: int, whole: Accumulated, state: str, effective: bool) -> Derived:
    event = whole.event
    payload = payload_of(event, claims_of(event))
    text = text_of(event)
    started = microseconds(whole.started_at)
    ended = microseconds(whole.ended_at) if whole.ended_at is not None else None
    row = {
        "id": identity,
        "run_id": event.run_id or "",
        "job_id": _job_id(event),
        "payload_id": payload.id,
        "origin": FROM_EVENTS,
        "state": state,
        "effective": effective,
        "started_at": started,
        "ended_at": ended,
        "at": ended if ended is not None else microseconds(event.time),
        "parent_id": run_id(event.parent.run_id) if event.parent is not None else None,
        "text_id": identify("sql", text) if text is not None else None,
        "query_id": query_id_of(event),
        "facts": json.dumps(facts_of(event)),
    }
    ancestors = ancestor_rows(identity, event)
    return Derived(row, event.job, text, payload, _reading(row, event, payload), ancestors)


def _reading(row: Mapping[str, Any], event: IncomingEvent, payload: Payload) -> Mapping[str, Any] | None:
    """What is counted of a run that is complete, has an SQL text, and reads and writes nothing."""
    reads = bool(payload.touched) and all(one.effect is Effect.READ for one in payload.touched)
    if row["state"] != RunState.COMPLETE.value or row["text_id"] is None or not reads or payload.claims:
        return None
    return {
        **{name: row[name] for name in ("id", "job_id", "payload_id", "text_id", "at")},
        "user": shortened(user_of(event.run_facets) or ""),
        "day": row["at"] // DAY,
    }


def _job_id(event: IncomingEvent) -> int:
    """The job of an event; a DatasetEvent's declaration stands for one of its own dataset."""
    if event.job is not None:
        return job_id(*event.job)
    return identify("declared by", *event.outputs[0].name)
