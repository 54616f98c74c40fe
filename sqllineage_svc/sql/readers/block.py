"""The bodies of routines: blocks, branches, loops and declarations, to a Block.

A statement that cannot be read becomes an Opaque and costs the others nothing. Handlers of errors are read as
if they ran, but for their COMMIT and ROLLBACK, which say nothing of a run that went well.

Sources: https://dev.mysql.com/doc/refman/8.4/en/sql-compound-statements.html,
https://docs.aws.amazon.com/redshift/latest/dg/c_PLpgSQL-statements.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from sqlglot.tokenizer_core import Token, TokenType

from sqllineage_svc.errors import NestingTooDeep, StatementError, UnreadableStatement
from sqllineage_svc.model.names import Relation
from sqllineage_svc.sql.parse import CLOSE, OPEN
from sqllineage_svc.sql.readers.query import is_query
from sqllineage_svc.sql.readers.routine import LEAVES, Body, Language, read_made, read_part
from sqllineage_svc.sql.reading import Reading
from sqllineage_svc.sql.statement import (
    Block,
    DeclareCursor,
    ForEach,
    Inert,
    Opaque,
    Query,
    Read,
    SetVariables,
    Statement,
    Transaction,
)
from sqllineage_svc.sql.tokens import TokenCursor, first_column, keyword, split_list, word

MAX_BLOCKS = 60
"""Blocks inside one another; reading recurses for each."""

Tokens = Sequence[Token]
Condition = Query | Opaque
"""The query of a condition, or what stands for one that cannot be read."""

_IN = keyword("IN", TokenType.IN)


def read_block(
    cursor: TokenCursor,
    reading: Reading,
    language: Language,
    names: Sequence[str] = (),
    trigger: Relation | None = None,
) -> Block:
    """The body that stands at the cursor, a block or a single statement, up to the last token.

    `names` are the routine's parameters; `trigger` is the table whose rows are NEW and OLD.
    """
    statement = _statement(Body(cursor, reading, language, frozenset(names), trigger=trigger))
    cursor.accept(";")
    cursor.expect_end()
    block = statement if isinstance(statement, Block) else Block((statement,))
    return replace(block, variables=(*language.variables, *block.variables))


def read_parameters(cursor: TokenCursor) -> tuple[str, ...]:
    """The names of the parameters in parentheses, folded as columns; `$1` … for those without one."""
    names: list[str] = []
    for position, piece in enumerate(split_list(cursor.group()), 1):
        part = TokenCursor(piece, cursor.identifiers)
        part.skip_any({"IN", "OUT", "INOUT"})
        names.append(part.column() if len(part.tokens) - part.position > 1 else f"${position}")
    return tuple(names)


def _statements(body: Body, *stops: str) -> Block:
    """Statements up to END or one of these words, with what they declare."""
    cursor = body.cursor
    found: list[Statement] = []
    variables: list[str] = []
    while not cursor.at_end and cursor.word() not in ("END", *stops):
        if cursor.accept(";"):
            continue
        if cursor.sees("DECLARE") and not body.language.declares_first:
            cursor.position += 1
            names, statements = _declaration(body)
            variables.extend(names)
            found.extend(statements)
            body = body.knowing(names, _cursors(statements))
        else:
            found.append(_statement(body))
    return Block(tuple(found), tuple(variables))


def _statement(body: Body) -> Statement:
    cursor = body.cursor
    _skip_label(cursor)
    control = _CONTROL.get(cursor.word())
    if control is None or cursor.word(1) in (":=", "."):
        return _part(body)
    if body.depth >= MAX_BLOCKS:
        problem = f"more than {MAX_BLOCKS} blocks inside one another"
        raise NestingTooDeep(problem, cursor.token.line, first_column(cursor.token))
    return control(replace(body, depth=body.depth + 1))


def _skip_label(cursor: TokenCursor) -> None:
    """Step over `label:` or `<<label>>`."""
    if cursor.sees("<", "<"):
        cursor.until(">")
        cursor.expect(">", ">")
    elif cursor.word(1) == ":" and cursor.position + 2 < len(cursor.tokens):
        cursor.position += 2


def _part(body: Body) -> Statement:
    """A simple statement, up to its `;`, even where its parentheses do not balance."""
    tokens = _to_semicolon(body.cursor)
    if not tokens:
        raise body.cursor.error("expected a statement")
    try:
        return read_part(body.reading.with_tokens(tokens), body)
    except StatementError as error:
        return _unreadable(error)


def _unreadable(error: StatementError) -> Opaque:
    code = "UnreadableStatement" if isinstance(error, UnreadableStatement) else "NestingTooDeep"
    return Opaque(code, f"line {error.line} of the routine: {error.message}")


def _to_semicolon(cursor: TokenCursor) -> Tokens:
    start = cursor.position
    while not cursor.at_end and cursor.word() != ";":
        cursor.position += 1
    return cursor.tokens[start : cursor.position]


def _end(cursor: TokenCursor, *words: str) -> None:
    """END, perhaps with the word of what ends, perhaps with a label."""
    cursor.expect("END")
    cursor.accept_any(set(words))
    if not cursor.at_end and cursor.word() != ";":
        cursor.column()


def _compound(body: Body) -> Block:
    """BEGIN … [EXCEPTION WHEN … THEN …] END."""
    cursor = body.cursor
    cursor.expect("BEGIN")
    cursor.accept("NOT")
    cursor.accept("ATOMIC")
    block = _statements(body, "EXCEPTION")
    if cursor.accept("EXCEPTION"):
        while cursor.accept("WHEN"):
            cursor.until("THEN")
            cursor.expect("THEN")
            block = replace(block, body=(*block.body, _handling(_statements(body, "WHEN"))))
    _end(cursor)
    return block


def _handling(statement: Statement) -> Statement:
    """What a handler of errors does, without what it does to the transaction."""
    if isinstance(statement, Transaction):
        return Inert("runs only after an error")
    if isinstance(statement, Block):
        return replace(statement, body=tuple(_handling(inner) for inner in statement.body))
    return statement


def _section(body: Body) -> Block:
    """DECLARE a type := x; c CURSOR FOR query; … BEGIN … END."""
    cursor = body.cursor
    found: list[Statement] = []
    variables: list[str] = []
    cursor.expect("DECLARE")
    while not cursor.at_end and not cursor.sees("BEGIN"):
        if cursor.accept("DECLARE") or cursor.accept(";"):
            continue
        names, statements = _declaration(body)
        variables.extend(names)
        found.extend(statements)
        body = body.knowing(names, _cursors(statements))
    block = _compound(body)
    return replace(block, body=(*found, *block.body), variables=(*variables, *block.variables))


def _declaration(body: Body) -> tuple[tuple[str, ...], tuple[Statement, ...]]:
    """A declaration behind its DECLARE: the variables it declares, and what it does."""
    cursor = body.cursor
    if cursor.word(1) == "HANDLER":
        cursor.position += 2
        cursor.expect("FOR")
        _skip_conditions(cursor)
        return (), (_handling(_statement(body)),)
    names = [cursor.column()]
    while cursor.accept(","):
        names.append(cursor.column())
    inner = TokenCursor(_to_semicolon(cursor), cursor.identifiers)
    inner.accept("NO")
    inner.accept("SCROLL")
    if inner.sees("CONDITION"):
        return (), ()
    try:
        if inner.accept("CURSOR"):
            inner.until("FOR", "IS")
            inner.position += 1
            return (), (DeclareCursor(names[0], body.reading.query(inner.rest())),)
        inner.until("DEFAULT", ":=", "=")
        inner.position += 1
        if inner.at_end:
            return tuple(names), ()
        value = body.value(inner.rest())
    except UnreadableStatement as error:
        return tuple(names), (_unreadable(error),)
    return tuple(names), tuple(SetVariables((name,), value) for name in names)


def _skip_conditions(cursor: TokenCursor) -> None:
    """Step over the conditions of a handler: NOT FOUND, SQLSTATE '02000', 1051, a name."""
    while True:
        if cursor.accept("SQLSTATE"):
            cursor.accept("VALUE")
        cursor.accept("NOT")
        cursor.position += 1
        if not cursor.accept(","):
            return


def _cursors(statements: Sequence[Statement]) -> dict[str, Query]:
    return {found.name: found.query for found in statements if isinstance(found, DeclareCursor)}


def _if(body: Body) -> Block:
    """IF c THEN … ELSEIF c THEN … ELSE … END IF: a guarded block a branch.

    The trees of the conditions are shared: a branch is guarded by its own and by those before it.
    """
    cursor = body.cursor
    cursor.expect("IF")
    branches: list[Statement] = []
    conditions: list[Condition] = []
    while True:
        conditions.append(_condition(body, cursor.until("THEN")))
        cursor.expect("THEN")
        branches.append(_guarded(_statements(body, "ELSEIF", "ELSIF", "ELSE"), conditions))
        if not cursor.accept_any({"ELSEIF", "ELSIF"}):
            break
    if cursor.accept("ELSE"):
        branches.append(_guarded(_statements(body), conditions))
    _end(cursor, "IF")
    return Block(tuple(branches))


def _case(body: Body) -> Block:
    """CASE [x] WHEN v THEN … ELSE … END CASE, like IF."""
    cursor = body.cursor
    cursor.expect("CASE")
    operand = cursor.until("WHEN")
    branches: list[Statement] = []
    conditions: list[Condition] = []
    while cursor.accept("WHEN"):
        value = cursor.until("THEN")
        cursor.expect("THEN")
        conditions.append(_condition(body, [*operand, _IN, OPEN, *value, CLOSE] if operand else value))
        branches.append(_guarded(_statements(body, "WHEN", "ELSE"), conditions))
    if cursor.accept("ELSE"):
        branches.append(_guarded(_statements(body), conditions))
    _end(cursor, "CASE")
    return Block(tuple(branches))


def _condition(body: Body, tokens: Tokens) -> Condition:
    try:
        return body.value(tokens)
    except StatementError as error:
        return _unreadable(error)


def _guarded(block: Block, conditions: Sequence[Condition]) -> Block:
    """The block under these conditions; the last of them is its own."""
    guards = tuple(found for found in conditions if not isinstance(found, Opaque))
    unread = tuple(found for found in conditions[-1:] if isinstance(found, Opaque))
    return replace(block, body=(*unread, *block.body), guards=(*block.guards, *guards))


def _loop(body: Body) -> Block:
    """LOOP … END LOOP: guarded by what leaves it."""
    body.cursor.expect("LOOP")
    block = _statements(body)
    _end(body.cursor, "LOOP")
    return _looped(block, [])


def _while(body: Body) -> Block:
    """WHILE c DO … END WHILE, WHILE c LOOP … END LOOP."""
    cursor = body.cursor
    cursor.expect("WHILE")
    condition = _condition(body, cursor.until("DO", "LOOP"))
    cursor.position += 1
    block = _statements(body)
    _end(cursor, "WHILE", "LOOP")
    return _looped(block, [condition])


def _repeat(body: Body) -> Block:
    """REPEAT … UNTIL c END REPEAT."""
    cursor = body.cursor
    cursor.expect("REPEAT")
    block = _statements(body, "UNTIL")
    cursor.expect("UNTIL")
    condition = _condition(body, cursor.until("END"))
    _end(cursor, "REPEAT")
    return _looped(block, [condition])


def _looped(block: Block, conditions: Sequence[Condition]) -> Block:
    """A loop's block: also guarded by the conditions under which its statements leave it."""
    return _guarded(block, [*_leaving(block), *conditions])


def _leaving(block: Block) -> Iterator[Query]:
    for statement in block.body:
        if isinstance(statement, Block):
            if LEAVES in statement.body:
                yield from statement.guards
            yield from _leaving(statement)


def _for(body: Body) -> Statement:
    """FOR r IN query LOOP …; FOR i IN 1..n LOOP …; FOR r IN cursor DO … END FOR."""
    cursor = body.cursor
    cursor.expect("FOR")
    names = [cursor.column()]
    while cursor.accept(","):
        names.append(cursor.column())
    cursor.expect("IN")
    tokens = cursor.until("LOOP", "DO")
    cursor.position += 1
    source = _source(body, tokens)
    block = _statements(body.knowing(names))
    _end(cursor, "LOOP", "FOR")
    if isinstance(source, Read):
        return ForEach(names[0], source.query, block)
    block = replace(block, variables=(*names, *block.variables))
    bounds = [_condition(body, end) for end in _range(tokens)]
    return _looped(block, bounds) if bounds else replace(block, body=(source, *block.body))


def _source(body: Body, tokens: Tokens) -> Statement:
    """What FOR goes through: a Read of a query; an Opaque where its query is not to be seen."""
    first = word(tokens[0]) if tokens else ""
    try:
        if first == "EXECUTE":
            return read_made(TokenCursor(tokens, body.cursor.identifiers, 1).until("USING"), body.reading)
        if is_query(first):
            return Read(body.reading.query(tokens))
        name = TokenCursor(tokens, body.cursor.identifiers).column() if first else ""
    except StatementError as error:
        return _unreadable(error)
    query = body.cursors.get(name)
    return Opaque("DynamicSql", "the query of this cursor is not known") if query is None else Read(query)


def _range(tokens: Tokens) -> list[Tokens]:
    """The two ends of `a..b`, also where the lexer took `1.` for a number; [] where this is no range."""
    words = [word(token) for token in tokens]
    start = 1 if words[:1] == ["REVERSE"] else 0
    end = words.index("BY") if "BY" in words else len(tokens)
    for at in range(start + 1, end):
        if words[at] != "." or not words[at - 1].endswith("."):
            continue
        low = tokens[start : at - 1] if words[at - 1] == "." else tokens[start:at]
        return [low, tokens[at + 1 : end]]
    return []


_CONTROL: Mapping[str, Callable[[Body], Statement]] = {
    "BEGIN": _compound, "DECLARE": _section, "IF": _if, "CASE": _case, "LOOP": _loop, "WHILE": _while,
    "REPEAT": _repeat, "FOR": _for,
}  # fmt: skip
