"""The statements that only a routine knows: assignments, SELECT … INTO, cursors, dynamic SQL.

Two families of languages are read, the SQL standard's (SET a = x) and PL/pgSQL (a := x); where they agree or
do not collide, one reader serves both.

Sources: https://dev.mysql.com/doc/refman/8.4/en/sql-compound-statements.html,
https://docs.aws.amazon.com/redshift/latest/dg/c_PLpgSQL-structure.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot.tokenizer_core import Token, TokenType

from sqllineage_svc.model.names import Relation
from sqllineage_svc.sql.parse import SELECT
from sqllineage_svc.sql.readers.query import is_query
from sqllineage_svc.sql.reading import Reading
from sqllineage_svc.sql.statement import (
    Block,
    DeclareCursor,
    Fetch,
    Inert,
    Opaque,
    Query,
    Read,
    SetVariables,
    Statement,
)
from sqllineage_svc.sql.tokens import TokenCursor, is_string, split_list, word

Tokens = Sequence[Token]


@dataclass(frozen=True, slots=True)
class Language:
    """What differs between the languages that routines are written in.

    `declares_first`: variables stand between DECLARE and BEGIN; else each in a DECLARE behind BEGIN.
    `readers` and `inert` go by a statement's first word and are asked before the warehouse's own.
    `variables` are there undeclared.
    """

    declares_first: bool
    readers: Mapping[str, PartReader] = field(default_factory=dict)
    inert: Mapping[str, str] = field(default_factory=dict)
    variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Body:
    """A routine's body on its way to a Block, with the names that are known at the cursor.

    `names` are variables and parameters; `cursors` the queries of declared cursors; `trigger` is the table
    whose rows are NEW and OLD; `depth` counts the blocks around.
    """

    cursor: TokenCursor
    reading: Reading
    language: Language
    names: frozenset[str] = frozenset()
    cursors: Mapping[str, Query] = field(default_factory=dict)
    trigger: Relation | None = None
    depth: int = 0

    def knowing(self, names: Iterable[str] = (), cursors: Mapping[str, Query] | None = None) -> Body:
        """The same body behind a declaration."""
        return replace(self, names=self.names | set(names), cursors={**self.cursors, **(cursors or {})})

    def value(self, tokens: Tokens) -> Query:
        """The query whose one output is this expression."""
        return self.reading.query([SELECT, *tokens])


PartReader = Callable[[Reading, Body], Statement]
"""Reads one simple statement of a body: the reading's tokens are its own, without the `;`."""

LEAVES = Inert("leaves a loop or goes to its next turn")
_DYNAMIC = Opaque("DynamicSql", "the text of this statement is made only when it runs")


def read_part(reading: Reading, body: Body) -> Statement:
    """A simple statement of a body.

    Raises UnreadableStatement, as the warehouse's readers do.
    """
    first = word(reading.tokens[0])
    if assigned := _assignment(reading, body):
        return assigned
    if first in body.language.inert:
        return Inert(body.language.inert[first])
    reader = body.language.readers.get(first) or _PARTS.get(first)
    if reader is not None:
        return reader(reading, body)
    if is_query(first):
        return read_select(reading) or reading.read(reading.tokens)
    return reading.read(reading.tokens)


def _assignment(reading: Reading, body: Body) -> Statement | None:
    """`a := x`, `record.a := x`, `a[1] := x`; where variables are declared first, `=` does as well."""
    cursor = reading.cursor()
    if cursor.word(1) not in (":=", "=", ".", "["):
        return None
    target = read_target(cursor)
    if cursor.word() == "[":
        cursor.until(":=", "=")
    if not (cursor.accept(":=") or (body.language.declares_first and cursor.accept("="))):
        return None
    return SetVariables((target,), body.value(cursor.rest()))


def read_target(cursor: TokenCursor) -> str:
    """The variable that must come next, as SetVariables names it; of a record's field the record."""
    if not cursor.accept("@"):
        qualifier, name = cursor.dotted_column()
        return qualifier or name
    name = cursor.accept_string() or cursor.column()
    while cursor.accept("."):
        name += "." + cursor.column()
    return "@" + name.lower()


def _targets(cursor: TokenCursor) -> tuple[str, ...]:
    cursor.accept("STRICT")
    names = [read_target(cursor)]
    while cursor.accept(","):
        names.append(read_target(cursor))
    return tuple(names)


def read_select(reading: Reading) -> SetVariables | None:
    """SELECT … INTO variables, wherever INTO stands; None where a query has no INTO, or INTO a file."""
    cursor = reading.cursor()
    start = find_into(reading.tokens)
    if start is None or cursor.word(start + 1) in ("OUTFILE", "DUMPFILE"):
        return None
    cursor.position = start + 1
    variables = _targets(cursor)
    return SetVariables(variables, reading.query([*reading.tokens[:start], *cursor.rest()]))


def find_into(tokens: Tokens) -> int | None:
    """Where the INTO of the outermost query stands."""
    depth = 0
    for at, token in enumerate(tokens):
        kind = token.token_type
        depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
        if not depth and word(token) == "INTO":
            return at
    return None


def read_perform(reading: Reading, body: Body) -> Statement:
    """PERFORM expression [FROM …]: a SELECT whose result nobody takes."""
    return Read(body.value(reading.tokens[1:]))


def read_dynamic(reading: Reading, body: Body) -> Statement:
    """EXECUTE text [INTO variables] [USING values]: the statement of the text, where that is a literal."""
    cursor = reading.cursor(1)
    statement = read_made(cursor.until("INTO", "USING"), reading)
    if cursor.accept("INTO") and isinstance(statement, Read):
        return SetVariables(_targets(cursor), statement.query)
    return statement


def read_made(tokens: Tokens, reading: Reading) -> Statement:
    """The statement whose text this expression is: a literal, or literals joined by `||`; else Opaque."""
    pieces = split_list(tokens, "||")
    if not pieces or not all(len(piece) == 1 and is_string(piece[0]) for piece in pieces):
        return _DYNAMIC
    return read_text("".join(piece[0].text for piece in pieces), reading)


def read_text(text: str, reading: Reading) -> Statement:
    """The statement that a text holds; a Block where it holds several."""
    inner = reading.reread(text)
    statements = tuple(inner.read(tokens) for tokens in split_list(inner.tokens, ";") if tokens)
    return statements[0] if len(statements) == 1 else Block(statements)


def _fetch(reading: Reading, body: Body) -> Statement:
    cursor = reading.cursor(1)
    named = cursor.until("INTO")
    if not named:
        raise cursor.error("expected a cursor's name")
    name = TokenCursor(named[-1:], reading.identifiers).column()
    return Fetch(name, _targets(cursor) if cursor.accept("INTO") else ())


def _open(reading: Reading, body: Body) -> Statement:
    cursor = reading.cursor(1)
    name = cursor.column()
    cursor.until("FOR")
    if not cursor.accept("FOR"):
        return Inert("opens a cursor")
    if not cursor.accept("EXECUTE"):
        return DeclareCursor(name, reading.query(cursor.rest()))
    made = read_made(cursor.until("USING"), reading)
    return DeclareCursor(name, made.query) if isinstance(made, Read) else made


def _return(reading: Reading, body: Body) -> Statement:
    tokens = reading.tokens[1:]
    if tokens and word(tokens[0]) == "QUERY":
        return Read(reading.query(tokens[1:]))
    if any(token.token_type is TokenType.SELECT for token in tokens):
        return Read(body.value(tokens))
    return Inert("returns a value")


def _leave(reading: Reading, body: Body) -> Statement:
    cursor = reading.cursor(1)
    cursor.until("WHEN")
    return Block((LEAVES,), guards=(body.value(cursor.rest()),)) if cursor.accept("WHEN") else LEAVES


def _close(reading: Reading, body: Body) -> Statement:
    return Inert("closes a cursor")


_PARTS: Mapping[str, PartReader] = {
    "FETCH": _fetch, "OPEN": _open, "CLOSE": _close, "RETURN": _return,
    "EXIT": _leave, "CONTINUE": _leave, "LEAVE": _leave, "ITERATE": _leave,
}  # fmt: skip

PLPGSQL = Language(
    declares_first=True,
    readers={"PERFORM": read_perform, "EXECUTE": read_dynamic},
    inert={
        "RAISE": "reports a message or an error", "NULL": "does nothing", "GET": "asks how a statement went",
        "ASSERT": "checks a condition", "MOVE": "moves a cursor",
    },
    variables=("found",),
)  # fmt: skip
