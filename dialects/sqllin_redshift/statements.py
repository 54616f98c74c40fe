"""The statements of a session: transactions, cursors, prepared statements, calls, refreshes."""

from __future__ import annotations

from sqllineage_svc.sql.reading import Reader, Reading
from sqllineage_svc.sql.statement import (
    Call,
    DeclareCursor,
    Execute,
    Fetch,
    Opaque,
    Prepare,
    Refresh,
    Statement,
    Transaction,
    TransactionStep,
    Use,
)
from sqllineage_svc.sql.tokens import is_string, split_list


def transaction(step: TransactionStep) -> Reader:
    """A reader of what begins or ends a transaction, with whatever words say how."""
    return lambda reading: Transaction(step)


def read_use(reading: Reading) -> Statement:
    """USE database. Source: https://docs.aws.amazon.com/redshift/latest/dg/r_USE_command.html"""
    return Use(reading.cursor(1).relation().name)


def read_refresh(reading: Reading) -> Statement:
    """REFRESH MATERIALIZED VIEW v [RESTRICT | CASCADE].

    Source: https://docs.aws.amazon.com/redshift/latest/dg/materialized-view-refresh-sql-command.html
    """
    cursor = reading.cursor(1)
    cursor.expect("MATERIALIZED", "VIEW")
    return Refresh(cursor.relation())


def read_call(reading: Reading) -> Statement:
    """CALL p (arguments). Source: https://docs.aws.amazon.com/redshift/latest/dg/r_CALL_procedure.html"""
    cursor = reading.cursor(1)
    relation = cursor.relation()
    arguments = reading.expressions(split_list(cursor.group())) if cursor.word() == "(" else []
    return Call(relation, tuple(arguments))


def read_prepare(reading: Reading) -> Statement:
    """PREPARE name [(types)] AS statement.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_PREPARE.html
    """
    cursor = reading.cursor(1)
    name = cursor.column()
    if cursor.word() == "(":
        cursor.group()
    cursor.expect("AS")
    return Prepare(name, reading.read(cursor.rest()))


def read_execute(reading: Reading) -> Statement:
    """EXECUTE name [(values)]; of text that is put together as it runs, nobody knows what it does.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_EXECUTE.html
    """
    cursor = reading.cursor(1)
    name = "" if is_string(cursor.token) else cursor.column()
    if cursor.word() == "(":
        cursor.group()
    if name and cursor.at_end:
        return Execute(name)
    return Opaque("DynamicSql", "EXECUTE runs a statement whose text is made at run time")


def read_declare(reading: Reading) -> Statement:
    """DECLARE name CURSOR FOR query. Source: https://docs.aws.amazon.com/redshift/latest/dg/declare.html"""
    cursor = reading.cursor(1)
    name = cursor.column()
    cursor.until("FOR")
    cursor.expect("FOR")
    return DeclareCursor(name, reading.query(cursor.rest()))


def read_fetch(reading: Reading) -> Statement:
    """FETCH [NEXT | ALL | FORWARD [n | ALL]] FROM name.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/fetch.html
    """
    cursor = reading.cursor(1)
    cursor.until("FROM", "IN")
    if cursor.at_end:
        cursor.position -= 1
    else:
        cursor.position += 1
    return Fetch(cursor.column())
