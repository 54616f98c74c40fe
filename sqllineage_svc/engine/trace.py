"""Statement + Session to lineage: which columns feed which, which decide the rows.

`trace` answers and changes nothing; `replay` moves the session on. Names and scopes are in `queries`, INSERT,
UPDATE and their kin in `changes`, CREATE in `definitions`; what runs other statements is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from sqllineage_svc.engine.changes import trace_change, trace_computed, trace_load, trace_unload, trace_write
from sqllineage_svc.engine.definitions import trace_define, trace_exchanged, trace_moved
from sqllineage_svc.engine.expressions import origins_of, variable_name
from sqllineage_svc.engine.flows import Altered, ColumnRenamed, Emptied, Flow, Gone, Moved, Renamed, Step
from sqllineage_svc.engine.origins import FILTER, IDENTITY, Origins, add
from sqllineage_svc.engine.outcome import (
    NOTHING_MOVED,
    StatementTrace,
    combined,
    finish,
    start,
    trace_read,
    trace_variables,
    variable_flows,
    with_issue,
)
from sqllineage_svc.engine.queries import resolve
from sqllineage_svc.engine.replay import replay
from sqllineage_svc.engine.scope import Scope
from sqllineage_svc.engine.session import Session
from sqllineage_svc.engine.sources import Source
from sqllineage_svc.engine.unnamed import named
from sqllineage_svc.model.names import VALUE, ColumnRef, Relation, Variable
from sqllineage_svc.sql.column_changes import AddKey, DropColumn, RenameColumn
from sqllineage_svc.sql.statement import (
    Alter,
    Block,
    Call,
    Change,
    CreateRoutine,
    CreateTrigger,
    DeclareCursor,
    Define,
    Drop,
    ExchangeRows,
    Execute,
    Fetch,
    ForEach,
    Load,
    MoveRows,
    Opaque,
    Read,
    Refresh,
    Rename,
    SetVariables,
    Statement,
    Truncate,
    Unload,
    Write,
)

MAX_CALLS = 16
"""Routines, prepared statements and triggers inside one another; a deeper one is not followed."""


def trace(statement: Statement, session: Session) -> StatementTrace:
    """The lineage of a statement in its session, and what it does to the contents of relations."""
    match statement:
        case Read(query):
            return trace_read(query, session)
        case Write() | Change() | Load():
            return _with_triggers(statement, session)
        case Define():
            return trace_define(statement, session)
        case Unload():
            return trace_unload(statement, session)
        case MoveRows(target, source):
            return trace_moved(source, target, session)
        case ExchangeRows(relation, other):
            return trace_exchanged(relation, other, session)
        case SetVariables(variables, query):
            return trace_variables(variables, query, session)
        case Drop() | Truncate() | Rename():
            return StatementTrace(steps=_steps(statement, session))
        case Alter():
            computed = trace_computed(statement, session)
            return replace(computed, steps=(*computed.steps, *_steps(statement, session)))
        case Refresh(relation):
            return _refreshed(relation, session)
        case Opaque(code, reason):
            return with_issue(code, reason)
        case _:
            return _trace_nested(statement, session)


def _trace_nested(statement: Statement, session: Session) -> StatementTrace:
    match statement:
        case Block():
            return trace_block(statement, session)
        case ForEach():
            return _for_each(statement, session)
        case CreateRoutine():
            return _unapplied(_in_routine(statement.body, statement.parameters, session))
        case CreateTrigger():
            return _unapplied(_fired(statement, session))
        case Call():
            return _called(statement, session)
        case Execute(name):
            return _executed(name, session)
        case DeclareCursor(_, query):
            return trace_read(query, session) if not session.depth else _only_read(query, session)
        case Fetch(name, variables):
            return _fetched(name, variables, session)
        case _:
            return NOTHING_MOVED


def _with_triggers(statement: Write | Change | Load, session: Session) -> StatementTrace:
    """A statement that changes rows, and the triggers that this fires."""
    if isinstance(statement, Write):
        done, events = trace_write(statement, session), {"INSERT"}
        if statement.keyed:
            events |= {"UPDATE", "DELETE"}
    elif isinstance(statement, Change):
        done = trace_change(statement, session)
        events = {statement.kind} if statement.kind != "MERGE" else {"INSERT", "UPDATE", "DELETE"}
    else:
        done, events = trace_load(statement, session), {"INSERT"}
    fired = [
        _fired(trigger, session)
        for output in done.lineage.outputs
        if isinstance(output, Relation)
        for trigger in session.triggers.get(session.key(output)) or ()
        if trigger.event in events and session.depth < MAX_CALLS and session.firing != trigger.table
    ]
    return combined([done, *fired]) if fired else done


def _fired(trigger: CreateTrigger, session: Session) -> StatementTrace:
    table = session.qualify(trigger.table)
    names = session.names(table)
    rows = {name: Source(name, table, names) for name in ("new", "old")}
    inner = replace(
        session, records={**session.records, **rows}, depth=session.depth + 1, firing=trigger.table
    )
    done = trace_block(trigger.body, inner)
    read = StatementTrace(
        replace(done.lineage, inputs=tuple(dict.fromkeys((table, *done.lineage.inputs)))), done.steps
    )
    return read if done.lineage.columns or done.lineage.rows else done


def _unapplied(done: StatementTrace) -> StatementTrace:
    """What a body would do: its lineage, while nothing has happened yet."""
    return StatementTrace(done.lineage)


def trace_block(block: Block, session: Session) -> StatementTrace:
    """Statements one after the other, each in the session that the one before has left."""
    parameters = dict(session.parameters)
    parameters.update({name: _held(name) for name in block.variables})
    inner = replace(session, parameters=parameters, depth=max(session.depth, 1))
    if block.guards:
        guards = dict(session.guards)
        for query in block.guards:
            context = start(inner)
            output = resolve(context, query, None, {})
            for column in output.columns:
                add(guards, column.origins, FILTER)
            add(guards, output.rows.flat(), FILTER)
        inner = replace(inner, guards=guards)
    traces: list[StatementTrace] = []
    for statement in block.body:
        done = trace(statement, inner)
        inner = replay(statement, done, inner)
        traces.append(done)
    after = replace(inner, parameters=session.parameters, guards=session.guards, depth=session.depth)
    return combined(traces, after)


def _held(name: str) -> Origins:
    return {ColumnRef(Variable(name), VALUE): IDENTITY}


def _for_each(loop: ForEach, session: Session) -> StatementTrace:
    context = start(session)
    output = named(resolve(context, loop.query, None, {}), context)
    guards = dict(session.guards)
    add(guards, output.rows.flat(), FILTER)
    records = {**session.records, loop.record.lower(): Source(loop.record, None, None, output)}
    done = trace_block(loop.body, replace(session, records=records, guards=guards))
    read = finish(context, [])
    after = done.session and replace(done.session, records=session.records, guards=session.guards)
    return combined([read, done], after)


def _in_routine(body: Block, parameters: Sequence[str], session: Session) -> StatementTrace:
    held = {name: _held(name) for name in parameters}
    inner = replace(session, parameters={**session.parameters, **held}, depth=session.depth + 1)
    done = trace_block(body, inner)
    after = done.session and replace(done.session, parameters=session.parameters, depth=session.depth)
    return replace(done, session=after)


def _called(call: Call, session: Session) -> StatementTrace:
    """The body of a routine, its parameters set from the arguments; what it leaves in a variable goes back."""
    routine = session.routines.get(session.key(session.qualify(call.relation)))
    if routine is None:
        return with_issue("RoutineNotKnown", f"the body of {call.relation} is not in what was read")
    if session.depth >= MAX_CALLS:
        return with_issue("CallsTooDeep", f"calls inside one another are not followed beyond {MAX_CALLS}")
    context = start(session)
    scope = Scope(context, None, {})
    taken = [
        Flow(Variable(name), {VALUE: origins_of(argument, scope)}, overwrites=True)
        for name, argument in zip(routine.parameters, call.arguments, strict=False)
    ]
    given = finish(context, taken)
    before = replay(call, given, session)
    done = _in_routine(routine.body, routine.parameters, before)
    back = [
        Flow(Variable(variable_name(argument)), {VALUE: _held(name)})
        for name, argument in zip(routine.parameters, call.arguments, strict=False)
        if isinstance(argument, exp.Parameter)
    ]
    after = done.session or before
    returned = StatementTrace(steps=(Moved(tuple(back)),)) if back else NOTHING_MOVED
    return combined([given, done, returned], replay(call, returned, after))


def _executed(name: str, session: Session) -> StatementTrace:
    if name not in session.prepared:
        return with_issue("PreparedNotKnown", f"the statement prepared as {name!r} is not in what was read")
    statement = session.prepared.get(name)
    if statement is None:
        return with_issue("DynamicSql", f"the text prepared as {name!r} is made while it runs")
    if session.depth >= MAX_CALLS:
        return with_issue("CallsTooDeep", f"calls inside one another are not followed beyond {MAX_CALLS}")
    done = trace(statement, replace(session, depth=session.depth + 1))
    after = replay(statement, done, session)
    return replace(done, session=after)


def _only_read(query: exp.Expr, session: Session) -> StatementTrace:
    """What a query reads, where its rows go somewhere only later."""
    context = start(session)
    resolve(context, query, None, {})
    return finish(context, [])


def _fetched(name: str, variables: Sequence[str], session: Session) -> StatementTrace:
    output = session.cursors.get(name)
    if output is None or not variables:
        return NOTHING_MOVED
    return finish(start(session), variable_flows(variables, output))


def _refreshed(relation: Relation, session: Session) -> StatementTrace:
    known = session.known(session.qualify(relation))
    if known is None or known.definition is None:
        return with_issue("ViewNotKnown", f"the query of {relation} is not in what was read")
    return trace_define(known.definition, session)


def _steps(statement: Drop | Truncate | Rename | Alter, session: Session) -> tuple[Step, ...]:
    match statement:
        case Drop(relations, _, temporary):
            return tuple(Gone(session.qualify(relation), temporary) for relation in relations)
        case Truncate(relation):
            return (Emptied(session.qualify(relation)),)
        case Rename(pairs):
            return _renamed(pairs, session)
        case Alter(relation, changes, location, new_name):
            qualified = session.qualify(relation)
            steps: list[Step] = [Altered(qualified)] if location is not None else []
            for change in changes:
                if isinstance(change, RenameColumn):
                    steps.append(ColumnRenamed(qualified, change.column, change.new))
                elif isinstance(change, DropColumn):
                    steps.append(ColumnRenamed(qualified, change.column, None))
                elif not isinstance(change, AddKey):
                    steps.append(Altered(qualified))
            return (*steps, *(_renamed(((relation, new_name),), session) if new_name else ()))


def _renamed(pairs: Sequence[tuple[Relation, Relation]], session: Session) -> tuple[Step, ...]:
    steps: list[Step] = []
    for old, new in pairs:
        renamed = session.new_name(old, new)
        schema = session.find(session.qualify(old))
        steps.append(Renamed(session.qualify(old), renamed, schema.names if schema is not None else None))
        session = replay(Rename(((old, new),)), NOTHING_MOVED, session)
    return tuple(steps)
