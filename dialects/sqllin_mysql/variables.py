"""SET: variables of users, routines and triggers, and the settings that decide what a statement means.

Source: https://dev.mysql.com/doc/refman/8.4/en/set-variable.html
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token

from sqllineage_svc.sql.parse import SELECT, joined
from sqllineage_svc.sql.readers.routine import Body, read_target
from sqllineage_svc.sql.reading import Reading
from sqllineage_svc.sql.statement import (
    Block,
    Change,
    Inert,
    SetVariables,
    Statement,
    Transaction,
    TransactionStep,
)
from sqllineage_svc.sql.tokens import TokenCursor, split_list

Tokens = Sequence[Token]
_SCOPES = {"GLOBAL", "SESSION", "LOCAL", "PERSIST", "PERSIST_ONLY"}
_NO_VARIABLE = {
    "NAMES": "sets the character set of the connection",
    "CHARACTER": "sets the character set of the connection",
    "CHARSET": "sets the character set of the connection",
    "PASSWORD": "changes a password",
    "ROLE": "chooses a role",
    "DEFAULT": "chooses a role",
    "RESOURCE": "chooses a resource group",
    "TRANSACTION": "sets how transactions are isolated",
}
_SETTING = Inert("sets a variable of the server or the session")


def read_set(reading: Reading) -> Statement:
    """SET outside of routines, all at once: SET @a = 1, @b = @a takes the old @a (tried on MariaDB 10.11)."""
    return _read(reading, None)


def read_set_in_body(reading: Reading, body: Body) -> Statement:
    """SET in a routine, one after the other; a name may be its variable or, in a trigger, NEW.column."""
    return _read(reading, body)


def _read(reading: Reading, body: Body | None) -> Statement:
    cursor = reading.cursor(1)
    if cursor.accept("STATEMENT"):  # https://mariadb.com/kb/en/set-statement/
        cursor.until("FOR")
        cursor.expect("FOR")
        return reading.read(cursor.rest())
    first = cursor.word(1) if cursor.word() in _SCOPES else cursor.word()
    if first in _NO_VARIABLE and cursor.word(1) not in ("=", ":=", "."):
        return Inert(_NO_VARIABLE[first])
    found: list[Statement] = []
    names: list[str] = []
    values: list[Tokens] = []
    for piece in split_list(cursor.rest()):
        target, value = _assignment(TokenCursor(piece, reading.identifiers), reading, body)
        if isinstance(target, str):
            names.append(target)
            values.append(value)
        else:
            found.append(target)
    together = [(tuple(names), joined(values))] if names else []
    one_by_one = [((name,), list(value)) for name, value in zip(names, values, strict=True)]
    for variables, expressions in together if body is None else one_by_one:
        found.append(SetVariables(variables, reading.query([SELECT, *expressions])))
    moving = [statement for statement in found if statement != _SETTING]
    return moving[0] if len(moving) == 1 else Block(tuple(moving)) if moving else _SETTING


def _assignment(cursor: TokenCursor, reading: Reading, body: Body | None) -> tuple[str | Statement, Tokens]:
    """The variable's name and its value; or what the assignment does instead."""
    if cursor.word() == "@":
        name = read_target(cursor)
        return name, _value(cursor)
    scoped = cursor.accept("@@")
    scope = cursor.accept_any(_SCOPES) if cursor.word(1) not in ("=", ":=") else ""
    cursor.accept(".")
    qualifier, name = cursor.dotted_column()
    value = _value(cursor)
    if scoped or scope:
        return _set_system(name, scope, value), value
    if body is not None and (qualifier or name) in body.names:
        return qualifier or name, value
    if body is not None and body.trigger is not None and qualifier is not None and qualifier.lower() == "new":
        return Change("UPDATE", reading.select([SELECT, *value]), (body.trigger,), ((None, name),)), value
    return _set_system(name, scope, value), value


def _value(cursor: TokenCursor) -> Tokens:
    if not cursor.accept_any({"=", ":="}):
        raise cursor.error("expected =")
    if cursor.at_end:
        raise cursor.error("expected a value")
    return cursor.rest()


def _set_system(name: str, scope: str, value: Tokens) -> Statement:
    """autocommit changes how long a transaction is; the others move nothing."""
    if name != "autocommit" or scope not in ("", "SESSION", "LOCAL"):
        return _SETTING
    off = value[0].text.upper() in ("0", "OFF", "FALSE")
    return Transaction(TransactionStep.AUTOCOMMIT_OFF if off else TransactionStep.AUTOCOMMIT_ON)
