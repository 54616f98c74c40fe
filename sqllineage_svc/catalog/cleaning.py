"""Secrets out of the bytes of an event, every other byte kept.

Only the texts that hold a secret are written anew. What stands under a key that names a secret goes as a
whole; elsewhere the passwords in URLs go, and whatever the statements of a known warehouse keep secret.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

from sqllineage_svc.dialect import load_dialects
from sqllineage_svc.sql.redact import redact

_MASK = "***"
_NAMES = r"passw(?:or)?d|passphrase|secret|token|credential|(?:api|access|private)[_.-]?key"
_SECRET_KEY = re.compile(rf"(?i){_NAMES}")
_BROKEN_MEMBER = re.compile(
    rf"(?i)((?:{_NAMES})[^\"\s]{{0,200}}+\"\s*+:\s*+(?:\[\s*+)?+)(?:(\")(?:\\.|[^\"\\])++|[^\s\"\[\]{{}},]++)",
    re.DOTALL,
)
"""A member of broken JSON that names a secret; its value may lack the quote at its end."""
_USER_INFO = re.compile(r"(?<=:)((?:\\?/){2}[^/@:\s'\"]*+):(?!\d++/)[^@\s'\"]{1,2000}+@")
"""A user and password; a number before a slash is a port. In broken JSON slashes may be escaped."""
_ORACLE = re.compile(r"(?i)(jdbc:oracle:\w++:[^/@\s'\"]++)/[^@\s'\"]{1,2000}+@")
_PARAMETER = re.compile(
    r"(?i)((?:passw(?:or)?d|pwd|passphrase|secret|token|(?:access|secret|api)[_-]?key|sig|signature)=)[^&;\s'\"]++"
)
_TOKEN = re.compile(r"(\"(?:[^\"\\]++|\\.)*+(?:\"|\Z))(\s*+:)?+|[\[\]{}]|[^\s\[\]{}\",:]++", re.DOTALL)
_KEPT = ("true", "false", "null")
_MOST_REMEMBERED = 200
"""Literals of so many characters at most, names and the like, come again and again: what they are is remembered."""


def clean_json(raw: bytes) -> bytes:
    """The bytes of a JSON document without secrets; the same bytes where it holds none."""
    encoding = json.detect_encoding(raw)
    text = raw.decode(encoding, "surrogatepass")
    clean = _clean(text)
    return raw if clean == text else clean.encode(encoding, "surrogatepass")


def clean_broken(raw: bytes) -> bytes:
    """The bytes of what should have been JSON without anything that looks like a secret."""
    encoding = json.detect_encoding(raw)
    errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
    text = raw.decode(encoding, errors)
    clean = redact_text(_BROKEN_MEMBER.sub(rf"\1\2{_MASK}", _clean(text)))
    return raw if clean == text else clean.encode(encoding, errors)


def redact_text(text: str) -> str:
    """A text without the passwords in URLs, and without the secrets of any known warehouse's statements."""
    if "@" in text:
        text = _USER_INFO.sub(rf"\1:{_MASK}@", text)
        text = _ORACLE.sub(rf"\1/{_MASK}@", text)
    if "=" in text:
        text = _PARAMETER.sub(rf"\1{_MASK}", text)
    for dialect in load_dialects():
        text = redact(text, dialect.secrets)
    return text


def _clean(text: str) -> str:
    """The text of a document with every value clean, and every key; a broken one as far as it can be read."""
    pieces: list[str] = []
    secret = [False]  # do the values of each open object and list stand under a key that names a secret?
    at = 0
    for match in _TOKEN.finditer(text):
        piece, literal, colon = match[0], match[1], match[2]
        if piece in ("{", "["):
            secret.append(piece == "[" and secret[-1])
        elif piece in ("}", "]"):
            secret = secret[:-1] or [False]
        else:
            short = len(piece) <= _MOST_REMEMBERED
            if colon is not None:
                secret[-1] = (_named if short else _names_secret)(literal)
            clean = (_cleaned if short else _clean_literal)(colon is None and secret[-1], literal or piece)
            if clean is not None:
                pieces += (text[at : match.start()], clean, colon or "")
                at = match.end()
    return "".join([*pieces, text[at:]])


def _clean_literal(secret: bool, literal: str) -> str | None:
    """What stands for a literal, under a key that names a secret or not; None where that is the literal itself."""
    if secret:
        return None if literal in (*_KEPT, '""', f'"{_MASK}"') else f'"{_MASK}"'
    if not literal.startswith('"'):
        return None
    value = _read(literal)
    clean = redact_text(value)
    return None if clean == value else json.dumps(clean)


def _names_secret(literal: str) -> bool:
    """Does a key name a secret?"""
    return _SECRET_KEY.search(_read(literal)) is not None


_cleaned = lru_cache(maxsize=65_536)(_clean_literal)
_named = lru_cache(maxsize=4_096)(_names_secret)


def _read(literal: str) -> str:
    """The text of a literal; of one that is malformed, what stands between its quotes."""
    bare = literal.removeprefix('"').removesuffix('"')
    if "\\" not in bare:
        return bare
    try:
        return str(json.loads(literal))
    except ValueError:
        return bare
