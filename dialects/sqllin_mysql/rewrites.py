"""What sqlglot 30.30 rejects or misunderstands in MySQL's queries, as tokens that say the same without it.

No rewrite changes which column feeds which: a hint goes, a sequence's next value is a literal, a digest's
list is NULL. The text is looked at first, so that most statements cost no pass over their tokens.

Sources: https://dev.mysql.com/doc/refman/8.4/en/select.html, https://mariadb.com/kb/en/select/
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from sqllineage_svc.errors import UnreadableStatement
from sqllineage_svc.sql.parse import CLOSE, ONE, OPEN, WHERE
from sqllineage_svc.sql.reading import Reader, Reading
from sqllineage_svc.sql.statement import Statement
from sqllineage_svc.sql.tokens import behind_group, is_string, keyword, word, word_at

Tokens = Sequence[Token]
Replaced = tuple[int, list[Token]] | None
"""Where reading goes on, and what stands for the tokens up to there; None where they stay."""

_SUSPECT_WORDS = (
    "{", "%s", "%(", "...", "analyse", "nextval", "lastval", "setval", "sql_cache", "against", "nulls",
    "restrict", "examined", "portion", "default", "encrypt", "\\n",
)  # fmt: skip
_SUSPECT = tuple(
    (hint, re.compile(pattern))
    for hint, pattern in (
        ("value", r"value\s+for"),
        ("empty", r"on\s+empty"),
        ("error", r"on\s+error"),
        ("path", r"exists\s+path"),
        ("first", r"from\s+first"),
        ("last", r"from\s+last"),
        ("partition", r"partition\s*\("),
        ("row", r"row\s*\("),
        (".", r"\.\s*(?:select|not|mod)\b"),
    )
)
"""A piece of text to look for first, and the pattern that then tells."""
_GROUPED = re.compile(r"group\s+by")
_DIRECTED = re.compile(r"\b(?:asc|desc)\b")
_NULL = keyword("NULL", TokenType.NULL)
_PLACEHOLDER = keyword("?", TokenType.PLACEHOLDER)
_LITERAL = keyword("", TokenType.STRING)
_BEHIND_VALUE = {",", ")", ";", "WHERE", "ORDER BY", "LIMIT", "ON", "FROM", "AS", "RETURNING", ""}
_OPERANDS = {TokenType.VAR, TokenType.IDENTIFIER, TokenType.NUMBER, TokenType.STRING, TokenType.R_PAREN}


def rewriting(reader: Reader) -> Reader:
    """The reader, given tokens that sqlglot can parse.

    What sqlglot would misunderstand is rewritten before; what it only rejects, once it has.
    """

    def read(reading: Reading) -> Statement:
        tokens = reading.tokens
        lower = reading.text[tokens[0].start : max(tokens[0].start, tokens[-1].end) + 1].lower()
        if _is_suspect(lower):
            return reader(reading.with_tokens(rewrite(tokens), reading.common))
        try:
            return reader(reading)
        except UnreadableStatement:
            if _GROUPED.search(lower) is None or _DIRECTED.search(lower) is None:
                raise
            return reader(reading.with_tokens(rewrite(tokens), reading.common))

    return read


def _is_suspect(lower: str) -> bool:
    for hint in _SUSPECT_WORDS:  # a plain loop: this runs for every statement
        if hint in lower:
            return True
    return any(hint in lower and pattern.search(lower) is not None for hint, pattern in _SUSPECT)


def rewrite(tokens: Tokens) -> Tokens:
    """The tokens with all that sqlglot rejects replaced."""
    found: list[Token] = []
    grouped = [False]
    position = 0
    while position < len(tokens):
        token = tokens[position]
        text = word(token)
        if text == "GROUP BY":
            grouped[-1] = True
        elif text == "ORDER BY":
            grouped[-1] = False
        elif text == "(":
            grouped.append(False)
        elif text == ")" and len(grouped) > 1:
            grouped.pop()
        replaced = _REWRITES[text](tokens, position) if text in _REWRITES else None
        if replaced is not None:
            position, instead = replaced
            found.extend(instead)
            continue
        if not (grouped[-1] and text in ("ASC", "DESC")):
            found.append(token)
        position += 1
    return found


def _sees(tokens: Tokens, at: int, *words: str) -> bool:
    return all(word_at(tokens, at + ahead) == expected for ahead, expected in enumerate(words))


def _procedure(tokens: Tokens, at: int) -> Replaced:
    """PROCEDURE ANALYSE (…), of MySQL before 8.0."""
    return (behind_group(tokens, at + 2), []) if _sees(tokens, at + 1, "ANALYSE", "(") else None


def _opening_brace(tokens: Tokens, at: int) -> Replaced:
    """{d 'x'}, {fn f(x)}, {oj …} of ODBC: what is in the braces; a template's `{{` stays, and is no SQL.

    Source: https://dev.mysql.com/doc/refman/8.4/en/expressions.html
    """
    return (at + 2, []) if word_at(tokens, at + 1) in {"D", "T", "TS", "FN", "OJ"} else None


def _closing_brace(tokens: Tokens, at: int) -> Replaced:
    return None if "}" in (word_at(tokens, at - 1), word_at(tokens, at + 1)) else (at + 1, [])


def _sequence_value(tokens: Tokens, at: int) -> Replaced:
    """NEXT VALUE FOR s, PREVIOUS VALUE FOR s: of no table and no column.

    Source: https://mariadb.com/kb/en/sequence-overview/
    """
    if not _sees(tokens, at + 1, "VALUE", "FOR"):
        return None
    return at + (6 if word_at(tokens, at + 4) == "." else 4), [_LITERAL]


def _sequence_call(tokens: Tokens, at: int) -> Replaced:
    """NEXTVAL(s), LASTVAL(s), SETVAL(s, n): the same."""
    return (behind_group(tokens, at + 1), [_LITERAL]) if word_at(tokens, at + 1) == "(" else None


def _dot(tokens: Tokens, at: int) -> Replaced:
    """`(...)` of a digest; a reserved word behind a dot, which is a name there.

    Sources: https://dev.mysql.com/doc/refman/8.4/en/performance-schema-statement-digests.html,
    https://dev.mysql.com/doc/refman/8.4/en/keywords.html
    """
    if _sees(tokens, at, ".", ".", "."):
        return at + 3, [_NULL]
    if at and word_at(tokens, at + 1) in {"SELECT", "NOT", "MOD"}:
        return at + 2, [tokens[at], _renamed(tokens[at + 1], TokenType.IDENTIFIER, tokens[at + 1].text)]
    return None


def _encrypt(tokens: Tokens, at: int) -> Replaced:
    """ENCRYPT(a): sqlglot knows another of that name, which needs a key; OLD_PASSWORD is a hash as well.

    Source: https://mariadb.com/kb/en/encrypt/
    """
    hash_ = _renamed(tokens[at], TokenType.VAR, "OLD_PASSWORD")
    return (at + 1, [hash_]) if word_at(tokens, at + 1) == "(" else None


def _renamed(token: Token, kind: TokenType, text: str) -> Token:
    return Token(kind, text, token.line, token.col, token.start, token.end)


def _default(tokens: Tokens, at: int) -> Replaced:
    """DEFAULT(column) and DEFAULT hold no value of a row; DEFAULT x ON EMPTY is a hint of JSON_TABLE."""
    if word_at(tokens, at - 1) in {"=", ":=", ",", "("} and word_at(tokens, at + 1) in _BEHIND_VALUE:
        return at + 1, [_NULL]
    if word_at(tokens, at + 1) != "(":
        return _on_empty(tokens, at)
    names = {TokenType.VAR, TokenType.IDENTIFIER, TokenType.DOT}
    end = behind_group(tokens, at + 1)
    return (end, [_NULL]) if all(token.token_type in names for token in tokens[at + 2 : end - 1]) else None


def _on_empty(tokens: Tokens, at: int) -> Replaced:
    """NULL ON EMPTY, ERROR ON ERROR, DEFAULT 'x' ON EMPTY in JSON_TABLE."""
    end = at + 1 + (word_at(tokens, at) == "DEFAULT")
    fits = word_at(tokens, end) == "ON" and word_at(tokens, end + 1) in {"EMPTY", "ERROR"}
    return (end + 2, []) if fits else None


def _exists_path(tokens: Tokens, at: int) -> Replaced:
    return (at + 1, []) if word_at(tokens, at + 1) == "PATH" else None


def _match(tokens: Tokens, at: int) -> Replaced:
    """MATCH a, b AGAINST (x): with parentheses around the columns."""
    if word_at(tokens, at + 1) in ("(", ""):
        return None
    end = at + 1
    while end < len(tokens) and word_at(tokens, end + 1) in (",", "."):
        end += 2
    end += 1
    return (
        (end, [tokens[at], OPEN, *tokens[at + 1 : end], CLOSE]) if word_at(tokens, end) == "AGAINST" else None
    )


def _against(tokens: Tokens, at: int) -> Replaced:
    """AGAINST (expression): sqlglot takes literals only; what is looked for is the same for every row."""
    if word_at(tokens, at + 1) != "(" or at + 2 >= len(tokens) or is_string(tokens[at + 2]):
        return None
    return behind_group(tokens, at + 1), [tokens[at], OPEN, _LITERAL, CLOSE]


def _nulls(tokens: Tokens, at: int) -> Replaced:
    """f(a) IGNORE NULLS OVER …, RESPECT NULLS."""
    return (at + 2, []) if word_at(tokens, at + 1) == "NULLS" else None


def _from_first(tokens: Tokens, at: int) -> Replaced:
    """NTH_VALUE(a, 2) FROM FIRST OVER …."""
    behind = word_at(tokens, at + 1) in {"FIRST", "LAST"} and word_at(tokens, at - 1) == ")"
    return (at + 2, []) if behind and word_at(tokens, at + 2) in {"OVER", "IGNORE", "RESPECT"} else None


def _cycle(tokens: Tokens, at: int) -> Replaced:
    """WITH RECURSIVE … CYCLE a, b RESTRICT. Source: https://mariadb.com/kb/en/with/"""
    if word_at(tokens, at - 1) != ")":
        return None
    end = at + 1
    while end < len(tokens) and word(tokens[end]) not in ("RESTRICT", "(", ")", "SELECT"):
        end += 1
    return (end + 1, []) if word_at(tokens, end) == "RESTRICT" else None


def _rows_examined(tokens: Tokens, at: int) -> Replaced:
    """LIMIT [n] ROWS EXAMINED m. Source: https://mariadb.com/kb/en/limit-rows-examined/"""
    start = at + (word_at(tokens, at) == "LIMIT")
    return (start + 3, []) if _sees(tokens, start, "ROWS", "EXAMINED") else None


def _portion(tokens: Tokens, at: int) -> Replaced:
    """UPDATE t FOR PORTION OF period FROM a TO b SET …. Source: https://mariadb.com/kb/en/application-time-periods/"""
    if not _sees(tokens, at + 1, "PORTION", "OF"):
        return None
    end = at + 3
    while end < len(tokens) and word(tokens[end]) not in ("SET", "WHERE", "ORDER BY", "LIMIT", "RETURNING"):
        end += 1
    return end, _some_rows(tokens, end)


def _some_rows(tokens: Tokens, end: int) -> list[Token]:
    """A condition where DELETE has no other: it is not every row that goes."""
    return [WHERE, ONE] if end >= len(tokens) and word(tokens[0]) == "DELETE" else []


def _backslash(tokens: Tokens, at: int) -> Replaced:
    return (at + 2, [_NULL]) if word_at(tokens, at + 1) == "N" else None


def _percent(tokens: Tokens, at: int) -> Replaced:
    """%s and %(name)s, which a driver's user left for values: where `%` cannot be the operator."""
    if at and (tokens[at - 1].token_type in _OPERANDS or is_string(tokens[at - 1])):
        return None
    end = at + 1 if word_at(tokens, at + 1) != "(" else behind_group(tokens, at + 1)
    return (end + 1, [_PLACEHOLDER]) if word_at(tokens, end) == "S" else None


def _sql_cache(tokens: Tokens, at: int) -> Replaced:
    """SELECT SQL_CACHE a: sqlglot makes a column of it. Source: https://mariadb.com/kb/en/query-cache/"""
    return None if word_at(tokens, at + 1) in (",", ".", "FROM", "AS", "") else (at + 1, [])


def _partition(tokens: Tokens, at: int) -> Replaced:
    """FROM t PARTITION (p0): partitions look like columns; ADD PARTITION (…) is another thing."""
    if word_at(tokens, at + 1) != "(" or word_at(tokens, at - 1) in ("ADD", "INTO", "REORGANIZE"):
        return None
    end = behind_group(tokens, at + 1)
    return end, _some_rows(tokens, end)


def _row(tokens: Tokens, at: int) -> Replaced:
    """ROW(a, b) is (a, b)."""
    return (at + 1, []) if word_at(tokens, at + 1) == "(" and word_at(tokens, at - 1) != "EACH" else None


_REWRITES: Mapping[str, Callable[[Tokens, int], Replaced]] = {
    "PROCEDURE": _procedure, "{": _opening_brace, "}": _closing_brace, "NEXT": _sequence_value,
    "PREVIOUS": _sequence_value, "NEXTVAL": _sequence_call, "LASTVAL": _sequence_call,
    "SETVAL": _sequence_call,
    ".": _dot, "DEFAULT": _default, "NULL": _on_empty, "ERROR": _on_empty, "EXISTS": _exists_path,
    "MATCH": _match, "AGAINST": _against, "IGNORE": _nulls, "RESPECT": _nulls, "FROM": _from_first,
    "CYCLE": _cycle, "LIMIT": _rows_examined, "ROWS": _rows_examined, "FOR": _portion, "\\": _backslash,
    "%": _percent, "SQL_CACHE": _sql_cache, "PARTITION": _partition, "ROW": _row,
    "ENCRYPT": _encrypt,
}  # fmt: skip
