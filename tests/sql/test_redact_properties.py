"""A secret planted anywhere in a clause goes; any text, however broken, is redacted once."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.sql.redact import SecretRules, original_column, redact, redact_with_cuts

REDSHIFT = load_dialect("redshift").secrets
MYSQL = load_dialect("mysql").secrets
EITHER = pytest.mark.parametrize("rules", [REDSHIFT, MYSQL], ids=["redshift", "mysql"])

REDSHIFT_TEMPLATES = """
copy t from 's3://b' ~ access_key_id ~ {}
unload ('select 1') to 's3://b' ~ secret_access_key ~ {} ~ gzip
copy t from 's3://b' ~ session_token ~ {}
copy t from 's3://b' ~ master_symmetric_key ~ {} ~ encrypted
copy t from 's3://b' ~ credentials ~ as ~ {}
create user u ~ password ~ {} ~ createdb
alter ~ user u ~ password ~ {}
select 1 where token ~ = ~ {} and a = 'b'
"""
MYSQL_TEMPLATES = """
create user u ~ identified ~ by ~ {}
alter user u identified ~ with p ~ as ~ {} , v
alter user u identified by 'x' ~ replace ~ {}
create user u identified ~ via p ~ using ~ {} or q ~ using ~ {}
clone instance from u@h:1 ~ identified ~ by ~ {}
set ~ password ~ for 'u'@'h' ~ = ~ {}
set password = ~ old_password ~ ( ~ {} )
set @pwd ~ := ~ {}
change replication source to source_password ~ = ~ {} , source_port = 1
create server s foreign data wrapper m options ~ ( host 'h', password ~ {} )
select aes_encrypt ~ ( a ~ , ~ {} ) from t
select {} ~ = ~ u.password from u
insert into t (a, token) values (1, ~ {} )
"""
_SPACES = st.sampled_from([" ", "\n", "\t \r\n", " /* x */ ", " -- it's\n", "/*'*/"])


@st.composite
def planted(draw: st.DrawFn, templates: str, quotes: str) -> tuple[str, str]:
    """A statement with a secret in it, and a part of the secret that nothing else holds."""
    core = draw(st.text("QXZJqxzj789", min_size=6, max_size=12))
    quote = draw(st.sampled_from(quotes))
    around = st.lists(
        st.sampled_from(
            ["a", " ", "\n", ";", "--", "/*", "@", "=", "%", "\\\\", quote * 2, "\\" + quote, "é"]
        )
    )
    literal = quote + "".join(draw(around)) + core + "".join(draw(around)) + quote
    pieces = draw(st.sampled_from(templates.strip().split("\n"))).format(literal, literal).split("~")
    text = "".join(piece + draw(_SPACES) for piece in pieces)
    if draw(st.booleans()):
        words = text.split("'")[0].split('"')[0]
        text = words.upper() + text[len(words) :]
    return text, core


@settings(deadline=None)
@given(planted(REDSHIFT_TEMPLATES, "'"))
def test_a_planted_secret_never_passes_redshift(case: tuple[str, str]) -> None:
    text, core = case
    assert core not in redact(text, REDSHIFT)
    assert core not in redact(text[:-2], REDSHIFT) or core not in text[:-2]


@settings(deadline=None)
@given(planted(MYSQL_TEMPLATES, "'\""))
def test_a_planted_secret_never_passes_mysql(case: tuple[str, str]) -> None:
    text, core = case
    assert core not in redact(text, MYSQL)


ATOMS = [
    *"'\"`#\\\n ;(),=:@/xN{\0\u0130",
    *(
        "$$",
        "$a$",
        "--",
        "/*",
        "*/",
        "/*!50003",
        "://u:",
        "||",
        "''",
        "\\'",
        "'a'",
        "***",
        "\r\n",
        "1234567",
        "0xab",
    ),
    *("password", "token", "identified by", "as", "using", "set password", "create user", "select", "from"),
    *(
        "(id, token) values (",
        "aes_encrypt(",
        "credentials",
        "secret=",
        "bearer ",
        "?sig=",
        "AKIAIOSFODNN7EXAMPLE",
    ),
    "-----BEGIN PRIVATE KEY-----",
]


@EITHER
@settings(deadline=None, max_examples=400)
@given(atoms=st.lists(st.sampled_from(ATOMS), max_size=14))
@example(atoms=["||", " ", "--", "token", ":", "'", "(", " ", "'"])
def test_any_text_is_redacted_once_and_keeps_its_lines(atoms: list[str], rules: SecretRules) -> None:
    text = "".join(atoms)
    redacted, cuts = redact_with_cuts(text, rules)
    assert redact(redacted, rules) is redacted
    assert redacted.count("\n") == text.count("\n")
    if redacted == text:
        assert redacted is text
        assert cuts == ()
    for line, (before, after) in enumerate(zip(text.split("\n"), redacted.split("\n"), strict=True), 1):
        assert original_column(redacted, cuts, line, len(after) + 1) == len(before) + 1
