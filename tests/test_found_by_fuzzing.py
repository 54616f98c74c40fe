"""Texts that once raised, crashed or took hours, made small. The script goes on behind each of them."""

from __future__ import annotations

import time

import pytest

from sqllineage_svc import trace_sql

FOUND = {
    "an UNLOAD of nothing": ("redshift", "unload ('') to 's3://b/k'"),
    "an operator without an operand": ("redshift", "select a ? from t"),
    "a set operation as the value of an UPDATE": ("mysql", "update t set a = 1 intersect select 2"),
    "WITH before a verb of another warehouse": ("redshift", "with c as (select 1) replace into t select 1"),
    "a star among the names that a star leaves out": ("redshift", "select * exclude (* exclude (a)) from t"),
    "a view that reads its own name": ("redshift", "create view v as select a from v"),
    "views that read each other": (
        "redshift",
        "create view v as select a from w; create view w as select a from v",
    ),
    "FROM SELECT without end": ("mysql", "select 1 from " + "select 1 from " * 3_000 + "t"),
    "FROM, FROM without end": ("mysql", "select 1 from t a" + ", from t a" * 20_000),
    "a path that begins with a star": ("redshift", "select *.a.b from t"),
    "assignments without end": ("mysql", "select " + "@a := " * 5_000 + "1"),
    "dots without end": ("mysql", "create table m as select a" + ".a" * 20_000 + " from t"),
    "JOINs without a condition": ("mysql", "select 1 from t" + " join u" * 3_000),
    "JOINs where a name must stand": ("mysql", "select 1 from t" + " join u as" * 1_000 + " u using (id)"),
    "one name many times in FROM": ("redshift", "select 1 from t" + ", t" * 5_000),
    "one unknown name many times": ("redshift", "select 1 as b" + ", b" * 10_000 + " from t"),
    "arrays in one another": ("redshift", "select " + "array[" * 40 + "1" + "]" * 40),
    "types in one another": ("redshift", "select " + "struct(" * 40 + "1" + ")" * 40),
    "comments that never end": ("mysql", "/* x;\n" * 10_000),
    "MATCH without AGAINST": ("mysql", "select 1 from t where " + "match a " * 10_000),
    "views on views": (
        "redshift",
        "".join(f"create view v{at + 1} as select a from v{at};" for at in range(1_500)),
    ),
}


@pytest.mark.parametrize(("dialect", "text"), FOUND.values(), ids=FOUND)
def test_the_script_goes_on(dialect: str, text: str) -> None:
    before = time.process_time()
    script = trace_sql(f"{text};\ninsert into m (a) select a from t;", dialect)
    assert "InternalError" not in {issue.code for issue in script.issues}
    for statement in script.statements:
        for expression in statement.lineage.expressions.values():
            assert isinstance(expression, str)
    assert str(script.statements[-1].lineage.columns[0].target) == "m.a"
    assert time.process_time() - before < 10


def test_a_view_of_its_own_name_reads_another_relation() -> None:
    script = trace_sql(
        "create view v as select a from v where b = 1; insert into m (c) select a from v", "redshift"
    )
    assert {(str(edge.source), str(edge.target)) for edge in script.columns} == {
        ("v.a", "v.a"),
        ("v.a", "m.c"),
    }
    assert {(str(edge.source), str(edge.target)) for edge in script.rows} == {("v.b", "v"), ("v.b", "m")}
