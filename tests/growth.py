"""How a script's cost grows, measured in a process of its own, where a crash is an answer and not the end.

python -m tests.growth and redshift 25000 100000
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqllineage_svc import trace_sql


@dataclass(frozen=True)
class Measured:
    """What became of a script: CPU seconds, the codes of its issues, how many edges it has."""

    seconds: float
    issues: tuple[str, ...]
    columns: int
    rows: int


def repeated(text: str, count: int, separator: str = "") -> str:
    """The text so often, `{}` in it replaced by its number."""
    return separator.join(text.replace("{}", str(at)) for at in range(count))


def _nested(before: str, core: str, after: str) -> Callable[[int], str]:
    return lambda count: f"select {before * count}{core}{after * count} from t"


CHAINS: dict[str, Callable[[int], str]] = {
    "and": lambda n: f"create table m as select a from t where {repeated('a <> {}', n, ' and ')}",
    "or": lambda n: (
        f"create table m as select a from t where {repeated('a = {} and b = {}', n // 2, ' or ')}"
    ),
    "union_all": lambda n: f"create table m as {repeated('select a, {} as b from t', n, ' union all ')}",
    "in": lambda n: f"create table m as select a from t where a in ({repeated('{}', n, ', ')})",
    "concat": lambda n: f"create table m as select {repeated('a', n, ' || ')} as c from t",
    "plus": lambda n: f"create table m as select {repeated('a', n, ' + ')} as c from t",
    "multiply": lambda n: f"create table m as select {repeated('a', n, ' * ')} as c from t",
    "case_when": lambda n: (
        f"create table m as select case {repeated('when a = {} then b ', n)} end as c from t"
    ),
    "coalesce": lambda n: f"create table m as select coalesce({repeated('a{}', n, ', ')}) as c from t",
    "select_list": lambda n: f"create table m as select {repeated('a{} as b{}', n, ', ')} from t",
    "values": lambda n: f"insert into m (a, b) values {repeated('({}, 2)', n, ', ')}",
    "join": lambda n: f"create table m as select t.a from t{repeated(' join u{} on t.a = u{}.a', n)}",
    "join_using": lambda n: f"create table m as select t.a from t{repeated(' join u{} using (k)', n)}",
    "comma": lambda n: f"create table m as select t0.a from {repeated('t{}', n, ', ')}",
    "bare_join": lambda n: f"create table m as select t0.a from {repeated('t{}', n, ' join ')}",
    "group_by": lambda n: (
        f"create table m as select count(*) as c from t group by {repeated('a{}', n, ', ')}"
    ),
    "order_by": lambda n: f"create table m as select a from t order by {repeated('a{}', n, ', ')}",
    "ctes": lambda n: (
        f"create table m as with c0 as (select a from t), "
        f"{repeated('c{} as (select a from c!)', n, ', ')} select a from c0"
    ).replace("c!", "c0"),
    "long_literal": lambda n: f"create table m as select '{'x' * 100 * n}' as c, a from t",
    "comments": lambda n: f"create table m as select a from t {'/* x */ ' * n}",
    "statements": lambda n: repeated("select a from t;\n", n),
    "inserts": lambda n: repeated("insert into m (a) select a from t{};\n", n),
    "temp_tables": lambda n: repeated("create temp table s{} as select a from t;\n", n),
    "broken": lambda n: repeated("select from where ' {};\n", n),
    "unclosed_comments": lambda n: repeated("/* x {};\n", n),
    "variables": lambda n: repeated("select a into @v{} from t;\n", n),
    "updates": lambda n: repeated("update m set a = (select max(b) from t{});\n", n),
}
"""Long and flat: legal, and as cheap for each term as for the first. Each is a script of so many terms."""


def cte_chain(count: int) -> str:
    """A CTE on a CTE on a CTE …"""
    chain = "".join(f", c{at} as (select a + 1 as a from c{at - 1} where a > {at})" for at in range(1, count))
    return f"create table m as with c0 as (select a from t){chain} select a from c{count - 1}"


def temp_chain(count: int) -> str:
    """A temporary table on a temporary table …"""
    steps = "".join(
        f"create temp table s{at} as select a + 1 as a from s{at - 1};\n" for at in range(1, count)
    )
    return f"create temp table s0 as select a from t;\n{steps}insert into m (a) select a from s{count - 1};"


def view_chain(count: int) -> str:
    """A view on a view …, read at the end."""
    views = "".join(f"create view v{at} as select a + 1 as a from v{at - 1};\n" for at in range(1, count))
    return f"create view v0 as select a from t;\n{views}insert into m (a) select a from v{count - 1};"


def cte_diamond(levels: int) -> str:
    """Each CTE reads the one before twice: 2 to the power of `levels` paths."""
    joined = "".join(
        f", c{at} as (select x.a + y.a as a from c{at - 1} x join c{at - 1} y on x.a = y.a)"
        for at in range(1, levels)
    )
    return f"create table m as with c0 as (select a from t){joined} select a from c{levels - 1}"


def view_diamond(levels: int) -> str:
    """Each view reads the one before twice."""
    views = "".join(
        f"create view v{at} as select x.a + y.a as a from v{at - 1} x join v{at - 1} y on x.a = y.a;\n"
        for at in range(1, levels)
    )
    return f"create view v0 as select a from t;\n{views}insert into m (a) select a from v{levels - 1};"


LAYERS: dict[str, Callable[[int], str]] = {
    "cte_chain": cte_chain,
    "temp_chain": temp_chain,
    "view_chain": view_chain,
    "cte_diamond": cte_diamond,
    "view_diamond": view_diamond,
}
"""Queries on queries."""

DEEP: dict[str, Callable[[int], str]] = {
    "parentheses": _nested("(", "a", ")"),
    "functions": _nested("abs(", "a", ")"),
    "case": _nested("case when a then ", "a", " end"),
    "subqueries": lambda n: "select * from (" * n + "select 1 from t" + ") x" * n,
    "scalar_subqueries": _nested("(select ", "a", ")"),
    "exists": lambda n: "select 1 from t where exists (" * n + "select 1 from t" + ")" * n,
    "from_select": lambda n: "select a from " * n + "t",
    "not": _nested("not ", "a", ""),
    "minus": _nested("- ", "a", ""),
    "tilde": _nested("~ ", "a", ""),
    "brackets": _nested("a[", "1", "]"),
    "array": _nested("array[", "1", "]"),
    "braces": _nested("{'a': ", "1", "}"),
    "assignments": _nested("@a := ", "1", ""),
    "casts": _nested("", "a", "::int"),
    "dots": lambda n: f"select a{'.a' * n} from t",
    "joins_with_late_conditions": lambda n: f"select 1 from t{' join u' * n}{' on 1 = 1' * n}",
    "bare_left_joins": lambda n: f"select 1 from t{' left join u' * n}",
    "parenthesised_joins": lambda n: f"select 1 from {'(' * n}t{' join u on 1 = 1)' * n}",
    "explain": lambda n: "explain " * n + "select 1",
    "begin": lambda n: "create procedure p() begin " + "begin " * n + "end; " * n + "end",
    "if": lambda n: "create procedure p() begin " + "if a then " * n + "select 1; " + "end if; " * n + "end",
    "with": lambda n: "with c as (" * n + "select 1" + ") select * from c" * n,
    "union_parentheses": lambda n: "(" * n + "select 1" + ") union (select 2)" * n,
    "in_subqueries": lambda n: (
        "select 1 from t where " + "a in (select a from t where " * n + "a = 1" + ")" * n
    ),
    "between": _nested("a between 1 and ", "2", ""),
    "else": _nested("case when a then 1 else ", "a", " end"),
    "interval": _nested("interval ", "'1' day", ""),
    "lateral": lambda n: "select 1 from t" + ", lateral (select 1 from t" * n + ") x" * n,
    "open_parentheses": lambda n: "select " + "(" * n,
    "open_cases": lambda n: "select " + "case " * n,
}
"""Deep: refused, or read, but never a crash."""

_ALL = {**CHAINS, **LAYERS, **DEEP}


def measure(name: str, count: int, dialect: str) -> Measured:
    """Trace a script here, print what it says, and let it go."""
    text = _ALL[name](count)
    before = time.process_time()
    script = trace_sql(text, dialect)
    for statement in script.statements:
        for expression in statement.lineage.expressions.values():
            len(expression)
    issues = tuple(issue.code for issue in script.issues)
    measured = (issues, len(script.columns), len(script.rows))
    del script
    gc.collect()
    return Measured(time.process_time() - before, *measured)


def measured_apart(name: str, counts: Sequence[int], dialect: str, seconds: float) -> list[Measured]:
    """The same for several counts in another process.

    Raises AssertionError where it crashes, TimeoutExpired where it hangs.
    """
    done = subprocess.run(
        [sys.executable, "-m", __name__, name, dialect, *map(str, counts)],
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
        cwd=Path(__file__).parents[1],
    )
    if done.returncode:
        raise AssertionError(f"{name} of {counts} ended with {done.returncode}: {done.stderr[-2000:]}")
    answers = map(json.loads, done.stdout.splitlines())
    return [Measured(took, tuple(codes), *rest) for took, codes, *rest in answers]


def main() -> None:
    """Measure what the command line names."""
    name, dialect, *counts = sys.argv[1:]
    trace_sql("select 1", dialect)
    for count in map(int, counts):
        found = measure(name, count, dialect)
        print(json.dumps([found.seconds, found.issues, found.columns, found.rows]), flush=True)


if __name__ == "__main__":
    main()
