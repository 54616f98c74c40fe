"""INSERT, UPDATE, DELETE, MERGE and loads: which columns of which target change, and what decides it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlglot import exp

from sqllineage_svc.engine.combine import resolve_values
from sqllineage_svc.engine.context import Context
from sqllineage_svc.engine.expressions import origins_of
from sqllineage_svc.engine.flows import Flow, Nodes
from sqllineage_svc.engine.origins import IDENTITY, JOIN, Origins, RowSet, add
from sqllineage_svc.engine.outcome import StatementTrace, finish, onto, start, to_columns
from sqllineage_svc.engine.queries import Assigning, resolve, resolve_select, scope_of
from sqllineage_svc.engine.scope import Scope
from sqllineage_svc.engine.session import Session
from sqllineage_svc.engine.sources import Output, OutputColumn, Source
from sqllineage_svc.engine.unnamed import named
from sqllineage_svc.errors import UnreadableStatement
from sqllineage_svc.model.names import ALL_COLUMNS, ColumnRef, Dataset, Relation, Variable
from sqllineage_svc.model.schema import Column, TableSchema
from sqllineage_svc.sql.column_changes import AddColumn, RetypeColumn
from sqllineage_svc.sql.parse import parse_text
from sqllineage_svc.sql.statement import Alter, Change, Load, Unload, Write


def trace_write(write: Write, session: Session) -> StatementTrace:
    """INSERT: the query's columns by position; where keys collide, what is there decides too."""
    context = start(session)
    target = session.qualify(write.target) if isinstance(write.target, Relation) else write.target
    schema = session.find(target) if isinstance(target, Relation) else None
    names = write.columns or (schema.names if schema is not None and schema.complete else None)
    scope: Scope | None = None
    keys: Sequence[str] = ()
    if write.query is None:
        output = Output([], RowSet())
        flow = Flow(target)
    else:
        output, scope = _resolve_in_scope(write, names, schema, context)
        flow = onto(output, names, target, context)
    columns, rows, nodes = dict(flow.columns), dict(flow.rows), dict(flow.nodes)
    if write.keyed and isinstance(target, Relation):
        inserted = dict(zip(names or (), output.columns, strict=False))
        keys = _keys(write, target, schema, context)
        _add_keys(target, keys, columns, rows)
        _add_updates(write, target, schema, inserted, scope, columns, context)
        for assignment in write.updates:
            nodes[assignment.column] = (*nodes.get(assignment.column, ()), assignment.expression)
    generated = _add_generated(target, columns, nodes, context)
    if write.keyed and isinstance(target, Relation):
        met = [key for key in keys if key in generated]
        if write.updates and _has_rows(write.query):
            _see_rows_before(target, columns)
            met = [*keys]  # what an earlier row has made of a key decides for a later one
        _add_keys(target, met, columns, rows)
    return finish(context, [Flow(target, columns, rows, False, nodes)])


def _has_rows(query: exp.Expr | None) -> bool:
    """Whether this may give several rows."""
    return query is not None and (not isinstance(query, exp.Values) or len(query.expressions) > 1)


def _see_rows_before(target: Relation, columns: dict[str, Origins]) -> None:
    """Let what reads the target's row see what an earlier row of the same statement and key left in it."""
    changed = True
    while changed:
        changed = False
        for name, origins in columns.items():
            seen = dict(origins)
            for ref, ways in origins.items():
                if ref.dataset == target and ref.column in columns:
                    add(seen, columns[ref.column], ways)
            if seen != origins:
                columns[name] = seen
                changed = True


def _resolve_in_scope(
    write: Write, names: Sequence[str] | None, schema: TableSchema | None, context: Context
) -> tuple[Output, Scope | None]:
    """The output of what is written and, of a SELECT, its scope: ON DUPLICATE KEY UPDATE may look into it."""
    query = write.query
    assert query is not None  # noqa: S101 - the caller has looked
    if isinstance(query, exp.Values) and names and context.session.dialect.scoping.assignments_in_order:
        row = _row({}, (*names, *(schema.names if schema is not None else ())))
        filled = Scope(context, None, {})
        filled.add(Source(write.target.name if isinstance(write.target, Relation) else "", None, None, row))
        return resolve_values(context, query, scope_of(context, query), names, filled), None
    if not isinstance(query, exp.Select):
        return resolve(context, query, None, {}), None
    scope = scope_of(context, query)
    return resolve_select(context, query, scope), scope


def _row(filled: Mapping[str, Origins], others: Iterable[str] = ()) -> Output:
    """A row of a target: columns that are filled from something, and others of it that are not."""
    names = dict.fromkeys((*filled, *others))
    return Output([OutputColumn(name, filled.get(name, {})) for name in names], RowSet())


def _keys(write: Write, target: Relation, schema: TableSchema | None, context: Context) -> Sequence[str]:
    """The columns of the target's keys; an issue says where nobody knows them."""
    keys = _key_columns(write, schema)
    if keys is None:
        message = f"which columns are keys of {target} is not known; give its schema with --schema"
        context.issue("KeysNotKnown", message)
    return keys or ()


def _add_keys(target: Relation, keys: Iterable[str], columns: Mapping[str, Origins], rows: Origins) -> None:
    """Whether a row is new is decided by the target's keys and by what is put into them."""
    for key in keys:
        add(rows, {ColumnRef(target, key): IDENTITY}, JOIN)
        add(rows, columns.get(key, {}), JOIN)


def _key_columns(write: Write, schema: TableSchema | None) -> Sequence[str] | None:
    """The columns of all keys; where only the columns are known, those that may be a key."""
    if schema is None:
        return None
    if schema.keys is not None:
        return [name for key in schema.keys for name in key]
    inserted = write.columns or schema.names
    changed = {assignment.column for assignment in write.updates} | _read_as_values(write)
    return [name for name in inserted if name not in changed] or inserted


def _read_as_values(write: Write) -> set[str]:
    """The columns that VALUES(column) reads in ON DUPLICATE KEY UPDATE."""
    return {
        call.expressions[0].name.lower()
        for assignment in write.updates
        for call in assignment.expression.find_all(exp.Anonymous)
        if call.name.upper() == "VALUES" and call.expressions
    }


def _add_updates(
    write: Write,
    target: Relation,
    schema: TableSchema | None,
    inserted: Mapping[str, OutputColumn],
    around: Scope | None,
    columns: dict[str, Origins],
    context: Context,
) -> None:
    """ON DUPLICATE KEY UPDATE: expressions over the target, the row to be inserted and the query's tables.

    An assignment sees the values of the ones before it.

    A column that is inserted but not assigned keeps its old value where the row is there already.
    """
    if not write.updates:
        return
    scope = Scope(context, around, {})
    scope.add(Source(target.name, target, context.session.names(target)))
    scope.inserted = {name: column.origins for name, column in inserted.items()}
    if write.row_alias is not None:
        row = [
            OutputColumn(write.row_columns[at] if at < len(write.row_columns) else name, column.origins)
            for at, (name, column) in enumerate(inserted.items())
        ]
        scope.add(Source(write.row_alias, None, None, Output(row, RowSet())))
    assigned: set[str] = set()
    for assignment in write.updates:
        value: Origins = dict(columns.get(assignment.column, {}))
        updated = origins_of(assignment.expression, scope)
        add(value, updated, IDENTITY)
        columns[assignment.column] = value
        scope.override(target.name, assignment.column, updated, surely=True)
        assigned.add(assignment.column)
    keys = set(_key_columns(write, schema) or ())
    surely_data = set(inserted) if schema is not None and schema.keys is not None else _read_as_values(write)
    for name in (set(inserted) & surely_data) - assigned - keys:
        value = dict(columns.get(name, {}))
        add(value, {ColumnRef(target, name): IDENTITY}, IDENTITY)
        columns[name] = value


def _add_generated(
    target: Dataset, columns: dict[str, Origins], nodes: dict[str, Nodes], context: Context
) -> set[str]:
    """Generated columns of the target are computed from what its other columns get; which of them are."""
    schema = context.session.find(target) if isinstance(target, Relation) else None
    generated = [column for column in schema.columns if column.generated] if schema is not None else ()
    if not generated:
        return set()
    scope = Scope(context, None, {})
    row = _row(columns, schema.names if schema is not None else ())
    scope.add(Source(target.name if isinstance(target, Relation) else "", None, None, row))
    for column in generated:
        expression = _expression(column, context)
        found = origins_of(expression, scope) if expression is not None else {}
        if expression is not None and found:
            columns[column.name] = found
            nodes[column.name] = (expression,)
    return {column.name for column in generated}


def _expression(column: Column, context: Context) -> exp.Expr | None:
    """What computes a generated column; an issue says where it cannot be read."""
    try:
        return parse_text(column.generated or "", context.session.dialect.sqlglot)
    except UnreadableStatement:
        message = f"what computes the generated column {column.name!r} cannot be read"
        context.issue("GeneratedColumnNotKnown", message)
        return None


def trace_computed(alter: Alter, session: Session) -> StatementTrace:
    """ALTER TABLE with a generated column: it is computed for the rows that are there."""
    changed = [change.column for change in alter.changes if isinstance(change, AddColumn | RetypeColumn)]
    if not any(column.generated for column in changed):
        return StatementTrace()
    context = start(session)
    target = session.qualify(alter.relation)
    scope = Scope(context, None, {})
    scope.add(Source(target.name, target, session.names(target)))
    columns: dict[str, Origins] = {}
    nodes: dict[str, Nodes] = {}
    for column in changed:
        expression = _expression(column, context) if column.generated else None
        if expression is not None:
            columns[column.name] = origins_of(expression, scope)
            nodes[column.name] = (expression,)
    return finish(context, [Flow(target, columns, nodes=nodes)])


def trace_change(change: Change, session: Session) -> StatementTrace:
    """UPDATE, DELETE and MERGE: the outputs of the query of their scope are what the columns get."""
    context = start(session)
    query = change.query
    scope = scope_of(context, query)
    output = resolve_select(context, query, scope, _assigning(change, session))
    targets = {relation: _relation_of(relation, scope, session) for relation in change.targets}
    columns: dict[Relation, dict[str, Origins]] = {relation: {} for relation in targets.values()}
    nodes: dict[Relation, dict[str, Nodes]] = {relation: {} for relation in targets.values()}
    assigned = list(change.assigned)
    if change.by_position:
        assigned = _by_position(assigned, output, next(iter(targets.values())), session, context)
    for (qualifier, name), column in zip(assigned, output.columns, strict=False):
        for relation, field in _owners(qualifier, name, scope, list(targets.values()), context):
            value = columns.setdefault(relation, {}).setdefault(field, {})
            add(value, column.origins, IDENTITY)
            if column.node is not None:
                made_by = nodes.setdefault(relation, {})
                made_by[field] = (*made_by.get(field, ()), column.node)
    rows = output.rows.flat()
    if change.kind == "UPDATE" and not change.sequential and session.dialect.scoping.assignments_in_order:
        rows = _with_new_values(rows, columns)
    flows: list[Flow] = []
    for relation, made in columns.items():
        _add_generated(relation, made, nodes.setdefault(relation, {}), context)
        flows.append(Flow(relation, made, rows, change.every_row, nodes[relation]))
    if len(columns) == 1:  # it is no input merely for being the target; of several, each decides the others
        (relation,) = columns
        if context.inputs.get(relation, 0) <= 1:
            context.inputs.pop(relation, None)
    return finish(context, flows)


def _with_new_values(rows: Origins, columns: Mapping[Relation, Mapping[str, Origins]]) -> Origins:
    """What decides the rows of an UPDATE of joined tables, and what the columns among it are set to.

    The first table may be written while the join still goes on, so that a condition sees the new value of a
    column for the rows that follow. Seen on a real engine: `a_joined_update_may_see_what_it_has_written`.
    """
    found = dict(rows)
    for ref, ways in rows.items():
        if isinstance(ref.dataset, Relation):
            add(found, columns.get(ref.dataset, {}).get(ref.column, {}), ways)
    return found


def _assigning(change: Change, session: Session) -> Assigning | None:
    """What the values of an UPDATE or MERGE see; None where they all see the same.

    An assignment does not surely see those before it where the table is read a second time: a warehouse may
    make that an UPDATE of joined tables.
    """
    in_order = session.dialect.scoping.assignments_in_order and change.kind == "UPDATE"
    if not change.inserts and (not in_order or len(change.assigned) < 2):
        return None
    read = [table.name for table in change.query.find_all(exp.Table)] if change.sequential else []
    surely = change.sequential and read.count(change.query.args["from_"].this.name) == 1
    return Assigning(change.assigned, in_order, surely, change.inserts)


def _relation_of(named: Relation, scope: Scope, session: Session) -> Relation:
    """The relation behind an alias or a name that a change gives as its target."""
    if named.schema is None:
        source = scope.source(named.name)
        if source is not None and isinstance(source.relation, Relation):
            return source.relation
    return session.qualify(named)


def _owners(
    qualifier: str | None, name: str, scope: Scope, targets: list[Relation], context: Context
) -> list[tuple[Relation, str]]:
    """The column that is assigned: by its qualifier, of the only target, or by its schema.

    Where it may be one of several tables, an unknown column of each.
    """
    source = scope.source(qualifier) if qualifier else None
    if source is None and len(targets) == 1:
        return [(targets[0], name)]
    sources = list(scope.sources.values()) if source is None else [source]
    owners = [source for source in sources if source.knows(name)]
    owners = owners or [source for source in sources if source.knows(name) is None] or sources
    relations = [source.relation for source in owners if isinstance(source.relation, Relation)]
    if len(relations) == 1:
        return [(relations[0], name)]
    context.issue(
        "AmbiguousColumn", f"{name!r} is assigned, but it is not known of which table; see --schema"
    )
    return [(relation, ALL_COLUMNS) for relation in relations]


def _by_position(
    assigned: list[tuple[str | None, str]],
    output: Output,
    target: Relation,
    session: Session,
    context: Context,
) -> list[tuple[str | None, str]]:
    """The target's columns in order, for values that are given without a column list."""
    schema = session.find(target)
    if schema is None:
        context.issue(
            "TargetColumnsNotKnown", f"the columns of {target} are not known; give its schema with --schema"
        )
    names = iter(schema.names if schema is not None else ())
    if assigned:
        return [
            (None, next(names, ALL_COLUMNS)) if not name else (qualifier, name)
            for qualifier, name in assigned
        ]
    return [(None, next(names, ALL_COLUMNS)) for _ in output.columns]


def trace_load(load: Load, session: Session) -> StatementTrace:
    """COPY, LOAD DATA: each column from a field of the file, which only some formats name."""
    context = start(session)
    target = session.qualify(load.target)
    schema = session.find(target)
    context.reads(load.source)
    names = load.columns if load.columns is not None else schema.names if schema is not None else None
    if names is None:
        message = f"the columns of {target} are not known; list them, or give its schema with --schema"
        context.issue("TargetColumnsNotKnown", message)
        names = (ALL_COLUMNS,)
    columns: dict[str, Origins] = {
        name: {ColumnRef(load.source, name if load.named_fields else ALL_COLUMNS): IDENTITY} for name in names
    }
    field: Origins = {ColumnRef(load.source, ALL_COLUMNS): IDENTITY}
    scope = Scope(context, None, {})
    row = _row(columns, schema.names if schema is not None else ())
    scope.add(Source(target.name, None, None, row))
    context.assigned.update(dict.fromkeys(load.variables, field))
    nodes: dict[str, Nodes] = {}
    for assignment in load.assignments:
        value: Origins = {}
        for ref, ways in origins_of(assignment.expression, scope).items():
            taken = isinstance(ref.dataset, Variable) and ref.dataset.variable in load.variables
            add(value, field if taken else {ref: IDENTITY}, ways)
        columns[assignment.column] = value
        scope.override(target.name, assignment.column, value, surely=True)
        nodes[assignment.column] = (assignment.expression,)
    return finish(context, [Flow(target, columns, {}, False, nodes)])


def trace_unload(unload: Unload, session: Session) -> StatementTrace:
    """UNLOAD, INTO OUTFILE: a query's columns into files of the same columns."""
    context = start(session)
    output = named(resolve(context, unload.query, None, {}), context)
    return finish(context, [to_columns(unload.target, output, [column.name for column in output.columns])])
