"""Whatever comes is loaded, noted or put aside: no event stops a load or harms another."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from sqlalchemy import func, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.arriving import QUARANTINED, arrive
from sqllineage_svc.catalog.loading import LoadReport, load
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.reindexing import reindex
from tests.catalog.asking import asked, derived
from tests.catalog.events import copied, event, output
from tests.catalog.test_reindexing import declared, described
from tests.openlineage.shapes import AIRFLOW, DBT_VIEW, GLUE, JOB

_SCHEMA = {"schema": {"fields": [{"name": "a", "type": "int", "fields": [{"name": "x"}]}]}}
VALID: list[Any] = [
    *(GLUE, AIRFLOW, DBT_VIEW, JOB),
    *map(json.loads, copied(1, 10, "a", "b", "OVERWRITE")),
    json.loads(
        event(
            *(2, 20, "COMPLETE"),
            inputs=["b"],
            outputs=[output("c", {"a": ["b.a"]}, "RENAME", previous="d", facets=_SCHEMA)],
            job_facets={"sql": {"query": "select 'x'"}, "jobType": {"processingType": "STREAMING"}},
            run_facets={"externalQuery": {"externalQueryId": "7"}, "errorMessage": {"message": "no"}},
        )
    ),
    json.loads(declared("j", 30, "b", output("c", {"a": ["b.a"]}))),
    json.loads(described(40, output("v", {"a": ["b.a"]}))),
]
TEXTS = (
    "",
    "\0",
    "a\0b",
    "\ud800",
    "x\udfff",
    "é漢😀\ufeff",
    "n" * 5_000,
    "%s{}'\"\\;--",
    "2026-13-01",
    "START",
)
TIMES = (
    *(
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999Z",
        "1969-12-31T23:59:59Z",
        "1900-01-01",
        "20260101",
    ),
    *("9999-12-31T23:59:59-14:00", "2026-W05", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00.1+00:00:01"),
)
NUMBERS = (0, -1, 2**63, -(2**63) - 1, 10**4_000, 1e308, float("inf"), float("nan"), 0.1, True)


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a document: what holds it, and under which key."""
    found = []
    stack = [value]
    while stack:
        holder = stack.pop()
        if isinstance(holder, dict | list):
            keys = list(holder) if isinstance(holder, dict) else range(len(holder))
            found += [(holder, key) for key in keys]
            stack += [holder[key] for key in keys]
    return found


def _any_value(random: Random) -> Any:
    def nested() -> Any:
        value: Any = 1
        for _ in range(random.choice((3, 60))):
            value = random.choice(([value], {"fields": [value], "name": "n"}))
        return value

    def large() -> list[Any]:
        return [{"namespace": "n", "name": f"x{number}"} for number in range(random.choice((30, 400)))]

    makers: tuple[Callable[[], Any], ...] = (
        *(lambda: random.choice(TEXTS), lambda: random.choice(TIMES), lambda: random.choice(NUMBERS)),
        *(lambda: random.choice((None, True, [], {}, [[]], [None], {"": None}, {"\0": "\0"})), nested, large),
        lambda: random.choice(("DEEP", {"x": "DEEP"})),
    )
    return random.choice(makers)()


def _replace_values(content: Any, random: Random) -> None:
    for _ in range(random.randint(1, 4)):
        holder, key = random.choice(_places(content) or [([0], 0)])
        holder[key] = _any_value(random)


def _swap_values(content: Any, random: Random) -> None:
    (one, here), (other, there) = random.choice(_places(content)), random.choice(_places(content))
    one[here], other[there] = json.loads(json.dumps(other[there])), json.loads(json.dumps(one[here]))


def _lose_members(content: Any, random: Random) -> None:
    for _ in range(random.randint(1, 4)):
        objects = [(holder, key) for holder, key in _places(content) if isinstance(holder, dict)]
        if objects:
            holder, key = random.choice(objects)
            holder[random.choice((f"{key}x", "\ud800", "name", "_deleted"))] = holder.pop(key)


def _change_times(content: Any, random: Random) -> None:
    content["eventTime"] = random.choice(TIMES)


CHANGES = (_replace_values, _replace_values, _swap_values, _lose_members, _change_times)


def _flip(raw: bytes, random: Random) -> bytes:
    changed = bytearray(raw)
    for _ in range(random.randint(1, 8)):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _cut(raw: bytes, random: Random) -> bytes:
    start, end = sorted((random.randrange(len(raw)), random.randrange(len(raw) + 1)))
    return random.choice((raw[:end], raw[start:], raw[start:end], raw + raw, raw[:start] + raw[end:]))


def _encode(raw: bytes, random: Random) -> bytes:
    text = raw.decode("utf-8", "surrogatepass")
    encoding = random.choice(("utf-16", "utf-32-be", "utf-8-sig", "cp037"))
    return text.encode(encoding, "replace" if encoding == "cp037" else "surrogatepass")


def _dig(raw: bytes, random: Random) -> bytes:
    deep = random.choice((b"[" * 5_000 + b"]" * 5_000, b'{"a":' * 3_000 + b"1" + b"}" * 3_000, b"9" * 5_000))
    return raw.replace(random.choice((b'"COMPLETE"', b"[]", b"{}", b'"a"')), deep, 1)


def malformed(random: Random) -> bytes:
    """A valid event to which something happened; rarely it still is valid."""
    content = json.loads(json.dumps(random.choice(VALID)))
    if "run" in content:  # some share a run
        content["run"]["runId"] = f"run {random.randrange(2_000)}"
    if random.random() < 0.6:
        for _ in range(random.randint(1, 2)):
            if isinstance(content, dict) and content:
                random.choice(CHANGES)(content, random)
    raw = json.dumps(content, ensure_ascii=random.random() < 0.7).encode("utf-8", "surrogatepass")
    levels = random.choice((60, 230, 900))
    raw = raw.replace(b'"DEEP"', b'{"fields":[' * levels + b"1" + b"]}" * levels)
    if random.random() < 0.4:
        raw = random.choice((_flip, _cut, _encode, _dig))(raw, random)
    return raw


def check(catalog: Catalog, events: list[bytes], report: LoadReport) -> None:
    """Every event is kept, and counted as what it is."""
    assert report.read == len(events)
    names = [arrive(one, 0).hash for one in events]
    assert report.new == len(set(names))
    assert report.known == len(events) - len(set(names))
    told = [position for position, _ in (*report.faulty, *report.quarantined)]
    assert len(told) == len(set(told))
    assert set(told) <= set(range(1, len(events) + 1))
    assert all(fault and fault.encode() for _, faults in report.faulty for fault in faults)
    assert all(faults for _, faults in report.faulty)
    assert all(reason and reason.encode() for _, reason in report.quarantined)
    with catalog.reading() as connection:
        kept = connection.execute(select(tables.event.c.kind, tables.event.c.faults)).all()
    assert len(kept) == len(set(names))
    aside = {names[position - 1] for position, _ in report.quarantined}
    assert sum(row.kind == QUARANTINED for row in kept) == len(aside)
    assert all(json.loads(row.faults) for row in kept if row.kind == QUARANTINED)


def test_malformed_events_are_kept_and_stop_nothing(catalog: Catalog, proving: bool) -> None:
    random = Random(2)
    count = 10_000 if proving else 300
    events, sound = [], 0
    for number in range(count):
        events.append(malformed(random))
        if number % 50 == 0:
            events += copied(1_000 + number, 1_000 + number, f"sound{sound}", f"sound{sound + 1}")
            sound += 1
    report = load(catalog, events, 40)
    check(catalog, events, report)
    assert len(report.quarantined) > count / 10
    assert len(report.faulty) > count / 10
    assert asked(catalog, f"sound{sound}", 100_000) == {f"sound{number}" for number in range(sound)}
    loaded = derived(catalog)
    reindex(catalog)
    assert derived(catalog) == loaded


@pytest.mark.parametrize("time", TIMES)
def test_any_time_is_read_or_put_aside(catalog: Catalog, time: str) -> None:
    content = json.loads(copied(1, 10, "early", "b")[1])
    content["eventTime"] = time
    report = load(catalog, [json.dumps(content).encode(), *copied(2, 20, "a", "b")])
    assert report.new == 3
    now = asked(catalog, "b", 30)
    if report.quarantined:
        assert now == {"a"}
        assert "eventTime is no time" in report.quarantined[0][1]
    else:
        assert now == ({"a"} if time[:4] == "9999" or "W" in time else {"a", "early"})


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:20])
@pytest.mark.parametrize(
    "path", ["job/name", "job/facets/sql/query", "run/facets/externalQuery/externalQueryId", "outputs/0/name"]
)
def test_any_text_is_kept_where_it_can_be(catalog: Catalog, path: str, text: str) -> None:
    facets = {"sql": {"query": "select 1"}}
    query = {"externalQuery": {"externalQueryId": "7"}}
    moved = [output("t", {"a": ["s.a"]}), output("sound", {"a": ["s.a"]})]
    content = json.loads(event(1, 10, "COMPLETE", outputs=moved, job_facets=facets, run_facets=query))
    *above, last = path.split("/")
    holder = content
    for key in above:
        holder = holder[int(key) if key.isdigit() else key]
    holder[last] = text
    report = load(catalog, [json.dumps(content).encode(), *copied(2, 20, "sound", "next")])
    assert report.new == 3
    assert bool(report.quarantined) == (path == "job/name" and not is_name(text))
    assert bool(report.faulty) == (path == "outputs/0/name" and not is_name(text))
    assert asked(catalog, "next", 30) == ({"sound"} if report.quarantined else {"sound", "s"})


def is_name(text: str) -> bool:
    return text not in ("", "\0", "a\0b", "\ud800", "x\udfff")


def test_names_too_long_for_an_index_are_kept_shortened(catalog: Catalog) -> None:
    """Their lineage is that of the whole names, however alike their beginnings are."""
    random = Random(3)
    long = "".join(chr(random.randrange(0x4E00, 0x9FFF)) for _ in range(4_000))
    first, second = f"{long}1", f"{long}2"
    load(catalog, [*copied(1, 10, "a", first), *copied(2, 20, "b", second), *copied(3, 30, first, "c")])
    shown = long.encode()[:1_998].decode() + "…"
    assert asked(catalog, "c", 40) == {shown, "a"}
    with catalog.reading() as connection:
        names = connection.scalars(select(tables.dataset.c.name)).all()
        jobs = connection.scalar(select(func.count()).select_from(tables.job))
    assert sorted(names) == ["a", "b", "c", shown, shown]
    assert jobs == 3
    loaded = derived(catalog)
    reindex(catalog)
    assert derived(catalog) == loaded


def test_the_same_declaration_twice_in_one_batch_is_one(catalog: Catalog) -> None:
    one = described(10, output("t", {"a": ["s.a"]}))
    report = load(catalog, [one, one, declared("j", 10, "s", output("u")), one])
    assert (report.read, report.new, report.known) == (4, 2, 2)
    assert asked(catalog, "t", 20) == {"s"}
    assert len(derived(catalog)["run"]) == 2
