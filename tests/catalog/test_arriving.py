"""What an event is when it is in: its bytes, all but the secrets."""

from __future__ import annotations

import json
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.arriving import Arrival, arrive
from sqllineage_svc.catalog.cleaning import clean_broken, clean_json
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog
from tests.catalog.asking import derived
from tests.catalog.events import copied, event, output

SECRET = "Hunter2Hunter2"

TEXTS = {
    "user and password in a URL": "mysql://bo:{}@db:3306/shop",
    "password with a slash": "jdbc:redshift://bo:{}/x@db:5439/dev",
    "JDBC parameter": "jdbc:redshift://db:5439/dev?user=bo&password={}&ssl=true",
    "JDBC of SQL Server": "jdbc:sqlserver://db;user=bo;Password={};encrypt=true",
    "JDBC of Oracle": "jdbc:oracle:thin:bo/{}@db:1521:x",
    "IAM in JDBC": "jdbc:redshift:iam://db/dev?AccessKeyID=AKIA&SecretAccessKey={}",
    "signed address": "https://bucket.example/k?X-Amz-Signature={}&x=1",
    "JVM option": "-Dmail.password={} -Xmx1g",
    "COPY": "copy t from 's3://b/k' credentials 'aws_secret_access_key={}'",
    "CREATE USER of Redshift": "create user bo password '{}'",
    "CREATE USER of MySQL": "create user bo identified by '{}'",
    "several lines": "select 1;\n\talter user bo password '{}';\nselect 2",
}
KEYS = (
    "password",
    "spark.hadoop.fs.s3a.secret.key",
    "spark.hadoop.fs.s3a.access.key",
    "MYSQL_PASSWD",
    "apiKey",
    "private_key",
    "sessionToken",
    "AWS_CREDENTIALS",
    "javax.net.ssl.keyStorePassphrase",
)


def facet_event(facet: dict[str, Any], **said: object) -> bytes:
    """A COMPLETE event that copies a column, with a facet of its run."""
    moved = output("t", {"a": ["s.a"]})
    return event(1, 10, "COMPLETE", outputs=[moved], run_facets={"spark_properties": facet}, **said)


def kept(arrival: Arrival) -> bytes:
    return zlib.decompress(arrival.payload)


def without_identity(raw: bytes) -> bytes:
    """The event without what makes it one, so that it comes into quarantine."""
    return raw.replace(b'"runId"', b'"rumId"')


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("spoilt", [False, True], ids=["valid", "quarantined"])
def test_secrets_in_texts_go(text: str, spoilt: bool) -> None:
    sql = {"sql": {"query": text.replace("{}", SECRET)}}
    raw = facet_event(
        {"url": text.replace("{}", SECRET), "list": [text.replace("{}", SECRET)]}, job_facets=sql
    )
    arrival = arrive(without_identity(raw) if spoilt else raw, 5)
    assert arrival.redacted
    assert (arrival.event is None) == spoilt
    assert SECRET not in kept(arrival).decode()
    assert SECRET not in repr(arrival)
    content = json.loads(kept(arrival))
    properties = content["run"]["facets"]["spark_properties"]
    assert properties["list"] == [properties["url"]] == [content["job"]["facets"]["sql"]["query"]]
    shown = properties["url"]
    before, after = text.replace("/x@", "@").split("{}")
    assert shown.startswith(before)
    assert shown.endswith(after)
    assert "***" in shown


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("spoilt", [False, True], ids=["valid", "quarantined"])
@pytest.mark.parametrize(
    "value", [SECRET, [SECRET, [SECRET]], 8_675_309, f'a"b\\{SECRET}', f"{SECRET}\ud800"], ids=ascii
)
def test_secrets_under_names_of_secrets_go(key: str, spoilt: bool, value: Any) -> None:
    raw = facet_event({key: value, "kept": "as it is"})
    arrival = arrive(without_identity(raw) if spoilt else raw, 5)
    assert arrival.redacted
    assert (arrival.event is None) == spoilt
    assert SECRET not in kept(arrival).decode()
    facet = json.loads(kept(arrival))["run"]["facets"]["spark_properties"]
    assert facet == {key: ["***", ["***"]] if isinstance(value, list) else "***", "kept": "as it is"}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("cut", ["end", "start", "in the value"])
def test_secrets_go_from_what_is_no_json(text: str, encoding: str, cut: str) -> None:
    raw = facet_event({"url": text.replace("{}", SECRET), "password": SECRET}).decode()
    match cut:
        case "end":
            raw = raw[:-3]
        case "start":
            raw = raw[raw.index("spark_properties") :]
        case _:
            raw = raw[: raw.rindex(SECRET) + len(SECRET)]
    arrival = arrive(raw.encode(encoding), 5)
    assert arrival.event is None
    assert arrival.redacted
    assert arrival.faults[0].startswith("this is no JSON: ")
    assert SECRET not in kept(arrival).decode(encoding)
    assert SECRET not in repr(arrival)


@pytest.mark.parametrize("value", [True, False, None, ""])
def test_what_is_no_secret_under_such_a_name_stays(value: object) -> None:
    raw = facet_event({"passwordSet": value, "secrets": {"count": 3}, "tokens": []})
    arrival = arrive(raw, 5)
    assert not arrival.redacted
    assert kept(arrival) == raw


def test_all_but_the_secret_is_kept_byte_for_byte() -> None:
    raw = (
        b'{ "eventTime" : "2026-01-01T00:00:00\\u005a",\t"eventType":"COMPLETE", "run":{"runId":"r",\r\n'
        b' "facets":{"p":{"a":1.10,"a":2e400,"e":"\xc3\xa9\\u00e9\\/","password": "%s" ,"n":-0}}},'
        b' "job":{"name":"j","namespace":"n"} }\n'
    )
    arrival = arrive(raw % SECRET.encode(), 5)
    assert kept(arrival) == raw % b"***"
    assert arrival.event is not None
    assert arrival.event.run_facets["p"]["password"] == "***"


def test_keys_lose_secrets_too() -> None:
    raw = facet_event({f"mysql://bo:{SECRET}@db/x": 1, "mysql://db:3306/a@b": 2})
    facet = json.loads(kept(arrive(raw, 5)))["run"]["facets"]["spark_properties"]
    assert facet == {"mysql://bo:***@db/x": 1, "mysql://db:3306/a@b": 2}


def test_columns_named_like_secrets_keep_their_lineage() -> None:
    schema = {"schema": {"fields": [{"name": "password", "type": "varchar"}, {"name": "token"}]}}
    moved = output("t", {"password": ["s.secret"], "token": ["s.api_key"]}, facets=schema)
    raw = event(1, 10, "COMPLETE", outputs=[moved])
    arrival = arrive(raw, 5)
    assert not arrival.redacted
    assert kept(arrival) == raw


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=60))
def test_bytes_without_secrets_stay(raw: bytes) -> None:
    assert clean_broken(raw) == raw


JSON_VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters(exclude_categories=()))
    ),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=10,
)


@settings(deadline=None, max_examples=100)
@given(
    value=JSON_VALUES,
    encoding=st.sampled_from(["utf-8", "utf-16", "utf-16-le", "utf-32"]),
    escaped=st.booleans(),
    indent=st.sampled_from([None, 1]),
)
def test_json_without_secrets_stays(value: object, encoding: str, escaped: bool, indent: int | None) -> None:
    raw = json.dumps({"x": value}, ensure_ascii=escaped, indent=indent).encode(encoding, "surrogatepass")
    assert clean_json(raw) == raw
    with_one = json.dumps({"x": value, "password": SECRET, "y": value}, ensure_ascii=escaped, indent=indent)
    expected = with_one.replace(SECRET, "***")
    clean = clean_json(with_one.encode(encoding, "surrogatepass"))
    assert clean == expected.encode(encoding, "surrogatepass")
    assert clean_json(clean) == clean


def test_the_catalog_holds_no_secret_and_says_where_one_was(catalog: Catalog) -> None:
    sql = f"create user bo password '{SECRET}'"
    moved = output("t", {"a": ["s.a"]})
    whole = event(1, 10, "COMPLETE", outputs=[moved], job_facets={"sql": {"query": sql}})
    broken = facet_event({"password": SECRET})[:-1]
    nameless = without_identity(facet_event({"url": f"mysql://bo:{SECRET}@db"}))
    report = load(catalog, [whole, broken, nameless, *copied(2, 20, "t", "u")])
    assert report.redacted == 3
    assert [position for position, _ in report.quarantined] == [2, 3]
    assert SECRET not in repr(report)
    with catalog.reading() as connection:
        rows = connection.execute(select(tables.event)).all()
    assert sum(row.redacted for row in rows) == 3
    assert all(SECRET.encode() not in zlib.decompress(row.payload) for row in rows)
    assert SECRET not in repr(derived(catalog))
    assert (sql.replace(SECRET, "***"),) in [row[1:] for row in derived(catalog)["sql_text"]]  # type: ignore[index]


def test_the_same_event_in_other_bytes_is_another_one(catalog: Catalog) -> None:
    one = copied(1, 10, "a", "b")[1]
    other = json.dumps(json.loads(one), indent=1).encode()
    report = load(catalog, [one, other, one])
    assert (report.new, report.known) == (2, 1)
    with catalog.reading() as connection:
        payloads = connection.scalars(select(tables.event.c.payload)).all()
    assert {zlib.decompress(payload) for payload in payloads} == {one, other}
    assert len(derived(catalog)["run"]) == 1
