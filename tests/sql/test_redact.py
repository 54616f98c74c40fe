"""No secret passes the door, and nothing else is lost there."""

from __future__ import annotations

import pytest

from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.sql.redact import Cut, SecretRules, original_column, redact, redact_with_cuts

REDSHIFT = load_dialect("redshift").secrets
MYSQL = load_dialect("mysql").secrets
KEY_ID = "AKIAIOSFODNN7EXAMPLE"
EITHER = pytest.mark.parametrize("rules", [REDSHIFT, MYSQL], ids=["redshift", "mysql"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            f"copy t from 'k' credentials 'aws_access_key_id={KEY_ID};aws_secret_access_key=w/;token==' csv",
            "copy t from 'k' credentials 'aws_access_key_id=***;aws_secret_access_key=***;token=***' csv",
            id="credentials with keys",
        ),
        pytest.param(
            "copy t from 'k' credentials as 'aws_iam_role=arn:aws:iam::1:role/x; master_symmetric_key=k'",
            "copy t from 'k' credentials as 'aws_iam_role=arn:aws:iam::1:role/x; master_symmetric_key=***'",
            id="credentials with a role",
        ),
        pytest.param(
            "unload ('select 1') to 's3://b/token=x' ACCESS_KEY_ID 'a' SECRET_ACCESS_KEY\n'b' "
            "session_token 'c' kms_key_id 'stays' master_symmetric_key 'd' encrypted",
            "unload ('select 1') to 's3://b/token=x' ACCESS_KEY_ID '***' SECRET_ACCESS_KEY\n'***' "
            "session_token '***' kms_key_id 'stays' master_symmetric_key '***' encrypted",
            id="key parameters",
        ),
        pytest.param(
            "unload ('select a from t where password = ''x'' and token = u.token and d = ''keep''') to 's3://b/k'",
            "unload ('select a from t where password = ''***'' and token = u.token and d = ''keep''') to 's3://b/k'",
            id="a query in UNLOAD",
        ),
        pytest.param(
            "unload ($$select a from t where password = 'x' and d = 'keep'$$) to 's3://b/k'",
            "unload ($$select a from t where password = '***' and d = 'keep'$$) to 's3://b/k'",
            id="a query in dollars",
        ),
        pytest.param("create user bo with password 'Pw1'", "create user bo with password '***'", id="user"),
        pytest.param(
            'alter user bo password "Pw1" createdb', 'alter user bo password "***" createdb', id="name"
        ),
        pytest.param(
            "create user bo password md5153c434b4b77", "create user bo password '***'", id="bare hash"
        ),
        pytest.param("create user bo password disable", "create user bo password disable", id="disabled"),
        pytest.param("create user bo password $x$a'b$x$", "create user bo password $x$***$x$", id="dollars"),
        pytest.param(
            """create identity provider p parameters '{"id":"i","client_secret":"BU~x","audience":[]}'""",
            """create identity provider p parameters '{"id":"i","client_secret":"***","audience":[]}'""",
            id="identity provider",
        ),
        pytest.param(
            "create external schema s from kafka secret_arn 'arn:aws:secretsmanager:us:123:secret:n-a'",
            "create external schema s from kafka secret_arn 'arn:aws:secretsmanager:us:123:secret:n-a'",
            id="secret's arn",
        ),
        pytest.param(
            "create procedure p() as $$ begin execute 'create user u password ''a'''; end $$",
            "create procedure p() as $$ begin execute 'create user u password ''***'''; end $$",
            id="text in a text",
        ),
        pytest.param(
            'select token "t", password as "p" from u', 'select token "t", password as "p" from u', id="alias"
        ),
    ],
)
def test_redshift_clauses(text: str, expected: str) -> None:
    assert redact(text, REDSHIFT) == expected
    assert redact(expected, REDSHIFT) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "create user 'a'@'h' identified with p by 'x' replace \"y\", b identified by password '*90E'",
            "create user 'a'@'h' identified with p by '***' replace \"***\", b identified by password '***'",
            id="by",
        ),
        pytest.param(
            "alter user a identified with 'p' as 0x2A90E4 comment 'keep'",
            "alter user a identified with 'p' as '***' comment 'keep'",
            id="hash in hexadecimal",
        ),
        pytest.param(
            "create user a identified via ed25519 using 'h' or pam using PASSWORD('x') require ssl",
            "create user a identified via ed25519 using '***' or pam using PASSWORD('***') require ssl",
            id="via",
        ),
        pytest.param(
            "grant all on d.* to u@'h' identified by 'x' with grant option",
            "grant all on d.* to u@'h' identified by '***' with grant option",
            id="grant",
        ),
        pytest.param("set password = 'x'", "set password = '***'", id="own password"),
        pytest.param(
            "SET PASSWORD FOR 'u'@'%' = PASSWORD('x')",
            "SET PASSWORD FOR 'u'@'%' = PASSWORD('***')",
            id="hashed",
        ),
        pytest.param(
            "set password for u@h='x'replace'y'", "set password for u@h='***'replace'***'", id="tight"
        ),
        pytest.param("set password for u to random", "set password for u to random", id="random"),
        pytest.param(
            "change master to master_host='h', master_password='x', master_ssl_key='/k.pem'",
            "change master to master_host='h', master_password='***', master_ssl_key='/k.pem'",
            id="change master",
        ),
        pytest.param(
            "start replica user='u' password='x'", "start replica user='u' password='***'", id="replica"
        ),
        pytest.param(
            "create server s foreign data wrapper mysql options (host 'h', PASSWORD 'x', port 1)",
            "create server s foreign data wrapper mysql options (host 'h', PASSWORD '***', port 1)",
            id="server",
        ),
        pytest.param(
            "create table t (a int) engine=federated connection='mysql://fed:p@ss@host:9306/d/t'",
            "create table t (a int) engine=federated connection='mysql://fed:***@host:9306/d/t'",
            id="federated",
        ),
        pytest.param(
            'create table t (a int) engine=spider comment=\'user "u", password "x", database "d"\'',
            'create table t (a int) engine=spider comment=\'user "u", password "***", database "d"\'',
            id="spider",
        ),
        pytest.param(
            "select aes_decrypt(c, sha2('k', 512)), encode(a, _utf8mb4'k'), password(N'x'), f('keep')",
            "select aes_decrypt(c, sha2('***', 512)), encode(a, _utf8mb4'***'), password(N'***'), f('keep')",
            id="functions",
        ),
        pytest.param(
            "select decode(f(a, b), 'k'), decode(a, 'keep', 'keep')",
            "select decode(f(a, b), '***'), decode(a, 'keep', 'keep')",
            id="function of two",
        ),
        pytest.param(
            "set @password := 'x', @n = 'keep'", "set @password := '***', @n = 'keep'", id="variable"
        ),
        pytest.param(
            "/*!50003 create user x identified by 'y' */",
            "/*!50003 create user x identified by '***' */",
            id="versioned",
        ),
        pytest.param(
            "select password 'p', token \"t\" from u", "select password 'p', token \"t\" from u", id="alias"
        ),
        pytest.param(
            "prepare s from 'set password = \\'x\\''",
            "prepare s from 'set password = \\'***\\''",
            id="prepared",
        ),
        pytest.param("select 1 # token=x", "select 1 # token=***", id="hash comment"),
    ],
)
def test_mysql_clauses(text: str, expected: str) -> None:
    assert redact(text, MYSQL) == expected
    assert redact(expected, MYSQL) is expected


@EITHER
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "select pwd from t where token = 'x' and lower(t.`pwd`) in ('a', 'b') or 'c' <> secret",
            "select pwd from t where token = '***' and lower(t.`pwd`) in ('***', '***') or '***' <> secret",
            id="compared",
        ),
        pytest.param(
            "update t set api_key = 'x', n = 'k'", "update t set api_key = '***', n = 'k'", id="assigned"
        ),
        pytest.param(
            "update t set password = 'x', n = 'k'", "update t set password = '***', n = 'k'", id="set"
        ),
        pytest.param("select 1 where token = 123456", "select 1 where token = '***'", id="number"),
        pytest.param(
            "select 1 where pwd = 'a' || b || 'c'", "select 1 where pwd = '***' || b || '***'", id="joined"
        ),
        pytest.param(
            "select 1 where pwd = 'a' -- c\n 'b'", "select 1 where pwd = '***' -- c\n '***'", id="adjacent"
        ),
        pytest.param(
            "insert into t (id, password) values (1, 'x'), (f(2, 'k'), md5('y'))",
            "insert into t (id, password) values (1, '***'), (f(2, 'k'), md5('***'))",
            id="rows",
        ),
        pytest.param(
            "insert into t (token, n) select 'x', 'k' from s",
            "insert into t (token, n) select '***', 'k' from s",
            id="select list",
        ),
        pytest.param(
            "select 'x' as token, 'k' as n", "select '***' as token, 'k' as n", id="literal's alias"
        ),
        pytest.param("select 'host=h pwd=a;b=c'", "select 'host=h pwd=***;b=c'", id="connection string"),
        pytest.param(f"select '{KEY_ID}', 'k'", "select '***', 'k'", id="key id"),
        pytest.param(
            "select 'https://b.s3/k?AWSAccessKeyId=A&Signature=a%2B&X-Amz-Security-Token=c&X-Amz-Date=k'",
            "select 'https://b.s3/k?AWSAccessKeyId=***&Signature=***&X-Amz-Security-Token=***&X-Amz-Date=k'",
            id="signed address",
        ),
        pytest.param(
            "select 'Authorization: Bearer a.b-c'", "select 'Authorization: Bearer ***'", id="bearer"
        ),
        pytest.param(f"copy t from 's3://{KEY_ID}:a/b+c@k'", "copy t from 's3://***@k'", id="key in a path"),
        pytest.param(
            'select \'{"token": 5, "a": 1}\'', 'select \'{"token": ***, "a": 1}\'', id="number in json"
        ),
        pytest.param("select 'ftp://u:p@h/k'", "select 'ftp://u:***@h/k'", id="address"),
        pytest.param("-- password: a;b c\nselect 1", "-- password: *** c\nselect 1", id="line comment"),
        pytest.param("select 1 /* token=a */", "select 1 /* token=*** */", id="block comment"),
        pytest.param(
            "/* create user u password 'x y' */ select 1",
            "/* create user u password '***' */ select 1",
            id="statement in a comment",
        ),
        pytest.param(
            "select 1 where pwd = 'a\n\r\nb' or c", "select 1 where pwd = '***\n\r\n' or c", id="line breaks"
        ),
        pytest.param("set token = 'it''s' + 'a\\'b'", "set token = '***' + '***'", id="escapes"),
        pytest.param("set token = ''", "set token = ''", id="empty"),
    ],
)
def test_what_shows_anywhere(text: str, expected: str, rules: SecretRules) -> None:
    assert redact(text, rules) == expected
    assert redact(expected, rules) is expected


@EITHER
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("select password, token from users u join t on t.token = u.token", id="columns"),
        pytest.param(
            "create table secret (token varchar(9) not null, pwd text default 'k')", id="definitions"
        ),
        pytest.param("with token as (select 'k' as a) select * from token where a = 'k'", id="relations"),
        pytest.param("select a from t where token in (select b from s where c = 'k')", id="subquery"),
        pytest.param("insert into t (token, n) select s.token, 'k' from s", id="insert"),
        pytest.param("select token_count, secretary from t where tokens > 4096", id="longer names"),
        pytest.param(
            "copy t from 's3://b/secret=1/pwd=2' iam_role 'arn:aws:iam::123:role/token'", id="paths"
        ),
        pytest.param("select 'the password is required' -- no secret here", id="prose"),
        pytest.param("select 'it''s', 1 from t", id="no trigger"),
        pytest.param("select a from t where t.token = u.token and b = 'k'", id="compared columns"),
        pytest.param("select a from t where token=u.token", id="compared closely"),
    ],
)
def test_what_is_no_secret_stays(text: str, rules: SecretRules) -> None:
    assert redact(text, rules) is text


@EITHER
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "create user bo password 'abc\ndef; select", "create user bo password***\n", id="never closed"
        ),
        pytest.param("select 'it's', pwd = 'ab'", "select 'it's', pwd***", id="closed too early"),
        pytest.param("token=ab' with c as (select 'x", "token***", id="only the end of a literal"),
        pytest.param("api_key=ab/c' create table 'x'", "api_key***", id="a literal cut at a semicolon"),
        pytest.param("select 'don", "select 'don", id="no trigger"),
        pytest.param(f"select '{KEY_ID}", "select '***", id="key id"),
    ],
)
def test_an_open_quote_hides_all_behind_it(text: str, expected: str, rules: SecretRules) -> None:
    assert redact(text, rules) == expected


def test_columns_behind_a_secret_are_found_again() -> None:
    text = "set token = 'long secret', pwd = 'x\nyz', a\n, pwd = '1', oops"
    redacted, cuts = redact_with_cuts(text, REDSHIFT)
    assert redacted == "set token = '***', pwd = '***\n', a\n, pwd = '***', oops"
    assert cuts == (Cut(16, 8), Cut(29, -2), Cut(30, 2), Cut(47, -2))
    for line, (before, after) in enumerate(zip(text.split("\n"), redacted.split("\n"), strict=True), 1):
        assert original_column(redacted, cuts, line, len(after) + 1) == len(before) + 1
    assert original_column(redacted, cuts, 1, 5) == 5
    assert original_column(redacted, cuts, 9, 5) == 5


def test_the_rules_read_text_as_the_dialect_does() -> None:
    for name in ("redshift", "mysql"):
        dialect = load_dialect(name)
        assert dialect.secrets.lexis is dialect.lexis


@EITHER
@pytest.mark.parametrize(
    "unit",
    [
        "pwd = 'a', ",
        "token=(",
        "/* token",
        "'token=a',",
        "(token) values (",
        "://a:b",
        "pwd 'a' || ",
        'token"',
    ],
)
def test_a_large_text_is_read_in_bounded_time(unit: str, rules: SecretRules) -> None:
    redact(unit * (300_000 // len(unit)), rules)


@EITHER
def test_a_text_of_five_megabytes_without_secrets_is_the_same_text(rules: SecretRules) -> None:
    text = "select a, b from t where c = 'd';\n" * 150_000
    assert redact(text, rules) is text
