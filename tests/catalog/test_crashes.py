"""A load that is killed and resumed is a load, two at once are one, and reindexing is whole or was not."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import open_catalog
from tests.catalog.asking import derived, flat
from tests.catalog.events import changed, copied
from tests.catalog.test_order import emptied

ROOT = Path(__file__).parents[2]
RUNS = 150
SECONDS = 300
LOADER = """
import sys
from pathlib import Path
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import open_catalog
url, path, batch = sys.argv[1:]
print("ready", flush=True)
catalog = open_catalog(url)
load(catalog, Path(path).read_bytes().splitlines(), int(batch))
catalog.close()
print("done", flush=True)
"""
REINDEXER = """
import sys
from sqllineage_svc.catalog.opening import open_catalog
from sqllineage_svc.catalog.reindexing import reindex
print("ready", flush=True)
catalog = open_catalog(sys.argv[1])
reindex(catalog)
catalog.close()
print("done", flush=True)
"""


def some_events(seed: int, runs: int = RUNS) -> list[bytes]:
    """Events of runs that copy, rename and empty a few tables, out of order and some twice."""
    random = Random(seed)
    made = []
    for number in range(runs):
        one, other = (f"t{random.randrange(6)}" for _ in range(2))
        at = random.randrange(runs)
        if random.random() < 0.8:
            made.append(copied(number, at, one, other, random.choice((None, "OVERWRITE", "CREATE"))))
        else:
            made.append(changed(number, at, one, random.choice(("DROP", "TRUNCATE", "RENAME")), other))
    events = flat(made)
    events += random.sample(events, len(events) // 10)
    random.shuffle(events)
    return events


def child(script: str, *arguments: str | Path | int) -> subprocess.Popen[str]:
    """A Python process that runs a script; it says `ready` before it begins, and `done`."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def finished(process: subprocess.Popen[str]) -> None:
    """Wait for the end of a child that nobody kills."""
    said, complaint = process.communicate(timeout=SECONDS)
    assert (process.returncode, complaint) == (0, "")
    assert said.endswith("done\n")


def killed(process: subprocess.Popen[str], after: float) -> bool:
    """Kill a child so many seconds after it began; False where it was done before."""
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    said, complaint = process.communicate(timeout=SECONDS)
    assert complaint == ""
    if process.returncode == 0:
        assert said == "done\n"
        return False
    assert process.returncode == -signal.SIGKILL
    return True


def empty(url: str) -> None:
    catalog = open_catalog(url)
    emptied(catalog).close()


def tables_of(url: str) -> dict[str, list[object]]:
    catalog = open_catalog(url)
    try:
        return derived(catalog)
    finally:
        catalog.close()


def tables_of_a_whole_load(events: Sequence[bytes], path: Path) -> dict[str, list[object]]:
    """The tables after an uninterrupted load into another catalog."""
    catalog = open_catalog(f"sqlite:///{path / 'whole.db'}")
    try:
        load(catalog, events)
        return derived(catalog)
    finally:
        catalog.close()


def seconds_of(process: subprocess.Popen[str]) -> float:
    """How long a child takes from when it begins."""
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    began = time.monotonic()
    finished(process)
    return time.monotonic() - began


@pytest.fixture
def kills(proving: bool) -> int:
    """How many times a child is killed."""
    return 50 if proving else 4


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The file of the events that children load."""
    path = tmp_path / "events"
    path.write_bytes(b"\n".join(some_events(1)))
    return path


def test_a_load_that_is_killed_and_begun_again_is_one_load(
    catalog_url: str, tmp_path: Path, written: Path, kills: int
) -> None:
    """Each kill is at a random moment of a whole load; when the load gets to its end a new catalog begins."""
    random = Random(7)
    expected = tables_of_a_whole_load(written.read_bytes().splitlines(), tmp_path)
    took = seconds_of(child(LOADER, f"sqlite:///{tmp_path / 'timed.db'}", written, 10))
    parts: set[int] = set()
    for _ in range(kills):
        while not killed(child(LOADER, catalog_url, written, 10), random.uniform(0, took)):
            assert tables_of(catalog_url) == expected
            empty(catalog_url)
        parts.add(len(tables_of(catalog_url)["run"]))
    finished(child(LOADER, catalog_url, written, 10))
    assert tables_of(catalog_url) == expected
    assert any(0 < part < len(expected["run"]) for part in parts)


def test_reindexing_that_is_killed_changes_nothing(
    catalog_url: str, tmp_path: Path, written: Path, kills: int
) -> None:
    """It is one transaction, so that fewer moments tell as much as with a load in many."""
    random = Random(8)
    finished(child(LOADER, catalog_url, written, 100))
    expected = tables_of(catalog_url)
    took = seconds_of(child(REINDEXER, catalog_url))
    for _ in range(max(3, kills // 5)):
        killed(child(REINDEXER, catalog_url), random.uniform(0, took))
        assert tables_of(catalog_url) == expected
    finished(child(REINDEXER, catalog_url))
    assert tables_of(catalog_url) == expected


def test_two_loaders_at_once_lose_nothing_and_end(catalog_url: str, tmp_path: Path, proving: bool) -> None:
    """Both make the catalog, load many of the same events and of the same runs, and one of them reindexes."""
    for turn in range(5 if proving else 1):
        events = some_events(turn)
        whole = tmp_path / f"whole{turn}"
        whole.mkdir()
        expected = tables_of_a_whole_load(events, whole)
        size = len(events)
        for name, some in (("one", events[: 2 * size // 3]), ("other", events[size // 3 :])):
            (tmp_path / name).write_bytes(b"\n".join(some))
        children = [child(LOADER, catalog_url, tmp_path / name, 5) for name in ("one", "other")]
        children.append(child(REINDEXER, catalog_url))
        for process in children:
            finished(process)
        assert tables_of(catalog_url) == expected
        empty(catalog_url)
