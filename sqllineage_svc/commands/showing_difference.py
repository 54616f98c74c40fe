"""What changed between two moments, for a terminal, as JSON and CSV, and as a picture."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sqllineage_svc.catalog.comparing import ComparedEdge, Difference
from sqllineage_svc.catalog.finding import Found
from sqllineage_svc.commands.formats import as_csv
from sqllineage_svc.commands.showing import short
from sqllineage_svc.render.graph import in_mermaid

_FIELDS = ("change", "kind", "name", "source", "type", "was", "now")


def show_difference(difference: Difference, format_: str) -> str:
    """The difference in one of FORMATS, without the last line's end."""
    writers = {"table": _table, "json": _json, "csv": _csv, "mermaid": _mermaid, "dot": _dot}
    return writers[format_](difference)


def _table(difference: Difference) -> str:
    lines = [f"+ {found}" for found in difference.new_datasets]
    lines += [f"- {found}" for found in difference.gone_datasets]
    for sign, edges in (("+", difference.new_edges), ("-", difference.gone_edges)):
        lines += [f"{sign} {edge.target} <- {edge.source}  {_way(edge)}" for edge in edges]
    for found, changes in difference.columns:
        lines += [f"{found}: {change}" for change in changes]
    for job in difference.rewritten:
        lines += [f"{job.job}: SQL was", *_indented(job.was), "and is", *_indented(job.now)]
    return "\n".join(lines) or "nothing changed"


def _way(edge: ComparedEdge) -> str:
    return (edge.subtype or edge.type or "unknown").lower()


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.splitlines()]


def _json(difference: Difference) -> str:
    def edges(some: tuple[ComparedEdge, ...]) -> list[list[str]]:
        return [[str(part) for part in edge] for edge in some]

    content = {
        "datasets": {
            "new": [str(found) for found in difference.new_datasets],
            "gone": [str(found) for found in difference.gone_datasets],
        },
        "edges": {"new": edges(difference.new_edges), "gone": edges(difference.gone_edges)},
        "columns": {
            str(found): [change._asdict() for change in changes] for found, changes in difference.columns
        },
        "sql": [job._asdict() for job in difference.rewritten],
    }
    return json.dumps(content, indent=2, ensure_ascii=False)


def _csv(difference: Difference) -> str:
    rows: list[tuple[object, ...]] = []
    for change, datasets, edges in (
        ("new", difference.new_datasets, difference.new_edges),
        ("gone", difference.gone_datasets, difference.gone_edges),
    ):
        rows += [(change, "dataset", found, None, None, None, None) for found in datasets]
        rows += [(change, "edge", edge.target, edge.source, _way(edge), None, None) for edge in edges]
    for found, changes in difference.columns:
        for one in changes:
            kind = "new" if one.was is None else "gone" if one.now is None else "changed"
            rows.append((kind, "column", f"{found}.{one.column}", None, None, one.was, one.now))
    rows += [("changed", "sql", job.job, None, None, job.was, job.now) for job in difference.rewritten]
    return as_csv(_FIELDS, rows)


def _mermaid(difference: Difference) -> str:
    ids = _ids(difference)
    lines = ["flowchart LR"]
    lines += [
        f'  {id_}["{in_mermaid(_sign(found, difference) + short(found))}"]' for found, id_ in ids.items()
    ]
    lines += [f"  {ids[edge.source]} -- new --> {ids[edge.target]}" for edge in difference.new_edges]
    lines += [f"  {ids[edge.source]} -. gone .-> {ids[edge.target]}" for edge in difference.gone_edges]
    return "\n".join(lines)


def _dot(difference: Difference) -> str:
    ids = _ids(difference)
    lines = ["digraph difference {", "  rankdir=LR;", '  node [shape=box, fontname="Helvetica"];']
    for found, id_ in ids.items():
        name = json.dumps(_sign(found, difference) + short(found), ensure_ascii=False)
        lines.append(f"  {id_} [label={name}];")
    for word, drawn, edges in (
        ("new", "solid", difference.new_edges),
        ("gone", "dashed", difference.gone_edges),
    ):
        lines += [
            f'  {ids[edge.source]} -> {ids[edge.target]} [label="{word}", style={drawn}];' for edge in edges
        ]
    return "\n".join([*lines, "}"])


def _ids(difference: Difference) -> dict[Found, str]:
    """What is drawn: the ends of edges, and datasets that came or went."""
    found = dict.fromkeys([*difference.new_datasets, *difference.gone_datasets, *_ends(difference)])
    return {one: f"n{at}" for at, one in enumerate(found)}


def _ends(difference: Difference) -> Iterator[Found]:
    for edge in (*difference.new_edges, *difference.gone_edges):
        yield edge.source
        yield edge.target


def _sign(found: Found, difference: Difference) -> str:
    if found in difference.new_datasets:
        return "+ "
    return "- " if found in difference.gone_datasets else ""
