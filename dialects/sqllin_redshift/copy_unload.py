"""COPY and UNLOAD: files into a table, and a query's rows into files.

Credentials and options are stepped over; of them only the format matters, since it says whether the fields
of a file have names.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from sqllin_redshift.rewrites import rewrite
from sqllineage_svc.model.names import Location
from sqllineage_svc.sql.reading import Reading
from sqllineage_svc.sql.statement import Inert, Load, Statement, Unload
from sqllineage_svc.sql.tokens import TokenCursor, is_string

# Parquet and ORC go by position, but their fields have names; taken to be the columns' names
# https://docs.aws.amazon.com/redshift/latest/dg/copy-usage_notes-copy-from-columnar.html
_NAMED_ALWAYS = {"PARQUET", "ORC"}
# https://docs.aws.amazon.com/redshift/latest/dg/copy-parameters-data-format.html
_NAMED_IF_AUTOMATIC = {"AVRO", "JSON"}
_AUTOMATIC = ("auto", "auto ignorecase")


def read_copy(reading: Reading) -> Statement:
    """COPY t [(columns)] FROM 'source' …: the source is named as written, a manifest too.

    COPY … JOB CREATE loads what is there and all that comes later; the other COPY JOB commands move no data
    that they name.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_COPY.html, …/r_COPY-JOB.html
    """
    cursor = reading.cursor(1)
    if cursor.sees("JOB") and cursor.word(1) in ("RUN", "ALTER", "DROP", "LIST", "SHOW"):
        return Inert("manages a COPY job; the job's own COPY says what it loads")
    target = cursor.relation()
    columns = cursor.columns() if cursor.word() == "(" else None
    cursor.expect("FROM")
    source = cursor.string()
    named = source.lower().startswith("dynamodb://") or _names_fields(cursor)
    return Load(target, Location(source), columns, named_fields=named)


def _names_fields(cursor: TokenCursor) -> bool:
    """Do the options name a format whose fields are found by name?

    JSON and AVRO do so with 'auto'; with a file of paths their fields go to the columns in order.
    """
    while not cursor.at_end:
        option = cursor.word()
        cursor.position += 1
        if option in _NAMED_ALWAYS:
            return True
        if option in _NAMED_IF_AUTOMATIC:
            cursor.accept("AS")
            how = cursor.accept_string()
            return (how or "auto").strip().lower() in _AUTOMATIC
    return False


def read_unload(reading: Reading) -> Statement:
    """UNLOAD ('query') TO 'location' …: the query is text in quotes or `$$`, or stands there as it is.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_UNLOAD.html
    """
    cursor = reading.cursor(1)
    inner = cursor.group()
    cursor.expect("TO")
    location = Location(cursor.string())
    return Unload(_query(inner, cursor, reading), location)


def _query(inner: Sequence[Token], cursor: TokenCursor, reading: Reading) -> exp.Expr:
    if not inner:
        raise cursor.error("UNLOAD needs a query")
    if not is_string(inner[0]):
        return reading.query(inner)
    text = "".join(token.text for token in inner if is_string(token))
    quoted = reading.reread(text.strip().rstrip(";"))
    return quoted.query(rewrite(quoted.tokens))
