"""Lineage for a terminal, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqllineage_svc.engine.script import TracedStatement
from sqllineage_svc.model.lineage import ColumnEdge, RowEdge
from sqllineage_svc.model.names import Carrier, ColumnRef
from sqllineage_svc.render.document import issues_of, summary
from sqllineage_svc.render.view import Naming, View

EVERY_ROW = "every row"
_COLUMNS = (
    "file", "line", "kind", "source", "source_column", "target", "target_column", "type", "subtype", "masking",
    "expression",
)  # fmt: skip


def to_table(view: View, end_to_end: bool) -> str:
    """Each statement with its columns and what they come from; then issues, skipped statements and a summary."""
    lines: list[str] = []
    if end_to_end:
        lines += _blocks("end to end", view.script.columns, view.script.rows, {}, view.name)
    else:
        file = None
        for statement in view.counted:
            if statement.file != file:
                file = statement.file
                lines += [*([""] if lines else []), file] if file else []
            lines += _statement(statement, view.name)
        lines.append("")
    lines += _notes(view)
    return "\n".join(lines) + "\n"


def _statement(statement: TracedStatement, name: Naming) -> list[str]:
    lineage = statement.lineage
    heading = f"line {statement.line}  {statement.kind}"
    if not lineage.columns and not lineage.rows:
        targets = ", ".join(name(dataset) for dataset in lineage.outputs)
        return [f"{heading}  {targets}".rstrip()]
    return _blocks(heading, lineage.columns, lineage.rows, lineage.expressions, name)


def _blocks(
    heading: str,
    columns: Sequence[ColumnEdge],
    rows: Sequence[RowEdge],
    expressions: Mapping[ColumnRef, str],
    name: Naming,
) -> list[str]:
    tables: dict[Carrier, list[tuple[str, str, str]]] = {}

    def add(target: Carrier, column: str, source: ColumnRef, how: str) -> None:
        tables.setdefault(target, []).append((column, f"{name(source.dataset)}.{source.column}", how))

    for edge in columns:
        add(edge.target.dataset, edge.target.column, edge.source, _how(edge, expressions))
    for row in rows:
        add(row.target, EVERY_ROW, row.source, row.transformation.subtype.lower())
    lines: list[str] = []
    for target, table in tables.items():
        lines += [f"{heading}  {name(target) or '(result)'}", *_aligned(_grouped(table))]
    return lines


def _how(edge: ColumnEdge, expressions: Mapping[ColumnRef, str]) -> str:
    how = edge.transformation.subtype.lower() + (" (masked)" if edge.masking else "")
    if edge.transformation.subtype == "IDENTITY":
        return how
    text = " ".join((expressions.get(edge.target) or "").split())
    return f"{how}  {text[:77] + '…' if len(text) > 78 else text}".rstrip()


def _grouped(rows: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """The rows of one column together, its name said once."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for column, source, how in rows:
        groups.setdefault(column, []).append((source, how))
    return [
        (column if not at else "", source, how)
        for column, sources in groups.items()
        for at, (source, how) in enumerate(sources)
    ]


def _aligned(rows: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    widths = [max((len(row[at]) for row in rows), default=0) for at in range(2)]
    for column, source, how in rows:
        yield f"    {column:<{widths[0]}}  <- {source:<{widths[1]}}  {how}".rstrip()


def _notes(view: View) -> list[str]:
    lines: list[str] = []
    for statement, issue in issues_of(view.counted):
        place = f"{statement.file}:" if statement.file else "line "
        lines.append(f"{issue.code} {place}{issue.line}:{issue.column}: {issue.message}")
    reasons: dict[str, list[TracedStatement]] = {}
    for statement in view.skipped:
        reasons.setdefault(statement.skipped or "", []).append(statement)
    for reason, statements in reasons.items():
        where = ", ".join(str(statement.line) for statement in statements[:8])
        more = f" and {len(statements) - 8} more" if len(statements) > 8 else ""
        lines.append(f"skipped line {where}{more}: {reason}")
    counts = summary(view.script)
    lines.append(
        f"{counts['understood']} of {counts['statements']} statements understood, {counts['skipped']} of them skipped; "
        f"{counts['edges']} column edges, {counts['row_edges']} row edges, {counts['issues']} issues"
    )
    return lines


def to_csv(view: View, end_to_end: bool) -> str:
    """One edge a line; a row edge has no target column."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(_COLUMNS)
    if end_to_end:
        writer.writerows(
            _records(("", "", "end_to_end"), view.script.columns, view.script.rows, {}, view.name)
        )
    else:
        for statement in view.counted:
            lineage = statement.lineage
            place = (statement.file, statement.line, statement.kind)
            writer.writerows(_records(place, lineage.columns, lineage.rows, lineage.expressions, view.name))
    return buffer.getvalue()


def _records(
    place: tuple[str | int, ...],
    columns: Sequence[ColumnEdge],
    rows: Sequence[RowEdge],
    expressions: Mapping[ColumnRef, str],
    name: Naming,
) -> Iterator[tuple[str | int | bool, ...]]:
    for edge in columns:
        source, target, how = edge.source, edge.target, edge.transformation
        yield (
            *place, name(source.dataset), source.column, name(target.dataset), target.column, how.type, how.subtype,
            str(edge.masking).lower(), expressions.get(target, ""),
        )  # fmt: skip
    for row in rows:
        how = row.transformation
        yield (
            *place, name(row.source.dataset), row.source.column, name(row.target), "", how.type, how.subtype,
            "false", "",
        )  # fmt: skip
