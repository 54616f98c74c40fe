"""A word, wherever it stands: names of datasets, columns and jobs, SQL texts, run ids and query ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Text, func, literal, select, union

from sqllineage_svc.catalog import tables


class Hit(NamedTuple):
    """Something that holds the word; `where` says what it is, `name` its full name, `text` what held it."""

    where: str
    name: str
    text: str


_AROUND = 40


def search(connection: Connection, text: str, limit: int) -> list[Hit]:
    """What holds the text, without regard to case: datasets first, then columns, jobs, SQL and runs."""
    found: list[Hit] = []
    for hit in _hits(connection, text, limit):
        if len(found) == limit:
            break
        found.append(hit)
    return found


def _hits(connection: Connection, text: str, limit: int) -> Iterator[Hit]:
    dataset, column, job, run, sql = (
        tables.dataset.c, tables.dataset_column.c, tables.job.c, tables.run.c, tables.sql_text.c
    )  # fmt: skip
    full = dataset.namespace + literal("/", Text) + dataset.name
    for (name,) in connection.execute(select(full).where(_holds(full, text)).order_by(full).limit(limit)):
        yield Hit("dataset", name, name)
    columns = (
        select(full, column.name)
        .join_from(tables.dataset_column, tables.dataset, dataset.id == column.dataset_id)
        .where(_holds(column.name, text))
        .order_by(full, column.name)
        .limit(limit)
    )
    for name, of in connection.execute(columns):
        yield Hit("column", f"{name}.{of}", of)
    jobs = select(job.name).where(_holds(job.name, text)).order_by(job.name).limit(limit)
    for (name,) in connection.execute(jobs):
        yield Hit("job", name, name)
    used = union(
        select(run.job_id, run.text_id), select(tables.usage.c.job_id, tables.usage.c.text_id)
    ).subquery()
    texts = (
        select(job.name, sql.text)
        .join_from(used, tables.sql_text, sql.id == used.c.text_id)
        .join(tables.job, job.id == used.c.job_id)
        .where(_holds(sql.text, text))
        .order_by(job.name, sql.text)
        .limit(limit)
    )
    for name, query in connection.execute(texts):
        yield Hit("sql", name, _excerpt(query, text))
    runs = (
        select(run.run_id, job.name, run.facts)
        .join_from(tables.run, tables.job, job.id == run.job_id)
        .where(_holds(run.run_id, text) | _holds(run.facts, text))
        .order_by(run.at.desc(), run.id)
        .limit(limit)
    )
    for id_, name, facts in connection.execute(runs):
        yield Hit("run", name, id_ if text.lower() in id_.lower() else facts)


def _holds(column: ColumnElement[str], text: str) -> ColumnElement[bool]:
    return func.lower(column).contains(text.lower(), autoescape=True)


def _excerpt(query: str, text: str) -> str:
    """The place in a query that holds the text, on one line."""
    at = max(0, query.lower().find(text.lower()))
    start, end = max(0, at - _AROUND), at + len(text) + _AROUND
    cut = " ".join(query[start:end].split())
    return ("…" if start else "") + cut + ("…" if end < len(query) else "")
