"""UPDATE, DELETE and MERGE: each as the SELECT of its scope.

UPDATE t SET a = x + 1 FROM s WHERE c   is the scope of   SELECT x + 1 FROM t, s WHERE c
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from sqllineage_svc.model.names import Relation
from sqllineage_svc.sql.parse import AND, CLOSE, COMMA, FROM, JOIN, ON, ONE, OPEN, SELECT, STAR, WHERE, joined
from sqllineage_svc.sql.reading import Reading
from sqllineage_svc.sql.statement import Change, Statement
from sqllineage_svc.sql.tokens import TokenCursor, behind_group, split_list, word, word_at

Tokens = Sequence[Token]
_MODIFIERS = {"LOW_PRIORITY", "QUICK", "IGNORE"}
_TAIL = ("ORDER BY", "LIMIT", "RETURNING")
_JOINS = {"JOIN", "STRAIGHT_JOIN"}
_BEFORE_A_TABLE = {"LATERAL", "ONLY"}
_BEHIND_A_TABLE = {
    "", ",", ".", "*", ")", "CROSS", "FORCE", "FULL", "IGNORE", "INNER", "JOIN", "LEFT", "NATURAL", "ON",
    "PARTITION", "RIGHT", "SET", "STRAIGHT_JOIN", "USE", "USING",
}  # fmt: skip
_QUERIES = {"SELECT", "WITH", "VALUES", "TABLE"}
_DOT = Token(TokenType.DOT, ".")


def read_update(reading: Reading) -> Statement:
    """UPDATE t SET … [FROM …] [WHERE …], or UPDATE t JOIN s ON … SET … [WHERE …] [ORDER BY …] [LIMIT …].

    Sources: https://docs.aws.amazon.com/redshift/latest/dg/r_UPDATE.html,
    https://dev.mysql.com/doc/refman/8.4/en/update.html
    """
    cursor = reading.cursor(1)
    cursor.skip_any(_MODIFIERS | {"ONLY"})
    tables = cursor.until("SET")
    cursor.expect("SET")
    names, values = _assignments(cursor.until("FROM", "WHERE", *_TAIL), reading)
    more = cursor.until("WHERE", *_TAIL)[1:] if cursor.sees("FROM") else ()
    tail = cursor.until("RETURNING")
    from_ = [FROM, *tables, *([COMMA, *more] if more else ())]
    query = reading.select([SELECT, *joined(values), *from_, *tail])
    alone = len(split_list(tables)) == 1 and not any(word(token) in _JOINS for token in tables)
    targets = (_first_name(tables, reading),) if alone else ()
    return Change("UPDATE", query, targets, names, sequential=alone and not more)


def read_delete(reading: Reading) -> Statement:
    """DELETE [FROM] t [USING …] [WHERE …]; DELETE a, b FROM …; DELETE FROM a, b USING … .

    Sources: https://docs.aws.amazon.com/redshift/latest/dg/r_DELETE.html,
    https://dev.mysql.com/doc/refman/8.4/en/delete.html
    """
    cursor = reading.cursor(1)
    cursor.skip_any(_MODIFIERS)
    named = cursor.until("FROM", "USING", "WHERE", *_TAIL)
    tables: Tokens = ()
    using: Tokens = ()
    if named and cursor.accept("FROM"):
        tables = cursor.until("WHERE", *_TAIL)
    elif cursor.accept("FROM"):
        named = cursor.until("USING", "WHERE", *_TAIL)
    if not tables and cursor.accept("USING"):
        using = cursor.until("WHERE", *_TAIL)
    several = len(split_list(named)) > 1
    targets = tuple(_first_name(piece, reading) for piece in split_list(named))
    if not targets:
        raise cursor.error("expected the table to delete from")
    if tables:
        source = tables
    elif several or (using and _lists(using, named, reading)):
        source = using
    else:
        source = [*named, *([COMMA, *using] if using else ())]
    joined_to = len(split_list(source)) > 1 or any(word(token) in _JOINS for token in source)
    condition = cursor.sees("WHERE") or cursor.sees("LIMIT") or bool(using) or joined_to
    tail = cursor.until("RETURNING")
    query = reading.select([SELECT, ONE, FROM, *source, *tail])
    return Change("DELETE", query, targets, every_row=not (condition or tail))


def read_merge(reading: Reading) -> Statement:
    """MERGE INTO t USING s ON … WHEN [NOT] MATCHED …, or REMOVE DUPLICATES.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_MERGE.html
    """
    cursor = reading.cursor(1)
    cursor.accept("INTO")
    target = cursor.until("USING")
    cursor.expect("USING")
    source = cursor.until("ON")
    cursor.expect("ON")
    on = cursor.until("WHEN", "REMOVE")
    from_ = [FROM, *target, JOIN, *source, ON, OPEN, *on, CLOSE]
    targets = (_first_name(target, reading),)
    if cursor.accept("REMOVE", "DUPLICATES"):
        query = reading.select([SELECT, *_alias(source), _DOT, STAR, *from_])
        return Change("MERGE", query, targets, by_position=True)
    conditions: list[Tokens] = []
    names: list[tuple[str | None, str]] = []
    values: list[Tokens] = []
    by_position = False
    inserts: list[int] = []
    while cursor.accept("WHEN"):
        condition = cursor.until("THEN")
        conditions.extend(_after_and(condition))
        cursor.expect("THEN")
        action = cursor.until("WHEN")
        columns, expressions, listed = _action(action, reading)
        if word(action[0]) == "INSERT":
            inserts.extend(range(len(values), len(values) + len(expressions)))
        by_position = by_position or not listed
        names.extend(columns)
        values.extend(expressions)
    cursor.expect_end()
    where = [WHERE, *joined(([OPEN, *piece, CLOSE] for piece in conditions), AND)] if conditions else []
    query = reading.select([SELECT, *(joined(values) or [ONE]), *from_, *where])
    return Change("MERGE", query, targets, tuple(names), by_position, tuple(inserts))


def _action(action: Tokens, reading: Reading) -> tuple[list[tuple[str | None, str]], list[Tokens], bool]:
    """The columns that a branch sets, their values, and whether its columns are listed."""
    cursor = TokenCursor(action, reading.identifiers)
    if cursor.accept("UPDATE"):
        cursor.expect("SET")
        names, values = _assignments(cursor.rest(), reading)
        return list(names), values, True
    if cursor.accept("INSERT"):
        columns = cursor.columns() if cursor.word() == "(" else None
        cursor.expect("VALUES")
        values = split_list(cursor.group())
        cursor.expect_end()
        if columns is None:
            return [(None, "")] * len(values), values, False
        return [(None, column) for column in columns], values, True
    cursor.expect("DELETE")
    cursor.expect_end()
    return [], [], True


def _assignments(tokens: Tokens, reading: Reading) -> tuple[tuple[tuple[str | None, str], ...], list[Tokens]]:
    names: list[tuple[str | None, str]] = []
    values: list[Tokens] = []
    for piece in split_list(tokens):
        cursor = TokenCursor(piece, reading.identifiers)
        if cursor.word() == "(":
            columns = cursor.columns()
            cursor.expect("=")
            row = split_list(cursor.group()) if cursor.word() == "(" else []
            if len(row) != len(columns):
                raise cursor.error("a row of columns needs a row of as many values")
            names.extend((None, column) for column in columns)
            values.extend(row)
            continue
        names.append(cursor.dotted_column())
        if not cursor.accept_any({"=", ":="}):
            raise cursor.error("expected =")
        values.append(cursor.rest())
    if not names:
        raise reading.cursor().error("expected SET column = value")
    return tuple(names), values


def _first_name(tokens: Tokens, reading: Reading) -> Relation:
    """The alias of a table reference, or its name; `t.*` (in DELETE) is t."""
    cursor = TokenCursor(tokens, reading.identifiers)
    cursor.skip_any({"ONLY", "("})
    if _is_star(tokens):
        return TokenCursor(tokens[:-2], reading.identifiers).relation()
    relation = cursor.relation()
    cursor.accept("*")
    cursor.accept("AS")
    if not cursor.at_end and cursor.word() not in _BEHIND_A_TABLE:
        return Relation(None, None, cursor.relation().name)
    return relation


def _is_star(tokens: Tokens) -> bool:
    return len(tokens) > 2 and word(tokens[-1]) == "*" and word(tokens[-2]) == "."


def _alias(source: Tokens) -> Tokens:
    """The tokens that name a table reference: its alias, or itself."""
    depth = 0
    for at in range(len(source) - 1, -1, -1):
        depth += (word(source[at]) == ")") - (word(source[at]) == "(")
        if depth:
            break
        if at and word(source[at - 1]) not in (".",) and word(source[at]) != ".":
            return source[at : at + 1]
    return source


def _lists(using: Tokens, named: Tokens, reading: Reading) -> bool:
    """Does USING list the target again as some warehouses want it?"""
    target = _first_name(named, reading)
    at = 0
    first = True
    while at < len(using):
        if word(using[at]) == "(":
            if word_at(using, at + 1) in _QUERIES or not first:  # a query, or a call's arguments
                at = behind_group(using, at)
                first = False
            else:
                at += 1
            continue
        if first and word(using[at]) not in _BEFORE_A_TABLE:
            if _first_name(using[at:], reading) == target:
                return True
            first = False
        elif word(using[at]) in (",", "JOIN", "STRAIGHT_JOIN"):
            first = True
        at += 1
    return False


def _after_and(condition: Tokens) -> list[Tokens]:
    for at, token in enumerate(condition):
        if word(token) == "AND":
            return [condition[at + 1 :]]
    return []
