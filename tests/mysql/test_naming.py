"""Datasets have the names that OpenLineage gives them."""

from __future__ import annotations

import pytest

from sqllin_mysql.naming import name_dataset
from sqllineage_svc.model.names import Dataset, DatasetName, Location, Relation

ORDERS = Relation(None, None, "Orders")
NAMES = {
    "the port and the database of the URL": (
        ORDERS, "mysql://Db.Example/shop", DatasetName("mysql://db.example:3306", "shop.Orders"),
    ),
    "a database that is written": (
        Relation(None, "crm", "t"), "mysql://h:3307/shop", DatasetName("mysql://h:3307", "crm.t"),
    ),
    "no database anywhere": (ORDERS, "mysql://h", DatasetName("mysql://h:3306", "Orders")),
    "several hosts": (ORDERS, "mysql://a,b:3307/x", DatasetName("mysql://a:3306,b:3307", "x.Orders")),
    "a user in the URL": (ORDERS, "mysql://u:p@h/x", DatasetName("mysql://h:3306", "x.Orders")),
    "an IPv6 host": (ORDERS, "mysql://[::1]/x", DatasetName("mysql://[::1]:3306", "x.Orders")),
    "a local file": (Location("/in/price.csv"), "mysql://h", DatasetName("file", "/in/price.csv")),
    "an object in S3": (Location("s3://lake/in/x.csv"), "mysql://h", DatasetName("s3://lake", "in/x.csv")),
}  # fmt: skip


@pytest.mark.parametrize(("dataset", "instance", "name"), NAMES.values(), ids=NAMES)
def test_a_dataset_is_named(dataset: Dataset, instance: str, name: DatasetName) -> None:
    assert name_dataset(dataset, instance) == name
