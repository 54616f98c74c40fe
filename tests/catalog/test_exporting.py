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
from sqllineage_svc.catalog.exporting import export
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog, open_catalog
from sqllineage_svc.cli import main
from tests.catalog.asking import derived, flat
from tests.catalog.events import changed, copied, event, output
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
        return list(export(connection, valid))


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
