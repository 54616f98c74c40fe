"""Procedures, functions, triggers, events and prepared statements: what is kept for later, and its calls.

Sources: https://dev.mysql.com/doc/refman/8.4/en/create-procedure.html,
https://dev.mysql.com/doc/refman/8.4/en/create-trigger.html,
https://dev.mysql.com/doc/refman/8.4/en/create-event.html
"""

from __future__ import annotations

from sqllin_mysql.variables import read_set_in_body
from sqllineage_svc.sql.readers.block import read_block, read_parameters
from sqllineage_svc.sql.readers.create import Created, ObjectReader
from sqllineage_svc.sql.readers.routine import Language, read_made, read_target, read_text
from sqllineage_svc.sql.reading import Reading
from sqllineage_svc.sql.statement import (
    Call,
    CreateRoutine,
    CreateTrigger,
    Execute,
    Inert,
    Opaque,
    Prepare,
    Statement,
)
from sqllineage_svc.sql.tokens import TokenCursor, split_list

LANGUAGE = Language(declares_first=False, readers={"SET": read_set_in_body})

_CHARACTERISTICS = (
    ("NOT", "DETERMINISTIC"), ("DETERMINISTIC",), ("CONTAINS", "SQL"), ("NO", "SQL"),
    ("READS", "SQL", "DATA"), ("MODIFIES", "SQL", "DATA"), ("SQL", "SECURITY", "DEFINER"),
    ("SQL", "SECURITY", "INVOKER"),
    ("LANGUAGE", "SQL"), ("UNSIGNED",), ("SIGNED",), ("ZEROFILL",), ("BINARY",),
)  # fmt: skip


def routine_reader(kind: str) -> ObjectReader:
    """A reader of CREATE PROCEDURE or FUNCTION, from behind that word."""

    def read_routine(created: Created) -> Statement:
        cursor = created.cursor
        created.keeps_existing()
        relation = cursor.relation()
        if cursor.sees("RETURNS") or cursor.sees("SONAME"):
            return Inert("installs a function of a library")
        parameters = read_parameters(cursor)
        _skip_characteristics(cursor)
        if cursor.sees("LANGUAGE") or cursor.sees("AS"):
            return Opaque("ForeignLanguage", f"the body of this {kind.lower()} is not SQL")
        body = read_block(cursor, created.reading, LANGUAGE, parameters)
        return CreateRoutine(relation, body, parameters, kind)

    return read_routine


def _skip_characteristics(cursor: TokenCursor) -> None:
    """Step over the type that is returned, COMMENT, DETERMINISTIC and the like."""
    while not cursor.at_end:
        if cursor.accept("RETURNS"):
            cursor.accept("TYPE", "OF")
            cursor.relation()
            if cursor.word() == "(":
                cursor.group()
        elif cursor.accept("COMMENT"):
            cursor.string()
        elif cursor.accept("CHARACTER", "SET") or cursor.accept_any({"CHARSET", "COLLATE"}):
            cursor.position += 1
        elif not any(cursor.accept(*words) for words in _CHARACTERISTICS):
            return


def read_trigger(created: Created) -> Statement:
    """CREATE TRIGGER x {BEFORE|AFTER} {INSERT|UPDATE|DELETE} ON t FOR EACH ROW [FOLLOWS|PRECEDES y] body."""
    cursor = created.cursor
    created.keeps_existing()
    relation = cursor.relation()
    if not cursor.accept_any({"BEFORE", "AFTER"}):
        raise cursor.error("expected BEFORE or AFTER")
    event = cursor.word()
    cursor.until("ON")
    cursor.expect("ON")
    table = cursor.relation()
    cursor.expect("FOR", "EACH", "ROW")
    if cursor.accept_any({"FOLLOWS", "PRECEDES"}):
        cursor.relation()
    return CreateTrigger(relation, table, event, read_block(cursor, created.reading, LANGUAGE, trigger=table))


def read_event(created: Created) -> Statement:
    """CREATE EVENT e ON SCHEDULE … DO body; ALTER EVENT may have a body or none."""
    cursor = created.cursor
    created.keeps_existing()
    relation = cursor.relation()
    cursor.until("DO")
    if not cursor.accept("DO"):
        return Inert("changes when an event runs")
    return CreateRoutine(relation, read_block(cursor, created.reading, LANGUAGE), kind="EVENT")


def read_compound(reading: Reading) -> Statement:
    """BEGIN NOT ATOMIC …, IF …, LOOP … outside of routines. Source: https://mariadb.com/kb/en/begin-end/"""
    return read_block(reading.cursor(), reading, LANGUAGE)


def read_call(reading: Reading) -> Statement:
    """CALL p [(arguments)]. Source: https://dev.mysql.com/doc/refman/8.4/en/call.html"""
    cursor = reading.cursor(1)
    relation = cursor.relation()
    arguments = split_list(cursor.group()) if cursor.word() == "(" else []
    cursor.expect_end()
    return Call(relation, tuple(reading.expressions(arguments)))


def read_prepare(reading: Reading) -> Statement:
    """PREPARE s FROM 'text' | @variable. Source: https://dev.mysql.com/doc/refman/8.4/en/prepare.html"""
    cursor = reading.cursor(1)
    name = cursor.column()
    cursor.expect("FROM")
    text = cursor.accept_string()
    if text is not None and cursor.at_end:
        return Prepare(name, read_text(text, reading))
    if text is None and cursor.word() == "@":
        variable = read_target(cursor)
        if cursor.at_end:
            return Prepare(name, variable=variable)
    return Prepare(name)


def read_execute(reading: Reading) -> Statement:
    """EXECUTE s [USING …]; EXECUTE IMMEDIATE text [USING …], MariaDB's."""
    cursor = reading.cursor(1)
    if cursor.accept("IMMEDIATE"):
        return read_made(cursor.until("USING"), reading)
    return Execute(cursor.column())
