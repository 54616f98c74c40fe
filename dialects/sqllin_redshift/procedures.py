"""CREATE PROCEDURE: its body is a text, read like a script of its own."""

from __future__ import annotations

from sqllin_redshift.rewrites import rewrite
from sqllineage_svc.sql.readers.block import read_block, read_parameters
from sqllineage_svc.sql.readers.create import Created
from sqllineage_svc.sql.readers.routine import PLPGSQL
from sqllineage_svc.sql.statement import CreateRoutine, Statement


def create_procedure(created: Created) -> Statement:
    """CREATE [OR REPLACE] PROCEDURE p (arguments) [NONATOMIC] AS $$ body $$ LANGUAGE plpgsql …

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_CREATE_PROCEDURE.html
    """
    cursor = created.cursor
    relation = cursor.relation()
    parameters = read_parameters(cursor)
    cursor.until("AS")
    cursor.expect("AS")
    inner = created.reading.reread(cursor.string())
    inner = inner.with_tokens(rewrite(inner.tokens))
    return CreateRoutine(relation, read_block(inner.cursor(), inner, PLPGSQL, parameters), parameters)
