"""Spellings that sqlglot cannot parse, and what they are read as."""

from __future__ import annotations

import pytest

from sqllineage_svc.errors import UnreadableStatement
from sqllineage_svc.sql.statement import Read
from tests.redshift.reading import read


def read_as(text: str) -> str:
    statement = read(text)
    assert isinstance(statement, Read)
    return statement.query.sql("redshift")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("select * exclude a, b from t", "SELECT * EXCLUDE (a, b) FROM t"),
        ("select * exclude (a) from t", "SELECT * EXCLUDE (a) FROM t"),
        (
            "select a.*, b.*, c exclude x, y from a, b",
            "SELECT a.* EXCLUDE (x, y), b.* EXCLUDE (x, y), c FROM a, b",
        ),
        (
            "select a.* exclude (q), b.* exclude (x) from a, b",
            "SELECT a.* EXCLUDE (q), b.* EXCLUDE (x) FROM a, b",
        ),
        ("select t.* exclude (a), s.x from t, s", "SELECT t.* EXCLUDE (a), s.x FROM t, s"),
        ("select a exclude from t", "SELECT a AS exclude FROM t"),
        ("select * exclude a", "SELECT * EXCLUDE (a)"),
    ],
)
def test_exclude_holds_for_the_stars_of_its_select_list(text: str, expected: str) -> None:
    assert read_as(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "select level l, level, prior id from e where level < 4"
            " connect by prior id = up start with up = 1",
            "SELECT NULL AS l, NULL AS level, id FROM e WHERE NULL < 4 START WITH up = 1 CONNECT BY id = up",
        ),
        (
            "select level from (select level, a from e connect by prior a = b) x",
            "SELECT level FROM (SELECT NULL AS level, a FROM e CONNECT BY a = b) AS x",
        ),
        ("select level, x.level from logs x", "SELECT level, x.level FROM logs AS x"),
    ],
)
def test_level_and_prior_are_no_columns_of_a_hierarchy(text: str, expected: str) -> None:
    assert read_as(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("select o.x from t c, c.items[0].x.y as o", "SELECT o.x FROM t AS c, c.items AS o"),
        (
            "select c.items[0].x from t c where c.y[1].z = 1",
            "SELECT c.items[0].x FROM t AS c WHERE c.y[1].z = 1",
        ),
        (
            "select 1 from t c join c.a[0].b d on d.x[0].y = 1, c.e[0].f g",
            "SELECT 1 FROM t AS c JOIN c.a AS d ON d.x[0].y = 1, c.e AS g",
        ),
        ("select e, i from t, unnest(t.items) with offset as x(e, i)", "SELECT e, i FROM t, t.items AS e, i"),
        ("select v, k from t, unpivot t.o[0].p as v at k", "SELECT v, k FROM t, UNPIVOT t.o AS v AT k"),
    ],
)
def test_paths_in_from_end_at_their_first_subscript(text: str, expected: str) -> None:
    assert read_as(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("select a from t where b ^= c", "SELECT a FROM t WHERE b <> c"),
        ("select a # b, @ c from t", "SELECT POWER(a, b), -c FROM t"),
        ("select a from t where b is not of (int, varchar(3))", "SELECT a FROM t WHERE NOT b IS NULL"),
        ("select a::national character varying(3) from t", "SELECT CAST(a AS VARCHAR(3)) FROM t"),
        (
            "select cast(a as interval day to second (4)) from t",
            "SELECT CAST(a AS INTERVAL DAY TO SECOND) FROM t",
        ),
        (
            "select approximate percentile_disc(0.5) within group (order by a) over (partition by b) from t",
            "SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY a) OVER (PARTITION BY b) FROM t",
        ),
    ],
)
def test_spellings_of_the_same_lineage(text: str, expected: str) -> None:
    assert read_as(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a FROM t GROUP BY ALL",
        "SELECT a FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) = 1",
        "SELECT LISTAGG(a, ',') WITHIN GROUP (ORDER BY b) OVER (PARTITION BY c) FROM t",
        "SELECT LAG(a, 1) IGNORE NULLS OVER (PARTITION BY b ORDER BY c) FROM t",
        "SELECT a FROM t, s WHERE t.a = s.a (+)",
        "SELECT * FROM t UNPIVOT INCLUDE NULLS (v FOR n IN (a, b)) AS u",
        "SELECT * FROM t PIVOT(SUM(a) AS s FOR b IN ('x' AS xx, 'y')) AS p",
        "SELECT a FROM t GROUP BY GROUPING SETS ((a), (b, c), ())",
        "WITH RECURSIVE c(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM c) SELECT * FROM c",
        "SELECT a FROM t WHERE b SIMILAR TO '%x' AND c ILIKE ANY ('x', 'y')",
        'SELECT "$path", "$size" FROM s.t',
        "SELECT #t.id FROM #t",
    ],
)
def test_what_needs_no_rewrite_stays(text: str) -> None:
    assert read_as(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "select first_value(a ignore nulls) over (order by b) from t",
            "FIRST_VALUE(a) IGNORE NULLS OVER (ORDER BY b)",
        ),
        ("select date_part(dow, a) from t", "EXTRACT(DOW FROM a)"),
        ("select datediff(qtr, a, b) from t", "DATEDIFF(QUARTER, a, b)"),
        ("select 'a' 'b'", "'a' || 'b'"),
        ("select interval '4 days, 4 hours'", "INTERVAL '4 days, 4 hours'"),
        ("select a::super from t", "CAST(a AS SUPER)"),
        ("select convert(integer, a) from t", "CAST(a AS INTEGER)"),
    ],
)
def test_expressions_that_look_like_something_else(text: str, expected: str) -> None:
    assert expected in read_as(text)


@pytest.mark.parametrize("query", ["", " ", "/* create view v */"])
def test_an_unload_of_no_query_is_unreadable(query: str) -> None:
    with pytest.raises(UnreadableStatement):
        read_as(f"unload ('{query}') to 's3://b/k'")
