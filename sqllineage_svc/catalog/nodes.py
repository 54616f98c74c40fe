"""What stands in the graph: datasets as wholes and their columns, by ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect, Select, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.among import Asking, among, rows_among
from sqllineage_svc.catalog.ids import column_id
from sqllineage_svc.model.names import DatasetName


class Node(NamedTuple):
    """A column by its id, or a dataset as a whole, whose `id` is that of the dataset."""

    dataset: int
    id: int

    @classmethod
    def of(cls, dataset: int, column: str | None = None) -> Node:
        """The node of a dataset's column by its name, or (None) of the dataset."""
        return cls(dataset, dataset if column is None else column_id(dataset, column))

    @property
    def whole(self) -> bool:
        """Does it stand for the dataset as a whole?"""
        return self.id == self.dataset


def _others(dialect: Dialect) -> Select[*tuple[Any, ...]]:
    """Under which other names columns of datasets may have been filled."""
    held, same = tables.contribution.c, tables.identity.c
    filled = (
        select(held.dataset_id, held.via_id)
        .where(among(held.dataset_id, dialect), held.via_id != held.dataset_id)
        .union(select(same.dataset_id, same.other_id).where(among(same.dataset_id, dialect)))
        .subquery()
    )
    return select(filled.c[0], filled.c[1])


def _columns(which: str, dialect: Dialect) -> Select[*tuple[Any, ...]]:
    column = tables.dataset_column.c
    return select(column[which], column.name).where(among(column[which], dialect))


_BY_ID, _OF_DATASET = (Asking(partial(_columns, which)) for which in ("id", "dataset_id"))
_OTHERS = Asking(_others)


class ColumnNames:
    """The names of columns by their ids, as they are written; what was asked once is kept.

    A column may have been filled under another name of its dataset only: before a rename, or where one dataset
    has several names.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._names: dict[int, str] = {}

    def load(self, nodes: Iterable[Node]) -> None:
        """Ask for the names of these columns, as far as they are not known yet."""
        missing = {node.id: node.dataset for node in nodes if node.id not in self._names and not node.whole}
        if not missing:
            return
        self._names.update(_BY_ID.rows(self._connection, missing))
        elsewhere = {dataset for id_, dataset in missing.items() if id_ not in self._names}
        if elsewhere:
            self._load_from_others(elsewhere)

    def _load_from_others(self, datasets: Iterable[int]) -> None:
        """Names that the columns of datasets have under the datasets' other names."""
        of_other: dict[int, list[int]] = defaultdict(list)
        for dataset, other in _OTHERS.rows(self._connection, datasets):
            of_other[other].append(dataset)
        for other, name in _OF_DATASET.rows(self._connection, of_other):
            for dataset in of_other[other]:
                self._names.setdefault(column_id(dataset, name), name)

    def get(self, id_: int) -> str | None:
        """The name of a column that was loaded; None where there is none."""
        return self._names.get(id_)


def names_of_datasets(connection: Connection, ids: Iterable[int]) -> dict[int, DatasetName]:
    """The names of datasets."""
    table = tables.dataset.c
    query = select(table.id, table.namespace, table.name).where(among(table.id, connection.dialect))
    return {id_: DatasetName(*name) for id_, *name in rows_among(connection, query, ids)}
