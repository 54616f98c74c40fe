"""Which edges of a script are shown, and under which names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sqllineage_svc.engine.script import UNREADABLE, ScriptLineage, TracedStatement
from sqllineage_svc.errors import UsageError
from sqllineage_svc.model.lineage import ColumnEdge, RowEdge
from sqllineage_svc.model.names import Carrier, ColumnRef, Dataset, Relation

Edges = tuple[tuple[ColumnEdge, ...], tuple[RowEdge, ...]]
Naming = Callable[[Carrier], str]
_ANYTHING = Relation(None, None, "t")


@dataclass(frozen=True, slots=True)
class View:
    """A script's lineage as it was asked for: the edges that are shown, and how datasets are named."""

    script: ScriptLineage
    name: Naming = str

    @property
    def counted(self) -> tuple[TracedStatement, ...]:
        """The statements that were not skipped."""
        return tuple(statement for statement in self.script.statements if statement.skipped is None)

    @property
    def skipped(self) -> tuple[TracedStatement, ...]:
        """The statements that move no data, or were rolled back."""
        return tuple(statement for statement in self.script.statements if statement.skipped is not None)


def qualified_by(script: ScriptLineage, instance: str | None) -> Naming:
    """How datasets are named: as the script does or, where its warehouse is known, in full."""
    if instance is None:
        return str
    dialect = script.dialect

    def name(dataset: Carrier) -> str:
        if not isinstance(dataset, Dataset) or not str(dataset):
            return str(dataset)
        named = dialect.name_dataset(dataset, instance)
        return (
            named.name
            if named.namespace == dialect.name_dataset(_ANYTHING, instance).namespace
            else str(dataset)
        )

    return name


def without_indirect(script: ScriptLineage) -> ScriptLineage:
    """The script's lineage with the direct edges only."""
    statements = tuple(
        replace(
            statement, lineage=replace(statement.lineage, columns=_direct(statement.lineage.columns), rows=())
        )
        for statement in script.statements
    )
    return replace(script, statements=statements, columns=_direct(script.columns), rows=())


def _direct(columns: Iterable[ColumnEdge]) -> tuple[ColumnEdge, ...]:
    return tuple(edge for edge in columns if edge.transformation.type == "DIRECT")


def around_column(script: ScriptLineage, column: str) -> ScriptLineage:
    """Only what feeds or decides this column, and what it feeds or decides, over all statements.

    Raises UsageError where no edge has such a column.
    """
    everything = [edge for statement in script.statements for edge in statement.lineage.columns]
    rows = [edge for statement in script.statements for edge in statement.lineage.rows]
    wanted = _wanted(column, [*everything, *script.columns], [*rows, *script.rows])
    if not wanted:
        raise UsageError(
            f"no column {column!r} in this lineage; give it as table.column, as the script names it"
        )
    kept = _connected(wanted, everything, rows)
    whole = _connected(wanted, script.columns, script.rows)
    statements: list[TracedStatement] = []
    for statement in script.statements:
        lineage = statement.lineage
        columns = tuple(edge for edge in lineage.columns if edge in kept)
        rows_ = tuple(edge for edge in lineage.rows if edge in kept)
        if columns or rows_ or statement.kind == UNREADABLE:
            statements.append(replace(statement, lineage=replace(lineage, columns=columns, rows=rows_)))
    return replace(
        script,
        statements=tuple(statements),
        columns=tuple(edge for edge in script.columns if edge in whole),
        rows=tuple(edge for edge in script.rows if edge in whole),
    )


def _wanted(column: str, columns: Iterable[ColumnEdge], rows: Iterable[RowEdge]) -> set[ColumnRef]:
    refs = {ref for edge in columns for ref in (edge.source, edge.target)} | {edge.source for edge in rows}
    exact = {ref for ref in refs if str(ref) == column}
    return exact or {
        ref for ref in refs if str(ref).lower() == column.lower() or _tail(ref) == column.lower()
    }


def _tail(ref: ColumnRef) -> str:
    name = getattr(ref.dataset, "name", str(ref.dataset))
    return f"{name}.{ref.column}".lower()


def _connected(
    wanted: set[ColumnRef], columns: Sequence[ColumnEdge], rows: Sequence[RowEdge]
) -> set[ColumnEdge | RowEdge]:
    """The edges on a way to or from these columns; a row edge acts on every column of its target."""
    return set(_upstream(wanted, columns, rows)) | set(_downstream(wanted, columns, rows))


def _upstream(
    wanted: set[ColumnRef], columns: Sequence[ColumnEdge], rows: Sequence[RowEdge]
) -> Iterator[ColumnEdge | RowEdge]:
    into: dict[ColumnRef, list[ColumnEdge]] = {}
    deciding: dict[Dataset, list[RowEdge]] = {}
    for edge in columns:
        into.setdefault(edge.target, []).append(edge)
    for row in rows:
        deciding.setdefault(row.target, []).append(row)
    seen, waiting = set(wanted), list(wanted)
    while waiting:
        ref = waiting.pop()
        found: list[ColumnEdge | RowEdge] = [*into.get(ref, ())]
        if isinstance(ref.dataset, Dataset):
            found += deciding.get(ref.dataset, ())
        for edge_ in found:
            yield edge_
            if edge_.source not in seen:
                seen.add(edge_.source)
                waiting.append(edge_.source)


def _downstream(
    wanted: set[ColumnRef], columns: Sequence[ColumnEdge], rows: Sequence[RowEdge]
) -> Iterator[ColumnEdge | RowEdge]:
    out: dict[ColumnRef, list[ColumnEdge | RowEdge]] = {}
    of_dataset: dict[Carrier, set[ColumnRef]] = {}
    edges: list[ColumnEdge | RowEdge] = [*columns, *rows]
    for edge in edges:
        out.setdefault(edge.source, []).append(edge)
        of_dataset.setdefault(edge.source.dataset, set()).add(edge.source)
    seen, waiting = set(wanted), list(wanted)
    while waiting:
        for edge in out.get(waiting.pop(), ()):
            yield edge
            reached = {edge.target} if isinstance(edge, ColumnEdge) else of_dataset.get(edge.target, set())
            for ref in reached - seen:
                seen.add(ref)
                waiting.append(ref)
