"""Secrets that show in any text, be it a literal, a comment or an address: no warehouse need be known.

`password=…`, `"client_secret": "…"`, `Authorization: Bearer …`, signed addresses, key ids, private keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqllineage_svc.sql.secret_rules import CLOSE, FILLER, NAMES, OPEN, pattern


def secrets_in_literal(text: str, folded: str) -> Iterator[tuple[int, int]]:
    """Where the secrets of a literal's text are."""
    yield from (found.span() for found in _KEY_ID.finditer(text))
    yield from secrets_in_address(folded)
    yield from _telling(folded)
    if _PATH.match(folded) is None:
        yield from _pairs(_IN_LITERAL if _QUERY.match(folded) is None else _IN_QUERY, folded)


def secrets_in_comment(text: str, folded: str) -> Iterator[tuple[int, int]]:
    """Where the secrets of a comment's text are; there, a value goes on to the next white space."""
    yield from (found.span() for found in _KEY_ID_AND_ALL.finditer(text))
    yield from secrets_in_address(folded)
    yield from _telling(folded)
    yield from _pairs(_IN_COMMENT, folded)


def secrets_in_address(folded: str) -> Iterator[tuple[int, int]]:
    """Where the passwords of `scheme://user:password@host` are, in code too."""
    return (found.span("secret") for found in _ADDRESS.finditer(folded))


def _telling(folded: str) -> Iterator[tuple[int, int]]:
    return (found.span(found.lastindex or 0) for found in _TELLING.finditer(folded))


def _pairs(pairs: re.Pattern[str], folded: str) -> Iterator[tuple[int, int]]:
    return (found.span("bare" if found["quoted"] is None else "quoted") for found in pairs.finditer(folded))


_GAP = r"[^\S\n]*+"
# not behind a digit and a colon: there, it is part of a resource's name, as in arn:…:123456789012:secret:name
_KEY = rf"(?:{NAMES}(?<!\d:secret)|authorization|pass(?<![a-z]pass))(?![\w-])\\{{0,3}}[\"'`]?"
_SCHEME = r"(?:(?:bearer|basic|digest|token)[^\S\n]++)?"
_QUOTED = r"(?P<quote>\\{0,3}[\"'`])(?P<quoted>(?:(?!(?P=quote)(?!\w))(?:\\.|.))*+)"
# password "x", but not credentials 'key=…', where the pairs inside are searched
_UNSEPARATED = r"[^\S\n]++(?=\\{0,3}[\"'])(?!\\{0,3}[\"'][\w-]++\s*+=)"
_NUMBER = r"(?:-?\d++(?:\.\d++)?|\*{3})(?=\s*+[,}\]])"  # in JSON, or what stood for one
_WORD = rf"(?P<bare>{_NUMBER}|(?![,)\]}}>|=]|(?:null|true|false)\b)(?:[^\s;&'\"`\\]|\\(?![\"']))++)"
_TO_VALUE = rf"(?:{_GAP}(?:=>|:=|={{1,2}}|:(?![:=])){_GAP}{_SCHEME}|{_UNSEPARATED})"

_IN_LITERAL = pattern(rf"{_KEY}{_TO_VALUE}(?:{_QUOTED}|{_WORD})")
_IN_COMMENT = pattern(rf"{_KEY}{_TO_VALUE}(?:{_QUOTED}|(?P<bare>\S++))")
# in a query, a bare word behind = is a column; the query itself is searched as code
_IN_QUERY = pattern(rf"{_KEY}{_GAP}:(?![:=]){_GAP}{_SCHEME}(?:{_QUOTED}|{_WORD})")

_KEY_ID = re.compile(r"(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])(?::[^\s'\"@,;&]++)?+")
_KEY_ID_AND_ALL = re.compile(rf"{_KEY_ID.pattern}\S*+")  # a mask before a slash would end the comment
_TELLING = pattern(
    r"bearer\s++([\w.~+/=-]{16,}+)"
    r"|signature=(?<=[?&-]signature=)([^\s&'\"]++)|sig=(?<=[?&]sig=)([^\s&'\"]++)"
    r"|-----begin (?:[a-z]{2,10} ){0,3}private key-----(.*?)(?:-----end|\Z)"
)
_ACCOUNT = rf"[^\s:/@'\"{FILLER}{OPEN}{CLOSE}]*+"
_PASSWORD = rf"[^\s/'\"@{FILLER}{OPEN}{CLOSE}]*+"
_ADDRESS = pattern(rf"://{_ACCOUNT}:(?P<secret>{_PASSWORD}(?:@{_PASSWORD}(?=@))*+)@")
_PATH = pattern(r"\s*+(?:s3[an]?://|arn:|/)[^\s?;&]*+\Z")
_QUERY = pattern(
    r"(?:[\s(;]++|--[^\n]*+\n|/\*.*?\*/)*+"
    r"(?:select\b|with\s++\S++(?:\s++as)?\s*+\(|(?:insert|merge)\s++into\b|delete\s++from\b"
    r"|update\s++\S++\s++(?:\S++\s++){0,2}set\b|copy\s++\S++\s++(?:\(|from\b)|unload\s*+\("
    r"|(?:create|alter)\s++(?:or\s++replace\s++)?(?:\w++\s++)?"
    r"(?:table|view|user|schema|procedure|function|model|server)\b"
    r"|call\s++\S++\s*+\(|set\s++\S++\s*+(?:=|to\b)|(?:begin|declare)\s[^;]*+;)"
)
"""How a query starts; what merely might be one is prose, whose `password=x` is taken for a secret."""
