"""Words, wherever they stand: names of datasets, columns and jobs, SQL texts, run ids and query ids.

Names come first: those that end in the text as a whole, those that have its words, those whose words begin so.
Then come SQL texts, then runs whose id begins so. In each of these steps they come in the order of their names;
of very many the first that were found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Subquery, func, or_, select, union

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.ids import run_id
from sqllineage_svc.catalog.indexing import Kind, find_things, things_of
from sqllineage_svc.catalog.seeing import jobs_with_texts, seen_by
from sqllineage_svc.catalog.snapshots import refuse_before_cut
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


class _There(NamedTuple):
    """What is looked through: a catalog, as it was at a moment (None: all that is there)."""

    connection: Connection
    at: int | None

    def seen(self, kind: Kind, ids: Iterable[int]) -> list[int]:
        """Those of the things that were there, in their order."""
        some = list(ids)
        if self.at is None:
            return some
        seen = seen_by(self.connection, kind, some, self.at)
        return [id_ for id_ in some if id_ in seen]


def search(connection: Connection, text: str, limit: int, at: int | None = None) -> list[Hit]:
    """What has all words of a text, or words that begin so, without regard to case: the best first.

    `at`: only what had been seen by a moment. Raises UsageError where that is before the cut.
    """
    if at is not None:
        refuse_before_cut(connection, at)
    there = _There(connection, at)
    wanted = read_search(text)
    found: dict[Hit, None] = {}
    for hit in _hits(there, wanted, limit) if wanted.parts else ():
        found[hit] = None
        if len(found) == limit:
            break
    if not found and _RUN_ID.fullmatch(wanted.text):
        begins = func.lower(_run.run_id).startswith(wanted.text.lower())
        return _runs(there, begins, limit)
    return list(found)


def _hits(there: _There, wanted: Search, limit: int) -> Iterator[Hit]:
    for match in (Match.NAME, Match.WORDS, Match.BEGINNING):
        for kind in _NAMED:
            yield from _names(there, wanted, kind, match, limit)
        if match is Match.NAME:
            called = or_(_run.id == run_id(wanted.text), _run.query_id.in_(_spellings(wanted.text)))
            yield from _runs(there, called, limit)
    yield from _texts(there, wanted, limit)
    yield from _runs(there, _begins(_run.query_id, wanted.text), limit)


def _names(there: _There, wanted: Search, kind: Kind, match: Match, limit: int) -> list[Hit]:
    """Names that fit just so."""
    connection = there.connection
    found: list[Hit] = []
    for piece in _pieces(find_things(connection, wanted, kind, match)):
        ids = there.seen(kind, piece)
        for thing in things_of(connection, kind, ids):
            if wanted.match(thing.context, thing.own) is match:
                full = thing.own if kind is Kind.JOB else thing.context + thing.own
                found.append(Hit(kind.value, full, thing.own))
        if len(found) >= max(limit, _MOST_SORTED):
            break
    return sorted(found)[:limit]


def _texts(there: _There, wanted: Search, limit: int) -> Iterator[Hit]:
    """Jobs by their SQL: whole words first, then beginnings."""
    connection = there.connection
    later: dict[int, str] = {}
    seen: set[int] = set()
    for match in (Match.WORDS, Match.BEGINNING):
        fits, later = later, {}
        for ids in _pieces(find_things(connection, wanted, Kind.SQL, match)):
            if len(fits) >= limit:
                break
            new = there.seen(Kind.SQL, [id_ for id_ in ids if id_ not in seen])
            seen.update(ids)
            rows = connection.execute(select(_sql.id, _sql.text).where(_sql.id.in_(new)))
            for id_, text in rows:
                fit = wanted.match("", text)
                if fit is not None and fit >= match:
                    fits[id_] = text
                elif fit is not None and len(later) < limit:
                    later[id_] = text
        yield from _jobs(there, wanted, dict(islice(fits.items(), limit)))


def _jobs(there: _There, wanted: Search, texts: Mapping[int, str]) -> list[Hit]:
    """The jobs of SQL texts."""
    at = there.at
    used = _jobs_ever(texts) if at is None else jobs_with_texts("text_id", texts, at).subquery()
    rows = there.connection.execute(
        select(_job.name, used.c.text_id).join_from(used, tables.job, _job.id == used.c.job_id)
    )
    return sorted(Hit(Kind.SQL.value, job, _excerpt(texts[id_], wanted)) for job, id_ in rows)


def _jobs_ever(texts: Iterable[int]) -> Subquery:
    """The jobs of SQL texts, whenever they were seen."""
    doing, usage = tables.doing.c, tables.usage.c
    ids = list(texts)
    return union(
        select(doing.job_id, doing.text_id).where(doing.text_id.in_(ids)),
        select(usage.job_id, usage.text_id).where(usage.text_id.in_(ids)),
    ).subquery()


def _runs(there: _There, which: ColumnElement[bool], limit: int) -> list[Hit]:
    """Runs by the id that they were looked for by, in the order of these."""
    started = [] if there.at is None else [_run.started_at <= there.at]
    rows = there.connection.execute(
        select(_run.run_id, _run.query_id, _job.name)
        .join_from(tables.run, tables.job, _job.id == _run.job_id)
        .where(which, *started)
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
