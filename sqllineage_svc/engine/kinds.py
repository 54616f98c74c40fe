"""What to call a statement: the `kind` of JSON output and of job names."""

from __future__ import annotations

import re

from sqllineage_svc.sql.statement import (
    Change,
    CreateRoutine,
    Define,
    ExchangeRows,
    Load,
    MoveRows,
    Read,
    Statement,
    Write,
)

_NAMES: dict[type, str] = {
    Read: "select",
    Write: "insert",
    Load: "load",
    MoveRows: "append",
    ExchangeRows: "exchange_partition",
}
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def kind_of(statement: Statement) -> str:
    """A short name in lower case: `create_table_as`, `insert`, `update`, `load`, …"""
    if isinstance(statement, Define):
        name = "create_" + statement.kind.value.replace(" ", "_")
        is_table = statement.kind.value.endswith("table")
        return name + "_as" if is_table and statement.query is not None else name
    if isinstance(statement, Change):
        return statement.kind.lower()
    if isinstance(statement, CreateRoutine):
        return "create_" + statement.kind.lower()
    return _NAMES.get(type(statement)) or _CAPITAL.sub("_", type(statement).__name__).lower()
