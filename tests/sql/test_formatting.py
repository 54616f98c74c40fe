"""SQL laid out to be read; what cannot be read is left to the caller."""

from __future__ import annotations

import pytest

from sqllineage_svc.sql.formatting import format_sql


@pytest.mark.parametrize("dialect", [None, "redshift", "REDSHIFT", "unheard of"])
def test_a_query_is_laid_out(dialect: str | None) -> None:
    assert format_sql("select a,b from t where c=1", dialect) == "SELECT\n  a,\n  b\nFROM t\nWHERE\n  c = 1"


def test_several_statements_stay_apart() -> None:
    assert format_sql("select 1; drop table t", "mysql") == "SELECT\n  1;\n\nDROP TABLE t"


@pytest.mark.parametrize(
    "text", ["select from where", "select 'open", "", "unload ('select 1') to 's3://b'", "((((" * 400, "a ?"]
)
def test_what_cannot_be_read_is_not_laid_out(text: str) -> None:
    assert format_sql(text, "redshift") is None
