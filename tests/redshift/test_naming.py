"""Datasets under OpenLineage's names, compared with the OpenLineage client's own."""

from __future__ import annotations

import pytest
from openlineage.client.naming.dataset import S3, Redshift

from sqllin_redshift.naming import name_dataset
from sqllineage_svc.errors import UsageError
from sqllineage_svc.model.names import DatasetName, Location, Relation

HOSTS = {
    "short name": "sales.eu-west-1",
    "cluster endpoint": "sales.abc123.eu-west-1.redshift.amazonaws.com",
    "workgroup endpoint": "sales.123456789012.eu-west-1.redshift-serverless.amazonaws.com",
    "endpoint in China": "sales.abc123.eu-west-1.redshift.amazonaws.com.cn",
}


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS.keys())
@pytest.mark.parametrize("port", ["", ":5439"], ids=["port left out", "port given"])
def test_a_table_has_the_name_that_the_openlineage_client_makes(host: str, port: str) -> None:
    theirs = Redshift("sales", "eu-west-1", "5439", "dev", "public", "orders")
    ours = name_dataset(Relation(None, None, "orders"), f"redshift://{host}{port}/dev")
    assert ours == DatasetName(theirs.get_namespace(), theirs.get_name())


@pytest.mark.parametrize(
    ("relation", "name"),
    [
        (Relation(None, None, "t"), "dev.app.t"),
        (Relation(None, "s", "t"), "dev.s.t"),
        (Relation("other", "s", "t"), "other.s.t"),
    ],
)
def test_missing_parts_come_from_the_url(relation: Relation, name: str) -> None:
    instance = "redshift://sales.eu-west-1:5440/dev?schema=app"
    assert name_dataset(relation, instance) == DatasetName("redshift://sales.eu-west-1:5440", name)


def test_a_host_of_another_kind_stays_as_it_is() -> None:
    named = name_dataset(Relation("d", "s", "t"), "redshift://warehouse.example.com/x")
    assert named == DatasetName("redshift://warehouse.example.com:5439", "d.s.t")


@pytest.mark.parametrize("instance", ["", "sales.eu-west-1", "mysql://host/db", "redshift:///dev"])
def test_a_url_without_a_host_is_refused(instance: str) -> None:
    with pytest.raises(UsageError, match="redshift://cluster"):
        name_dataset(Relation(None, None, "t"), instance)


def test_files_have_the_name_that_the_openlineage_client_makes() -> None:
    theirs = S3("lake", "in/orders")
    ours = name_dataset(Location("s3://lake/in/orders/"), "redshift://sales.eu-west-1/dev")
    assert ours == DatasetName(theirs.get_namespace(), theirs.get_name())
