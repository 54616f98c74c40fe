"""The body of a routine as indented text, for tests that compare it whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from sqlglot import exp

from sqllineage_svc.sql.statement import Block, CreateRoutine, CreateTrigger, ForEach, Inert, Statement


def outline(statement: Statement, sqlglot: str, depth: int = 0) -> Iterator[str]:
    """One line a statement; a block says its variables and what guards it."""
    indent = "  " * depth
    match statement:
        case Block(body, variables, guards):
            declared = f" of {', '.join(variables)}" if variables else ""
            guarded = f" if {'; '.join(guard.sql(sqlglot) for guard in guards)}" if guards else ""
            yield f"{indent}Block{declared}{guarded}"
            for inner in body:
                yield from outline(inner, sqlglot, depth + 1)
        case ForEach(record, query, inner):
            yield f"{indent}ForEach {record} in {query.sql(sqlglot)}"
            yield from outline(inner, sqlglot, depth + 1)
        case CreateRoutine(relation, inner, parameters, kind):
            yield f"{indent}Create {kind} {relation}({', '.join(parameters)})"
            yield from outline(inner, sqlglot, depth + 1)
        case CreateTrigger(relation, table, event, inner):
            yield f"{indent}CreateTrigger {relation} on {event} of {table}"
            yield from outline(inner, sqlglot, depth + 1)
        case Inert(reason):
            yield f"{indent}Inert {reason}"
        case _:
            said = (getattr(statement, field.name) for field in fields(statement))
            texts = (_text(value, sqlglot) for value in said if value not in (None, (), False))
            yield f"{indent}{type(statement).__name__} {' | '.join(texts)}"


def _text(value: object, sqlglot: str) -> str:
    if isinstance(value, exp.Expr):
        return value.sql(sqlglot)
    if isinstance(value, tuple) and type(value) is tuple:
        return ", ".join(_text(item, sqlglot) for item in value)
    return str(value)
