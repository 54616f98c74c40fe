"""SET and RESET: the settings that change what a name means, among the many that do not."""

from __future__ import annotations

from sqllineage_svc.sql.reading import Reading
from sqllineage_svc.sql.statement import Block, Inert, SetCaseSensitivity, SetSearchPath, Statement
from sqllineage_svc.sql.tokens import TokenCursor, is_string

_ON = {"TRUE", "ON", "YES", "1", "T"}
_INERT = Inert("changes a setting that names do not depend on")


def read_set(reading: Reading) -> Statement:
    """SET [SESSION | LOCAL] setting {TO | =} value.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_SET.html
    """
    cursor = reading.cursor(1)
    cursor.accept_any({"SESSION", "LOCAL"})
    setting = cursor.token.text.lower()
    cursor.position += 1
    cursor.accept_any({"TO", "="})
    if setting == "search_path":
        return SetSearchPath(_schemas(cursor))
    if setting == "enable_case_sensitive_identifier":
        value = cursor.token.text.upper()
        return SetCaseSensitivity(None if value == "DEFAULT" else value in _ON)
    return _INERT


def read_reset(reading: Reading) -> Statement:
    """RESET setting | ALL. Source: https://docs.aws.amazon.com/redshift/latest/dg/r_RESET.html"""
    setting = reading.cursor(1).token.text.lower()
    if setting == "search_path":
        return SetSearchPath(None)
    if setting == "enable_case_sensitive_identifier":
        return SetCaseSensitivity(None)
    return Block((SetSearchPath(None), SetCaseSensitivity(None))) if setting == "all" else _INERT


def _schemas(cursor: TokenCursor) -> tuple[str, ...] | None:
    """The schemas in order, without the one named after the user, whom we do not know.

    A string may list several.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_search_path.html
    """
    if cursor.accept("DEFAULT"):
        return None
    schemas: list[str] = []
    while not cursor.at_end:
        if is_string(cursor.token):
            names = [name.strip().strip('"') for name in cursor.string().split(",")]
            schemas.extend(cursor.identifiers.fold_relation(name, quoted=True) for name in names)
        elif cursor.accept("$"):
            cursor.position += 1
        else:
            schemas.append(cursor.relation().name)
        if not cursor.accept(","):
            break
    return tuple(schema for schema in schemas if schema and schema != "$user")
