"""DROP, TRUNCATE, RENAME and ALTER TABLE."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sqllineage_svc.model.names import Location, Relation
from sqllineage_svc.model.schema import Column
from sqllineage_svc.sql.column_changes import (
    AddColumn,
    AddKey,
    ColumnChange,
    DropColumn,
    RenameColumn,
    RetypeColumn,
)
from sqllineage_svc.sql.readers.create import Created, ObjectReader, key_columns, read_column, read_keys
from sqllineage_svc.sql.reading import Reader, Reading
from sqllineage_svc.sql.statement import (
    Alter,
    Drop,
    DropRoutine,
    Inert,
    Rename,
    Statement,
    TableKind,
    Truncate,
)
from sqllineage_svc.sql.tokens import TokenCursor, split_list

_DROPPED = {
    "TABLE": TableKind.TABLE,
    "TABLES": TableKind.TABLE,
    "VIEW": TableKind.VIEW,
    "MATERIALIZED": TableKind.MATERIALIZED_VIEW,
    "SCHEMA": TableKind.SCHEMA,
    "MODEL": TableKind.MODEL,
}

_ROUTINES = ("PROCEDURE", "FUNCTION", "TRIGGER", "EVENT")


def drop_reader(inert: Mapping[str, str]) -> Reader:
    """A reader of DROP …; `inert` says of other objects why dropping them moves no data."""

    def read_drop(reading: Reading) -> Statement:
        cursor = reading.cursor(1)
        temporary = cursor.accept("TEMPORARY")
        cursor.accept("EXTERNAL")
        kind = cursor.word()
        if kind in _ROUTINES and cursor.accept(kind):
            cursor.accept("IF", "EXISTS")
            return DropRoutine(cursor.relation(), kind)
        if kind not in _DROPPED:
            if kind in inert:
                return Inert(inert[kind])
            raise cursor.error("DROP of something unknown")
        cursor.position += 1
        if kind == "MATERIALIZED":
            cursor.expect("VIEW")
        cursor.accept("IF", "EXISTS")
        relations = [cursor.relation()]
        while cursor.accept(","):
            relations.append(cursor.relation())
        if kind == "SCHEMA":
            relations = [Relation(relation.schema, relation.name, "") for relation in relations]
        return Drop(tuple(relations), _DROPPED[kind], temporary)

    return read_drop


def read_truncate(reading: Reading) -> Statement:
    """TRUNCATE [TABLE] t."""
    cursor = reading.cursor(1)
    cursor.accept("TABLE")
    return Truncate(cursor.relation())


def read_rename(reading: Reading) -> Statement:
    """RENAME TABLE a TO b, c TO d: left to right.

    Source: https://dev.mysql.com/doc/refman/8.4/en/rename-table.html
    """
    cursor = reading.cursor(1)
    if cursor.accept("USER"):
        return Inert("renames a user")
    if not (cursor.accept("TABLE") or cursor.accept("TABLES")):
        raise cursor.error("expected TABLE")
    cursor.accept("IF", "EXISTS")
    pairs = []
    while True:
        old = cursor.relation()
        cursor.skip_any({"WAIT", "NOWAIT"})
        cursor.expect("TO")
        pairs.append((old, cursor.relation()))
        if not cursor.accept(","):
            break
    cursor.expect_end()
    return Rename(tuple(pairs))


Action = Callable[[Relation, TokenCursor, Reading], Statement | None]


def alter_table_reader(actions: Sequence[Action], stays: bool = True) -> Reader:
    """A reader of ALTER TABLE t …; `actions` are tried first, each may take the whole statement.

    `stays`: renamed without a schema, a table stays in its own; else it goes where unqualified names are.
    """

    def read_alter(reading: Reading) -> Statement:
        cursor = reading.cursor(1)
        cursor.skip_any({"ONLINE", "OFFLINE", "IGNORE", "EXTERNAL"})
        cursor.expect("TABLE")
        cursor.accept("IF", "EXISTS")
        relation = cursor.relation()
        if cursor.accept("WAIT"):
            cursor.position += 1
        cursor.accept("NOWAIT")
        for action in actions:
            at = cursor.position
            statement = action(relation, cursor, reading)
            if statement is not None:
                return statement
            cursor.position = at
        return _alter(relation, cursor, reading, stays)

    return read_alter


def index_reader(reason: str) -> ObjectReader:
    """A reader of CREATE INDEX, which moves no data; a UNIQUE one is a key of its table."""

    def read_index(created: Created) -> Statement:
        if "UNIQUE" not in created.words:
            return Inert(reason)
        cursor = created.cursor
        cursor.until("ON")
        cursor.expect("ON")
        relation = cursor.relation()
        cursor.until("(")
        return Inert(reason, Alter(relation, (AddKey(key_columns(cursor)),)))

    return read_index


def _alter(relation: Relation, cursor: TokenCursor, reading: Reading, stays: bool) -> Statement:
    changes: list[ColumnChange] = []
    location: Location | None = None
    new_name: Relation | None = None
    for piece in split_list(cursor.rest()):
        part = TokenCursor(piece, reading.identifiers)
        if part.accept("SET", "LOCATION"):
            location = Location(part.string())
        elif part.accept("RENAME"):
            renamed = _rename(part, relation, stays)
            if isinstance(renamed, Relation):
                new_name = renamed
            elif renamed is not None:
                changes.append(renamed)
        else:
            changes.extend(_column_changes(part, reading))
    if new_name is not None and not changes:
        return Rename(((relation, new_name),))
    if location is None and new_name is None and all(isinstance(change, AddKey) for change in changes):
        return Inert(
            "changes no column and moves no data", Alter(relation, tuple(changes)) if changes else None
        )
    if new_name is not None:
        return Alter(relation, tuple(changes), location, new_name)
    return Alter(relation, tuple(changes), location)


def _rename(part: TokenCursor, relation: Relation, stays: bool) -> Relation | RenameColumn | None:
    """RENAME TO t, RENAME COLUMN a TO b; COLUMN may be left out."""
    if part.accept_any({"INDEX", "KEY", "CONSTRAINT", "PARTITION"}):
        return None
    part.accept("COLUMN")
    if part.accept_any({"TO", "AS", "="}) or (len(part.tokens) == 2):
        renamed = part.relation()
        if stays and renamed.schema is None:
            renamed = renamed._replace(schema=relation.schema, catalog=relation.catalog)
        return renamed
    old = part.column()
    part.expect("TO")
    return RenameColumn(old, part.column())


_NO_COLUMN = {"CONSTRAINT", "PRIMARY", "FOREIGN", "UNIQUE", "INDEX", "KEY", "CHECK", "FULLTEXT", "SPATIAL",
              "PARTITION", "DISTKEY", "DISTSTYLE", "SORTKEY", "COMPOUND", "ENCODE", "SYSTEM", "PERIOD"}  # fmt: skip


def _column_changes(part: TokenCursor, reading: Reading) -> list[ColumnChange]:
    if part.accept("ADD"):
        return _added(part, reading)
    if part.accept("DROP"):
        if part.word() in _NO_COLUMN and not part.accept("COLUMN"):
            return []
        part.accept("COLUMN")
        part.accept("IF", "EXISTS")
        return [DropColumn(part.column())]
    if part.accept("CHANGE"):
        part.accept("COLUMN")
        part.accept("IF", "EXISTS")
        old = part.column()
        column, is_key = read_column(part, reading)
        placed = _moved(part, column) or ([RetypeColumn(column)] if column.generated else [])
        return [RenameColumn(old, column.name, column.type), *placed, *_key(column, is_key)]
    if part.accept("MODIFY"):
        part.accept("COLUMN")
        part.accept("IF", "EXISTS")
        column, is_key = read_column(part, reading)
        return [*(_moved(part, column) or [RetypeColumn(column)]), *_key(column, is_key)]
    if part.accept("ALTER") and part.word() not in _NO_COLUMN:
        part.accept("COLUMN")
        name = part.column()
        if part.accept("TYPE"):
            part.position -= 1
            tokens = part.tokens[part.position + 1 :]
            if tokens:
                return [RetypeColumn(Column(name, reading.text[tokens[0].start : tokens[-1].end + 1]))]
    return []


def _added(part: TokenCursor, reading: Reading) -> list[ColumnChange]:
    if part.word() in _NO_COLUMN:
        return [AddKey(columns) for columns in read_keys(part)]
    part.accept("COLUMN")
    part.accept("IF", "NOT", "EXISTS")
    if part.word() == "(":
        return [
            change
            for piece in split_list(part.group())
            for change in _added(TokenCursor(piece, reading.identifiers), reading)
        ]
    column, is_key = read_column(part, reading)
    return [*(_moved(part, column) or [AddColumn(column)]), *_key(column, is_key)]


def _key(column: Column, is_key: bool) -> list[ColumnChange]:
    return [AddKey((column.name,))] if is_key else []


def _moved(part: TokenCursor, column: Column) -> list[ColumnChange]:
    """FIRST or AFTER x behind a column's definition: the column, put there whether it is new or not."""
    if part.accept("FIRST"):
        return [AddColumn(column, "")]
    return [AddColumn(column, part.column())] if part.accept("AFTER") else []
