"""What can go wrong, as a tree.

SqllinError
├── UsageError              the caller's mistake: an unknown dialect, a schema file that cannot be read
│   ├── UnknownDialect
│   └── DialectConflict     two installed distributions claim one dialect name
├── StatementError          one statement is beyond us; the rest of the script goes on
│   ├── UnreadableStatement     its text could not be understood
│   └── NestingTooDeep          it nests deeper than is safe to parse
└── InvalidEvent            an OpenLineage event, or a part of one, that says nothing we could use
"""

from __future__ import annotations


class SqllinError(Exception):
    """The root of every error that sqllin raises itself."""


class UsageError(SqllinError):
    """The caller's mistake; the message says what to do about it."""


class UnknownDialect(UsageError):
    """No installed dialect has this name."""


class DialectConflict(UsageError):
    """Two distributions offer a dialect of the same name."""


class StatementError(SqllinError):
    """One statement is beyond us.

    `line` and `column` are 1-based and count from the start of the statement's own text.
    """

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


class UnreadableStatement(StatementError):
    """The text of a statement could not be understood."""


class NestingTooDeep(StatementError):
    """The statement nests deeper than is safe to parse."""


class InvalidEvent(SqllinError):
    """An OpenLineage event, or a part of one, that cannot be read; the message names the field."""
