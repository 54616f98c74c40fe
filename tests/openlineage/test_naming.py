"""Names of datasets and jobs."""

from __future__ import annotations

from collections.abc import Callable

from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.model.lifecycle import DatasetKind, LifecycleChange, StateChange
from sqllineage_svc.model.lineage import StatementLineage
from sqllineage_svc.model.names import DatasetName, Location, Relation
from sqllineage_svc.openlineage.naming import job_name, job_namespace, name_dataset
from sqllineage_svc.openlineage.run import StatementRun, Warehouse

Ran = Callable[..., StatementRun]

ORDERS = Relation(None, "app", "orders")
TEMPORARY = Relation(None, None, "t")
FILES = Location("s3://lake/out/orders/")


def test_relation_is_named_in_its_instance(ran: Ran, warehouse: Warehouse) -> None:
    named = name_dataset(ORDERS, ran(), warehouse)
    assert named == DatasetName("redshift://sales.eu-west-1:5439", "dev.app.orders")


def test_mysql_relation_is_named_in_its_server(ran: Ran) -> None:
    server = Warehouse(load_dialect("mysql"), "mysql://db.example:3306/shop")
    assert name_dataset(TEMPORARY, ran(), server) == DatasetName("mysql://db.example:3306", "shop.t")


def test_files_are_named_by_their_store(ran: Ran, warehouse: Warehouse) -> None:
    assert name_dataset(FILES, ran(), warehouse) == DatasetName("s3://lake", "out/orders")


def test_temporary_table_is_named_in_its_session(ran: Ran, warehouse: Warehouse) -> None:
    kinds = {TEMPORARY: DatasetKind.TEMPORARY_TABLE}
    in_file = name_dataset(TEMPORARY, ran(kinds=kinds), warehouse)
    assert in_file == DatasetName("inmemory://", "sales.eu-west-1:5439/etl/load.sql/t")
    in_session = name_dataset(TEMPORARY, ran(kinds=kinds, session="4711"), warehouse)
    assert in_session == DatasetName("inmemory://", "sales.eu-west-1:5439/4711/t")


def test_job_is_named_after_what_it_fills(ran: Ran, warehouse: Warehouse) -> None:
    insert = ran(StatementLineage(outputs=(ORDERS,)))
    assert job_name(insert, warehouse) == "dev.app.orders.insert.bbcdbd72"
    unload = ran(StatementLineage(outputs=(FILES,)), kind="unload")
    assert job_name(unload, warehouse) == "lake/out/orders.unload.bbcdbd72"
    temporary = ran(StatementLineage(outputs=(TEMPORARY,)), kinds={TEMPORARY: DatasetKind.TEMPORARY_TABLE})
    assert job_name(temporary, warehouse) == "t.insert.bbcdbd72"
    dropped = ran(
        text="drop table app.orders", kind="drop", lifecycle=(LifecycleChange(ORDERS, StateChange.DROP),)
    )
    assert job_name(dropped, warehouse).startswith("dev.app.orders.drop.")
    assert job_name(ran(kind="unreadable"), warehouse) == "unreadable.bbcdbd72"


def test_job_is_the_same_with_other_literals(ran: Ran, warehouse: Warehouse) -> None:
    today, tomorrow = (ran(text=f"insert into t select a from s where day = '{day}'") for day in (1, 2))
    assert job_name(today, warehouse) == job_name(tomorrow, warehouse)


def test_jobs_live_beside_the_tables_unless_told(warehouse: Warehouse) -> None:
    assert job_namespace(warehouse) == "redshift://sales.eu-west-1:5439"
    assert job_namespace(Warehouse(warehouse.dialect, warehouse.instance, job_namespace="etl")) == "etl"
