"""Statement + Session to the next Session: DDL, temporary tables, search path and variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from sqllineage_svc.engine.flows import Moved, settle
from sqllineage_svc.engine.origins import IDENTITY, add
from sqllineage_svc.engine.outcome import StatementTrace, start
from sqllineage_svc.engine.queries import resolve
from sqllineage_svc.engine.session import KnownTable, Session
from sqllineage_svc.engine.unnamed import named
from sqllineage_svc.model.names import Relation, Variable
from sqllineage_svc.model.schema import Column, TableSchema
from sqllineage_svc.sql.column_changes import (
    AddColumn,
    AddKey,
    ColumnChange,
    DropColumn,
    RenameColumn,
    RetypeColumn,
)
from sqllineage_svc.sql.statement import (
    Alter,
    CreateRoutine,
    CreateTrigger,
    DeclareCursor,
    Define,
    Drop,
    DropRoutine,
    Prepare,
    Rename,
    SetCaseSensitivity,
    SetSearchPath,
    SetVariables,
    Statement,
    TableKind,
    Use,
)


def replay(statement: Statement, trace: StatementTrace, session: Session) -> Session:
    """The session as the next statement finds it."""
    if trace.session is not None:
        return trace.session
    session = _with_variables(trace, session)
    match statement:
        case Define():
            return _defined(statement, trace, session)
        case Drop():
            return _dropped(statement, session)
        case Rename(pairs):
            return _renamed(pairs, session)
        case Alter(relation, changes, _, new_name):
            session = _altered(relation, changes, session)
            return _renamed(((relation, new_name),), session) if new_name else session
        case SetSearchPath(schemas):
            return replace(session, search_path=schemas or ())
        case Use(name):
            if session.dialect.databases_hold_schemas:
                return replace(session, catalog=name)
            return replace(session, search_path=(name,))
        case SetCaseSensitivity(keeps):
            rules = session.dialect.case_sensitive_identifiers if keeps else session.dialect.identifiers
            return replace(session, identifiers=rules)
        case SetVariables(variables, query):
            return _with_texts(variables, query, session)
        case _:
            return _keeping(statement, session)


def _keeping(statement: Statement, session: Session) -> Session:
    """The session that keeps a statement, or a query, for later."""
    match statement:
        case CreateRoutine(relation):
            key = session.key(session.qualify(relation))
            return replace(session, routines=session.routines.set(key, statement))
        case CreateTrigger(_, table):
            key = session.key(session.qualify(table))
            others = [held for held in session.triggers.get(key) or () if held.relation != statement.relation]
            return replace(session, triggers=session.triggers.set(key, (*others, statement)))
        case DropRoutine():
            return _forgotten(statement, session)
        case Prepare(name, body):
            return replace(session, prepared=session.prepared.set(name, body))
        case DeclareCursor(name, query):
            context = start(session)
            output = named(resolve(context, query, None, {}), context)
            return replace(session, cursors=session.cursors.set(name, output))
        case _:
            return session


def _forgotten(drop: DropRoutine, session: Session) -> Session:
    """The session without a routine, or without a trigger on whatever table it stands."""
    if drop.kind != "TRIGGER":
        key = session.key(session.qualify(drop.relation))
        return replace(session, routines=session.routines.set(key, None))
    triggers = session.triggers
    for table, held in session.triggers.items():
        kept = tuple(trigger for trigger in held if trigger.relation.name != drop.relation.name)
        if len(kept) < len(held):
            triggers = triggers.set(table, kept)
    return replace(session, triggers=triggers)


def _with_variables(trace: StatementTrace, session: Session) -> Session:
    """The session with what the statement has put into its variables."""
    flows = [flow for step in trace.steps if isinstance(step, Moved) for flow in step.flows]
    settled = [(flow, settle(flow, session)) for flow in flows if isinstance(flow.target, Variable)]
    variables = session.variables
    for flow, origins in settled:
        name = str(flow.target)
        if not flow.overwrites:
            held = dict(variables.get(name) or {})
            add(held, origins, IDENTITY)
            origins = held
        variables = variables.set(name, origins)
    return replace(session, variables=variables) if settled else session


def _with_texts(variables: Sequence[str], query: exp.Expr, session: Session) -> Session:
    texts = session.texts
    items = query.expressions if isinstance(query, exp.Select) and query.args.get("from_") is None else []
    for at, name in enumerate(variables):
        texts = texts.set(name, constant_text(items[at], session) if at < len(items) else None)
    return replace(session, texts=texts)


def constant_text(node: exp.Expr, session: Session) -> str | None:
    """The text of a literal, of a variable that holds one, or of some of them in a row; else None."""
    if isinstance(node, exp.Literal | exp.RawString):
        return node.name
    if isinstance(node, exp.Paren | exp.Alias):
        return constant_text(node.this, session)
    if isinstance(node, exp.Parameter):
        return session.texts.get("@" + node.name.lower())
    if isinstance(node, exp.Concat | exp.DPipe):
        parts = node.expressions if isinstance(node, exp.Concat) else [node.this, node.expression]
        texts = [constant_text(part, session) for part in parts]
        known = [text for text in texts if text is not None]
        return "".join(known) if len(known) == len(texts) else None
    return None


def _defined(define: Define, trace: StatementTrace, session: Session) -> Session:
    relation = session.making(define.relation, define.temporary)
    known = session.known(relation)
    if define.keeps_existing and known is not None and known.exists and not define.temporary:
        return session
    definition = define if define.kind is TableKind.MATERIALIZED_VIEW else None
    table = KnownTable(trace.schema, define.kind, define.temporary, True, definition)
    return session.with_table(relation, table)


def _dropped(drop: Drop, session: Session) -> Session:
    for relation in drop.relations:
        qualified = session.qualify(relation)
        if drop.kind is TableKind.SCHEMA:
            held = [
                key for key, known in session.tables.items() if key.schema == relation.schema and known.exists
            ]
            for key in held:
                session = session.with_table(key, KnownTable(exists=False))
            continue
        temporary = session.is_temporary(qualified)
        session = session.with_table(qualified, KnownTable(temporary=temporary, exists=False))
    return session


def _renamed(pairs: Sequence[tuple[Relation, Relation]], session: Session) -> Session:
    for old, new in pairs:
        qualified = session.qualify(old)
        renamed = session.new_name(old, new)
        known = session.known(qualified) or KnownTable()
        schema = session.find(qualified)
        moved = replace(schema, relation=renamed) if schema is not None else None
        session = session.with_table(qualified, KnownTable(temporary=known.temporary, exists=False))
        session = session.with_table(renamed, replace(known, schema=moved, exists=True))
    return session


def _altered(relation: Relation, changes: Sequence[ColumnChange], session: Session) -> Session:
    qualified = session.qualify(relation)
    schema = session.find(qualified)
    if schema is None or not changes:
        return session
    columns = list(schema.columns)
    keys = schema.keys
    for change in changes:
        columns = _changed(columns, change)
        keys = keys if keys is None else _changed_keys(keys, change)
    known = session.known(qualified) or KnownTable()
    altered = TableSchema(schema.relation, tuple(columns), keys, schema.complete)
    return session.with_table(qualified, replace(known, schema=altered))


def _place(after: str | None, names: Sequence[str]) -> int:
    """Where a column is added: behind that one, first of all ("") or last."""
    if after == "":
        return 0
    return names.index(after) + 1 if after in names else len(names)


def _changed(columns: list[Column], change: ColumnChange) -> list[Column]:
    match change:
        case AddColumn(column, after):
            rest = [item for item in columns if item.name != column.name]
            at = _place(after, [item.name for item in rest])
            return [*rest[:at], column, *rest[at:]]
        case DropColumn(name):
            return [item for item in columns if item.name != name]
        case RenameColumn(old, new, type_):
            return [
                replace(item, name=new, type=type_ or item.type) if item.name == old else item
                for item in columns
            ]
        case RetypeColumn(column):
            return [column if item.name == column.name else item for item in columns]
        case AddKey():
            return columns


def _changed_keys(keys: tuple[tuple[str, ...], ...], change: ColumnChange) -> tuple[tuple[str, ...], ...]:
    match change:
        case AddKey(columns):
            return (*keys, columns)
        case RenameColumn(old, new, _):
            return tuple(tuple(new if name == old else name for name in key) for key in keys)
        case DropColumn(dropped):
            left = (tuple(name for name in key if name != dropped) for key in keys)
            return tuple(key for key in left if key)
        case _:
            return keys
