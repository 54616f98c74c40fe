"""An SQL text laid out to be read."""

from __future__ import annotations

import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from sqllineage_svc.errors import StatementError
from sqllineage_svc.sql.lexer import tokenize


def format_sql(text: str, dialect: str | None) -> str | None:
    """The text, laid out as sqlglot writes it; None where sqlglot cannot read all of it.

    `dialect` is sqlglot's; one that it does not know counts as none. Spelling may change with the layout: sqlglot
    writes the tree, and a comment where it found a place for it.
    """
    known = dialect.lower() if dialect is not None and Dialect.get(dialect.lower()) is not None else ""
    try:
        tokenize(text, known)  # for its limits of nesting
        trees = sqlglot.parse(text, dialect=known)
        if any(tree is None or isinstance(tree, exp.Command) for tree in trees):
            return None
        return ";\n\n".join(tree.sql(dialect=known, pretty=True) for tree in trees if tree is not None)
    except (StatementError, SqlglotError, RecursionError):
        return None
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        # sqlglot 30.30 fails so on some texts that are no SQL: an operand is missing behind `a ?`
        return None
