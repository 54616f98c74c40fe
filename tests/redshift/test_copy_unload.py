"""COPY and UNLOAD: what they name, and the query in whatever quotes it stands."""

from __future__ import annotations

import pytest

from sqllineage_svc.model.names import Location, Relation
from sqllineage_svc.sql.statement import (
    Load,
    Unload,
)
from tests.redshift.reading import T, query_of, read


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("", False),
        ("csv ignoreheader 1 manifest", False),
        ("fixedwidth 'a:3,b:4'", False),
        ("shapefile simplify auto", False),
        ("format as parquet", True),
        ("orc", True),
        ("json 'auto'", True),
        ("format as json 'auto ignorecase' gzip", True),
        ("json as 's3://lake/paths.json'", False),
        ("json 'noshred'", False),
        ("format avro as 'auto'", True),
        ("avro 's3://lake/paths.json'", False),
        ("csv job create nightly auto on", False),
        ("null as 'json' delimiter 'parquet'", False),
    ],
)
def test_copy_takes_field_names_only_from_formats_that_have_them(options: str, named: bool) -> None:
    statement = read(f"copy s.t (a, b) from 's3://lake/in/' iam_role default {options}")
    columns = ("a", "b")
    assert statement == Load(Relation(None, "s", "t"), Location("s3://lake/in/"), columns, named_fields=named)


@pytest.mark.parametrize(
    ("source", "named"),
    [("emr://j-1/out/part*", False), ("dynamodb://users", True), ("s3://lake/ssh_manifest", False)],
)
def test_copy_names_every_source_as_written(source: str, named: bool) -> None:
    statement = read(f"copy t from '{source}' iam_role '' delimiter '|' region 'eu-west-1'")
    assert statement == Load(T, Location(source), None, named_fields=named)


@pytest.mark.parametrize(
    "inner",
    [
        "'select a from t where b = ''x'''",
        r"'select a from t where b = \'x\''",
        "$$select a from t where b = 'x'$$",
        "$q$ select a from t where b = 'x'; $q$",
        "select a from t where b = 'x'",
    ],
    ids=["doubled quotes", "backslashes", "dollars", "named dollars", "no quotes"],
)
def test_unload_reads_the_query_in_whatever_quotes(inner: str) -> None:
    statement = read(
        f"unload ({inner}) to 's3://lake/out/' iam_role default parquet partition by (a) include"
    )
    assert query_of(statement) == "SELECT a FROM t WHERE b = 'x'"
    assert isinstance(statement, Unload)
    assert statement.target == Location("s3://lake/out/")


def test_unload_reads_a_with_clause_and_parentheses() -> None:
    assert query_of(read("unload ('with c as (select 1 a) select a from c') to 's3://b/p'")).startswith(
        "WITH c AS"
    )
    assert query_of(read("unload ('(select a from t)') to 's3://b/p'")) == "(SELECT a FROM t)"


def test_unload_rewrites_what_sqlglot_cannot_parse() -> None:
    statement = read("unload ('select * exclude a, b from t') to 's3://b/p'")
    assert query_of(statement) == "SELECT * EXCLUDE (a, b) FROM t"
