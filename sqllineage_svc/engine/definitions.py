"""CREATE, and rows that move from one relation to another as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqllineage_svc.engine.context import Context
from sqllineage_svc.engine.flows import Emptied, Flow, Made, existence
from sqllineage_svc.engine.origins import IDENTITY, Origins
from sqllineage_svc.engine.outcome import StatementTrace, finish, onto, start, to_columns
from sqllineage_svc.engine.queries import resolve
from sqllineage_svc.engine.session import Session
from sqllineage_svc.engine.unnamed import named
from sqllineage_svc.model.lineage import StatementLineage
from sqllineage_svc.model.names import ALL_COLUMNS, ColumnRef, Relation
from sqllineage_svc.model.schema import Column, TableSchema
from sqllineage_svc.sql.statement import Define, TableKind


def trace_define(define: Define, session: Session) -> StatementTrace:
    """CREATE, with the schema of what it makes."""
    context = start(session)
    relation = session.making(define.relation, define.temporary)
    known = session.known(relation)
    if define.keeps_existing and known is not None and known.exists and not define.temporary:
        return StatementTrace(schema=known.schema)
    copied = _copied(define, session, context)
    written = [*(copied.columns if copied is not None else ()), *define.columns]
    keys = define.keys if copied is None else None if copied.keys is None else (*copied.keys, *define.keys)
    view = define.kind is TableKind.VIEW
    replaces = known is not None and known.exists and known.temporary == define.temporary
    made = Made(relation, define.temporary, view, replaces=replaces)
    if define.query is None:
        schema = TableSchema(relation, tuple(written), keys) if written else None
        return StatementTrace(StatementLineage(issues=tuple(context.issues)), (made,), schema)
    output = named(resolve(context, define.query, None, {}), context)
    names = [column.name for column in output.columns]
    if not define.by_name and written:
        flow = onto(output, [column.name for column in written], relation, context)
        columns = written
    else:
        flow = to_columns(relation, output, names)
        rest = [
            Column(name) for name in dict.fromkeys(names) if name not in {column.name for column in written}
        ]
        columns = [*written, *rest]
    flow = replace(flow, overwrites=True)
    schema = None
    if all(column.name != ALL_COLUMNS for column in columns):
        schema = TableSchema(relation, tuple(columns), keys)
    return finish(context, [flow], schema, made)


def _copied(define: Define, session: Session, context: Context) -> TableSchema | None:
    """The schema that LIKE copies."""
    if define.like is None:
        return None
    schema = session.find(session.qualify(define.like))
    if schema is None:
        context.issue(
            "SchemaNotKnown", f"the columns of {define.like} are not known; give its schema with --schema"
        )
    return schema


def moved_columns(
    source: Relation, target: Relation, session: Session, context: Context
) -> dict[str, Origins]:
    """Columns of the same name, each from one relation to the other."""
    ours, theirs = session.find(target), session.find(source)
    if ours is None and theirs is None:
        message = f"the columns of {source} and {target} are not known; give their schema with --schema"
        context.issue("StarNotExpanded", message)
        names: Sequence[str] = [ALL_COLUMNS]
    elif ours is None or theirs is None:
        names = (ours or theirs).names  # type: ignore[union-attr]
    else:
        names = [name for name in ours.names if name in theirs.names]
    return {name: {ColumnRef(source, name): IDENTITY} for name in names}


def trace_moved(source: Relation, target: Relation, session: Session) -> StatementTrace:
    """All rows of one relation into another; the source is left empty."""
    context = start(session)
    source, target = session.qualify(source), session.qualify(target)
    columns = moved_columns(source, target, session, context)
    context.reads(source)
    trace = finish(context, [Flow(target, columns, existence(source))])
    return replace(trace, steps=(*trace.steps, Emptied(source)))


def trace_exchanged(relation: Relation, other: Relation, session: Session) -> StatementTrace:
    """Rows of a partition and of a table change places."""
    context = start(session)
    first, second = session.qualify(relation), session.qualify(other)
    there = moved_columns(first, second, session, context)
    back = moved_columns(second, first, session, context)
    context.reads(first)
    context.reads(second)
    return finish(context, [Flow(first, back, existence(second)), Flow(second, there, existence(first))])
