"""What replaces a dataset's content under one of its names ends what it holds under the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from sqlalchemy import Connection, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.among import among, rows_among
from sqllineage_svc.catalog.folding import Effect, Happening

_SAME = tables.identity.c


def mirrored(connection: Connection, happenings: Collection[Happening]) -> list[Happening]:
    """What happens to the other names of datasets that are replaced, emptied or dropped.

    A run that says itself what becomes of the other name is believed.
    """
    replacing = [happening for happening in happenings if happening.effect.replaces]
    aliases = _aliases(connection, {happening.dataset for happening in replacing})
    if not aliases:
        return []
    said = {(happening.run, happening.dataset) for happening in happenings}
    return [
        replace(happening, dataset=other, effect=Effect.EMPTY, fills=False, live=False, previous=None)
        for happening in replacing
        for other, valid_from, valid_to in aliases.get(happening.dataset, ())
        if valid_from <= happening.at < valid_to and (happening.run, other) not in said
    ]


def other_names(connection: Connection, datasets: Iterable[int]) -> set[int]:
    """What the datasets are, or were, too."""
    return {other for some in _aliases(connection, datasets).values() for other, _, _ in some}


def _aliases(connection: Connection, datasets: Iterable[int]) -> dict[int, list[tuple[int, int, int]]]:
    query = select(_SAME.dataset_id, _SAME.other_id, _SAME.valid_from, _SAME.valid_to).where(
        among(_SAME.dataset_id, connection.dialect)
    )
    found: dict[int, list[tuple[int, int, int]]] = {}
    for dataset, *alias in rows_among(connection, query, datasets):
        found.setdefault(dataset, []).append((alias[0], alias[1], alias[2]))
    return found
