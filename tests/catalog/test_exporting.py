"""A catalog moves as a file of its events: loaded elsewhere they give the same tables, and are the same events."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.arriving import as_line
from sqllineage_svc.catalog.exporting import count_exported, export
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.merging import rules
from sqllineage_svc.catalog.opening import Catalog, open_catalog
from sqllineage_svc.catalog.rules import Rule, rule_line
from sqllineage_svc.catalog.ruling import add_rule
from sqllineage_svc.cli import main
from sqllineage_svc.model.names import DatasetName
from tests.catalog.asking import derived, flat
from tests.catalog.events import NAMESPACE, changed, copied, event, micros, output
from tests.catalog.test_malformed import malformed
from tests.catalog.test_reindexing import declared, described

SECRET = {"documentation": {"description": "see https://me:hunter2@example.test/"}}


def all_sorts() -> list[bytes]:
    """Events of every kind, some on several lines, in UTF-16, with a secret, or no events at all."""
    pretty = json.dumps(json.loads(copied(3, 30, "c", "d")[1]), indent=2).encode()
    return [
        *flat([copied(1, 10, "a", "b"), copied(2, 20, "b", "c", "CREATE")]),
        pretty,
        event(4, 40, "COMPLETE", outputs=[output("e", {"a": ["d.a"]})]).decode().encode("utf-16"),
        event(5, 40, "COMPLETE", "x", inputs=["d"], outputs=[output("x")], job_facets=SECRET),
        event(5, 40, "COMPLETE", "y", inputs=["e"], outputs=[output("y")]),
        *changed(6, 50, "f", "RENAME", "e"),
        declared("view", 60, "f", output("v", {"a": ["f.a"]})),
        described(70, output("v", None, facets={"schema": {"fields": [{"name": "a", "type": "int"}]}})),
        b'{"password": "hunter2", nonsense',
        b'{"eventTime":\r\n "2026-01-01T00:00:00Z"}',
    ]


def kept(catalog: Catalog) -> list[tuple[object, ...]]:
    """What tells the events of a catalog apart, without when they came."""
    event = tables.event.c
    with catalog.reading() as connection:
        return sorted(map(tuple, connection.execute(select(event.hash, event.subject, event.kind))))


def lines(catalog: Catalog, valid: bool = False) -> list[bytes]:
    with catalog.reading() as connection:
        found = list(export(connection, valid))
        assert len(found) == count_exported(connection, valid)
    return found


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Catalog]:
    """An empty catalog in SQLite."""
    opened = open_catalog(f"sqlite:///{tmp_path / 'other.db'}")
    yield opened
    opened.close()


def test_a_catalog_moves_to_another_database_and_back(
    catalog: Catalog, other: Catalog, tmp_path: Path
) -> None:
    load(catalog, all_sorts())
    load(other, lines(catalog))
    assert derived(other) == derived(catalog)
    assert kept(other) == kept(catalog)
    back = open_catalog(f"sqlite:///{tmp_path / 'back.db'}")
    report = load(back, lines(other))
    again = load(back, lines(catalog))
    assert (derived(back), lines(back)) == (derived(catalog), lines(other))
    back.close()
    assert (report.new, len(report.quarantined), again.new) == (len(all_sorts()), 2, 0)


def test_the_order_of_events_that_meet_does_not_change(catalog: Catalog, other: Catalog) -> None:
    """Events of one run at one time count in the order of their names, secrets or not."""
    random = Random(3)
    events = [
        event(
            number // 4, 10, "RUNNING", f"j{number}",
            job_facets=SECRET if random.random() < 0.5 else {"sql": {"query": f"select {number}"}},
            outputs=[output("t", {"a": [f"s{number}.a"]}, random.choice(("CREATE", "TRUNCATE", None)))],
        )
        for number in range(40)
    ]  # fmt: skip
    load(catalog, events)
    load(other, lines(catalog))
    assert derived(other) == derived(catalog)


def test_events_come_in_order_as_they_came_without_what_is_kept_aside(catalog: Catalog) -> None:
    events = all_sorts()
    load(catalog, events)
    valid = lines(catalog, valid=True)
    times = [json.loads(line)["eventTime"] for line in valid]
    assert times == sorted(times)
    assert set(events[:4]) <= set(valid)
    assert as_line(events[4]) in valid
    assert json.loads(events[4]) == json.loads(as_line(events[4]))
    assert len(lines(catalog)) == len(valid) + 2 == len(events)
    assert not [line for line in lines(catalog) if b"hunter2" in line or b"\n" in line or b"\r" in line]


def test_malformed_events_move_too(catalog: Catalog, other: Catalog) -> None:
    random = Random(4)
    load(catalog, [malformed(random) for _ in range(300)])
    load(other, lines(catalog))
    assert derived(other) == derived(catalog)
    assert len(kept(other)) == len(kept(catalog))
    assert lines(other, valid=True) == lines(catalog, valid=True)


def rule(one: tuple[str, str], other: tuple[str, str], since: float | None = None) -> Rule:
    return Rule.of(
        DatasetName(*one), DatasetName(*other), micros(since) if since is not None else 0, micros(99)
    )


RULES = [
    rule((NAMESPACE, "b"), ("s3://lake", "b"), 15),
    rule((NAMESPACE, "c"), ("hive://h", "x"), 0.000001),
    rule((NAMESPACE, ""), ("redshift://alias", "")),
    rule((NAMESPACE, "not seen yet"), ("s3://lake", "näme")),
]


def ruled(catalog: Catalog) -> list[Rule]:
    with catalog.reading() as connection:
        return rules(connection)


def of_alias(events: list[bytes]) -> list[bytes]:
    """The events with their tables in another namespace."""
    return [
        one.replace(f'"{NAMESPACE}", "name": "c"'.encode(), b'"redshift://alias", "name": "c"')
        for one in events
    ]


@pytest.mark.parametrize("order", ["events first", "rules first", "shuffled"])
def test_rules_about_names_move_too(catalog: Catalog, other: Catalog, order: str) -> None:
    """The same names are joined and refused, from the same moments on."""
    events = flat(
        [copied(1, 10, "a", "b"), of_alias(copied(2, 20, "b", "c", "CREATE")), copied(3, 30, "c", "d")]
    )
    there = [
        event(number, 5, "COMPLETE", inputs=[{"namespace": space, "name": name}])
        for number, (space, name) in enumerate([("s3://lake", "b"), ("hive://h", "x")], 4)
    ]
    load(catalog, [*events, *there])
    with catalog.writing() as connection:
        for one in RULES:
            add_rule(connection, one.one, one.other, one.valid_from, one.made_at)
    moved = lines(catalog)
    assert moved[-len(RULES) :] == [rule_line(one) for one in ruled(catalog)]
    if order == "rules first":
        moved = moved[::-1]
    elif order == "shuffled":
        Random(5).shuffle(moved)
    report = load(other, moved, 500 if order == "events first" else 2)
    assert (report.read, report.new, report.rules, report.new_rules) == (len(moved) - 4, len(moved) - 4, 4, 4)
    assert derived(other) == derived(catalog)
    assert derived(other)["identity"]
    assert ruled(other) == ruled(catalog) == sorted(RULES)
    again = load(other, moved)
    assert (again.new, again.rules, again.new_rules, again.faulty) == (0, 4, 0, [])
    assert lines(other) == lines(catalog)


def test_a_rule_from_another_moment_on_does_not_replace_one(catalog: Catalog) -> None:
    one = rule((NAMESPACE, "b"), ("s3://lake", "b"))
    load(catalog, [rule_line(one)])
    report = load(catalog, [*copied(1, 10, "a", "b"), rule_line(one._replace(valid_from=micros(7)))])
    assert (report.read, report.rules, report.new_rules) == (2, 1, 0)
    assert [(place, faults[0][:11]) for place, faults in report.faulty] == [(3, "these names")]
    assert ruled(catalog) == [one]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"one": {"namespace": "a", "name": "t"}}, "identityRule.other.namespace is missing"),
        ({"one": {"namespace": "a", "name": "t"}, "other": {"namespace": "a", "name": "u"}, "madeAt": "2026-01-01"},
         "identityRule joins two names of one namespace"),
        ({"one": {"namespace": "a", "name": "t"}, "other": {"namespace": "b"}, "madeAt": "2026-01-01"},
         "identityRule joins a dataset and a namespace"),
        ({"one": {"namespace": "a"}, "other": {"namespace": "b"}, "madeAt": "once"},
         "identityRule.madeAt is no time; expected RFC 3339, e.g. 2026-01-31T09:00:00Z"),
        ([], "identityRule is no object"),
    ],
)  # fmt: skip
def test_a_rule_that_is_none_is_kept_aside(catalog: Catalog, said: object, why: str) -> None:
    report = load(catalog, [json.dumps({"identityRule": said}).encode()])
    assert report.quarantined == [(1, why)]
    assert (report.read, report.rules, ruled(catalog)) == (1, 0, [])


@pytest.mark.parametrize("name", ["-", "events.jsonl", "events.jsonl.gz"])
def test_the_command_writes_what_load_reads(tmp_path: Path, name: str) -> None:
    one, other = (f"sqlite:///{tmp_path / file}" for file in ("one.db", "other.db"))
    path = name if name == "-" else str(tmp_path / name)
    runner = CliRunner()
    events = b"\n".join(flat([copied(1, 10, "s", "t"), copied(2, 20, "t", "u")]))
    runner.invoke(main, ["load", "-", "--catalog", one], input=events)
    written = runner.invoke(main, ["catalog", "export", path, "--catalog", one])
    assert written.exit_code == 0, written.output
    if name.endswith(".gz"):
        assert gzip.decompress((tmp_path / name).read_bytes()) == events + b"\n"
    elif name != "-":
        assert (tmp_path / name).read_bytes() == events + b"\n"
    assert not list(tmp_path.glob("*.part"))
    loaded = runner.invoke(main, ["load", path, "--catalog", other], input=written.stdout_bytes)
    assert loaded.output == "4 events: 4 new, 0 known, 0 kept aside\n"


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    arguments = ["catalog", "export", str(tmp_path / "no" / "where"), "--catalog", f"sqlite:///{tmp_path}/c"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "where cannot be written: No such file" in result.output
