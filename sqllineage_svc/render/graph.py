"""Lineage as a picture: Mermaid for Markdown, DOT for Graphviz. Datasets are boxes, columns lie inside."""

from __future__ import annotations

from collections.abc import Iterable

from sqllineage_svc.model.lineage import ColumnEdge, RowEdge
from sqllineage_svc.model.names import Carrier, ColumnRef
from sqllineage_svc.render.view import Edges, View


def shown_edges(view: View, end_to_end: bool) -> Edges:
    """The edges of all statements together, or those end to end."""
    if end_to_end:
        return view.script.columns, view.script.rows
    columns = dict.fromkeys(edge for statement in view.counted for edge in statement.lineage.columns)
    rows = dict.fromkeys(edge for statement in view.counted for edge in statement.lineage.rows)
    return tuple(columns), tuple(rows)


def to_mermaid(view: View, end_to_end: bool) -> str:
    """A Mermaid flowchart."""
    columns, rows = shown_edges(view, end_to_end)
    datasets, ids = _numbered(columns, rows)
    lines = ["flowchart LR"]
    for at, (dataset, names) in enumerate(datasets.items()):
        lines.append(f'  subgraph d{at}["{in_mermaid(view.name(dataset) or "result")}"]')
        lines += [f'    {ids[ColumnRef(dataset, name)]}["{in_mermaid(name)}"]' for name in names]
        lines.append("  end")
    for edge in _one_a_pair(columns):
        arrow = "-->" if edge.transformation.type == "DIRECT" else "-.->"
        lines.append(f"  {ids[edge.source]} {arrow} {ids[edge.target]}")
    numbers = {dataset: at for at, dataset in enumerate(datasets)}
    for row in rows:
        lines.append(
            f"  {ids[row.source]} -. {row.transformation.subtype.lower()} .-> d{numbers[row.target]}"
        )
    return "\n".join(lines) + "\n"


def to_dot(view: View, end_to_end: bool) -> str:
    """A Graphviz graph."""
    columns, rows = shown_edges(view, end_to_end)
    datasets, ids = _numbered(columns, rows)
    lines = [
        "digraph lineage {",
        "  rankdir=LR;",
        '  node [shape=box, fontname="Helvetica"];',
        "  compound=true;",
    ]
    for at, (dataset, names) in enumerate(datasets.items()):
        lines.append(f"  subgraph cluster_{at} {{")
        lines.append(f"    label={_dot(view.name(dataset) or 'result')};")
        lines += [f"    {ids[ColumnRef(dataset, name)]} [label={_dot(name)}];" for name in names]
        lines += [f'    d{at} [label="", shape=point, style=invis];', "  }"]
    for edge in _one_a_pair(columns):
        style = "" if edge.transformation.type == "DIRECT" else " [style=dashed]"
        lines.append(f"  {ids[edge.source]} -> {ids[edge.target]}{style};")
    numbers = {dataset: at for at, dataset in enumerate(datasets)}
    for row in rows:
        at = numbers[row.target]
        label = _dot(row.transformation.subtype.lower())
        lines.append(f"  {ids[row.source]} -> d{at} [style=dotted, lhead=cluster_{at}, label={label}];")
    return "\n".join([*lines, "}"]) + "\n"


def _one_a_pair(columns: Iterable[ColumnEdge]) -> list[ColumnEdge]:
    """One edge for each pair of columns, the direct one first."""
    found: dict[tuple[ColumnRef, ColumnRef], ColumnEdge] = {}
    for edge in columns:
        pair = (edge.source, edge.target)
        if pair not in found or edge.transformation.type == "DIRECT":
            found[pair] = edge
    return list(found.values())


def _numbered(
    columns: Iterable[ColumnEdge], rows: Iterable[RowEdge]
) -> tuple[dict[Carrier, list[str]], dict[ColumnRef, str]]:
    """Each dataset with its columns, and a short id for each column."""
    datasets: dict[Carrier, list[str]] = {}
    ids: dict[ColumnRef, str] = {}
    for edge in columns:
        for ref in (edge.source, edge.target):
            _number(ref, datasets, ids)
    for row in rows:
        _number(row.source, datasets, ids)
        datasets.setdefault(row.target, [])
    return datasets, ids


def _number(ref: ColumnRef, datasets: dict[Carrier, list[str]], ids: dict[ColumnRef, str]) -> None:
    if ref not in ids:
        ids[ref] = f"c{len(ids)}"
        datasets.setdefault(ref.dataset, []).append(ref.column)


def in_mermaid(text: str) -> str:
    """A text as it stands in quotes in a Mermaid diagram."""
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


def _dot(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
