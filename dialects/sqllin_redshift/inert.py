"""Statements that move no data, each with the reason a person is told.

Source: https://docs.aws.amazon.com/redshift/latest/dg/c_SQL_commands.html
"""

from __future__ import annotations

_USER = "changes who may sign in"
_ACCESS = "changes who may do what"
_POLICY = "changes what a reader is shown, not what is stored"
_SHARE = "shares data with other warehouses and moves none"
_FUNCTION = "changes a function, which moves data only where a query calls it"
_PROCEDURE = "changes a procedure, which moves data only when it is called"
_DATABASE = "changes a database, not what its tables hold"
_UPKEEP = "tidies storage or statistics; the rows stay the same"
_SHOWN = "shows metadata"
_TEMPLATE = "changes a set of COPY options"
_MODEL = "links a model that is hosted elsewhere; no table trains it"
_INTERNAL = "the warehouse's own upkeep"

CREATED = {
    "DATABASE": _DATABASE, "DATASHARE": _SHARE, "GROUP": _USER, "IDENTITY PROVIDER": _USER, "USER": _USER,
    "ROLE": _ACCESS, "RLS POLICY": _POLICY, "MASKING POLICY": _POLICY, "LIBRARY": _FUNCTION,
    "TEMPLATE": _TEMPLATE, "SCHEMA": "makes a schema, which holds nothing yet", "EXTERNAL MODEL": _MODEL,
}  # fmt: skip
"""CREATE …: by the words of the object."""

DROPPED = {
    "DATABASE": _DATABASE, "DATASHARE": _SHARE, "FUNCTION": _FUNCTION, "GROUP": _USER, "IDENTITY": _USER,
    "LIBRARY": _FUNCTION, "MASKING": _POLICY, "RLS": _POLICY, "ROLE": _ACCESS,
    "TEMPLATE": _TEMPLATE, "USER": _USER,
}  # fmt: skip
"""DROP …: by the first word of the object."""

INERT = {
    "ALTER DATABASE": _DATABASE, "ALTER DATASHARE": _SHARE, "ALTER DEFAULT": _ACCESS,
    "ALTER FUNCTION": _FUNCTION, "ALTER GROUP": _USER, "ALTER IDENTITY": _USER, "ALTER LIBRARY": _FUNCTION,
    "ALTER MASKING": _POLICY, "ALTER MATERIALIZED": "changes how a materialized view is kept, not its query",
    "ALTER MODEL": _MODEL, "ALTER PROCEDURE": _PROCEDURE, "ALTER RLS": _POLICY, "ALTER ROLE": _ACCESS,
    "ALTER SYSTEM": "changes a setting of the warehouse", "ALTER TEMPLATE": _TEMPLATE, "ALTER USER": _USER,
    "ANALYZE": _UPKEEP, "ANALYSE": _UPKEEP, "VACUUM": _UPKEEP, "LOCK": "locks tables for this transaction",
    "ATTACH": _POLICY, "DETACH": _POLICY, "GRANT": _ACCESS, "REVOKE": _ACCESS,
    "CANCEL": "stops another query", "CLOSE": "closes a cursor", "COMMENT": "describes an object",
    "DEALLOCATE": "forgets a prepared statement", "DESC": _SHOWN, "DESCRIBE": _SHOWN, "SHOW": _SHOWN,
    "EXPLAIN": "shows the plan of a query that is not run",
    "LISTEN": "listens for notices", "NOTIFY": "sends a notice", "UNLISTEN": "listens for no notices",
    "DISCARD": "clears what a session keeps beside its tables",
    "\\": "a command of the psql client",
    # what a log holds beside the users' statements
    # https://docs.aws.amazon.com/redshift/latest/dg/r_STL_QUERY.html
    "PADB_FETCH_SAMPLE": _INTERNAL, "PADB_FETCH_SAMPLE :": _INTERNAL, "SMALL TABLE": _INTERNAL,
    "COUNT ROWS": _INTERNAL, "LOAD GLOBAL": _INTERNAL, "UNDOING": "undoes transactions that were rolled back",
    "CONTEXT": "says where an error arose",
}  # fmt: skip
"""By the statement's first two words, or its first."""
