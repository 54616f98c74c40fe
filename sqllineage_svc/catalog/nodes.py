"""What stands in the graph: datasets as wholes and their columns, by ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.among import among
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


class ColumnNames:
    """The names of columns by their ids, as they are written; what was asked once is kept.

    A column may have been filled under another name of its dataset only: before a rename, or where one dataset
    has several names.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._names: dict[int, str] = {}
        column, held, same = tables.dataset_column.c, tables.contribution.c, tables.identity.c
        dialect = connection.dialect
        self._by_id = select(column.id, column.name).where(among(column.id, dialect))
        self._of_dataset = select(column.dataset_id, column.name).where(among(column.dataset_id, dialect))
        self._others = (
            select(held.dataset_id, held.via_id)
            .where(among(held.dataset_id, dialect), held.via_id != held.dataset_id)
            .union(select(same.dataset_id, same.other_id).where(among(same.dataset_id, dialect)))
        )

    def load(self, nodes: Iterable[Node]) -> None:
        """Ask for the names of these columns, as far as they are not known yet."""
        missing = {node.id: node.dataset for node in nodes if node.id not in self._names and not node.whole}
        if not missing:
            return
        rows = self._connection.execute(self._by_id, {"ids": list(missing)})
        self._names.update(dict(rows.all()))
        elsewhere = {dataset for id_, dataset in missing.items() if id_ not in self._names}
        if elsewhere:
            self._load_from_others(elsewhere)

    def _load_from_others(self, datasets: Iterable[int]) -> None:
        """Names that the columns of datasets have under the datasets' other names."""
        of_other: dict[int, list[int]] = defaultdict(list)
        for dataset, other in self._connection.execute(self._others, {"ids": list(datasets)}):
            of_other[other].append(dataset)
        for other, name in self._connection.execute(self._of_dataset, {"ids": list(of_other)}):
            for dataset in of_other[other]:
                self._names.setdefault(column_id(dataset, name), name)

    def get(self, id_: int) -> str | None:
        """The name of a column that was loaded; None where there is none."""
        return self._names.get(id_)


def names_of_datasets(connection: Connection, ids: Iterable[int]) -> dict[int, DatasetName]:
    """The names of datasets."""
    table = tables.dataset.c
    query = select(table.id, table.namespace, table.name).where(among(table.id, connection.dialect))
    wanted = list(ids)
    rows = connection.execute(query, {"ids": wanted}) if wanted else ()
    return {id_: DatasetName(namespace, name) for id_, namespace, name in rows}
