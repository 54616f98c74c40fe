"""Where a quote is missing or too many, literals and code change places; a secret must not come out by that."""

from __future__ import annotations

import pytest

from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.sql.redact import redact


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("mysql", "select 'it's', a from t where password = 'Pw1' and b = 'c'"),
        ("mysql", "select 'it's' from t;\ncreate user bo identified by 'Pw1'"),
        ("mysql", "select 'it's', aes_encrypt(a, 'Pw1'), 'b' from t"),
        ("mysql", "rename table `a to b; create user bo identified by 'Pw1'; drop table `c"),
        ("redshift", "select 'it's', a from t where password = 'Pw1' and b = 'c'"),
        ("redshift", "select a as \"b from t where password = 'Pw1' and b = \"c"),
    ],
)
def test_a_quote_too_many_shows_no_secret(dialect: str, text: str) -> None:
    assert "Pw1" not in redact(text, load_dialect(dialect).secrets)


@pytest.mark.parametrize(
    "text",
    [
        "select 'a'as b, password_changed_at from t",
        'select a as "men\'s", password_changed_at from t',
        "select 'a'||'b', api_key from t",
    ],
)
def test_no_quote_too_many(text: str) -> None:
    assert redact(text, load_dialect("redshift").secrets) == text
