"""What happened to a job: the texts it had, and its runs with their times, rows and errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.interning import in_pieces

_PIECE = 1_000


class JobText(NamedTuple):
    """An SQL text of a job, when the first and the last of its runs started, and how many there were."""

    text: str
    first: int
    last: int
    runs: int


@dataclass(frozen=True, slots=True)
class JobRuns:
    """A run of a job, or several alike in a row.

    `at` is when the first started, `last` when the last did, of `times`. `rows` are what all of them wrote, by
    dataset. `run`, `query_id` and `ended_at` are those of the last; `run` is "" where nothing ran.
    """

    at: int
    last: int
    times: int
    state: str
    user: str | None
    error: str | None
    rows: Mapping[str, int]
    ended_at: int | None
    run: str
    query_id: str | None


@dataclass(frozen=True, slots=True)
class JobHistory:
    """A job up to a moment: `type`, `dialect` and `parent` (its full name) as the last run that has any said.

    The texts are in the order in which they were seen first, the runs in that of their starts.
    """

    type: str | None
    dialect: str | None
    parent: str | None
    texts: tuple[JobText, ...]
    runs: tuple[JobRuns, ...]


def job_history(connection: Connection, job: int, until: int) -> JobHistory:
    """Everything that is known of a job up to a moment."""
    texts: dict[int, JobText] = {}
    runs: list[JobRuns] = []
    said: dict[str, Any] = {}
    for row in _rows(connection, job, until):
        facts = json.loads(row["facts"])
        if row["parent_id"] is not None:
            said["parent_id"] = row["parent_id"]
        said.update({key: facts[key] for key in ("type", "dialect", "parent") if key in facts})
        _add(runs, _run(row, facts))
        if row["text_id"] is not None:
            at = row["started_at"]
            known = texts.get(row["text_id"], JobText("", at, at, 0))
            texts[row["text_id"]] = known._replace(last=at, runs=known.runs + 1)
    parent = _parent(connection, said.get("parent_id")) or said.get("parent")
    return JobHistory(
        said.get("type"), said.get("dialect"), parent, _with_texts(connection, texts), tuple(runs)
    )


def _rows(connection: Connection, job: int, until: int) -> Iterator[RowMapping]:
    run, doing = tables.run.c, tables.doing.c
    payloads = select(doing.payload_id).where(doing.job_id == job)
    query = select(
        run.started_at,
        run.ended_at,
        run.run_id,
        run.state,
        run.query_id,
        run.facts,
        run.text_id,
        run.parent_id,
    ).where(run.job_id == job, run.payload_id.in_(payloads), run.started_at <= until)
    ordered = query.order_by(run.started_at, run.id).execution_options(yield_per=_PIECE)
    yield from connection.execute(ordered).mappings()


def _run(row: RowMapping, facts: Mapping[str, Any]) -> JobRuns:
    at, rows = row["started_at"], facts.get("rows", {})
    return JobRuns(
        at, at, 1, row["state"], facts.get("user"), facts.get("error"), rows, row["ended_at"], row["run_id"],
        row["query_id"],
    )  # fmt: skip


def _add(found: list[JobRuns], new: JobRuns) -> None:
    """Add a run, or one more time to the last ones, where it is alike."""
    last = found[-1] if found else None
    if last is None or (last.state, last.user, last.error) != (new.state, new.user, new.error):
        found.append(new)
        return
    rows = {name: last.rows.get(name, 0) + new.rows.get(name, 0) for name in {**last.rows, **new.rows}}
    found[-1] = JobRuns(
        last.at,
        new.at,
        last.times + 1,
        new.state,
        new.user,
        new.error,
        rows,
        new.ended_at,
        new.run,
        new.query_id,
    )


def _with_texts(connection: Connection, found: Mapping[int, JobText]) -> tuple[JobText, ...]:
    table = tables.sql_text.c
    texts: dict[int, str] = {}
    for piece in in_pieces(found):
        texts.update(dict(connection.execute(select(table.id, table.text).where(table.id.in_(piece))).all()))
    return tuple(one._replace(text=texts[id_]) for id_, one in found.items())


def _parent(connection: Connection, run: int | None) -> str | None:
    """The job of a run that has come itself."""
    if run is None:
        return None
    job = tables.job.c
    row = connection.execute(
        select(job.namespace, job.name)
        .join_from(tables.run, tables.job, job.id == tables.run.c.job_id)
        .where(tables.run.c.id == run)
    ).one_or_none()
    return f"{row.namespace}/{row.name}" if row is not None else None
