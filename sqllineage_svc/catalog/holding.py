"""What datasets hold up to a moment: their contributions, each asked of the database once in a walk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Connection, Dialect, Select, bindparam, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.among import Asking, among


class Held(NamedTuple):
    """What a walk asks of a contribution; see `folding.Contribution`."""

    dataset: int
    payload: int
    via: int
    valid_from: int
    valid_to: int
    read_from: int
    read_to: int
    live: bool
    job: int
    last_run: int
    replacing: bool
    first_run: int
    runs: int

    @property
    def there_at(self) -> int:
        """When it was filled last, or came here by a rename."""
        return max(self.read_to, self.valid_from)

    @property
    def renamed(self) -> bool:
        """Was it filled under another name of the dataset?"""
        return self.via != self.dataset


_COLUMNS = [tables.contribution.c[name] for name in (
    "dataset_id", "payload_id", "via_id", "valid_from", "valid_to", "read_from", "read_to", "live", "job_id",
    "last_run_id", "replacing", "first_run_id", "runs",
)]  # fmt: skip


def _held(column: str, dialect: Dialect) -> Select[*tuple[Any, ...]]:
    table = tables.contribution.c
    until = table.valid_from <= bindparam("at", type_=BigInteger)
    return select(*_COLUMNS).where(among(table[column], dialect), until)


_BY_DATASET, _BY_PAYLOAD = (Asking(partial(_held, column)) for column in ("dataset_id", "payload_id"))


class Holdings:
    """The contributions of datasets, or those that payloads make."""

    def __init__(self, connection: Connection, at: int) -> None:
        self._connection = connection
        self._at = at
        self._of_dataset: dict[int, list[Held]] = {}
        self._of_payload: dict[int, dict[int, list[Held]]] = {}

    def of_datasets(self, datasets: Iterable[int]) -> Mapping[int, Sequence[Held]]:
        """The contributions of these datasets and of those that were asked for before."""
        missing = {dataset for dataset in datasets if dataset not in self._of_dataset}
        if missing:
            self._of_dataset.update((dataset, []) for dataset in missing)
            for held in map(self._held, _BY_DATASET.rows(self._connection, missing, at=self._at)):
                self._of_dataset[held.dataset].append(held)
        return self._of_dataset

    def of_payloads(self, payloads: Iterable[int]) -> Mapping[int, Mapping[int, Sequence[Held]]]:
        """The contributions that payloads make, by the dataset that the payload names."""
        missing = {payload for payload in payloads if payload not in self._of_payload}
        if missing:
            self._of_payload.update((payload, {}) for payload in missing)
            for held in map(self._held, _BY_PAYLOAD.rows(self._connection, missing, at=self._at)):
                self._of_payload[held.payload].setdefault(held.via, []).append(held)
        return self._of_payload

    def _held(self, row: Iterable[Any]) -> Held:
        """A contribution of its row; of one that was filled anew behind the moment nobody knows any more when what
        was there by then had been read: from when it was there on, at the latest."""
        held = Held._make(row)
        return held if held.read_from <= self._at else held._replace(read_from=held.valid_from)
