"""Facets of datasets, jobs and runs, whole."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import pytest
from openlineage.client.serde import Serde

from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.model.lifecycle import DatasetKind, LifecycleChange, StateChange
from sqllineage_svc.model.lineage import Issue, StatementLineage
from sqllineage_svc.model.names import Dataset, Location, Relation
from sqllineage_svc.model.schema import Column, TableSchema
from sqllineage_svc.openlineage.facets import (
    dataset_facets,
    extraction_error,
    job_of,
    lifecycle_facet,
    run_facets,
)
from sqllineage_svc.openlineage.run import StatementRun, Warehouse

Ran = Callable[..., StatementRun]

ORDERS = Relation(None, "app", "orders")
NAMESPACE = "redshift://sales.eu-west-1:5439"


def _plain(facets: Any) -> Any:
    """The facets without what every facet has."""
    if isinstance(facets, dict):
        return {key: _plain(facet) for key, facet in facets.items()}
    found = Serde.to_dict(facets)
    assert found["_producer"] == f"pkg:pypi/sqllineage-svc@{version('sqllineage-svc')}"
    return {key: value for key, value in found.items() if not key.startswith("_")}


def _hierarchy(*levels: tuple[str, str]) -> dict[str, Any]:
    return {"hierarchy": [{"type": type_, "name": name} for type_, name in levels]}


def test_table_with_known_columns(ran: Ran, warehouse: Warehouse) -> None:
    schema = TableSchema(ORDERS, (Column("id", "integer"), Column("note")))
    run = ran(schemas={ORDERS: schema}, kinds={ORDERS: DatasetKind.TABLE})
    assert _plain(dataset_facets(ORDERS, run, warehouse)) == {
        "dataSource": {"name": NAMESPACE, "uri": NAMESPACE},
        "datasetType": {"datasetType": "TABLE"},
        "hierarchy": _hierarchy(("DATABASE", "dev"), ("SCHEMA", "app"), ("TABLE", "orders")),
        "schema": {
            "fields": [
                {"name": "id", "type": "integer", "ordinal_position": 1},
                {"name": "note", "ordinal_position": 2},
            ]
        },
    }


def test_columns_that_may_not_be_all_are_left_out(ran: Ran, warehouse: Warehouse) -> None:
    partial = TableSchema(ORDERS, (Column("id"),), complete=False)
    assert "schema" not in dataset_facets(ORDERS, ran(schemas={ORDERS: partial}), warehouse)


@pytest.mark.parametrize(
    ("kind", "facet"),
    [
        (DatasetKind.VIEW, {"datasetType": "VIEW"}),
        (DatasetKind.MATERIALIZED_VIEW, {"datasetType": "VIEW", "subType": "MATERIALIZED"}),
        (DatasetKind.EXTERNAL_TABLE, {"datasetType": "TABLE", "subType": "EXTERNAL"}),
    ],
)
def test_kind_of_a_relation(ran: Ran, warehouse: Warehouse, kind: DatasetKind, facet: dict[str, str]) -> None:
    facets = dataset_facets(ORDERS, ran(kinds={ORDERS: kind}), warehouse)
    assert _plain(facets["datasetType"]) == facet


def test_temporary_table_has_no_place_in_the_warehouse(ran: Ran, warehouse: Warehouse) -> None:
    table = Relation(None, None, "t")
    facets = dataset_facets(table, ran(kinds={table: DatasetKind.TEMPORARY_TABLE}), warehouse)
    assert _plain(facets) == {"datasetType": {"datasetType": "TABLE", "subType": "TEMPORARY"}}


def test_files(ran: Ran, warehouse: Warehouse) -> None:
    assert _plain(dataset_facets(Location("s3://lake/in/"), ran(), warehouse)) == {
        "dataSource": {"name": "s3://lake", "uri": "s3://lake"},
        "datasetType": {"datasetType": "FILE"},
    }
    local = dataset_facets(Location("/tmp/orders.csv"), ran(), warehouse)
    assert _plain(local["dataSource"]) == {"name": "file", "uri": "file://"}


def test_database_without_schemas(ran: Ran) -> None:
    server = Warehouse(load_dialect("mysql"), "mysql://db.example:3306/shop")
    facets = dataset_facets(Relation(None, None, "orders"), ran(), server)
    assert _plain(facets["hierarchy"]) == _hierarchy(("DATABASE", "shop"), ("TABLE", "orders"))


@pytest.mark.parametrize(
    "dataset", [Relation(None, "app", "a.b"), Relation(None, "a.b", "c"), Location("a.b.c")]
)
def test_name_that_does_not_fall_into_parts_has_no_hierarchy(
    ran: Ran, warehouse: Warehouse, dataset: Dataset
) -> None:
    assert "hierarchy" not in dataset_facets(dataset, ran(), warehouse)


def test_whole_endpoint_is_another_name(ran: Ran, warehouse: Warehouse) -> None:
    host = "sales.abc123.eu-west-1.redshift.amazonaws.com"
    whole = Warehouse(warehouse.dialect, f"redshift://etl:secret@{host}/dev")
    facets = dataset_facets(ORDERS, ran(), whole)
    assert _plain(facets["symlinks"]) == {
        "identifiers": [{"namespace": f"redshift://{host}:5439", "name": "dev.app.orders", "type": "TABLE"}]
    }
    assert "symlinks" not in dataset_facets(Location("s3://lake/in/"), ran(), whole)


def test_job_has_its_text_and_type(ran: Ran, warehouse: Warehouse) -> None:
    job = job_of(ran(text="truncate app.orders"), warehouse)
    assert job.namespace == NAMESPACE
    assert _plain(job.facets) == {
        "sql": {"query": "truncate app.orders", "dialect": "redshift"},
        "jobType": {"processingType": "BATCH", "integration": "REDSHIFT", "jobType": "QUERY"},
    }


def test_run_names_its_engine_and_query(ran: Ran, warehouse: Warehouse) -> None:
    engine = {
        "name": "redshift",
        "version": "unknown",
        "openlineageAdapterVersion": version("sqllineage-svc"),
    }
    assert _plain(run_facets(ran(), warehouse)) == {"processing_engine": engine}
    assert _plain(run_facets(ran(query_id="4711"), warehouse)) == {
        "processing_engine": engine,
        "externalQuery": {"externalQueryId": "4711", "source": NAMESPACE},
    }


def test_unreadable_statement_says_why(ran: Ran) -> None:
    issue = Issue("UnreadableStatement", "no statement begins with 'selec'", 4, 1)
    assert _plain(extraction_error(ran(StatementLineage(issues=(issue,)), text="selec 1"))) == {
        "totalTasks": 1,
        "failedTasks": 1,
        "errors": [
            {
                "errorMessage": "UnreadableStatement line 4: no statement begins with 'selec'",
                "task": "selec 1",
                "taskNumber": 0,
            }
        ],
    }


def test_renamed_dataset_has_its_name_before(ran: Ran, warehouse: Warehouse) -> None:
    change = LifecycleChange(Relation(None, "app", "old_orders"), StateChange.RENAME, ORDERS)
    assert _plain(lifecycle_facet(change, ran(), warehouse)) == {
        "lifecycleStateChange": "RENAME",
        "previousIdentifier": {"namespace": NAMESPACE, "name": "dev.app.orders"},
    }
