"""Where the statements of a warehouse hold secrets, as facts and as the patterns made of them.

Clauses are searched in a *filled* text: comments are blanks, each literal is OPEN, as many FILLERs, CLOSE. So
a pattern need not know of quotes and comments between a clause and its value. Every repetition is possessive
or bounded, which keeps the search linear on hostile text. Patterns are in lower case, search folded text and
start with a letter that they must have, a boundary checked behind it: that is ten times faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from sqllineage_svc.sql.split import Lexis

FILLER, OPEN, CLOSE = "\0\1\2"

_WORDS = (
    *("passw(?:or)?d", "passphrase", "pwd", "secret", "token", "credentials?", "authentication_string"),
    *(f"{kind}[_-]?key" for kind in ("api", "access", "secret", "private", "symmetric", "encryption")),
    *("crypt[_-]?key", "aes[_-]?key", "signing[_-]?key", "access[_-]?key[_-]?id", "key_str"),
)

NAMES = f"(?:{'|'.join(_WORDS)})(?:_?hash|[0-9]{{1,4}})?"
"""The end of a name whose value is a secret: user_password, access_token, pwd2, password_hash."""

_TRIGGERS = "|".join(_WORDS) + (
    r"|private key|authorization|bearer|signature=|sig=|pass[\"'\\ ]{0,3}[=:]|a[ks]ia[a-z0-9]{16}"
    r"|://[^\s:/@'\"]*+:"
)
_HINTS = (
    *("pass", "pwd", "secret", "token", "credential", "auth", "key"),
    *("bearer", "sig", "akia", "asia", "://"),
)
_COMPARISONS = (
    r"(?:=>|:=|<=>|<>|!=|<=|>=|={1,2}|<|>|!?~\*?"
    r"|(?:not\s++)?(?:i?like|rlike|regexp|similar\s++to|in)\b|is\s++(?:not\s++)?distinct\s++from\b|to\b)"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """Words that stand before a secret value; `=` or AS may come between.

    With `behind`, they mean that only between those words and the next `;`, where no alias can stand: there a
    name in double quotes is a value too.
    """

    words: str
    behind: str = ""


@dataclass(frozen=True)
class SecretRules:
    """Which clauses and functions of a warehouse hold secrets, beside what a column's name gives away.

    The literal of a `credentials` clause is `key=value;…`, all secret but the `public_keys`. Every literal
    among the arguments of one of the `functions` is secret; of the `pair_functions`, where there are two.
    `lexis` says what is a literal or a comment.
    """

    lexis: Lexis = field(default_factory=Lexis)
    clauses: tuple[Clause, ...] = ()
    credentials: tuple[str, ...] = ()
    public_keys: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    pair_functions: tuple[str, ...] = ()

    def may_hold_secrets(self, folded: str) -> bool:
        """A search for the words without which no text holds a secret; cheap without a hint of one."""
        for hint in self.hints:  # a plain loop: this runs for every statement
            if hint in folded:
                return self.trigger.search(folded) is not None
        return False

    @cached_property
    def hints(self) -> tuple[str, ...]:
        """Pieces of text of which every match of `trigger` holds one."""
        return (*_HINTS, *(word for word in self._own_words if not any(hint in word for hint in _HINTS)))

    @cached_property
    def trigger(self) -> re.Pattern[str]:
        """Finds the first word that may introduce a secret, or a key that is one."""
        return pattern(self._triggers)

    @cached_property
    def patterns(self) -> Patterns:
        """The patterns made of these rules."""
        return Patterns(self)

    @property
    def _triggers(self) -> str:
        return "|".join([_TRIGGERS, *map(re.escape, self._own_words)])

    @property
    def _own_words(self) -> tuple[str, ...]:
        """The first words of the warehouse's own phrases that the words of all warehouses do not find."""
        clauses = [f"{clause.behind} {clause.words}" for clause in self.clauses]
        functions = (*self.functions, *self.pair_functions)
        phrases = [phrase.lower() for phrase in (*clauses, *self.credentials, *functions)]
        known = re.compile(_TRIGGERS)
        return tuple(dict.fromkeys(phrase.split()[0] for phrase in phrases if known.search(phrase) is None))


class Patterns:
    """What finds the secrets of one warehouse; all but `pieces` and `credential` search filled text.

    `introducers` end where a value may start. `regions` pair a stretch of text with the introducers in it.
    """

    def __init__(self, rules: SecretRules) -> None:
        self.pieces = pattern(_pieces(rules.lexis))
        self.introducers = _introducers(clause.words for clause in rules.clauses if not clause.behind)
        self.credentials = _introducers(rules.credentials)
        self.regions = tuple(
            (
                pattern(rf"{_phrase(behind)}[^;]*+"),
                _introducers(clause.words for clause in rules.clauses if clause.behind == behind),
            )
            for behind in dict.fromkeys(clause.behind for clause in rules.clauses if clause.behind)
        )
        functions, pairs = _any(map(_phrase, rules.functions)), _any(map(_phrase, rules.pair_functions))
        self.functions = pattern(rf"(?:{functions})\s*+(?=\()|(?:{pairs})\s*+(?=\({_ARGUMENT},{_ARGUMENT}\))")
        public = _any(map(re.escape, map(str.lower, rules.public_keys)))
        self.credential = pattern(
            rf"(?:\A|(?<=;))\s*+(?!(?:{public})\s*+=)"
            rf"(?:[\w-]*{NAMES}\s*+=\s*+(?=[^;\s]|\Z))?+(?P<secret>[^;\s][^;]*+)"
        )


def fold(text: str) -> str:
    """The text in lower case, character by character, so that places in it stay the same."""
    return text.replace("\u0130", "i").lower()  # the one character that has two in lower case


def pattern(text: str) -> re.Pattern[str]:
    """Compiled as all patterns for folded text are: a dot is any character."""
    return re.compile(text, re.DOTALL)


_PREFIX = rf"(?:(?<!\w)_\w++\s*+|(?:binary|national)\s++|[nxbe](?={OPEN}))?"
LITERAL = re.compile(rf"{OPEN}++(?P<secret>{FILLER}*+){CLOSE}++")
_MORE = rf"\s*+(?:\|\||\+)?\s*+{_PREFIX}{LITERAL.pattern.replace('?P<secret>', '?:')}"
_CHAIN = rf"{_PREFIX}{OPEN}++{FILLER}*+{CLOSE}++(?:{_MORE}|\s*+(?:\|\||\+)\s*+[\w.@]++(?!\s*+\())*+"

NAMED = pattern(rf"{NAMES}[`\"\])]*+\s*+\Z")
"""Does a name, quoted or not, end like that of a secret?"""
COMPARED = pattern(
    rf"{NAMES}(?![\w$])[`\"\]]?(?:\s*+\))*+(?:\s*+::\s*+\w++)?\s*+(?P<comparison>{_COMPARISONS})\s*+"
)
"""A secret's name and what comes between it and the value it is compared with or assigned."""
COMPARED_WITH = pattern(
    rf"(?P<value>{OPEN}++{FILLER}*+{CLOSE}++(?:{_MORE})*+)(?:\s*+(?:=|<=>|<>|!=|\bas\b)\s*+(?P<name>[\w`\"@.$]++)(?!\s*+\())?+"
)
"""Any literals, with the name that they are compared with or that is their alias, if there is one."""
CHAIN = pattern(rf"(?:[\w.@]++\s*+(?:\|\||\+)\s*+)*+{_CHAIN}")
"""A value of literals, side by side or concatenated."""
CALL = pattern(r"[\w.]*+\s*+(?=\((?!\s*+(?:select|with)\b))")
"""A value in parentheses or with arguments, up to where they open."""
_RUN = rf"[^\s;,()<>'\"{FILLER}{OPEN}{CLOSE}]"
_IS = r"(?:=>|:=|=)"
_OPENS = rf"(?!(?:u&|[nbxer]|_\w+){OPEN}){_RUN}++(?<=[\w=/]){OPEN}"
TURNED = pattern(rf"{NAMES}(?![\w$])[`\"\]]?(?:\s++{_IS}\s*+|{_IS}\s++){_OPENS}")
"""key = value with a quote right behind the value: the end of a literal whose beginning is not in the text."""
TURNED_RUN = pattern(rf"(?<!{_RUN}){_RUN}++(?<=[\w=/]){OPEN}")
TURNED_PAIR = pattern(rf"{NAMES}(?![\w$])[`\"\]]?{_IS}(?!(?:u&|[nbxer]|_\w+){OPEN}){_RUN}")
"""The same without blanks, in two steps: the longest run before a quote, then the key in it, so that no run is
read twice."""
BARE = pattern(r"(?:0x[0-9a-f]++|md5[0-9a-f]{8,}+)(?!\w)")
"""A hash without quotes."""
NUMBER = pattern(r"(?:0x[0-9a-f]++|\d{4,}+)(?![\w.])")
QUOTED_NAME = re.compile(rf"\"(?P<secret>[^\"{OPEN}]++)\"")
ROWS = pattern(
    r"\((?P<columns>[^()]*+)\)\s*+(?:as\s*+\(\s*+)?(?:(?P<values>values?\s*+(?:row\s*+)?(?=\())|select\b)"
)
"""A list of columns and the start of the rows, or of the select list, that fill them."""
_ARGUMENT = r"(?:[^(),]++|\((?:[^()]++|\([^()]*+\))*+\))*+"
NEXT_ROW = pattern(r"\s*+,\s*+(?:row\s*+)?(?=\()")
ITEM_END = pattern(r"[(),]|(?<!\w)(?:from|union|where|limit|order|group|on|;)(?!\w)")
PARENTHESIS = re.compile(r"[()]")


def _introducers(phrases: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(phrases, key=len, reverse=True)
    return pattern(rf"(?:{_any(map(_phrase, longest_first))})(?:\s*+(?:=|\bas\b))?\s*+")


def _phrase(words: str) -> str:
    """A pattern of these words with any white space between them."""
    first, *others = map(re.escape, words.lower().split())
    boundary = rf"(?<!\w{first})" if words[0].isalpha() else ""
    return r"\s++".join([first + boundary, *others]) + (r"(?!\w)" if words[-1].isalpha() else "")


def _any(patterns: Iterable[str]) -> str:
    """An alternation; of nothing, a pattern that never matches."""
    return "|".join(patterns) or r"(?!)"


def _pieces(lexis: Lexis) -> str:
    """Code up to a comment, a literal, a quoted name or a quote that is never closed."""
    escape = r"|\\." if lexis.backslash_escapes else ""
    backslash = r"\\" if lexis.backslash_escapes else ""
    texts, names = ("'\"", "`") if lexis.hash_comments else ("'", '`"')  # a # is a comment where " is a text
    literal = "|".join(
        f"{quote}(?:[^{quote}{backslash}]++|{quote}{quote}{escape})*+{quote}" for quote in texts
    )
    name = "|".join(f"{quote}(?:[^{quote}]++|{quote}{quote})*+{quote}" for quote in names)
    dash = r"--(?=\s|\Z)" if lexis.dash_needs_blank else "--"
    hash_sign = r"|\#" if lexis.hash_comments else ""
    pieces = [r"(?P<versioned>/\*M?!\d*+)"] if lexis.versioned_comments else []
    pieces += [
        rf"(?:{dash}{hash_sign})(?P<line>[^\n]*+)",
        r"/\*(?P<block>.*?)(?:\*/|\Z)",
        rf"(?P<literal>{literal})",
    ]
    opener = "['\"`]"
    if lexis.dollar_quotes:
        tag = r"(?<![\w$])\$(?:[^\W\d]\w*+)?+\$"
        pieces.append(rf"(?P<tag>{tag})(?P<dollars>.*?)(?P=tag)")
        opener += f"|{tag}"
    pieces += [rf"(?P<name>{name})", rf"(?P<open>{opener})", r"[-/\#$]", r"\Z"]
    return rf"[^-/\#$'\"`]*+(?:{'|'.join(pieces)})"
