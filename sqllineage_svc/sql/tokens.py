"""The tokens of one statement: made once, then shared by the depth check, the readers and the parser."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType
from sqlglot.tokens import Tokenizer

from sqllineage_svc.errors import NestingTooDeep, UnreadableStatement
from sqllineage_svc.model.names import Relation
from sqllineage_svc.sql.identifiers import IdentifierRules

MAX_NESTING = 200
"""Parentheses, CASEs or prefix operators inside one another; parsing recurses once or more for each."""

MAX_SUBQUERIES = 100
"""SELECTs inside one another; parsing time grows with the square of this."""

_STRINGS = frozenset(
    {
        TokenType.STRING, TokenType.RAW_STRING, TokenType.HEREDOC_STRING, TokenType.NATIONAL_STRING,
        TokenType.NATIONAL_RAW_STRING, TokenType.UNICODE_STRING, TokenType.BYTE_STRING, TokenType.BIT_STRING,
        TokenType.HEX_STRING,
    }  # fmt: skip
)
_OPENERS = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
_CLOSERS = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}
_ENDS_RUN = _STRINGS | {
    TokenType.VAR, TokenType.IDENTIFIER, TokenType.NUMBER, TokenType.NULL, TokenType.TRUE, TokenType.FALSE,
    TokenType.STAR, TokenType.PLACEHOLDER, TokenType.COMMA,
}  # fmt: skip
_WORDS_OF_THEIR_OWN = frozenset(
    {"PRIMARY KEY", "FOREIGN KEY", "SQL SECURITY", "LOCK TABLES", "UNLOCK TABLES", "PARTITIONED BY"}
)
"""Pairs that sqlglot makes one token of and no query holds; readers take words one by one."""

_PREFIX, _OPERAND, _OPENS, _CLOSES, _SELECTS, _RESTARTS = range(6)
_TOKEN_ERROR_PLACE = re.compile(r"(\d+):(\d+)")


def tokenize(text: str, sqlglot: str) -> list[Token]:
    """The tokens of one statement; sqlglot's, but for the words it calls commands, whose rest it swallows.

    Raises UnreadableStatement where a quote or comment is not closed, NestingTooDeep above the limits.
    """
    try:
        tokens = _tokenizer(sqlglot).tokenize(text)
    except TokenError as error:
        place = _TOKEN_ERROR_PLACE.search(str(error))
        line, column = (int(place[1]), int(place[2])) if place else (1, 1)
        raise UnreadableStatement("a quote or comment is not closed", line, column) from error
    if _divided(sqlglot).search(text):
        tokens = _reunited(tokens, _pairs(sqlglot))
    _check_nesting(tokens)
    return tokens


@cache
def _tokenizer(sqlglot: str) -> Tokenizer:
    dialect = SqlglotDialect.get_or_raise(sqlglot)
    keywords = {
        text: kind
        for text, kind in dialect.tokenizer_class.KEYWORDS.items()
        if text not in _WORDS_OF_THEIR_OWN
    }
    changed = type("Tokens", (dialect.tokenizer_class,), {"COMMANDS": set(), "KEYWORDS": keywords})
    return cast(Tokenizer, changed(dialect))


@cache
def _pairs(sqlglot: str) -> dict[str, TokenType]:
    """The pairs of words that are one token: GROUP BY, DOUBLE PRECISION, …"""
    keywords = _tokenizer(sqlglot).KEYWORDS.items()
    return {text: kind for text, kind in keywords if [part.isalpha() for part in text.split(" ")] == [True, True]}


@cache
def _divided(sqlglot: str) -> re.Pattern[str]:
    """Finds the first word of a pair with a comment behind it, where sqlglot 30.30 sees no pair."""
    first = "|".join(dict.fromkeys(pair.split()[0] for pair in _pairs(sqlglot)))
    return re.compile(rf"\b(?:{first})\s*+(?:/\*|--|#)", re.IGNORECASE)


def _reunited(tokens: Sequence[Token], pairs: Mapping[str, TokenType]) -> list[Token]:
    """The tokens with the pairs of words that a comment divides as one token each."""
    found: list[Token] = []
    for token in tokens:
        before = found[-1] if found else END
        pair = f"{word(before)} {word(token)}"
        if pair in pairs and (before.comments or token.comments):
            found[-1] = Token(pairs[pair], pair, token.line, token.col, before.start, token.end)
        else:
            found.append(token)
    return found


@cache
def _roles() -> list[int]:
    """What each type of token does to the depth, by its number: a look-up for each token must be cheap."""
    roles = [_PREFIX] * (max(TokenType) + 1)
    groups = ((_ENDS_RUN, _OPERAND), (_OPENERS | {TokenType.CASE}, _OPENS), (_CLOSERS | {TokenType.END}, _CLOSES))
    for types, role in (*groups, ({TokenType.SELECT}, _SELECTS), ({TokenType.SEMICOLON}, _RESTARTS)):
        for token_type in types:
            roles[token_type] = role
    return roles


def _check_nesting(tokens: Sequence[Token]) -> None:
    """Refuse what would recurse too deep, by counting: parentheses, CASE, SELECT and runs without an operand."""
    roles = _roles()
    depth = run = 0
    selects: list[int] = []
    for token in tokens:
        role = roles[token.token_type]
        if role == _OPERAND:
            run = 0
            continue
        run += 1
        if role == _OPENS:
            depth += 1
        elif role == _CLOSES:
            run = 0
            depth -= 1
            while selects and selects[-1] > depth:
                selects.pop()
        elif role == _SELECTS and (not selects or selects[-1] < depth):
            selects.append(depth)
            if len(selects) > MAX_SUBQUERIES:
                problem = f"more than {MAX_SUBQUERIES} queries inside one another"
                raise NestingTooDeep(problem, token.line, first_column(token))
        elif role == _RESTARTS:  # the body of a routine: its statements are parsed one by one
            depth = run = 0
            selects.clear()
        if depth > MAX_NESTING or run > MAX_NESTING:
            raise NestingTooDeep(f"nested more than {MAX_NESTING} deep", token.line, first_column(token))


def word(token: Token) -> str:
    """The token's text in upper case; "" for a string or a quoted name, which is never a keyword."""
    kind = token.token_type
    return "" if kind in _STRINGS or kind is TokenType.IDENTIFIER else token.text.upper()


def is_string(token: Token) -> bool:
    """Is it a literal in quotes, of whatever kind?"""
    return token.token_type in _STRINGS


def keyword(text: str, token_type: TokenType = TokenType.VAR) -> Token:
    """A token that the text did not hold."""
    return Token(token_type, text)


END = Token(TokenType.SEMICOLON, "")


class TokenCursor:
    """A place in the tokens of a statement, for reading what sqlglot cannot parse.

    Words are compared in upper case. `accept…` moves on only where it matches; `expect…` raises
    UnreadableStatement with the token's place.
    """

    __slots__ = ("identifiers", "position", "tokens")

    def __init__(self, tokens: Sequence[Token], identifiers: IdentifierRules, position: int = 0) -> None:
        self.tokens = tokens
        self.identifiers = identifiers
        self.position = position

    @property
    def token(self) -> Token:
        """The token here; one with an empty text at the end."""
        return self.tokens[self.position] if self.position < len(self.tokens) else END

    @property
    def at_end(self) -> bool:
        """Are all tokens read?"""
        return self.position >= len(self.tokens)

    def word(self, ahead: int = 0) -> str:
        """The word `ahead` tokens on, upper case; "" at the end and for strings and quoted names."""
        at = self.position + ahead
        return word(self.tokens[at]) if at < len(self.tokens) else ""

    def sees(self, *words: str) -> bool:
        """Do exactly these words come next?"""
        at = self.position
        tokens = self.tokens
        if at + len(words) > len(tokens):
            return False
        for expected in words:
            if word(tokens[at]) != expected:
                return False
            at += 1
        return True

    def accept(self, *words: str) -> bool:
        """Step over these words if they come next."""
        found = self.sees(*words)
        if found:
            self.position += len(words)
        return found

    def accept_any(self, words: frozenset[str] | set[str]) -> str:
        """Step over one of these words if it comes next; which one, or ""."""
        found = self.word()
        if found and found in words:
            self.position += 1
            return found
        return ""

    def skip_any(self, words: frozenset[str] | set[str]) -> None:
        """Step over all of these words that come next."""
        while self.accept_any(words):
            pass

    def expect(self, *words: str) -> None:
        """Step over these words, which must come next."""
        if not self.accept(*words):
            raise self.error(f"expected {' '.join(words)}")

    def string(self) -> str:
        """The literal that must come next."""
        token = self.token
        if not is_string(token):
            raise self.error("expected a string")
        self.position += 1
        return token.text

    def accept_string(self) -> str | None:
        """The literal, if one comes next."""
        return self.string() if is_string(self.token) else None

    def relation(self) -> Relation:
        """The relation name of one to three parts that must come next, folded."""
        parts = [self._part()]
        while self.word() == "." and len(parts) < 3:
            self.position += 1
            parts.append(self._part())
        catalog, schema, name = ([None, None, None] + list(parts))[-3:]
        return Relation(catalog, schema, name or "")

    def column(self) -> str:
        """The column name that must come next, folded; of a dotted name the last part."""
        return self.dotted_column()[1]

    def dotted_column(self) -> tuple[str | None, str]:
        """The column name that must come next and the part before it, if there is one."""
        qualifier = None
        while True:
            token = self._name()
            if not self.accept("."):
                quoted = token.token_type is TokenType.IDENTIFIER
                return qualifier, self.identifiers.fold_column(token.text, quoted)
            qualifier = self.identifiers.fold_relation(token.text, token.token_type is TokenType.IDENTIFIER)

    def columns(self) -> tuple[str, ...]:
        """A list of column names in parentheses, which must come next."""
        self.expect("(")
        names: list[str] = []
        while not self.accept(")"):
            names.append(self.column())
            if not self.accept(",") and not self.sees(")"):
                raise self.error("expected , or )")
        return tuple(names)

    def group(self) -> Sequence[Token]:
        """The tokens inside the parentheses that open here; steps behind them."""
        self.expect("(")
        start = self.position
        depth = 1
        while depth:
            if self.at_end:
                raise self.error("a parenthesis is not closed")
            kind = self.token.token_type
            depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
            self.position += 1
        return self.tokens[start : self.position - 1]

    def until(self, *stops: str) -> Sequence[Token]:
        """The tokens up to the first of these words outside parentheses and CASE, or to the end."""
        start = at = self.position
        tokens, end = self.tokens, len(self.tokens)
        depth = 0
        while at < end:
            text = word(tokens[at])
            if depth <= 0 and text in stops:
                break
            if text == "(" or text == "CASE":
                depth += 1
            elif text == ")" or text == "END":
                depth -= 1
            at += 1
        self.position = at
        return tokens[start:at]

    def rest(self) -> Sequence[Token]:
        """All tokens from here on."""
        start, self.position = self.position, len(self.tokens)
        return self.tokens[start:]

    def expect_end(self) -> None:
        """Nothing may be left."""
        if not self.at_end:
            raise self.error("unexpected")

    def error(self, problem: str) -> UnreadableStatement:
        """An error that names the token here and its place."""
        token = self.token if not self.at_end else (self.tokens[-1] if self.tokens else END)
        found = "at the end" if self.at_end else f"at {shown(token)}"
        return UnreadableStatement(f"{problem} {found}", token.line, first_column(token))

    def _part(self) -> str:
        token = self._name()
        return self.identifiers.fold_relation(token.text, token.token_type is TokenType.IDENTIFIER)

    def _name(self) -> Token:
        token = self.token
        if self.at_end or not (token.token_type is TokenType.IDENTIFIER or _names(token)):
            raise self.error("expected a name")
        self.position += 1
        return token


def first_column(token: Token) -> int:
    """The 1-based column of the token's first character (sqlglot counts the last)."""
    return max(1, token.col - (token.end - token.start))


def shown(token: Token) -> str:
    """A token as an error message may show it: never a literal."""
    return "a literal" if is_string(token) else f"'{token.text[:40]}'"


def split_list(tokens: Sequence[Token], separator: str = ",") -> list[Sequence[Token]]:
    """The pieces between the separators that stand outside parentheses."""
    pieces: list[Sequence[Token]] = []
    depth = start = 0
    for at, token in enumerate(tokens):
        kind = token.token_type
        if kind in _OPENERS:
            depth += 1
        elif kind in _CLOSERS:
            depth -= 1
        elif not depth and token.text == separator and not is_string(token):
            pieces.append(tokens[start:at])
            start = at + 1
    if start < len(tokens):
        pieces.append(tokens[start:])
    return pieces


def _names(token: Token) -> bool:
    """May this token be a name? Any word may, since the warehouse has accepted the statement."""
    text = token.text
    return token.token_type not in _STRINGS and bool(text) and (text[0].isalnum() or text[0] in "_#$@" or not text.isascii())
