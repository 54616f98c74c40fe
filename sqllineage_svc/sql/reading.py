"""A statement on its way from text to `Statement`: its text, its tokens and how names fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from sqllineage_svc.errors import UnreadableStatement
from sqllineage_svc.sql.identifiers import IdentifierRules
from sqllineage_svc.sql.parse import parse_expressions, parse_query
from sqllineage_svc.sql.statement import Statement
from sqllineage_svc.sql.tokens import TokenCursor, first_column


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader is given.

    `common` are the tokens of a WITH clause that stood before the statement's verb. `read` reads a
    statement inside this one, of the same text (in a routine's body); `reread` starts with another text
    (a quoted query, a `$$` body): its reading, to take queries or statements from.
    """

    text: str
    tokens: Sequence[Token]
    sqlglot: str
    identifiers: IdentifierRules
    read: Callable[[Sequence[Token]], Statement]
    reread: Callable[[str], Reading]
    common: tuple[Token, ...] = ()

    def cursor(self, position: int = 0) -> TokenCursor:
        """A cursor at this token."""
        return TokenCursor(self.tokens, self.identifiers, position)

    def query(self, tokens: Sequence[Token]) -> exp.Expr:
        """The query that these tokens are, with the statement's WITH clause ahead."""
        return parse_query([*self.common, *tokens] if self.common else tokens, self.text, self.sqlglot)

    def select(self, tokens: Sequence[Token]) -> exp.Select:
        """The SELECT that these tokens are; a set operation is none."""
        query = self.query(tokens)
        if not isinstance(query, exp.Select):
            raise unreadable(self, "a set operation stands where an expression must")
        return query

    def expressions(self, pieces: Iterable[Sequence[Token]]) -> list[exp.Expr]:
        """The expressions that these token lists are."""
        return parse_expressions(pieces, self.text, self.sqlglot)

    def with_tokens(self, tokens: Sequence[Token], common: tuple[Token, ...] = ()) -> Reading:
        """The same reading, of other tokens of the same text."""
        return replace(self, tokens=tokens, common=common)


Reader = Callable[[Reading], Statement]
"""Reads statements that begin with certain words; raises UnreadableStatement where it cannot."""


def unreadable(reading: Reading, problem: str) -> UnreadableStatement:
    """An error at the statement's first token."""
    first = reading.tokens[0]
    return UnreadableStatement(problem, first.line, first_column(first))
