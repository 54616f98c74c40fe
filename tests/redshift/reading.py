"""A Redshift statement as it is read, and its query as SQL again."""

from __future__ import annotations

from sqlglot import exp

from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.engine.read import read_statement
from sqllineage_svc.model.names import Relation
from sqllineage_svc.sql.statement import Statement

REDSHIFT = load_dialect("redshift")
T, S = Relation(None, None, "t"), Relation(None, None, "s")


def read(text: str) -> Statement:
    """The statement of this text."""
    return read_statement(text, REDSHIFT, REDSHIFT.identifiers)


def query_of(statement: Statement) -> str:
    """The SQL of the statement's query."""
    query = getattr(statement, "query", None)
    assert isinstance(query, exp.Expr)
    return query.sql("redshift")
