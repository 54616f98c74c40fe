"""The cut, the moment up to which a catalog was pruned, and what stood there.

What happened before it is known by what it left alone, so nobody can ask about it, and nothing can be added.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import Connection, RowMapping, func, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.arriving import QUARANTINED, Arrival
from sqllineage_svc.catalog.folding import FOREVER, Contribution, History
from sqllineage_svc.catalog.interning import in_pieces
from sqllineage_svc.catalog.moments import shown
from sqllineage_svc.errors import UsageError

BEGINNING = -(1 << 63)
"""The cut of a catalog that was never pruned."""


def cut_of(connection: Connection) -> int:
    """The moment before which nothing is known but what it left."""
    cut = connection.scalar(select(func.max(tables.cut.c.at)))
    return BEGINNING if cut is None else cut


def refuse_before_cut(connection: Connection, *moments: int) -> None:
    """Raises UsageError where one of the moments is before the cut."""
    cut = cut_of(connection)
    for at in moments:
        if at < cut:
            raise UsageError(
                f"the catalog was pruned up to {shown(cut)}: it cannot say what was at {shown(at)}; "
                f"ask as of {shown(cut)} or later"
            )


def set_aside_late(connection: Connection, arrivals: list[Arrival]) -> list[Arrival]:
    """The arrivals, those from before the cut as they are kept in quarantine, unless they are there already."""
    cut = cut_of(connection)
    late = {one.hash for one in arrivals if one.event is not None and one.event_time < cut}
    event = tables.event.c
    for piece in in_pieces(list(late)):
        there = select(event.hash).where(event.hash.in_(piece), event.kind != QUARANTINED)
        late.difference_update(connection.scalars(there))
    reason = f"it is from before {shown(cut)}, up to which the catalog was pruned" if late else ""
    return [
        replace(one, kind=QUARANTINED, faults=(reason,), event=None) if one.hash in late else one
        for one in arrivals
    ]


def histories_at_cut(connection: Connection, datasets: Iterable[int]) -> dict[int, History]:
    """What stood in the datasets at the cut: where their histories go on from."""
    table = tables.snapshot
    found: dict[int, History] = defaultdict(History)
    for piece in in_pieces(datasets):
        rows = connection.execute(
            select(table)
            .where(table.c.dataset_id.in_(piece))
            .order_by(table.c.valid_from, table.c.payload_id, table.c.via_id)
        )
        for row in rows:
            one = contribution_of(row._mapping)
            if one.valid_to == FOREVER:
                found[one.dataset].open[one.key] = one
            else:
                found[one.dataset].closed.append(one)
    return found


def contribution_of(row: RowMapping) -> Contribution:
    """A contribution from a row of `contribution` or `snapshot`."""
    return Contribution(
        row["dataset_id"], row["payload_id"], row["via_id"], row["job_id"], row["valid_from"], row["valid_to"],
        row["read_from"], row["read_to"], row["first_run_id"], row["last_run_id"], row["runs"],
        bool(row["replacing"]), bool(row["live"]), bool(row["declared"]),
    )  # fmt: skip
