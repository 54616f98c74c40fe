"""One name for one dataset, however its producers spell it."""

from __future__ import annotations

import pytest

from sqllineage_svc.catalog.names import canonical
from sqllineage_svc.model.names import DatasetName

WORKGROUP = "wg1.123456789012.us-west-2.redshift-serverless.amazonaws.com"
SPELLINGS = {
    "the standard's": ("redshift://wg1.us-west-2:5439", "dev.public.absent"),
    "Spark's and dbt's": (f"redshift://{WORKGROUP}:5439", "dev.public.absent"),
    "in capitals, without its port": (f"redshift://{WORKGROUP.upper()}", "DEV.Public.ABSENT"),
    "a JDBC URL with IAM": ("redshift:iam://wg1:us-west-2/dev", "public.absent"),
}


@pytest.mark.parametrize("spelled", SPELLINGS.values(), ids=SPELLINGS)
def test_a_table_of_a_workgroup_has_one_name(spelled: tuple[str, str]) -> None:
    assert canonical(DatasetName(*spelled)) == DatasetName(
        "redshift://wg1.us-west-2:5439", "dev.public.absent"
    )


@pytest.mark.parametrize(
    ("spelled", "name"),
    [
        (("mysql://DB.example", "shop.Orders"), ("mysql://db.example:3306", "shop.Orders")),
        (("mysql://h1,h2:3307", "s.t"), ("mysql://h1:3306,h2:3307", "s.t")),
        (("mysql://local", "s.t"), ("mysql://local", "s.t")),
        (("redshift://local", "dev.public.t"), ("redshift://local", "dev.public.t")),
        (("s3a://lake", "/in/orders/"), ("s3://lake", "in/orders")),
        (("s3://lake/", "/"), ("s3://lake", "/")),
        (("redshift://h:nonsense", "a.b.c"), ("redshift://h:nonsense", "a.b.c")),
        (("redshift://c.r:5439", 'dev.public."T"'), ("redshift://c.r:5439", 'dev.public."T"')),
        (("hive://h:9083", "db.T"), ("hive://h:9083", "db.T")),
        (("file", "/A/b"), ("file", "/A/b")),
        (("redshift://[h", "a.b.c"), ("redshift://[h", "a.b.c")),
        (("mysql://[h", "s.t"), ("mysql://[h", "s.t")),
        (("s3://[h", "k"), ("s3://[h", "k")),
        (("", ""), ("", "")),
    ],
)
def test_a_name_has_one_spelling(spelled: tuple[str, str], name: tuple[str, str]) -> None:
    once = canonical(DatasetName(*spelled))
    assert once == DatasetName(*name)
    assert canonical(once) == once
