"""JOINs without a condition: as many as there are, and each condition where it belongs."""

from __future__ import annotations

import time

import pytest

from sqllineage_svc import trace_sql
from sqllineage_svc.sql.crossings import MAX_BARE_JOINS, crossed
from sqllineage_svc.sql.lexer import tokenize

MANY = "".join(f" join t{at}" for at in range(MAX_BARE_JOINS + 1))


def rewritten(text: str) -> str:
    """The tokens of a text behind `crossed`, as one."""
    return " ".join(token.text.lower() for token in crossed(tokenize(text, "mysql")))


@pytest.mark.parametrize("join", ["join", "inner join", "straight_join", "cross join"])
def test_hundreds_of_bare_joins_take_no_time(join: str) -> None:
    before = time.process_time()
    script = trace_sql("select 1 from a" + f" {join} b" * 500, "mysql")
    assert time.process_time() - before < 5
    assert script.issues == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a join b on x", "join b on x"),
        ("a join b join c on x on y", "join b join c on x on y"),
        ("a natural join b", "natural join b"),
        ("a natural full outer join b", "natural full outer join b"),
        ("a inner join b, c", "cross join b , c"),
        ("(select 1 from c join d) as e join b on x", "( select 1 from c cross join d ) as e join b on x"),
    ],
)
def test_only_a_join_without_a_condition_changes(text: str, expected: str) -> None:
    found = rewritten(f"select 1 from z{MANY} where 1 in (select 1 from {text})")
    assert expected in found
    assert found.count("cross join") >= MAX_BARE_JOINS + 1


def test_few_bare_joins_stay() -> None:
    assert rewritten("select 1 from a join b join c") == "select 1 from a join b join c"


def test_an_outer_join_without_a_condition_is_an_issue() -> None:
    script = trace_sql(f"select 1 from a{MANY} left join b", "mysql")
    assert [issue.message for issue in script.issues] == ["an outer join needs ON or USING"]
