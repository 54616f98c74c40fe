"""What sqlglot cannot parse, and the query that it is read as."""

from __future__ import annotations

import pytest

from sqllineage_svc.errors import UnreadableStatement
from sqllineage_svc.sql.statement import Read
from tests.mysql.reading import read

QUERIES = {
    "SELECT a FROM t PROCEDURE ANALYSE(10, 2)": "SELECT a FROM t",
    "SELECT {d '2020-01-01'}, {fn f(a)} FROM t": "SELECT '2020-01-01', F(a) FROM t",
    "SELECT a FROM {oj t LEFT JOIN u ON t.x = u.x}": "SELECT a FROM t LEFT JOIN u ON t.x = u.x",
    "SELECT NEXT VALUE FOR db.s, nextval(s), setval(s, 3), a FROM t": "SELECT '', '', '', a FROM t",
    "SELECT a, SUM(b) FROM t GROUP BY a DESC, c ASC ORDER BY a DESC": (
        "SELECT a, SUM(b) FROM t GROUP BY a, c ORDER BY a DESC"
    ),
    "SELECT a FROM t GROUP BY (SELECT b FROM u ORDER BY b DESC LIMIT 1) DESC": (
        "SELECT a FROM t GROUP BY (SELECT b FROM u ORDER BY b DESC LIMIT 1)"
    ),
    "SELECT a FROM t WHERE b IN (...) AND c = ?": "SELECT a FROM t WHERE b IN (NULL) AND c = ?",
    "SELECT DEFAULT(a), b FROM t": "SELECT NULL, b FROM t",
    "SELECT t.select, t.not FROM t": "SELECT t.`select`, t.`not` FROM t",
    "SELECT LAST_VALUE(a) IGNORE NULLS OVER w FROM t WINDOW w AS ()": (
        "SELECT LAST_VALUE(a) OVER w FROM t WINDOW w AS ()"
    ),
    "SELECT NTH_VALUE(a, 2) FROM FIRST OVER () FROM t": "SELECT NTH_VALUE(a, 2) OVER () FROM t",
    "WITH RECURSIVE c AS (SELECT 1 AS n) CYCLE n RESTRICT SELECT n FROM c": (
        "WITH RECURSIVE c AS (SELECT 1 AS n) SELECT n FROM c"
    ),
    "SELECT a FROM t LIMIT 10 ROWS EXAMINED 100": "SELECT a FROM t LIMIT 10",
    "SELECT a FROM t LIMIT ROWS EXAMINED 100": "SELECT a FROM t",
    "SELECT a, \\N FROM t": "SELECT a, NULL FROM t",
    "SELECT a % s FROM t WHERE b = %s AND c = %(name)s": "SELECT a % s FROM t WHERE b = ? AND c = ?",
    "SELECT SQL_CACHE a FROM t": "SELECT a FROM t",
    "SELECT sql_cache, a FROM t": "SELECT sql_cache, a FROM t",
    "SELECT a FROM t PARTITION (p0, p1) AS x": "SELECT a FROM t AS x",
    "SELECT a FROM t WHERE ROW(a, b) = ROW(1, 2)": "SELECT a FROM t WHERE (a, b) = (1, 2)",
    "SELECT ENCRYPT(a) FROM t": "SELECT OLD_PASSWORD(a) FROM t",
    "SELECT MATCH a, b AGAINST (v) FROM t": "SELECT MATCH(a, b) AGAINST('') FROM t",
}


@pytest.mark.parametrize(("sql", "read_as"), QUERIES.items(), ids=QUERIES)
def test_a_query_is_read_as(sql: str, read_as: str) -> None:
    statement = read(sql)
    assert isinstance(statement, Read)
    assert statement.query.sql("mysql") == read_as


def test_json_table_reads_with_all_its_clauses() -> None:
    statement = read(
        "SELECT j.a FROM t, JSON_TABLE(t.doc, '$' COLUMNS (a INT PATH '$.a' DEFAULT '0' ON EMPTY "
        "NULL ON ERROR, b INT EXISTS PATH '$.b')) AS j"
    )
    assert isinstance(statement, Read)


@pytest.mark.parametrize("sql", ["SELECT a FROM {{ source }}", "SELECT a FRM t WHERE"])
def test_what_is_no_sql_stays_unreadable(sql: str) -> None:
    with pytest.raises(UnreadableStatement):
        read(sql)
