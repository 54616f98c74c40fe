"""Words, wherever they stand: names of datasets, columns and jobs, SQL texts, run ids and query ids.

Names come first: those that end in the text as a whole, those that have its words, those whose words begin so.
Then come SQL texts, then runs whose id begins so. In each of these steps they come in the order of their names;
of very many the first that were found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, func, or_, select, union

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.ids import run_id
from sqllineage_svc.catalog.indexing import Kind, find_things, things_of
from sqllineage_svc.catalog.words import Match, Search, read_search


class Hit(NamedTuple):
    """Something that holds the words; `where` says what it is, `name` its full name, `text` what held them."""

    where: str
    name: str
    text: str


_NAMED = (Kind.DATASET, Kind.COLUMN, Kind.JOB)
_MOST_SORTED = 500
_PIECE = 250
_AROUND = 40
_RUN_ID = re.compile(r"(?i)[0-9a-f]{8}(-[0-9a-f-]*)?")
_LAST_CHARACTER = "\U0010ffff"

_job, _run, _sql = tables.job.c, tables.run.c, tables.sql_text.c


def search(connection: Connection, text: str, limit: int) -> list[Hit]:
    """What has all words of a text, or words that begin so, without regard to case: the best first."""
    wanted = read_search(text)
    found: dict[Hit, None] = {}
    for hit in _hits(connection, wanted, limit) if wanted.parts else ():
        found[hit] = None
        if len(found) == limit:
            break
    if not found and _RUN_ID.fullmatch(wanted.text):
        begins = func.lower(_run.run_id).startswith(wanted.text.lower())
        return _runs(connection, begins, limit)
    return list(found)


def _hits(connection: Connection, wanted: Search, limit: int) -> Iterator[Hit]:
    for match in (Match.NAME, Match.WORDS, Match.BEGINNING):
        for kind in _NAMED:
            yield from _names(connection, wanted, kind, match, limit)
        if match is Match.NAME:
            called = or_(_run.id == run_id(wanted.text), _run.query_id.in_(_spellings(wanted.text)))
            yield from _runs(connection, called, limit)
    yield from _texts(connection, wanted, limit)
    yield from _runs(connection, _begins(_run.query_id, wanted.text), limit)


def _names(connection: Connection, wanted: Search, kind: Kind, match: Match, limit: int) -> list[Hit]:
    """Names that fit just so."""
    found: list[Hit] = []
    for ids in _pieces(find_things(connection, wanted, kind, match)):
        for thing in things_of(connection, kind, ids):
            if wanted.match(thing.context, thing.own) is match:
                full = thing.own if kind is Kind.JOB else thing.context + thing.own
                found.append(Hit(kind.value, full, thing.own))
        if len(found) >= max(limit, _MOST_SORTED):
            break
    return sorted(found)[:limit]


def _texts(connection: Connection, wanted: Search, limit: int) -> Iterator[Hit]:
    """Jobs by their SQL: whole words first, then beginnings."""
    later: dict[int, str] = {}
    seen: set[int] = set()
    for match in (Match.WORDS, Match.BEGINNING):
        fits, later = later, {}
        for ids in _pieces(find_things(connection, wanted, Kind.SQL, match)):
            if len(fits) >= limit:
                break
            new = [id_ for id_ in ids if id_ not in seen]
            seen.update(new)
            rows = connection.execute(select(_sql.id, _sql.text).where(_sql.id.in_(new)))
            for id_, text in rows:
                fit = wanted.match("", text)
                if fit is not None and fit >= match:
                    fits[id_] = text
                elif fit is not None and len(later) < limit:
                    later[id_] = text
        yield from _jobs(connection, wanted, dict(islice(fits.items(), limit)))


def _jobs(connection: Connection, wanted: Search, texts: Mapping[int, str]) -> list[Hit]:
    """The jobs of SQL texts."""
    doing, usage = tables.doing.c, tables.usage.c
    ids = list(texts)
    used = union(
        select(doing.job_id, doing.text_id).where(doing.text_id.in_(ids)),
        select(usage.job_id, usage.text_id).where(usage.text_id.in_(ids)),
    ).subquery()
    rows = connection.execute(
        select(_job.name, used.c.text_id).join_from(used, tables.job, _job.id == used.c.job_id)
    )
    return sorted(Hit(Kind.SQL.value, job, _excerpt(texts[id_], wanted)) for job, id_ in rows)


def _runs(connection: Connection, which: ColumnElement[bool], limit: int) -> list[Hit]:
    """Runs by the id that they were looked for by, in the order of these."""
    rows = connection.execute(
        select(_run.run_id, _run.query_id, _job.name)
        .join_from(tables.run, tables.job, _job.id == _run.job_id)
        .where(which)
        .order_by(_run.query_id, _run.id)
        .limit(limit)
    )
    return [Hit("run", job, query if query is not None else id_) for id_, query, job in rows]


def _begins(column: ColumnElement[str | None], text: str) -> ColumnElement[bool]:
    return or_(
        *((column >= spelling) & (column <= spelling + _LAST_CHARACTER) for spelling in _spellings(text))
    )


def _spellings(text: str) -> list[str]:
    """An id as it is written, and in one letter case."""
    return list(dict.fromkeys((text, text.lower(), text.upper())))


def _pieces(ids: Iterator[int]) -> Iterator[list[int]]:
    while piece := list(islice(ids, _PIECE)):
        yield piece


def _excerpt(query: str, wanted: Search) -> str:
    """The first place in a query that holds what was looked for, on one line."""
    ways = [re.escape(wanted.text), *(part.pattern.pattern for part in wanted.parts)]
    place = next((found for way in ways if (found := re.search(way, query, re.IGNORECASE))), None)
    at, behind = place.span() if place is not None else (0, 0)
    start, end = max(0, at - _AROUND), behind + _AROUND
    cut = " ".join(query[start:end].split())
    return ("…" if start else "") + cut + ("…" if end < len(query) else "")
