"""Where MySQL takes a bare name for an alias of the select list before a column: run on MariaDB 10.11."""

from __future__ import annotations

import pytest

from sqllineage_svc import trace_sql

SCHEMA = {"t": {"a": "int", "b": "int", "n": "int"}}


@pytest.mark.parametrize(
    ("query", "sources"),
    [
        ("select b as n, rank() over (order by n) as r from t", {"b"}),
        ("select rank() over (order by n desc) as r, b as n from t", {"b"}),
        ("select b as n, rank() over w as r from t window w as (order by n)", {"b"}),
        ("select b as z, rank() over (order by z) as r from t", {"b"}),
        ("select b as n, rank() over (order by n + 0) as r from t", {"n"}),
        ("select b as n, rank() over (order by t.n) as r from t", {"n"}),
        ("select b as n, count(*) over (partition by n) as r from t", {"b", "n"}),
        ("select b as z, count(*) over (partition by z) as r from t", {"b"}),
        (
            "select (select max(x.w) from (select sum(b) over () as w from t) x) as n, "
            "rank() over (order by n) as r from t",
            {"b"},
        ),
        ("select rank() over (order by r) as r from (select b as r from t) as d", {"b"}),
    ],
)
def test_names_in_windows(query: str, sources: set[str]) -> None:
    script = trace_sql(f"create table m as {query}", "mysql", SCHEMA)
    assert {edge.source.column for edge in script.columns if edge.target.column == "r"} == sources
    assert script.issues == ()


@pytest.mark.parametrize(
    ("query", "sources"),
    [
        ("select b as n, a from t having n > 0", {"b"}),
        ("select b as n, a from t group by n, b, a having n > 0", {"a", "b", "n"}),
        ("select min(b) as n from t having max(n) > 0", {"n"}),
        ("select min(b) as n from t having n > 0", {"b"}),
    ],
)
def test_names_in_having(query: str, sources: set[str]) -> None:
    script = trace_sql(f"create table m as {query}", "mysql", SCHEMA)
    assert {edge.source.column for edge in script.rows} == sources
    assert script.issues == ()
