"""Names of datasets and of jobs.

A temporary table's name says its session too: under the warehouse's namespace it would be one with the
permanent table that it hides. A job is named after what it fills and its text without literals, so the
statement that runs again tomorrow is another run of the same job.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from sqllineage_svc.model.lifecycle import DatasetKind
from sqllineage_svc.model.names import Dataset, DatasetName, Location, Relation
from sqllineage_svc.openlineage.run import StatementRun, Warehouse
from sqllineage_svc.sql.fingerprint import fingerprint

TEMPORARY = "inmemory://"
"""The namespace of what does not outlive its session (https://openlineage.io/docs/spec/naming)."""

_FINGERPRINT_DIGITS = 8


def name_dataset(dataset: Dataset, run: StatementRun, warehouse: Warehouse) -> DatasetName:
    """The dataset's namespace and name.

    app.orders    ->  <scheme>://sales.example:5439  dev.app.orders
    t, temporary  ->  inmemory://  sales.example:5439/etl/load.sql/t
    """
    if run.kinds.get(dataset) is not DatasetKind.TEMPORARY_TABLE:
        return _named(warehouse.dialect.name_dataset, dataset, warehouse.instance)
    host = namespace_of(warehouse).rpartition("://")[2]
    parts = (host, run.session or run.file, str(dataset))
    return DatasetName(TEMPORARY, "/".join(part for part in parts if part))


def namespace_of(warehouse: Warehouse) -> str:
    """The namespace of the instance's own tables."""
    return _named(warehouse.dialect.name_dataset, Relation(None, None, "any"), warehouse.instance).namespace


def job_namespace(warehouse: Warehouse) -> str:
    """The namespace of the jobs that the warehouse runs."""
    return warehouse.job_namespace or namespace_of(warehouse)


def job_name(run: StatementRun, warehouse: Warehouse) -> str:
    """What the statement fills or changes first, its kind and its fingerprint.

    insert into app.orders ...  ->  dev.app.orders.insert.1c2d3e4f
    """
    changed = [change.dataset for change in run.lifecycle]
    digits = fingerprint(run.text, warehouse.dialect.sqlglot)[:_FINGERPRINT_DIGITS]
    targets = [_target(dataset, run, warehouse) for dataset in (*run.lineage.outputs, *changed)[:1]]
    return ".".join([*targets, run.kind, digits])


def _target(dataset: Dataset, run: StatementRun, warehouse: Warehouse) -> str:
    if run.kinds.get(dataset) is DatasetKind.TEMPORARY_TABLE:
        return str(dataset)
    namespace, name = name_dataset(dataset, run, warehouse)
    authority = namespace.partition("://")[2] if isinstance(dataset, Location) else ""
    return f"{authority}/{name}" if authority else name


@lru_cache(maxsize=65536)
def _named(namer: Callable[[Dataset, str], DatasetName], dataset: Dataset, instance: str) -> DatasetName:
    return namer(dataset, instance)
