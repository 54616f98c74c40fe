"""What tracing a statement comes to, and how a query's output becomes the columns of a target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from sqllineage_svc.engine.context import Context
from sqllineage_svc.engine.flows import Expressions, Flow, Made, Moved, Nodes, Step, publish, with_assigned
from sqllineage_svc.engine.origins import CONDITIONAL, FILTER, IDENTITY, Origins, add
from sqllineage_svc.engine.queries import resolve
from sqllineage_svc.engine.session import Session
from sqllineage_svc.engine.sources import Output
from sqllineage_svc.engine.unnamed import named
from sqllineage_svc.model.lineage import Issue, StatementLineage
from sqllineage_svc.model.names import ALL_COLUMNS, RESULT, VALUE, Dataset, Variable
from sqllineage_svc.model.schema import TableSchema


@dataclass(frozen=True, slots=True)
class StatementTrace:
    """A statement's lineage, what it does to contents, and the schema of what it defines.

    `session` is the session after a statement that ran others (a block, a call); else None.
    """

    lineage: StatementLineage = field(default_factory=StatementLineage)
    steps: tuple[Step, ...] = ()
    schema: TableSchema | None = None
    session: Session | None = None


NOTHING_MOVED = StatementTrace()


def start(session: Session) -> Context:
    """A context for one statement."""
    return Context(session, resolve)


def finish(
    context: Context, flows: Sequence[Flow], schema: TableSchema | None = None, made: Made | None = None
) -> StatementTrace:
    """The trace made of a statement's flows, the first into the relation that it has `made`."""
    if context.session.guards:
        flows = [_guarded(flow, context.session.guards) for flow in flows]
    settled = tuple(with_assigned(flows, context.assigned)) if context.assigned else tuple(flows)
    through_variables = context.uses_variables or bool(context.session.parameters or context.assigned)
    columns, rows, expressions = publish(settled, context.session, through_variables)
    targets = dict.fromkeys(flow.target for flow in settled)
    outputs = tuple(target for target in targets if not isinstance(target, Variable) and target != RESULT)
    lineage = StatementLineage(
        tuple(context.inputs), outputs, columns, rows, tuple(context.issues), expressions
    )
    if made is not None and made.is_view:
        return StatementTrace(lineage, (replace(made, definition=settled[0]),), schema)
    moved = Moved(settled)
    return StatementTrace(lineage, (moved,) if made is None else (made, moved), schema)


def _guarded(flow: Flow, guards: Origins) -> Flow:
    """The flow as it is where something decides whether it happens at all."""
    if isinstance(flow.target, Variable):
        value = dict(flow.columns.get(VALUE, {}))
        add(value, guards, CONDITIONAL)
        return replace(flow, columns={VALUE: value}, overwrites=False)
    rows = dict(flow.rows)
    add(rows, guards, FILTER)
    return replace(flow, rows=rows, overwrites=False)


def combined(traces: Sequence[StatementTrace], session: Session | None = None) -> StatementTrace:
    """Several traces as that of one statement, in their order."""
    lineages = [trace.lineage for trace in traces]
    expressions = Expressions.merged(
        lineage.expressions for lineage in lineages if isinstance(lineage.expressions, Expressions)
    )
    lineage = StatementLineage(
        tuple(dict.fromkeys(item for lineage in lineages for item in lineage.inputs)),
        tuple(dict.fromkeys(item for lineage in lineages for item in lineage.outputs)),
        tuple(dict.fromkeys(edge for lineage in lineages for edge in lineage.columns)),
        tuple(dict.fromkeys(edge for lineage in lineages for edge in lineage.rows)),
        tuple(dict.fromkeys(issue for lineage in lineages for issue in lineage.issues)),
        expressions,
    )
    return StatementTrace(lineage, tuple(step for trace in traces for step in trace.steps), session=session)


def trace_read(query: exp.Expr, session: Session) -> StatementTrace:
    """A query whose rows go to the client."""
    context = start(session)
    output = named(resolve(context, query, None, {}), context)
    return finish(context, [to_columns(RESULT, output, [column.name for column in output.columns])])


def to_columns(target: Dataset, output: Output, names: Sequence[str], overwrites: bool = False) -> Flow:
    """A flow of a query's output into columns of these names, one for each."""
    columns: dict[str, Origins] = {}
    nodes: dict[str, Nodes] = {}
    for name, column in zip(names, output.columns, strict=False):
        if name in columns:
            both: Origins = dict(columns[name])
            add(both, column.origins, IDENTITY)
            columns[name] = both
        else:
            columns[name] = column.origins
        if column.node is not None:
            nodes[name] = (*nodes.get(name, ()), column.node)
    return Flow(target, columns, output.rows.flat(), overwrites, nodes)


def onto(output: Output, names: Sequence[str] | None, target: Dataset, context: Context) -> Flow:
    """A flow by position into listed columns; what stands at or behind an unlisted `*` is not guessed."""
    if names is None:
        return _onto_unknown(output, target, context)
    stars = [at for at, column in enumerate(output.columns) if column.name == ALL_COLUMNS]
    if not stars:
        if len(output.columns) != len(names):
            message = f"{len(output.columns)} values are given for {len(names)} columns of {target}"
            context.issue("ColumnCountsDiffer", message)
        return to_columns(target, output, names)
    columns: dict[str, Origins] = {}
    nodes: dict[str, Nodes] = {}
    behind = len(output.columns) - stars[-1] - 1
    unknown: Origins = {}
    for column in output.columns[stars[0] : stars[-1] + 1]:
        add(unknown, column.origins, IDENTITY)
    for at, name in enumerate(names):
        if at < stars[0]:
            found = output.columns[at]
        elif len(stars) == 1 and at >= len(names) - behind:
            found = output.columns[at - len(names)]
        else:
            columns[name] = unknown
            continue
        columns[name] = found.origins
        if found.node is not None:
            nodes[name] = (found.node,)
    return Flow(target, columns, output.rows.flat(), nodes=nodes)


def _onto_unknown(output: Output, target: Dataset, context: Context) -> Flow:
    everything: Origins = {}
    for column in output.columns:
        add(everything, column.origins, IDENTITY)
    if everything:
        message = f"the columns of {target} are not known, so it is not known which one gets which value"
        context.issue("TargetColumnsNotKnown", message + "; list them, or give its schema with --schema")
    return Flow(target, {ALL_COLUMNS: everything} if everything else {}, output.rows.flat())


def trace_variables(variables: Sequence[str], query: exp.Expr, session: Session) -> StatementTrace:
    """Variables that take a query's values; what decides the query's rows decides them."""
    context = start(session)
    output = resolve(context, query, None, {})
    return finish(context, variable_flows(variables, output))


def variable_flows(variables: Sequence[str], output: Output) -> list[Flow]:
    """A flow for each variable from the output column of the same position."""
    flows: list[Flow] = []
    for variable, column in zip(variables, output.columns, strict=False):
        value: Origins = {}
        add(value, column.origins, IDENTITY)
        add(value, output.rows.flat(), IDENTITY)
        nodes: Mapping[str, Nodes] = {} if column.node is None else {VALUE: (column.node,)}
        flows.append(Flow(Variable(variable), {VALUE: value}, overwrites=True, nodes=nodes))
    return flows


def with_issue(code: str, message: str) -> StatementTrace:
    """A statement of which only an Issue can be said."""
    return StatementTrace(StatementLineage(issues=(Issue(code, message),)))
