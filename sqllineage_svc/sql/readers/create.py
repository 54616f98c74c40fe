"""CREATE: the words before the object, and tables and views with their columns and queries.

sqlglot knows many table attributes and stops at the others; here attributes are stepped over, whatever they
are, up to the query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot.tokenizer_core import Token, TokenType

from sqllineage_svc.model.names import Location, Relation
from sqllineage_svc.model.schema import Column
from sqllineage_svc.sql.readers.query import is_query
from sqllineage_svc.sql.reading import Reader, Reading
from sqllineage_svc.sql.statement import Define, Inert, Statement, TableKind
from sqllineage_svc.sql.tokens import TokenCursor, split_list, word, word_at


@dataclass(frozen=True, slots=True)
class Created:
    """The words between CREATE and the object; `cursor` stands behind the object's word."""

    reading: Reading
    cursor: TokenCursor
    words: frozenset[str]

    @property
    def temporary(self) -> bool:
        """Was it TEMPORARY or TEMP?"""
        return bool(self.words & {"TEMPORARY", "TEMP"})

    def keeps_existing(self) -> bool:
        """Step over IF NOT EXISTS; was it there?"""
        return self.cursor.accept("IF", "NOT", "EXISTS")


ObjectReader = Callable[[Created], Statement]

_NAMES = {TokenType.VAR, TokenType.IDENTIFIER}

_MODIFIERS = {
    "OR", "REPLACE", "LOCAL", "GLOBAL", "TEMP", "TEMPORARY", "EXTERNAL", "MATERIALIZED", "UNIQUE", "FULLTEXT",
    "SPATIAL", "SQL", "SECURITY", "INVOKER", "DEFINER", "AGGREGATE", "ALGORITHM", "UNDEFINED", "MERGE", "TEMPTABLE",
    "=", "UNLOGGED", "ONLINE", "OFFLINE",
}  # fmt: skip


def create_reader(objects: Mapping[str, ObjectReader], inert: Mapping[str, str]) -> Reader:
    """A reader of CREATE …: by the object's word to its reader, or to the reason why it moves no data."""

    def read_create(reading: Reading) -> Statement:
        cursor = reading.cursor(1)
        words: set[str] = set()
        while not cursor.at_end:
            if cursor.sees("DEFINER", "="):
                cursor.position += 1
                skip_definer(cursor)
                words.discard("=")
            elif modifier := cursor.accept_any(_MODIFIERS):
                words.add(modifier)
            else:
                break
        kind = cursor.word()
        cursor.position += 1
        created = Created(reading, cursor, frozenset(words))
        for key in (f"{kind} {cursor.word()}", *([f"EXTERNAL {kind}"] if "EXTERNAL" in words else []), kind):
            if key in objects:
                return objects[key](created)
            if key in inert:
                return Inert(inert[key])
        cursor.position -= 1
        raise cursor.error("CREATE of something unknown")

    return read_create


def skip_definer(cursor: TokenCursor) -> None:
    """Step over `= user@host`, `= CURRENT_USER()` and the like, behind DEFINER."""
    cursor.accept("=")
    cursor.position += 1
    if cursor.word() == "(":
        cursor.group()
    if cursor.accept("@"):
        cursor.position += 1


def read_view(created: Created) -> Statement:
    """CREATE [MATERIALIZED] VIEW v [(columns)] [attributes] AS query [WITH …]."""
    cursor = created.cursor
    keeps = created.keeps_existing()
    relation = cursor.relation()
    columns = tuple(Column(name) for name in cursor.columns()) if cursor.word() == "(" else ()
    cursor.until("AS")
    cursor.expect("AS")
    query = created.reading.query(_without_tail(cursor.rest()))
    kind = TableKind.MATERIALIZED_VIEW if "MATERIALIZED" in created.words else TableKind.VIEW
    return Define(relation, kind, columns, query=query, temporary=created.temporary, keeps_existing=keeps)


_TAILS = (
    ("WITH", "NO", "SCHEMA", "BINDING"), ("WITH", "CHECK", "OPTION"), ("WITH", "CASCADED", "CHECK", "OPTION"),
    ("WITH", "LOCAL", "CHECK", "OPTION"), ("WITH", "NO", "DATA"), ("WITH", "DATA"),
)  # fmt: skip


def _without_tail(tokens: Sequence[Token]) -> Sequence[Token]:
    for tail in _TAILS:
        if tuple(word(token) for token in tokens[-len(tail) :]) == tail:
            return tokens[: -len(tail)]
    return tokens


def table_reader(constraints: frozenset[str], by_name: bool = False) -> ObjectReader:
    """A reader of CREATE TABLE.

    `constraints` are the words that begin a table constraint where a column's name might stand. `by_name`:
    a query's columns fill the written ones of the same name (else in order).
    """

    def read_table(created: Created) -> Statement:
        cursor = created.cursor
        keeps = created.keeps_existing()
        relation = cursor.relation()
        define = Define(
            relation, temporary=created.temporary or relation.name.startswith("#"), keeps_existing=keeps,
            by_name=by_name, kind=TableKind.EXTERNAL_TABLE if "EXTERNAL" in created.words else TableKind.TABLE,
        )  # fmt: skip
        if cursor.accept("LIKE"):
            return replace(define, like=cursor.relation())
        if cursor.word() == "(" and not is_query(cursor.word(1)):
            define = _with_columns(define, cursor.group(), created.reading, constraints)
        return _with_attributes(define, cursor, created.reading, constraints)

    return read_table


def _with_attributes(
    define: Define, cursor: TokenCursor, reading: Reading, constraints: frozenset[str]
) -> Define:
    """Step over the table's attributes; take LOCATION, PARTITIONED BY columns, LIKE and the query."""
    previous = ""
    while not cursor.at_end:
        here = cursor.word()
        if here == "LOCATION" and cursor.position + 1 < len(cursor.tokens):
            cursor.position += 1
            location = cursor.accept_string()
            define = replace(define, location=Location(location) if location else None)
        elif here == "BY" and previous == "PARTITIONED":
            cursor.position += 1
            partition = _columns(cursor.group(), reading, constraints)[0]
            if all(column.type for column in partition):
                define = replace(define, columns=(*define.columns, *partition))
        elif cursor.accept("WITH", "SYSTEM"):
            pass  # VERSIONING
        elif (here == "AS" and previous != "STORED") or here in ("SELECT", "WITH", "VALUES", "TABLE"):
            cursor.accept("AS")
            return replace(define, query=reading.query(_without_tail(cursor.rest())))
        elif here == "(" and is_query(cursor.word(1)):
            return replace(define, query=reading.query(_without_tail(cursor.rest())))
        elif here == "(":
            cursor.group()
        else:
            cursor.position += 1
        previous = here
    return define


def _with_columns(
    define: Define, tokens: Sequence[Token], reading: Reading, constraints: frozenset[str]
) -> Define:
    columns, keys, like = _columns(tokens, reading, constraints)
    return replace(define, columns=columns, keys=keys, like=like)


Parts = tuple[tuple[Column, ...], tuple[tuple[str, ...], ...], Relation | None]


def _columns(tokens: Sequence[Token], reading: Reading, constraints: frozenset[str]) -> Parts:
    """Columns, keys and the relation of LIKE of a table's definition."""
    columns: list[Column] = []
    keys: list[tuple[str, ...]] = []
    like: Relation | None = None
    for piece in split_list(tokens):
        cursor = TokenCursor(piece, reading.identifiers)
        if cursor.accept("LIKE"):
            like = cursor.relation()
        elif cursor.word() in constraints:
            keys.extend(read_keys(cursor))
        else:
            column, is_key = read_column(cursor, reading)
            columns.append(column)
            if is_key:
                keys.append((column.name,))
    return tuple(columns), tuple(keys), like


def read_keys(cursor: TokenCursor) -> list[tuple[str, ...]]:
    """The key of a PRIMARY KEY or UNIQUE constraint; of any other, none."""
    if cursor.accept("CONSTRAINT") and cursor.word() not in ("PRIMARY", "UNIQUE", "FOREIGN", "CHECK"):
        cursor.relation()
    if not (cursor.accept("PRIMARY", "KEY") or cursor.accept("UNIQUE")):
        return []
    cursor.until("(")
    names = key_columns(cursor)
    return [names] if names else []


def key_columns(cursor: TokenCursor) -> tuple[str, ...]:
    """The columns of a key in parentheses; a part of it may be an expression over several."""
    names: dict[str, None] = {}
    for piece in split_list(cursor.group()):
        part = TokenCursor(piece, cursor.identifiers)
        if part.word() != "(":
            names[part.column()] = None
            continue
        for at, token in enumerate(piece):
            if token.token_type in _NAMES and word_at(piece, at + 1) != "(":
                names[TokenCursor(piece, cursor.identifiers, at).column()] = None
    return tuple(names)


_AFTER_TYPE = {
    "NOT", "NULL", "DEFAULT", "PRIMARY", "UNIQUE", "KEY", "REFERENCES", "CHECK", "COLLATE", "ENCODE", "DISTKEY",
    "SORTKEY", "IDENTITY", "GENERATED", "AS", "AUTO_INCREMENT", "COMMENT", "ON", "VIRTUAL", "STORED", "PERSISTENT",
    "CHARSET", "INVISIBLE", "VISIBLE", "CONSTRAINT", "FIRST", "AFTER", "SRID", "COLUMN_FORMAT",
}  # fmt: skip


def read_column(cursor: TokenCursor, reading: Reading) -> tuple[Column, bool]:
    """A column's definition: itself, and whether it is a key; steps to FIRST, AFTER or the end."""
    name = cursor.column()
    start = cursor.position
    while not cursor.at_end and cursor.word() not in _AFTER_TYPE and not cursor.sees("CHARACTER", "SET"):
        if cursor.word() == "(":
            cursor.group()
        else:
            cursor.position += 1
    used = cursor.tokens[start : cursor.position]
    type_ = reading.text[used[0].start : used[-1].end + 1] if used else None
    is_key, generated = False, None
    while not cursor.at_end and cursor.word() not in ("FIRST", "AFTER"):
        if cursor.accept("PRIMARY", "KEY") or cursor.accept("UNIQUE"):
            is_key = True
        elif cursor.accept("AS") and cursor.word() == "(":
            tokens = cursor.group()
            reading.expressions([tokens])  # it has to be one
            generated = reading.text[tokens[0].start : tokens[-1].end + 1]
        elif cursor.word() == "(":
            cursor.group()
        elif not cursor.at_end:
            cursor.position += 1
    return Column(name, type_, generated), is_key
