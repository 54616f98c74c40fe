"""Tokens to sqlglot trees: whole queries, and lists of expressions by way of a query made around them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.errors import ParseError, TokenError
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import Token, TokenType

from sqllineage_svc.errors import UnreadableStatement
from sqllineage_svc.sql.threads import once_a_thread
from sqllineage_svc.sql.tokens import keyword

SELECT = keyword("SELECT", TokenType.SELECT)
FROM = keyword("FROM", TokenType.FROM)
WHERE = keyword("WHERE", TokenType.WHERE)
AND = keyword("AND", TokenType.AND)
ON = keyword("ON", TokenType.ON)
JOIN = keyword("JOIN", TokenType.JOIN)
COMMA = keyword(",", TokenType.COMMA)
OPEN = keyword("(", TokenType.L_PAREN)
CLOSE = keyword(")", TokenType.R_PAREN)
ONE = keyword("1", TokenType.NUMBER)
STAR = keyword("*", TokenType.STAR)


def parse_query(tokens: Sequence[Token], text: str, sqlglot: str) -> exp.Expr:
    """The query that these tokens are.

    Raises UnreadableStatement, with the place, where sqlglot cannot read them or they are no query.
    """
    if not tokens:
        raise UnreadableStatement("a query is missing")
    # alone, a dialect may take it for the function of that name
    values = tokens[0].token_type is TokenType.VALUES
    try:
        trees = _parser(sqlglot).parse([OPEN, *tokens, CLOSE] if values else list(tokens), text)
    except ParseError as error:
        raise _unreadable(error, tokens[0]) from error
    except RecursionError as error:
        raise UnreadableStatement("nested too deep to parse", tokens[0].line, 1) from error
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        # sqlglot 30.30 fails so on some texts that are no SQL: an operand is missing behind `a ?`
        raise UnreadableStatement("syntax error", tokens[0].line, 1) from error
    tree = trees[0] if len(trees) == 1 else None
    if not isinstance(tree, exp.Query | exp.Values | exp.Table):
        raise UnreadableStatement("this is no query that can be read", tokens[0].line, max(1, tokens[0].col))
    return tree.this if values and isinstance(tree.this, exp.Expr) else tree


def parse_expressions(pieces: Iterable[Sequence[Token]], text: str, sqlglot: str) -> list[exp.Expr]:
    """The expressions that these token lists are, without any alias."""
    tokens = [SELECT, *joined(pieces)]
    select = parse_query(tokens, text, sqlglot) if len(tokens) > 1 else exp.Select(expressions=[])
    return list(select.expressions)


@lru_cache(1024)
def parse_text(text: str, sqlglot: str) -> exp.Expr:
    """The expression that a text of its own is. Raises UnreadableStatement where it is none."""
    try:
        tokens = _dialect(sqlglot).tokenize(text)
    except TokenError as error:
        raise UnreadableStatement("syntax error") from error
    found = parse_expressions([tokens], text, sqlglot)
    if len(found) != 1:
        raise UnreadableStatement("this is no expression that can be read")
    return found[0]


def joined(pieces: Iterable[Sequence[Token]], separator: Token = COMMA) -> list[Token]:
    """The pieces in one list, with the separator between them."""
    tokens: list[Token] = []
    for piece in pieces:
        if tokens:
            tokens.append(separator)
        tokens.extend(piece)
    return tokens


@once_a_thread
def _parser(sqlglot: str) -> Parser:
    """One parser for all statements, as it forgets each when the next one comes: to make one takes its time."""
    return _dialect(sqlglot).parser()


@cache
def _dialect(sqlglot: str) -> SqlglotDialect:
    # it logs the text of what it cannot parse, which may hold what nobody should see
    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    return SqlglotDialect.get_or_raise(sqlglot)


def _unreadable(error: ParseError, first: Token) -> UnreadableStatement:
    details = error.errors[0] if error.errors else {}
    line, column = details.get("line"), details.get("col")
    found = details.get("highlight") or ""
    near = f" near '{found[:40]}'" if found and found[0] not in "'\"$" else ""
    return UnreadableStatement(
        f"syntax error{near}", line or first.line, max(1, (column or first.col) - max(0, len(found) - 1))
    )
