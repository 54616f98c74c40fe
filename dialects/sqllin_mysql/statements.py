"""Transactions, USE, and the forms of ALTER TABLE that move rows."""

from __future__ import annotations

from sqlglot import exp

from sqllineage_svc.model.names import Relation
from sqllineage_svc.sql.readers.query import is_query
from sqllineage_svc.sql.reading import Reader, Reading
from sqllineage_svc.sql.statement import (
    Block,
    Define,
    Drop,
    ExchangeRows,
    Inert,
    Statement,
    Transaction,
    TransactionStep,
    Use,
    Write,
)
from sqllineage_svc.sql.tokens import TokenCursor, keyword


def read_begin(reading: Reading) -> Statement:
    """BEGIN [WORK], START TRANSACTION …. Source: https://dev.mysql.com/doc/refman/8.4/en/commit.html"""
    return Transaction(TransactionStep.BEGIN)


def read_commit(reading: Reading) -> Statement:
    """COMMIT [WORK] [AND CHAIN] …."""
    return Transaction(TransactionStep.COMMIT)


def read_rollback(reading: Reading) -> Statement:
    """ROLLBACK [WORK] [TO [SAVEPOINT] x]. Source: https://dev.mysql.com/doc/refman/8.4/en/savepoint.html"""
    cursor = reading.cursor(1)
    cursor.accept("WORK")
    if not cursor.accept("TO"):
        return Transaction(TransactionStep.ROLLBACK)
    cursor.accept("SAVEPOINT")
    return Transaction(TransactionStep.ROLLBACK_TO, cursor.column())


def read_savepoint(reading: Reading) -> Statement:
    """SAVEPOINT x."""
    return Transaction(TransactionStep.SAVEPOINT, reading.cursor(1).column())


def read_use(reading: Reading) -> Statement:
    """USE database. Source: https://dev.mysql.com/doc/refman/8.4/en/use.html"""
    return Use(reading.cursor(1).relation().name)


def database_reader(drop: Reader) -> Reader:
    """A reader of DROP DATABASE, which is DROP SCHEMA."""

    def read_drop_database(reading: Reading) -> Statement:
        first, _, *rest = reading.tokens
        return drop(reading.with_tokens([first, keyword("SCHEMA"), *rest]))

    return read_drop_database


def delete_reader(delete: Reader) -> Reader:
    """A reader of DELETE; DELETE HISTORY FROM t [BEFORE …] takes away row versions nobody sees.

    Source: https://mariadb.com/kb/en/delete/
    """

    def read_delete(reading: Reading) -> Statement:
        cursor = reading.cursor(1)
        named = cursor.relation().name.upper() if cursor.accept("HISTORY", "FROM") else "HISTORY"
        if named != "HISTORY" and (cursor.at_end or cursor.sees("BEFORE")):
            return Inert("removes old versions of rows")
        return delete(reading)

    return read_delete


def read_analyze(reading: Reading) -> Statement:
    """ANALYZE TABLE …; MariaDB's ANALYZE [FORMAT=JSON] statement, which runs the statement.

    Source: https://mariadb.com/kb/en/analyze-statement/
    """
    cursor = reading.cursor(1)
    if cursor.word() in {"TABLE", "TABLES", "LOCAL", "NO_WRITE_TO_BINLOG"}:
        return Inert("measures tables")
    if cursor.accept("FORMAT"):
        cursor.position += 2
    if is_query(cursor.word()):
        return Inert("shows how a query ran, not its rows")
    return reading.read(cursor.rest())


def exchange_partition(relation: Relation, cursor: TokenCursor, reading: Reading) -> Statement | None:
    """EXCHANGE PARTITION p WITH TABLE t.

    Source: https://dev.mysql.com/doc/refman/8.4/en/partitioning-management-exchange.html
    """
    if not cursor.accept("EXCHANGE", "PARTITION"):
        return None
    cursor.until("TABLE")
    cursor.expect("TABLE")
    return ExchangeRows(relation, cursor.relation())


def convert_partition(relation: Relation, cursor: TokenCursor, reading: Reading) -> Statement | None:
    """CONVERT PARTITION p TO TABLE t makes t of the rows; CONVERT TABLE t TO PARTITION p takes them in.

    Source: https://mariadb.com/kb/en/alter-table/
    """
    if cursor.accept("CONVERT", "PARTITION"):
        cursor.until("TABLE")
        cursor.expect("TABLE")
        made = cursor.relation()
        return Block((Define(made, like=relation), Write(made, _all_rows(relation))))
    if cursor.accept("CONVERT", "TABLE"):
        taken = cursor.relation()
        return Block((Write(relation, _all_rows(taken)), Drop((taken,))))
    return None


def _all_rows(relation: Relation) -> exp.Expr:
    schema = exp.to_identifier(relation.schema, quoted=True)
    table = exp.Table(this=exp.to_identifier(relation.name, quoted=True), db=schema)
    return exp.Select(expressions=[exp.Star()]).from_(table, copy=False)
