"""What a statement moves, target by target, and the edges that are published of it.

A flow keeps what edges cannot say and `collapse` needs: that rows exist at all, and values that came through
a variable of the session.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from sqllineage_svc.engine.origins import EXISTENCE, Origins, add, through, transformations
from sqllineage_svc.engine.session import Session
from sqllineage_svc.model.lineage import ColumnEdge, RowEdge
from sqllineage_svc.model.names import ROWS, VALUE, Carrier, ColumnRef, Dataset, Relation, Variable

Nodes = tuple[exp.Expr, ...]
"""The expressions that make a column: more than one where a row may be new or there already."""


@dataclass(frozen=True, slots=True)
class Flow:
    """What one target gets.

    `columns` are its columns with their origins, `rows` what decides its rows. `overwrites`: nothing of
    what it held stays. `nodes` are the expressions that make the columns.
    """

    target: Carrier
    columns: Mapping[str, Origins] = field(default_factory=dict)
    rows: Origins = field(default_factory=dict)
    overwrites: bool = False
    nodes: Mapping[str, Nodes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moved:
    """Flows that all read what was there before the first of them."""

    flows: tuple[Flow, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """A relation that is there now, empty or, with a `definition`, as what a view's query gives when read.

    It `replaces` one of its name that was there.
    """

    relation: Relation
    temporary: bool = False
    is_view: bool = False
    definition: Flow | None = None
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Gone:
    """A relation that is there no more; of a schema (its name is ""), everything in it."""

    relation: Relation
    temporary: bool = False


@dataclass(frozen=True, slots=True)
class Emptied:
    """A relation that holds no rows now."""

    relation: Relation


@dataclass(frozen=True, slots=True)
class Renamed:
    """A relation's rows are under a new name now, nothing under the old one; `names` are its columns if known."""

    old: Relation
    new: Relation
    names: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ColumnRenamed:
    """A column has a new name; None: it is gone."""

    relation: Relation
    old: str
    new: str | None


@dataclass(frozen=True, slots=True)
class Altered:
    """A relation has other columns, types or files; what it holds stays as it is."""

    relation: Relation


Step = Moved | Made | Gone | Emptied | Renamed | ColumnRenamed | Altered
"""What a statement does to the contents of relations, in order."""


class Expressions(Mapping[ColumnRef, str]):
    """The SQL that makes each target column, its text made when it is asked for.

    Where a column is made in several ways (inserted, or updated if the row is there), they stand with ` | `.
    An expression that is nested too deep to be written is `…`.
    """

    __slots__ = ("_nodes", "_sqlglot")

    def __init__(self, nodes: dict[ColumnRef, Nodes], sqlglot: str) -> None:
        self._nodes = nodes
        self._sqlglot = sqlglot

    def __getitem__(self, column: ColumnRef) -> str:
        nodes = self._nodes[column]
        try:
            texts = [node.sql(dialect=self._sqlglot, comments=False) for node in nodes]
        except RecursionError:
            return "…"
        return " | ".join(dict.fromkeys(texts))

    def __iter__(self) -> Iterator[ColumnRef]:
        return iter(self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)

    @classmethod
    def merged(cls, several: Iterable[Expressions]) -> Expressions:
        """The expressions of several statements as those of one; of one column the last."""
        nodes: dict[ColumnRef, Nodes] = {}
        sqlglot = ""
        for one in several:
            nodes.update(one._nodes)
            sqlglot = one._sqlglot
        return cls(nodes, sqlglot)


def publish(
    flows: Sequence[Flow], session: Session, through_variables: bool
) -> tuple[tuple[ColumnEdge, ...], tuple[RowEdge, ...], Expressions]:
    """The edges of some flows; values that came `through_variables` are traced to what those were set from."""
    new = tuple.__new__  # named tuples made by the thousand: half the time of calling the class
    columns: list[ColumnEdge] = []
    rows: list[RowEdge] = []
    nodes: dict[ColumnRef, Nodes] = {}
    for flow in flows:
        target = flow.target
        if isinstance(target, Variable):
            continue
        for name, origins in flow.columns.items():
            ref: ColumnRef = new(ColumnRef, (target, name))
            if (made_by := flow.nodes.get(name)) is not None:
                nodes[ref] = made_by
            if through_variables:
                origins = _settled(origins, session)
            for source, ways in origins.items():
                if source.column != ROWS:
                    for kind, masking in transformations(ways):
                        columns.append(new(ColumnEdge, (source, ref, kind, masking)))
        for source, ways in (_settled(flow.rows, session) if through_variables else flow.rows).items():
            if source.column != ROWS:
                for kind, _ in transformations(ways):
                    rows.append(new(RowEdge, (source, target, kind)))
    expressions = Expressions(nodes, session.dialect.sqlglot)
    if len(flows) == 1:
        return tuple(columns), tuple(rows), expressions
    return tuple(dict.fromkeys(columns)), tuple(dict.fromkeys(rows)), expressions


def _settled(origins: Origins, session: Session) -> Origins:
    """The origins with each variable replaced by what it was set from."""
    if not any(isinstance(ref.dataset, Variable) for ref in origins):
        return origins
    result: Origins = {}
    for ref, ways in origins.items():
        if isinstance(ref.dataset, Variable):
            add(result, session.variables.get(ref.dataset.variable) or {}, ways)
        else:
            result[ref] = result.get(ref, 0) | ways
    return result


def settle(flow: Flow, session: Session) -> Origins:
    """What a variable's flow leaves in it, traced to columns."""
    return _settled(dict(flow.columns.get(VALUE, {})), session)


def with_assigned(flows: Iterable[Flow], assigned: Mapping[str, Origins]) -> list[Flow]:
    """The flows of a statement that itself sets variables: a row may see what the row before has set."""
    if not assigned:
        return list(flows)
    closed = _closed(assigned)
    result = [Flow(Variable(name), {VALUE: origins}) for name, origins in closed.items()]
    for flow in flows:
        columns = {name: _opened(origins, closed) for name, origins in flow.columns.items()}
        result.append(Flow(flow.target, columns, _opened(flow.rows, closed), flow.overwrites, flow.nodes))
    return result


def _closed(assigned: Mapping[str, Origins]) -> dict[str, Origins]:
    values = {name: dict(origins) for name, origins in assigned.items()}
    changed = True
    while changed:
        changed = False
        for name, origins in values.items():
            following = _opened(origins, values)
            if following != origins:
                values[name] = following
                changed = True
    return values


def _opened(origins: Origins, values: Mapping[str, Origins]) -> Origins:
    """The origins with the values of variables beside the variables, which may hold older ones."""
    result = dict(origins)
    for ref, ways in origins.items():
        if isinstance(ref.dataset, Variable):
            for source, inner in values.get(ref.dataset.variable, {}).items():
                result[source] = result.get(source, 0) | through(inner, ways)
    return result


def existence(dataset: Dataset) -> Origins:
    """The influence of which rows a dataset holds."""
    return {ColumnRef(dataset, ROWS): EXISTENCE}
