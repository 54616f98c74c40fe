"""What replaces a dataset's content under one of its names ends what it holds under the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from sqlalchemy import Connection

from sqllineage_svc.catalog.aliases import aliases_of
from sqllineage_svc.catalog.folding import Effect, Happening


def mirrored(connection: Connection, happenings: Collection[Happening]) -> list[Happening]:
    """What happens to the other names of datasets that are replaced, emptied or dropped.

    A run that says itself what becomes of the other name is believed. Of a stretch it is enough that one of its
    runs may be in the time in which the names are one: which they are only the single runs tell.
    """
    replacing = [happening for happening in happenings if happening.effect.replaces]
    aliases = aliases_of(connection, {happening.dataset for happening in replacing})
    if not aliases:
        return []
    said = {(happening.run, happening.dataset) for happening in happenings}
    return [
        replace(happening, dataset=other, effect=Effect.EMPTY, fills=False, live=False, previous=None)
        for happening in replacing
        for other, valid_from, valid_to in aliases.get(happening.dataset, ())
        if happening.at < valid_to
        and valid_from <= happening.whole.ends_at
        and (happening.run, other) not in said
    ]


def other_names(connection: Connection, datasets: Iterable[int]) -> set[int]:
    """What the datasets are, or were, too."""
    return {other for some in aliases_of(connection, datasets).values() for other, _, _ in some}
