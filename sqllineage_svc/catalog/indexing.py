"""The index of words: which datasets, columns, jobs and SQL texts have a word, or one that begins so.

It is SQLite's FTS5 or PostgreSQL's full text, but the words are made here, so that both find the same. Each word
is kept behind a letter that says of what it is: one index answers for each kind of thing apart, and for the names
of columns apart from those of their tables. Of SQL, whose texts are long, it also has the pairs of words that stand
together, as in `orders.total`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any, NamedTuple

from sqlalchemy import ARRAY, BigInteger, Connection, Select, Text, bindparam, select, text

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.words import PAIR, Match, Part, Search, Words, every_pair, every_word, last_name

_MAX_WORD = 30
"""As much of a word is kept, and asked for."""
_MOST_WORDS = 2_500
"""So many words of one text are kept, and so many pairs: PostgreSQL takes 1 MB of them."""
_MOST_ASKED = 12
"""So many parts, and words of a part, are asked for; the rest is compared with what was found."""
_PIECE = 2_000


class Kind(Enum):
    """What has words."""

    DATASET = "dataset"
    COLUMN = "column"
    JOB = "job"
    SQL = "sql"


@dataclass(frozen=True, slots=True)
class _Marks:
    """The letters before a thing's own words, those of its context, and the end of its name as one word."""

    own: str
    context: str
    name: str


_MARKS = {
    Kind.DATASET: _Marks("a", "b", "c"),
    Kind.COLUMN: _Marks("d", "e", "f"),
    Kind.JOB: _Marks("g", "h", "i"),
    Kind.SQL: _Marks("j", "k", "l"),
}


class Thing(NamedTuple):
    """Something to be found by its `own` words, or by these together with those of its context."""

    kind: Kind
    id: int
    context: str
    own: str


def dataset_thing(row: Mapping[Any, Any]) -> Thing:
    """A dataset, of its row."""
    return Thing(Kind.DATASET, row["id"], "", f"{row['namespace']}/{row['name']}")


def column_thing(row: Mapping[Any, Any]) -> Thing:
    """A column, in the context of its dataset, of its row with the dataset's `namespace` and name, `dataset`."""
    return Thing(Kind.COLUMN, row["id"], f"{row['namespace']}/{row['dataset']}.", row["name"])


def job_thing(row: Mapping[Any, Any]) -> Thing:
    """A job, in the context of its namespace, of its row."""
    return Thing(Kind.JOB, row["id"], f"{row['namespace']}/", row["name"])


def text_thing(row: Mapping[Any, Any]) -> Thing:
    """An SQL text, of its row."""
    return Thing(Kind.SQL, row["id"], "", row["text"])


_COLUMNS = select(
    tables.dataset_column.c.id,
    tables.dataset_column.c.name,
    tables.dataset.c.namespace,
    tables.dataset.c.name.label("dataset"),
).join_from(tables.dataset_column, tables.dataset, tables.dataset.c.id == tables.dataset_column.c.dataset_id)
_QUERIES: Mapping[Kind, tuple[Select[Any], Callable[[Mapping[Any, Any]], Thing]]] = {
    Kind.DATASET: (select(tables.dataset), dataset_thing),
    Kind.COLUMN: (_COLUMNS, column_thing),
    Kind.JOB: (select(tables.job), job_thing),
    Kind.SQL: (select(tables.sql_text), text_thing),
}


def create_index(connection: Connection) -> None:
    """Make the index, with nothing in it."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("create table search (id bigint primary key, words tsvector not null)"))
        connection.execute(text("create index ix_search_words on search using gin (words)"))
    else:
        connection.execute(
            text(
                "create virtual table search using fts5"
                "(words, content='', detail=none, columnsize=0, tokenize='ascii')"
            )
        )


def is_index(table: str) -> bool:
    """Is it the index, or one of the tables that SQLite keeps it in?"""
    return table == "search" or table.startswith("search_")


def add_things(connection: Connection, things: Iterable[Thing]) -> None:
    """Put things into the index that are not in it."""
    if connection.dialect.name == "postgresql":
        statement = text(
            "insert into search select id, array_to_tsvector(string_to_array(words, ' '))"
            " from unnest(:ids, :words) as new (id, words)"
        ).bindparams(bindparam("ids", type_=ARRAY(BigInteger)), bindparam("words", type_=ARRAY(Text)))
        for rows in _rows(things):
            connection.execute(
                statement, {"ids": [id_ for id_, _ in rows], "words": [words for _, words in rows]}
            )
    else:
        _write_fts5(connection, "insert into search (rowid, words) values (?, ?)", things)


def remove_things(connection: Connection, things: Iterable[Thing]) -> None:
    """Take things out of the index; they must be what was put there."""
    if connection.dialect.name == "postgresql":
        for rows in _rows(things):
            gone = text("delete from search where id = any(:ids)")
            connection.execute(
                gone.bindparams(bindparam("ids", type_=ARRAY(BigInteger))), {"ids": [id_ for id_, _ in rows]}
            )
    else:
        removes = "insert into search (search, rowid, words) values ('delete', ?, ?)"
        _write_fts5(connection, removes, things)


def rebuild_index(connection: Connection) -> None:
    """Make the index anew from all that is in the tables of names."""
    postgresql = connection.dialect.name == "postgresql"
    connection.execute(
        text("delete from search" if postgresql else "insert into search (search) values ('delete-all')")
    )
    add_things(connection, _all_things(connection))


def find_things(connection: Connection, search: Search, kind: Kind, match: Match) -> Iterator[int]:
    """The ids of what may match as well as that, in their order; a few may not."""
    postgresql = connection.dialect.name == "postgresql"
    wanted = _asked(search, kind, match, _TSQUERY if postgresql else _FTS5)
    if not wanted:
        return
    query = (
        "with found as materialized (select id from search where words @@ cast(:wanted as tsquery))"
        " select id from found order by id"  # materialized, or a plan may read all rows in the order of ids
        if postgresql
        else "select rowid from search where search match :wanted order by rowid"
    )
    options = {"yield_per": _PIECE}
    with connection.execute(text(query), {"wanted": wanted}, execution_options=options) as rows:
        yield from rows.scalars()


def things_of(connection: Connection, kind: Kind, ids: Iterable[int]) -> list[Thing]:
    """The things of some ids, in no order."""
    query, make = _QUERIES[kind]
    rows = connection.execute(query.where(query.selected_columns["id"].in_(list(ids))))
    return [make(row) for row in rows.mappings()]


class _Syntax(NamedTuple):
    """How a database writes that both, that either, and that words which begin so are there."""

    both: str
    either: str
    word: str
    beginning: str


_FTS5 = _Syntax(" AND ", " OR ", '"{}"', '"{}"*')
_TSQUERY = _Syntax(" & ", " | ", "'{}'", "'{}':*")


def _asked(search: Search, kind: Kind, match: Match, syntax: _Syntax) -> str:
    """What the index is asked. Words hold letters and digits alone: none can be taken for syntax."""
    marks = _MARKS[kind]
    if match is Match.NAME:
        name = last_name(search.text)[:_MAX_WORD]
        return syntax.word.format(marks.name + name) if name else ""
    last = syntax.word if match is Match.WORDS else syntax.beginning
    parts = search.parts[:_MOST_ASKED]

    def anywhere(word: str, form: str) -> str:
        return f"({syntax.either.join(form.format(mark + word) for mark in (marks.own, marks.context))})"

    def part_as(part: Part, own: bool) -> str:
        forms = []
        for words in part.forms:
            *before, end = _units(kind, words)
            asked = [anywhere(unit, syntax.word) for unit in before[-_MOST_ASKED:]]
            asked.append(last.format(marks.own + end) if own else anywhere(end, last))
            forms.append(f"({syntax.both.join(asked)})")
        return f"({syntax.either.join(forms)})"

    owned = [part_as(part, own=True) for part in parts]
    if len(owned) < 2:
        return "".join(owned)
    return syntax.both.join([*(part_as(part, own=False) for part in parts), f"({syntax.either.join(owned)})"])


def _units(kind: Kind, words: Words) -> list[str]:
    """What of the words of a part is kept."""
    if kind is Kind.SQL and len(words) > 1:
        return [_shortened(*pair) for pair in pairwise(words)]
    return [word[:_MAX_WORD] for word in words]


def _write_fts5(connection: Connection, statement: str, things: Iterable[Thing]) -> None:
    for rows in _rows(things):
        connection.exec_driver_sql(statement, rows)


def _rows(things: Iterable[Thing]) -> Iterator[list[tuple[int, str]]]:
    """Ids with words, in the order of the ids: FTS5 writes out what it has when a lower one comes."""
    iterator = iter(things)
    while piece := list(islice(iterator, _PIECE)):
        yield sorted((thing.id, _words(thing)) for thing in piece)


def _words(thing: Thing) -> str:
    """The words of a thing behind their letters."""
    marks = _MARKS[thing.kind]
    if thing.kind is Kind.SQL:
        return f"{_marked(marks.own, thing.own)} {_marked_pairs(marks.own, thing.own)}".strip()
    name = last_name(thing.own)[:_MAX_WORD]
    context = _marked_once(marks.context, thing.context)
    words = (_marked_once(marks.own, thing.own), context, marks.name + name if name else "")
    return " ".join(word for word in words if word)


def _marked(mark: str, text_: str) -> str:
    found = islice(dict.fromkeys(word[:_MAX_WORD] for word in every_word(text_)), _MOST_WORDS)
    return " ".join(mark + word for word in found)


def _marked_pairs(mark: str, text_: str) -> str:
    found = islice(dict.fromkeys(_shortened(*pair.split(PAIR)) for pair in every_pair(text_)), _MOST_WORDS)
    return " ".join(mark + pair for pair in found)


def _shortened(one: str, other: str) -> str:
    return one[:_MAX_WORD] + PAIR + other[:_MAX_WORD]


_marked_once = lru_cache(maxsize=16_384)(_marked)
"""The same for names, of which many come again: those of columns, and the contexts."""


def _all_things(connection: Connection) -> Iterator[Thing]:
    for query, make in _QUERIES.values():
        ordered = query.order_by(query.selected_columns["id"])
        rows = connection.execute(ordered, execution_options={"yield_per": _PIECE})
        yield from map(make, rows.mappings())
