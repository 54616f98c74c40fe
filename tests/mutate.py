"""Statements that were real until something happened to them, for `tests.fuzz`.

A text with a planted secret keeps the clause around the secret whole: what is broken up may no longer say
that it is one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

CASES = Path(__file__).parent / "data" / "cases"
SECRET = "Pl4ntedS3cr3t"
_TOKENS = re.compile(r"\s+|\w+|'(?:[^']|'')*'|.", re.DOTALL)
_NOISE = "'\"`$()[]{};,.*/\\-#@:=<>!|&%~^?\n\t\0 \ufeff\u00a0\u2028\ud800éßİ漢😀aAxX019_"
_QUOTES = (
    "'",
    '"',
    "`",
    "$$",
    "$x$",
    "/*",
    "*/",
    "/*!",
    "--",
    "#",
    "\\",
    "''",
    "(",
    ")",
    "begin",
    "end",
    ";",
)
_MAX_LENGTH = 100_000

SECRETS: dict[str, tuple[str, ...]] = {
    "redshift": (
        "copy a.t from 's3://b/k' access_key_id 'AKIA' secret_access_key '{}' csv",
        "copy a.t from 's3://b/k' credentials 'aws_secret_access_key={};aws_access_key_id=AKIA'",
        "unload ('select a from t') to 's3://b/k' access_key_id 'AKIA' session_token '{}'",
        "copy a.t from 's3://b/k' iam_role 'arn' master_symmetric_key '{}' encrypted",
        "create user bo with password '{}'",
        "alter user bo password '{}'",
        "insert into a.t select a from u where password = '{}'",
        "create external schema s from mysql database 'd' uri 'h' password '{}'",
    ),
    "mysql": (
        "create user bo identified by '{}'",
        "alter user bo identified by '{}' replace '{}'",
        "grant all on *.* to bo identified by '{}'",
        "set password for bo = '{}'",
        "change master to master_password = '{}'",
        "create server s foreign data wrapper mysql options (user 'u', password '{}')",
        "insert into a.t select aes_encrypt(a, '{}') from u",
        "select a from u where api_key = '{}'",
    ),
}


@dataclass(frozen=True)
class Mutant:
    """A text to trace; with `secret`, one that must not be printed is in it."""

    dialect: str
    text: str
    secret: bool


@cache
def corpus() -> dict[str, tuple[str, ...]]:
    """The statements of all cases, by dialect."""
    found: dict[str, dict[str, None]] = {"redshift": {}, "mysql": {}}
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            case = json.loads(line)
            found[case["dialect"]].update(dict.fromkeys(case["statements"]))
    return {dialect: tuple(texts) for dialect, texts in found.items()}


def mutant(seed: int, at: int) -> Mutant:
    """The mutant of this number; the same for the same seed."""
    random = Random(f"{seed}:{at}")
    dialect = random.choice(("redshift", "mysql"))
    text = mutated(random.choice(corpus()[dialect]), random, dialect)
    if random.random() < 0.7:
        return Mutant(dialect, text, secret=False)
    planted = random.choice(SECRETS[dialect]).replace("{}", SECRET)
    behind = mutated(random.choice(corpus()[dialect]), random, dialect)
    shape = random.choice(("{0};\n{1};\n{2}", "{1};\n{2}", "{0};\n{1} {2}", "{1}"))
    return Mutant(dialect, shape.format(text, planted, behind), secret=True)


def mutated(text: str, random: Random, dialect: str) -> str:
    """The text after one to four mutations."""
    for _ in range(random.randint(1, 4)):
        text = random.choice(MUTATIONS)(text, random, dialect)[:_MAX_LENGTH]
    return text


def _edit_tokens(text: str, random: Random, dialect: str) -> str:
    """Delete, double, exchange or replace a few tokens."""
    tokens = _TOKENS.findall(text) or [""]
    for _ in range(random.randint(1, 3)):
        at, other = random.randrange(len(tokens)), random.randrange(len(tokens))
        match random.randrange(4):
            case 0:
                tokens[at] = ""
            case 1:
                tokens[at] *= 2
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case _:
                tokens[at] = random.choice(_TOKENS.findall(random.choice(corpus()[dialect])))
    return "".join(tokens)


def _add_noise(text: str, random: Random, dialect: str) -> str:
    """Insert, delete or change a few characters."""
    for _ in range(random.randint(1, 6)):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice((random.choice(_NOISE), "")) + text[at + random.randint(0, 1) :]
    return text


def _truncate(text: str, random: Random, dialect: str) -> str:
    """Keep one side of a cut."""
    at = random.randrange(len(text) + 1)
    return text[:at] if random.random() < 0.7 else text[at:]


def _wrap(text: str, random: Random, dialect: str) -> str:
    """Put the text into something, perhaps many times."""
    shapes = (
        "({})", "select * from ({}) as x", "with c as ({}) select * from c", "insert into t {}", "not {}",
        "create view v as {}", "create table t as {}", "begin {}; end", "/*!50000 {} */", "/* {} */", "$${}$$",
        "unload ('{}') to 's3://b/k'", "prepare p from '{}'", "execute immediate '{}'", "explain {}", "- {}",
        "create procedure p() begin {}; end", "do $$ begin {}; end $$", "case when {} then 1 end", "f({})",
        "[{}]",
        "select ({})", "exists ({})", "select * from t where a in ({})", "{} union all {}",
        "create procedure p() as $$ begin {}; end $$ language plpgsql", "if a then {}; end if", "select '{}'",
    )  # fmt: skip
    for _ in range(random.choice((1, 1, 1, 2, 3, 10, 300))):
        text = random.choice(shapes[:3] if len(text) > 5_000 else shapes).replace("{}", text)[:_MAX_LENGTH]
    return text


def _repeat(text: str, random: Random, dialect: str) -> str:
    """Repeat a run of tokens very often."""
    tokens = _TOKENS.findall(text) or [""]
    start = random.randrange(len(tokens))
    run = "".join(tokens[start : start + random.randint(1, 6)]) or " "
    times = random.choice((3, 50, 1_000, 10_000))
    return "".join(tokens[:start]) + run * min(times, _MAX_LENGTH // len(run)) + "".join(tokens[start:])


def _unicode(text: str, random: Random, dialect: str) -> str:
    """Put random characters of all planes in the place of some."""
    characters = list(text)
    for _ in range(random.randint(1, 10)):
        if characters:
            characters[random.randrange(len(characters))] = chr(
                random.choice((random.randrange(0x300), random.randrange(0x110000)))
            )
    return "".join(characters)


def _unbalance(text: str, random: Random, dialect: str) -> str:
    """Put a quote, comment mark or parenthesis somewhere."""
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(_QUOTES) + text[at:]


def _splice(text: str, random: Random, dialect: str) -> str:
    """The head of this text and the tail of another."""
    other = random.choice(corpus()[dialect])
    return text[: random.randrange(len(text) + 1)] + other[random.randrange(len(other) + 1) :]


MUTATIONS: tuple[Callable[[str, Random, str], str], ...] = (
    _edit_tokens, _add_noise, _truncate, _wrap, _repeat, _unicode, _unbalance, _splice,
)  # fmt: skip
