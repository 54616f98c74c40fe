"""SELECT and its kin; a WITH clause ahead of any verb."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sqllineage_svc.sql.reading import Reader, Reading
from sqllineage_svc.sql.statement import Define, Read, SetVariables, Statement

_VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "VALUES", "TABLE", "(")


def read_query(reading: Reading) -> Statement:
    """SELECT, VALUES, TABLE, or one in parentheses: a Read; SELECT … INTO t makes the table t."""
    query = reading.query(reading.tokens)
    into = _take_into(query)
    if into is None:
        return Read(query)
    target = into.this
    if isinstance(target, exp.Table) and isinstance(target.this, exp.Parameter):
        return SetVariables(("@" + target.this.name.lower(),), query)
    cursor = reading.cursor()
    cursor.until("INTO")
    cursor.expect("INTO")
    words = {"TEMP", "TEMPORARY", "TABLE", "LOCAL"}
    temporary = bool(into.args.get("temporary"))
    cursor.skip_any(words)
    relation = cursor.relation()
    return Define(relation, query=query, temporary=temporary or relation.name.startswith("#"))


def _take_into(query: exp.Expr) -> exp.Expr | None:
    """INTO of the query, or of the first one of a chain of set operations."""
    first = query
    while isinstance(first, exp.SetOperation | exp.Subquery) and first.args.get("into") is None:
        inner = first.this
        if not isinstance(inner, exp.Expr):
            break
        first = inner
    into = first.args.get("into")
    if into is not None:
        first.set("into", None)
    return into if isinstance(into, exp.Expr) else None


def with_reader(readers: Mapping[str, Reader]) -> Reader:
    """A reader of WITH …: what follows the clause is read with the clause's tokens put back into its query."""

    def read_with(reading: Reading) -> Statement:
        cursor = reading.cursor()
        while True:
            cursor.until(*_VERBS)
            if cursor.word() != "(" or cursor.at_end:
                break
            cursor.group()
        verb = cursor.word()
        if verb in ("", "SELECT", "VALUES", "TABLE", "("):
            return read_query(reading)
        if verb not in readers:
            raise cursor.error("expected a query")
        common = tuple(reading.tokens[: cursor.position])
        return readers[verb](reading.with_tokens(reading.tokens[cursor.position :], common))

    return read_with


def is_query(text: str) -> bool:
    """May a query begin with this word?"""
    return text in ("SELECT", "WITH", "(", "VALUES", "TABLE")
