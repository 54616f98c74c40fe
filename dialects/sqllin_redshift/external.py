"""CREATE of what lies outside the warehouse or is trained there: schemas, views, functions, models."""

from __future__ import annotations

from sqllineage_svc.sql.parse import FROM, SELECT, STAR
from sqllineage_svc.sql.readers.create import Created, read_view
from sqllineage_svc.sql.statement import Define, Inert, Statement, TableKind
from sqllineage_svc.sql.tokens import is_string

# https://docs.aws.amazon.com/redshift/latest/dg/r_CREATE_EXTERNAL_SCHEMA.html
_LINKS = {
    "DATA": "a database of the data catalog",
    "HIVE": "a database of a Hive metastore",
    "POSTGRES": "a schema of a PostgreSQL database",
    "MYSQL": "a MySQL database",
    "KINESIS": "Kinesis streams",
    "MSK": "Kafka topics of Amazon MSK",
    "KAFKA": "Kafka topics",
    "REDSHIFT": "a schema of another database of the warehouse",
}


def create_external_schema(created: Created) -> Statement:
    """CREATE EXTERNAL SCHEMA s FROM …: a link; the reason says to what."""
    cursor = created.cursor
    cursor.until("FROM")
    cursor.accept("FROM")
    linked = _LINKS.get(cursor.word(), "data outside the warehouse")
    return Inert(f"links a schema to {linked}; its tables are read where they are")


def create_external_view(created: Created) -> Statement:
    """CREATE EXTERNAL [PROTECTED] VIEW v AS query, kept in the data catalog.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_CREATE_EXTERNAL_VIEW.html
    """
    created.cursor.accept("VIEW")
    return read_view(created)


def create_function(created: Created) -> Statement:
    """CREATE [EXTERNAL] FUNCTION: an expression, or code that SQL does not show.

    Sources: https://docs.aws.amazon.com/redshift/latest/dg/r_CREATE_FUNCTION.html,
    https://docs.aws.amazon.com/redshift/latest/dg/r_CREATE_EXTERNAL_FUNCTION.html
    """
    cursor = created.cursor
    cursor.until("LANGUAGE")
    if "EXTERNAL" in created.words:
        kind = "a function that runs in Lambda"
    elif cursor.word(1) == "SQL":
        kind = "an SQL function"
    else:
        kind = "a function in a language other than SQL"
    return Inert(f"makes {kind}, which moves data only where a query calls it")


def create_model(created: Created) -> Statement:
    """CREATE MODEL m FROM {table | (query) | 'job'} … FUNCTION f …: the query's rows train the model.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_CREATE_MODEL.html
    """
    cursor = created.cursor
    keeps = created.keeps_existing()
    model = Define(cursor.relation(), TableKind.MODEL, keeps_existing=keeps)
    if not cursor.accept("FROM") or is_string(cursor.token):
        return model
    reading = created.reading
    if cursor.word() == "(":
        query = reading.query(cursor.group())
    else:
        start = cursor.position
        cursor.relation()
        query = reading.query([SELECT, STAR, FROM, *cursor.tokens[start : cursor.position]])
    return Define(model.relation, TableKind.MODEL, query=query, keeps_existing=keeps)
