"""What a fingerprint sees and what it does not."""

from __future__ import annotations

import pytest

from sqllineage_svc.sql.fingerprint import fingerprint

SAME = {
    "literals": ("select a from t where b = 'x' and c > 1", "select a from t where b = 'y' and c > 2.5e3"),
    "layout and comments": ("select a from t", "select a -- the first\n  from /* here */ t"),
    "letter case of keywords": ("select a from t", "SELECT a From t"),
    "longer list": ("select a from t where b in (1)", "select a from t where b in (2, 3, -4)"),
    "rows of VALUES": (
        "insert into t values (1, 'a')",
        "insert into t values (2, 'b'), (3, null), (default, 'c')",
    ),
    "paths": ("copy t from 's3://b/2026-01-01/' csv", "copy t from 's3://b/2026-01-02/' csv"),
}
DIFFERENT = {
    "names": ("select a from t", "select b from t"),
    "letter case of names": ("select a from t", "select A from t"),
    "quoted names": ("select a from t", 'select "a" from t'),
    "a literal and a column": ("select 1 from t", "select a from t"),
    "IS NULL": ("select a from t where b is null", "select a from t where b = 1"),
    "a list that holds more": ("select a from t where b in (1, 2)", "select a from t where b in (1, c)"),
    "calls without arguments": ("select f() from t", "select f(1) from t"),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_does_not_tell_apart(one: str, other: str) -> None:
    assert fingerprint(one, "redshift") == fingerprint(other, "redshift")


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_tells_apart(one: str, other: str) -> None:
    assert fingerprint(one, "redshift") != fingerprint(other, "redshift")


@pytest.mark.parametrize("text", ["select 'open", "", "/* only a comment */"])
def test_takes_a_text_without_tokens_as_it_is(text: str) -> None:
    assert fingerprint(text, "mysql") == fingerprint(text, "mysql")
    assert fingerprint(text, "mysql") != fingerprint(text + "2", "mysql")
    assert len(fingerprint(text, "mysql")) == 64
