"""The lineage of one version of a job, kept once however often the job runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqllineage_svc.catalog.folding import Effect
from sqllineage_svc.catalog.ids import identify_bytes
from sqllineage_svc.catalog.names import canonical
from sqllineage_svc.model.lifecycle import StateChange
from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.model.schema import Column
from sqllineage_svc.openlineage.incoming import Claim, EventKind, IncomingEvent, SeenDataset

_EFFECTS = {
    StateChange.CREATE: Effect.OVERWRITE,
    StateChange.OVERWRITE: Effect.OVERWRITE,
    StateChange.TRUNCATE: Effect.EMPTY,
    StateChange.DROP: Effect.DROP,
    StateChange.RENAME: Effect.RENAME,
    StateChange.ALTER: Effect.ALTER,
}


_LIVE = {("VIEW", None), ("VIEW", ""), ("TABLE", "EXTERNAL")}


@dataclass(frozen=True, slots=True)
class Touched:
    """A dataset that a payload reads or changes; `columns` are None where nobody said them.

    `live`: it is read through, as a view or an external table is. `symlinks` are other names of it.
    """

    dataset: DatasetName
    effect: Effect
    previous: DatasetName | None
    columns: tuple[Column, ...] | None
    live: bool = False
    symlinks: tuple[DatasetName, ...] = ()


@dataclass(frozen=True, slots=True)
class Payload:
    """What one version of a job reads, changes and moves; equal ones have one `id`."""

    id: int
    touched: tuple[Touched, ...]
    claims: tuple[Claim, ...]

    @property
    def datasets(self) -> Iterable[DatasetName]:
        """Every dataset that it names, each once."""
        names = [one.dataset for one in self.touched]
        names += [one.previous for one in self.touched if one.previous is not None]
        names += [other for one in self.touched for other in one.symlinks]
        names += [end for claim in self.claims for end in (claim.source, claim.target)]
        return dict.fromkeys(names)

    def fills(self, dataset: DatasetName) -> bool:
        """Does something of it flow into the dataset, or decide its rows?"""
        return any(claim.target == dataset for claim in self.claims)


def payload_of(event: IncomingEvent, claims: Sequence[Claim]) -> Payload:
    """The payload of an event, or of all of one run together."""
    declared = event.kind is not EventKind.RUN
    claims = tuple(dict.fromkeys(_canonical(claim) for claim in claims))
    touched = [
        Touched(canonical(one.name), Effect.READ, None, one.columns, symlinks=_symlinks(one))
        for one in event.inputs
    ]
    touched += [_changed(one, declared) for one in event.outputs]
    return payload_with(touched, claims)


def payload_with(touched: Sequence[Touched], claims: Sequence[Claim]) -> Payload:
    """The payload that says this."""
    content = [[*map(_written, touched)], sorted(map(list, claims), key=repr)]
    encoded = json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    return Payload(identify_bytes(b"payload\0" + encoded), tuple(touched), tuple(claims))


def _changed(output: SeenDataset, declared: bool) -> Touched:
    """An output; what is only declared has become of nothing yet."""
    effect = Effect.DECLARE if declared else Effect.ADD
    if output.change is not None and not declared:
        effect = _EFFECTS[output.change]
    previous = canonical(output.previous) if output.previous is not None else None
    live = output.kind in _LIVE
    return Touched(canonical(output.name), effect, previous, output.columns, live, _symlinks(output))


def _symlinks(dataset: SeenDataset) -> tuple[DatasetName, ...]:
    """The other names of a dataset that are none of its own name's spellings."""
    others = {canonical(other) for other in dataset.symlinks} - {canonical(dataset.name)}
    return tuple(sorted(others))


def _canonical(claim: Claim) -> Claim:
    return claim._replace(source=canonical(claim.source), target=canonical(claim.target))


def _written(touched: Touched) -> list[object]:
    columns = [[*column_key(one)] for one in touched.columns] if touched.columns is not None else None
    previous = touched.previous and [*touched.previous]
    symlinks = [[*other] for other in touched.symlinks]
    return [*touched.dataset, int(touched.effect), previous, columns, touched.live, symlinks]


def column_key(column: Column) -> tuple[str, str | None]:
    """What makes a column another one in a schema's history."""
    return column.name, column.type
