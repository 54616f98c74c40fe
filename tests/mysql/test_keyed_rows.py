"""Rows of one INSERT … ON DUPLICATE KEY UPDATE that have the same key: the later one reads what the earlier left."""

from __future__ import annotations

from sqllineage_svc import trace_sql


def test_a_row_reads_what_an_earlier_row_of_its_key_has_left() -> None:
    script = trace_sql(
        "create table t (k int primary key, b int, s int);"
        " insert into t (k, b) select k, n from u on duplicate key update s = t.b, b = values(b)",
        "mysql",
        {"u": {"k": "int", "n": "int"}},
    )
    (statement,) = script.statements[1:]
    assert ("u.n", "t.s") in {(str(edge.source), str(edge.target)) for edge in statement.lineage.columns}


def test_a_generated_column_is_read_of_an_earlier_row_too() -> None:
    script = trace_sql(
        "create table t (k int primary key, b int, g int as (b + 1), s int);"
        " insert into t (k, b) select k, n from u on duplicate key update s = t.g, b = values(b)",
        "mysql",
        {"u": {"k": "int", "n": "int"}},
    )
    (statement,) = script.statements[1:]
    assert ("u.n", "t.s") in {(str(edge.source), str(edge.target)) for edge in statement.lineage.columns}


def test_one_row_has_none_before_it() -> None:
    script = trace_sql(
        "create table t (k int primary key, b int, s int);"
        " insert into t (k, b) values (1, (select max(n) from u)) on duplicate key update s = t.b, b = values(b)",
        "mysql",
        {"u": {"k": "int", "n": "int"}},
    )
    (statement,) = script.statements[1:]
    assert ("u.n", "t.s") not in {(str(edge.source), str(edge.target)) for edge in statement.lineage.columns}
