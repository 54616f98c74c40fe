"""When the jobs behind edges were last seen to run: those long unseen may be of the past."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, func, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.interning import in_pieces

STALE_AFTER = 90
"""So many days after its last run an edge is stale."""

_HELD, _RUN, _SNAPSHOT = tables.contribution.c, tables.run.c, tables.snapshot.c


def last_seen(connection: Connection, payloads: Iterable[int], at: int) -> dict[tuple[int, int], int]:
    """When what a payload contributes was last seen to run, up to a moment, by the payload and its last run ever.

    What is read through, as a view is, and what is only declared do not run, and are not there.
    """
    found: dict[tuple[int, int], int] = {}
    later: dict[int, list[int]] = {}
    for piece in in_pieces(set(payloads)):
        for payload, run, last in connection.execute(
            select(_HELD.payload_id, _HELD.last_run_id, func.max(_HELD.read_to))
            .where(_HELD.payload_id.in_(piece), _HELD.live.is_(False))
            .group_by(_HELD.payload_id, _HELD.last_run_id)
        ):
            found[payload, run] = last
            if last > at:
                later.setdefault(payload, []).append(run)
    for payload, last in _before(connection, later, at).items():
        found.update(((payload, run), last) for run in later[payload])
    return found


def _before(connection: Connection, payloads: Iterable[int], at: int) -> dict[int, int]:
    """When payloads that have run since were last seen up to a moment; of before the cut the snapshot knows."""
    found: dict[int, int] = {}
    for piece in in_pieces(payloads):
        for payload, last in (
            *connection.execute(
                select(_SNAPSHOT.payload_id, func.max(_SNAPSHOT.read_to))
                .where(_SNAPSHOT.payload_id.in_(piece), _SNAPSHOT.read_to <= at)
                .group_by(_SNAPSHOT.payload_id)
            ),
            *connection.execute(
                select(_RUN.payload_id, func.max(_RUN.at))
                .where(_RUN.payload_id.in_(piece), _RUN.effective, _RUN.at <= at)
                .group_by(_RUN.payload_id)
            ),
        ):
            found[payload] = max(last, found.get(payload, last))
    return found
