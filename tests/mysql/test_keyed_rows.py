"""Rows of one INSERT … ON DUPLICATE KEY UPDATE that have the same key: the later one reads what the earlier left."""

from __future__ import annotations

from sqllineage_svc import trace_sql


def reaches_s(columns: str, rows: str, updates: str) -> bool:
    """Does u.n reach t.s, where rows of `k` and `b` go into a table with these columns?"""
    script = trace_sql(
        f"create table t (k int primary key, {columns}, s int);"
        f" insert into t (k, b) {rows} on duplicate key update {updates}, b = values(b)",
        "mysql",
        {"u": {"k": "int", "n": "int"}},
    )
    (statement,) = script.statements[1:]
    return ("u.n", "t.s") in {(str(edge.source), str(edge.target)) for edge in statement.lineage.columns}


def test_a_row_reads_what_an_earlier_row_of_its_key_has_left() -> None:
    assert reaches_s("b int", "select k, n from u", "s = t.b")


def test_a_generated_column_is_read_of_an_earlier_row_too() -> None:
    assert reaches_s("b int, g int as (b + 1)", "select k, n from u", "s = t.g")


def test_one_row_has_none_before_it() -> None:
    assert not reaches_s("b int", "values (1, (select max(n) from u))", "s = t.b")
    assert reaches_s("b int", "values (1, (select max(n) from u)), (1, 2)", "s = t.b")
