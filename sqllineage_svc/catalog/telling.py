"""What a run says again that the runs which it started have said already, and better.

A Spark application, an Airflow DAG or task often lists all that its children read and wrote, of which nothing can
be made but that each input may go into each output. Where they say so of two datasets, by themselves or one behind the
other, the guess says nothing more and is left out; one that none of them says stays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection, Select, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.among import among, rows_among
from sqllineage_svc.catalog.ancestors import ancestors_of, descendants_of
from sqllineage_svc.catalog.folding import Effect
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.payloads import Payload, Touched, payload_with
from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.openlineage.incoming import Claim

_WRITES = (Effect.ADD, Effect.OVERWRITE, Effect.EMPTY, Effect.TOLD)
_RUN, _TOUCHED, _LINK = tables.run.c, tables.payload_dataset.c, tables.link.c


@dataclass(frozen=True, slots=True)
class _Said:
    """What runs say together: the datasets that they wrote, and what went into each."""

    written: set[int] = field(default_factory=set)
    came_from: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))


@dataclass(slots=True)
class _Did:
    """What one payload says: what it reads and writes, and which goes into which."""

    reads: set[int] = field(default_factory=set)
    writes: set[int] = field(default_factory=set)
    links: set[tuple[int, int]] = field(default_factory=set)

    @property
    def pairs(self) -> Set[tuple[int, int]]:
        """What goes into what, or was at hand when it was written."""
        return self.links | {(source, target) for source in self.reads for target in self.writes}


def without_told(connection: Connection, run: int, until: int, payload: Payload) -> Payload:
    """The payload of a run without what its descendants have said `until` its own effects are there."""
    guesses = [claim for claim in payload.claims if _is_guess(claim)]
    writes = {one.dataset for one in payload.touched if _repeats(one, payload)}
    if not writes:
        return payload
    sources = {dataset_id(*claim.source) for claim in guesses}
    said = _said(connection, _below(connection, run), until, sources)
    read = {one.dataset for one in payload.touched if one.effect is Effect.READ}
    claims = [
        claim
        for claim in payload.claims
        if not (_is_guess(claim) and claim.source in read and claim.target in writes)
        or dataset_id(*claim.source) not in said.came_from[dataset_id(*claim.target)]
    ]
    filled = {claim.target for claim in claims}
    told = {name for name in writes if dataset_id(*name) in said.written}
    touched = [_retold(one, filled) if _writes(one, told) else one for one in payload.touched]
    return payload_with(touched, claims)


def _is_guess(claim: Claim) -> bool:
    """Is no more known than that there is an input and an output?"""
    return claim == Claim(claim.source, None, claim.target, None)


def _repeats(touched: Touched, payload: Payload) -> bool:
    """May it be what a descendant has done?"""
    if touched.effect is Effect.EMPTY:
        return payload.fills(touched.dataset)
    return touched.effect in (Effect.ADD, Effect.OVERWRITE)


def _writes(touched: Touched, datasets: Set[DatasetName]) -> bool:
    return touched.dataset in datasets and touched.effect in _WRITES


def _retold(touched: Touched, filled: Set[DatasetName]) -> Touched:
    """What a descendant wrote at its own time is not replaced at the end."""
    return replace(touched, effect=Effect.ADD if touched.dataset in filled else Effect.TOLD)


def _below(connection: Connection, run: int) -> set[int]:
    """The runs that a run started; of those in a circle none started the others."""
    found = descendants_of(connection, [run]) - {run}
    return found - ancestors_of(connection, [run]) if found else found


def _said(connection: Connection, runs: Iterable[int], until: int, sources: Set[int]) -> _Said:
    """What runs say of these sources, one behind the other in the order in which they ended."""
    query = select(_RUN.at, _RUN.started_at, _RUN.id, _RUN.payload_id).where(
        among(_RUN.id, connection.dialect), _RUN.effective, _RUN.at <= until
    )
    ran = sorted(rows_among(connection, query, runs))
    did = _did(connection, {payload for *_, payload in ran})
    said = _Said()
    for *_, payload in ran:
        one = did[payload]
        said.written.update(one.writes)
        arrived: dict[int, set[int]] = defaultdict(set)
        for source, target in one.pairs:
            arrived[target] |= ({source} & sources) | said.came_from.get(source, set())
        for target, some in arrived.items():
            said.came_from[target] |= some
    return said


def _did(connection: Connection, payloads: Set[int]) -> dict[int, _Did]:
    """What payloads say, by their ids."""
    found = {payload: _Did() for payload in payloads}
    touched: Select[tuple[int, int, int]] = select(
        _TOUCHED.payload_id, _TOUCHED.dataset_id, _TOUCHED.effect
    ).where(among(_TOUCHED.payload_id, connection.dialect))
    for payload, dataset, effect in rows_among(connection, touched, payloads):
        if effect == Effect.READ:
            found[payload].reads.add(dataset)
        elif effect in _WRITES:
            found[payload].writes.add(dataset)
    links = select(_LINK.payload_id, _LINK.source_dataset_id, _LINK.target_dataset_id)
    for payload, *ends in rows_among(
        connection, links.where(among(_LINK.payload_id, connection.dialect)), payloads
    ):
        found[payload].links.add((ends[0], ends[1]))
    return found
