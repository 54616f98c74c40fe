"""Tokens read one by one: their words, lists of them, and a cursor for what sqlglot cannot parse."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from sqllineage_svc.errors import UnreadableStatement
from sqllineage_svc.model.names import Relation
from sqllineage_svc.sql.identifiers import IdentifierRules

STRINGS = frozenset(
    {
        TokenType.STRING,
        TokenType.RAW_STRING,
        TokenType.HEREDOC_STRING,
        TokenType.NATIONAL_STRING,
        TokenType.NATIONAL_RAW_STRING,
        TokenType.UNICODE_STRING,
        TokenType.BYTE_STRING,
        TokenType.BIT_STRING,
        TokenType.HEX_STRING,
    }
)
_OPENERS = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
_CLOSERS = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}


def word(token: Token) -> str:
    """The token's text in upper case; "" for a string or a quoted name, which is never a keyword."""
    kind = token.token_type
    return "" if kind in STRINGS or kind is TokenType.IDENTIFIER else token.text.upper()


def word_at(tokens: Sequence[Token], at: int) -> str:
    """The word at this position; "" outside, and for a string or a quoted name."""
    return word(tokens[at]) if 0 <= at < len(tokens) else ""


def behind_group(tokens: Sequence[Token], opening: int) -> int:
    """The position behind the parenthesis that closes the one at `opening`; the end if none does."""
    depth = 0
    for at in range(opening, len(tokens)):
        kind = tokens[at].token_type
        depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
        if not depth:
            return at + 1
    return len(tokens)


def is_string(token: Token) -> bool:
    """Is it a literal in quotes, of whatever kind?"""
    return token.token_type in STRINGS


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
        catalog, schema, name = [None, None, None, *parts][-3:]
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
        names = self._plain_columns()
        while not self.accept(")"):
            names.append(self.column())
            if not self.accept(",") and not self.sees(")"):
                raise self.error("expected , or )")
        return tuple(names)

    def _plain_columns(self) -> list[str]:
        """The names of a list up to one that is more than a name; steps over them and their commas."""
        names: list[str] = []
        tokens, at = self.tokens, self.position
        fold = self.identifiers.fold_column
        while at + 1 < len(tokens) and tokens[at + 1].token_type is TokenType.COMMA:
            token = tokens[at]
            if token.token_type is not TokenType.IDENTIFIER and not _names(token):
                break
            names.append(fold(token.text, token.token_type is TokenType.IDENTIFIER))
            at += 2
        self.position = at
        return names

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
    return (
        token.token_type not in STRINGS
        and bool(text)
        and (text[0].isalnum() or text[0] in "_#$@" or not text.isascii())
    )
