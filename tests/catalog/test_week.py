"""A week of DDL, loads and swaps: what the catalog says at twelve moments, in a file that a person can read.

`--update-cases` writes week.txt anew; read the diff before it is committed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from sqllineage_svc import load_dialect
from sqllineage_svc.catalog.comparing import ComparedEdge, Difference, compare
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.moments import microseconds
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.engine.script import Script
from sqllineage_svc.model.schema import StaticSchemas
from sqllineage_svc.openlineage.events import events_of, to_json
from sqllineage_svc.openlineage.run import Warehouse
from sqllineage_svc.render.events import runs_of
from sqllineage_svc.render.view import View
from sqllineage_svc.sql.split import split

FOLDER = Path(__file__).parent
GOLDEN = FOLDER / "week.txt"
STEP = re.compile(r"^-- (at|look) (\S+ \S+) *(.*)$", re.MULTILINE)
DIALECT = load_dialect("redshift")


def steps() -> Iterator[tuple[str, datetime, str]]:
    """Each step: "at" with SQL behind it, or "look" with what is to be seen."""
    text = (FOLDER / "week.sql").read_text("utf-8")
    found = list(STEP.finditer(text))
    for match, following in zip(found, [*found[1:], None], strict=True):
        time = datetime.fromisoformat(match[2]).replace(tzinfo=UTC)
        end = following.start() if following is not None else len(text)
        yield match[1], time, match[3] if match[1] == "look" else text[match.end() : end]


def events() -> list[bytes]:
    """The events of the week, each statement a second after the one before it."""
    script = Script(DIALECT, StaticSchemas())
    times: list[datetime] = []
    for kind, time, sql in steps():
        for at, source in enumerate(split(sql, DIALECT.lexis) if kind == "at" else ()):
            traced = script.run(source)
            assert not traced.lineage.issues, (source.text, traced.lineage.issues)
            if traced.skipped is None:
                times.append(time + timedelta(seconds=at))
    runs = [
        replace(run, started_at=time)
        for run, time in zip(runs_of(View(script.lineage())), times, strict=True)
    ]
    warehouse = Warehouse(DIALECT, DIALECT.local_instance)
    return [to_json(event).encode() for event in events_of(runs, warehouse)]


LOOKS = [(time, said) for kind, time, said in steps() if kind == "look"]


def told(catalog: Catalog) -> str:
    """What the catalog says at each moment, and what changed since the one before."""
    lines: list[str] = []
    with catalog.reading() as connection:
        before = 0
        for time, said in LOOKS:
            at = microseconds(time)
            lines += [f"== {time:%a %d %H:%M}  {said}", *_edges(compare(connection, 0, at)), ""]
            lines += ["changed", *_changes(compare(connection, before, at)), ""]
            before = at
    return "\n".join(lines)


def _edges(difference: Difference) -> list[str]:
    return [f"  {_line(edge)}" for edge in difference.new_edges]


def _line(edge: ComparedEdge) -> str:
    source, target = (
        end.dataset.removeprefix("dev.") + (f".{end.column}" if end.column else "")
        for end in (edge.source, edge.target)
    )
    return f"{target} <- {source}  {(edge.subtype or edge.type).lower()}"


def _changes(difference: Difference) -> list[str]:
    lines = [f"  + {found.dataset}" for found in difference.new_datasets]
    lines += [f"  - {found.dataset}" for found in difference.gone_datasets]
    lines += [f"  + {_line(edge)}" for edge in difference.new_edges]
    lines += [f"  - {_line(edge)}" for edge in difference.gone_edges]
    return lines + [
        f"  {found.dataset}: {change}" for found, changes in difference.columns for change in changes
    ]


def test_the_week_is_told_right(catalog: Catalog, request: pytest.FixtureRequest) -> None:
    load(catalog, events())
    found = told(catalog)
    if request.config.getoption("--update-cases"):
        GOLDEN.write_text(found, "utf-8")
    assert found == GOLDEN.read_text("utf-8")
    assert len(LOOKS) == 12


def test_the_week_in_any_order_is_the_same_week(catalog: Catalog) -> None:
    shuffled = events()
    Random(5).shuffle(shuffled)
    load(catalog, shuffled, batch=3)
    assert told(catalog) == GOLDEN.read_text("utf-8")


def test_every_pair_of_moments_differs_by_what_stands_at_one_only(catalog: Catalog) -> None:
    """Forwards and backwards; the golden file shows the pairs of neighbours."""
    load(catalog, events())
    moments = [microseconds(time) for time, _ in LOOKS]
    with catalog.reading() as connection:
        standing = {at: set(_edges(compare(connection, 0, at))) for at in moments}
        for first, second in permutations(moments, 2):
            difference = compare(connection, first, second)
            found = [
                {f"  {_line(edge)}" for edge in edges}
                for edges in (difference.new_edges, difference.gone_edges)
            ]
            assert found == [standing[second] - standing[first], standing[first] - standing[second]]
