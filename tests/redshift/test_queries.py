"""Statements with a query inside; the query is compared as SQL."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlglot import exp

from sqllineage_svc.model.names import Location, Relation
from sqllineage_svc.model.schema import Column
from sqllineage_svc.sql.statement import (
    Change,
    DeclareCursor,
    Define,
    Read,
    Statement,
    TableKind,
    Write,
)
from tests.redshift.reading import T, query_of, read

NO_QUERY = exp.Null()


@pytest.mark.parametrize(
    ("text", "expected", "query"),
    [
        (
            "create table t (a, b) backup yes diststyle key distkey(a) as select x, y from s",
            Define(T, columns=(Column("a"), Column("b"))),
            "SELECT x, y FROM s",
        ),
        (
            "create local temp table t sortkey (x) as (select x from s)",
            Define(T, temporary=True),
            "(SELECT x FROM s)",
        ),
        (
            "create external table x.t partitioned by (p) stored as parquet location 's3://lake/t/'"
            " as select a, p from s",
            Define(Relation(None, "x", "t"), TableKind.EXTERNAL_TABLE, location=Location("s3://lake/t/")),
            "SELECT a, p FROM s",
        ),
        (
            "create external table x.t stored as parquet location 's3://lake/t/'"
            " table properties ('write.parallel'='off') as (select a from s)",
            Define(Relation(None, "x", "t"), TableKind.EXTERNAL_TABLE, location=Location("s3://lake/t/")),
            "(SELECT a FROM s)",
        ),
        (
            "create or replace view t (a) as (select x from s) with no schema binding",
            Define(T, TableKind.VIEW, (Column("a"),)),
            "(SELECT x FROM s)",
        ),
        (
            "create materialized view t backup no distkey (a) auto refresh yes as select a from s",
            Define(T, TableKind.MATERIALIZED_VIEW),
            "SELECT a FROM s",
        ),
        (
            "create external protected view if not exists c.x.t as select a from s",
            Define(Relation("c", "x", "t"), TableKind.VIEW, keeps_existing=True),
            "SELECT a FROM s",
        ),
        (
            "alter external view x.t force as select a from s",
            Define(Relation(None, "x", "t"), TableKind.VIEW),
            "SELECT a FROM s",
        ),
        (
            "create model t from (select a, b from s) target b function f iam_role default"
            " settings (s3_bucket 'x')",
            Define(T, TableKind.MODEL),
            "SELECT a, b FROM s",
        ),
        (
            "create model t from x.s target b function f iam_role default",
            Define(T, TableKind.MODEL),
            "SELECT * FROM x.s",
        ),
        ("select a into temp table t from s", Define(T, temporary=True), "SELECT a FROM s"),
        (
            "select a into #t from s union select b from u",
            Define(T._replace(name="#t"), temporary=True),
            "SELECT a FROM s UNION SELECT b FROM u",
        ),
        (
            "with c as (select a from s) select * into t from c",
            Define(T),
            "WITH c AS (SELECT a FROM s) SELECT * FROM c",
        ),
        (
            "insert into t with c as (select a from s) select * from c",
            Write(T, None),
            "WITH c AS (SELECT a FROM s) SELECT * FROM c",
        ),
        ("insert into t (b) (select a from s)", Write(T, None, ("b",)), "(SELECT a FROM s)"),
        ("declare c cursor for select a from s", DeclareCursor("c", NO_QUERY), "SELECT a FROM s"),
        ("select top 3 a from s", Read(NO_QUERY), "SELECT a FROM s LIMIT 3"),
    ],
)
def test_queries_that_go_somewhere(text: str, expected: Statement, query: str) -> None:
    statement = read(text)
    assert query_of(statement) == query
    assert replace(statement, query=getattr(expected, "query", None)) == expected  # type: ignore[type-var]


@pytest.mark.parametrize(
    ("text", "expected", "query"),
    [
        ("delete t where a = 1", Change("DELETE", NO_QUERY, (T,)), "SELECT 1 FROM t WHERE a = 1"),
        ("delete from t", Change("DELETE", NO_QUERY, (T,), every_row=True), "SELECT 1 FROM t"),
        (
            "with c as (select a from s) delete from t using c where t.a = c.a",
            Change("DELETE", NO_QUERY, (T,)),
            "WITH c AS (SELECT a FROM s) SELECT 1 FROM t, c WHERE t.a = c.a",
        ),
        (
            "update t set a = t2.a, b = default from t t1 join t t2 on t1.x = t2.y where t.id = t1.id",
            Change("UPDATE", NO_QUERY, (T,), ((None, "a"), (None, "b"))),
            "SELECT t2.a, NULL FROM t, t AS t1 JOIN t AS t2 ON t1.x = t2.y WHERE t.id = t1.id",
        ),
        (
            "merge into t using s on t.id = s.id remove duplicates",
            Change("MERGE", NO_QUERY, (T,), by_position=True),
            "SELECT s.* FROM t JOIN s ON (t.id = s.id)",
        ),
        (
            "merge into t using s as x on t.id = x.id when matched then update set a = x.a"
            " when not matched then insert (id, a) values (x.id, default)",
            Change("MERGE", NO_QUERY, (T,), ((None, "a"), (None, "id"), (None, "a")), inserts=(1, 2)),
            "SELECT x.a, x.id, NULL FROM t JOIN s AS x ON (t.id = x.id)",
        ),
    ],
)
def test_changes(text: str, expected: Change, query: str) -> None:
    statement = read(text)
    assert query_of(statement) == query
    assert isinstance(statement, Change)
    assert replace(statement, query=NO_QUERY) == expected
