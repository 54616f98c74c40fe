"""An answer of the catalog for a terminal, as JSON and CSV, and as a picture."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqllineage_svc.catalog.answering import Answer, AnsweredEdge, AnsweredNode
from sqllineage_svc.catalog.counting import DAYS, Usage
from sqllineage_svc.catalog.finding import Found
from sqllineage_svc.catalog.moments import moment_of, shown
from sqllineage_svc.commands.formats import as_csv
from sqllineage_svc.commands.showing_jobs import Jobs, job_of, label
from sqllineage_svc.render.graph import in_mermaid

_ARROWS = {False: ("--", "-->", "-->"), True: ("-.", "-.->", ".->")}
"""How Mermaid draws what only decides or not: before a label, without one, behind it."""
_READERS = 5
_EDGE_FIELDS = (
    "source_namespace", "source", "source_column", "target_namespace", "target", "target_column", "type", "subtype",
    "masking", "expression", "job",
)  # fmt: skip


def show(
    answer: Answer, format_: str, usage: Mapping[Found, Usage] | None = None, jobs: Jobs = Jobs.FOLDED
) -> str:
    """The answer in one of FORMATS, with a line's end.

    JSON has how often its datasets were read, and of each edge its own job, its parent and its root.
    """
    if format_ == "json":
        return _json(answer, usage)
    writers = {"table": _table, "csv": _csv, "mermaid": _mermaid, "dot": _dot}
    return writers[format_](answer, jobs)


def short(found: Found) -> str:
    """A name without its namespace."""
    return found.dataset + (f".{found.column}" if found.column is not None else "")


def _table(answer: Answer, jobs: Jobs) -> str:
    lines = [str(answer.asked)]
    up = [node for node in answer.nodes if node.distance < 0]
    down = [node for node in answer.nodes if node.distance > 0]
    stale = _stale(answer)
    said = {node: label(edges, jobs) for node, edges in _on_the_way(answer).items()}
    marks = {node: f"by {names}" for node, names in said.items() if names}
    for node, seen in (_seen(answer) if answer.history else {}).items():
        marks[node] = ", ".join(filter(None, (seen, marks.get(node))))
    ever = "came from", "went to"
    for title, nodes in zip(ever if answer.history else ("comes from", "goes to"), (up, down), strict=True):
        lines += ["", title, *_rows(nodes, marks, stale)] if nodes else []
    if not up and not down:
        lines.append("nothing is known to come from it or go to it")
    if answer.cut:
        lines.append(f"\n{answer.cut} more at the limit were not walked on")
    return "\n".join(lines) + "\n"


def _rows(nodes: Sequence[AnsweredNode], marks: Mapping[Found, str], stale: set[Found]) -> list[str]:
    width = max(len(str(node.found)) for node in nodes)
    rows = []
    for node in nodes:
        said = (
            "" if node.value else "decides only",
            "stale" if node.found in stale else "",
            marks.get(node.found),
        )
        rows.append(
            f"  {abs(node.distance)}  {node.found!s:<{width}}  {', '.join(filter(None, said))}".rstrip()
        )
    return rows


def _on_the_way(answer: Answer) -> dict[Found, list[AnsweredEdge]]:
    """The edges that lead to a node, or from it, on the way to the one asked for."""
    distances = {node.found: node.distance for node in answer.nodes}
    of: dict[Found, list[AnsweredEdge]] = {}
    for edge in answer.edges:
        of.setdefault(edge.source if distances[edge.source] < 0 else edge.target, []).append(edge)
    return of


def _seen(answer: Answer) -> dict[Found, str]:
    """How many runs led to a node or from it on the way to the one asked for, and when."""
    found = {}
    for node, edges in _on_the_way(answer).items():
        runs = sum({(edge.job, edge.first, edge.last): edge.runs for edge in edges}.values())
        first, last = min(edge.first for edge in edges), max(edge.last for edge in edges)
        when = shown(first) if first == last else f"{shown(first)} to {shown(last)}"
        found[node] = f"{runs} {'run' if runs == 1 else 'runs'}, {when}"
    return found


def _stale(answer: Answer) -> set[Found]:
    """The nodes to which all edges from the one asked for are stale: into those downstream, out of those upstream."""
    upward = {node.found: node.distance < 0 for node in answer.nodes}
    found: dict[Found, bool] = {}
    for edge in answer.edges:
        for end, is_source in ((edge.source, True), (edge.target, False)):
            if upward[end] is is_source:
                found[end] = found.get(end, True) and edge.stale
    return {end for end, stale in found.items() if stale}


def impact_table(answer: Answer, usage: Mapping[Found, Usage], jobs: Jobs = Jobs.FOLDED) -> str:
    """Everything downstream by distance: values first, what is only decided apart; then who reads it."""
    nodes = [node for node in answer.nodes if node.distance > 0]
    lines, stale, edges = [str(answer.asked)], _stale(answer), _on_the_way(answer)
    for title, some in (
        ("values go to", [node for node in nodes if node.value]),
        ("decides", [node for node in nodes if not node.value]),
    ):
        if some:
            datasets = len({(node.found.namespace, node.found.dataset) for node in some})
            lines += ["", f"{title} {len(some)} in {datasets} datasets"]
            for node in some:
                names = label(edges.get(node.found, ()), jobs)
                marks = [*(["stale"] if node.found in stale else []), *([f"by {names}"] if names else [])]
                lines.append(f"  {node.distance}  {node.found}  {', '.join(marks)}".rstrip())
    if not nodes:
        lines.append("nothing depends on it")
    if usage:
        lines += ["", f"reads in the {DAYS} days before", *_usage_rows(usage)]
    return "\n".join(lines) + "\n"


def _usage_rows(usage: Mapping[Found, Usage]) -> Iterator[str]:
    width = max(len(str(found)) for found in usage)
    for found, said in usage.items():
        readers = [f"{one.user or 'somebody'} {one.reads:,}" for one in said.readers[:_READERS]]
        more = [f"{len(said.readers) - _READERS} more"] if len(said.readers) > _READERS else []
        last = max(one.last for one in said.readers)
        yield f"  {found!s:<{width}}  {said.reads:>7,}  last {shown(last)}  {', '.join(readers + more)}"


def _json(answer: Answer, usage: Mapping[Found, Usage] | None) -> str:
    content: dict[str, object] = {
        "asked": _named(answer.asked),
        "at": moment_of(answer.at).isoformat(),
        "nodes": [
            {**_named(node.found), "distance": node.distance, "value": node.value} for node in answer.nodes
        ],
        "edges": [
            {
                "source": _named(edge.source),
                "target": _named(edge.target),
                "type": edge.type,
                "subtype": edge.subtype,
                "masking": edge.masking,
                "expression": edge.expression,
                "job": edge.job,
                "runs": edge.runs,
                "first": moment_of(edge.first).isoformat(),
                "last": moment_of(edge.last).isoformat(),
                "parent": edge.parent,
                "root": "/".join(edge.root) if edge.root is not None else "",
                "stale": edge.stale,
            }
            for edge in answer.edges
        ],
        "cut": answer.cut,
    }
    if usage is not None:
        content["usage"] = [
            {
                **_named(found),
                "reads": said.reads,
                "by": [
                    {"user": one.user or None, "reads": one.reads, "last": moment_of(one.last).isoformat()}
                    for one in said.readers
                ],
            }
            for found, said in usage.items()
        ]
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _named(found: Found) -> dict[str, str | None]:
    return {"namespace": found.namespace, "dataset": found.dataset, "column": found.column}


def _csv(answer: Answer, jobs: Jobs) -> str:
    rows: dict[tuple[str, ...], None] = {}
    for edge in answer.edges:
        ends = [
            part or ""
            for end in (edge.source, edge.target)
            for part in (end.namespace, end.dataset, end.column)
        ]
        said = edge.type, edge.subtype, str(edge.masking).lower(), edge.expression, job_of(edge, jobs)
        rows[*ends, *said] = None
    return as_csv(_EDGE_FIELDS, rows) + "\n"


def _mermaid(answer: Answer, jobs: Jobs) -> str:
    ids = {node.found: f"n{at}" for at, node in enumerate(answer.nodes)}
    lines = ["flowchart LR"]
    lines += [f'  {ids[node.found]}["{in_mermaid(short(node.found))}"]' for node in answer.nodes]
    for (source, target), edges in _pairs(answer).items():
        begin, alone, end = _ARROWS[_decide(edges)]
        names = ", ".join([*(["stale"] if _all_stale(edges) else []), *filter(None, [label(edges, jobs)])])
        said = names if names in ("", "stale") else f'"{in_mermaid(names)}"'
        arrow = f"{begin} {said} {end}" if said else alone
        lines.append(f"  {ids[source]} {arrow} {ids[target]}")
    return "\n".join(lines) + "\n"


def _dot(answer: Answer, jobs: Jobs) -> str:
    ids = {node.found: f"n{at}" for at, node in enumerate(answer.nodes)}
    lines = ["digraph lineage {", "  rankdir=LR;", '  node [shape=box, fontname="Helvetica"];']
    lines += [f"  {ids[node.found]} [label={json.dumps(short(node.found))}];" for node in answer.nodes]
    for (source, target), edges in _pairs(answer).items():
        stale = _all_stale(edges)
        names = ", ".join([*(["stale"] if stale else []), *filter(None, [label(edges, jobs)])])
        drawn = [*(["style=dashed"] if _decide(edges) else []), *(["color=gray"] if stale else [])]
        drawn += [f"label={json.dumps(names, ensure_ascii=False)}"] if names else []
        attributes = f" [{', '.join(drawn)}]" if drawn else ""
        lines.append(f"  {ids[source]} -> {ids[target]}{attributes};")
    return "\n".join([*lines, "}"]) + "\n"


def _pairs(answer: Answer) -> dict[tuple[Found, Found], list[AnsweredEdge]]:
    """Each pair of nodes with the edges between them."""
    found: dict[tuple[Found, Found], list[AnsweredEdge]] = {}
    for edge in answer.edges:
        found.setdefault((edge.source, edge.target), []).append(edge)
    return found


def _decide(edges: Iterable[AnsweredEdge]) -> bool:
    """Do all of them only decide?"""
    return all(edge.type == "INDIRECT" for edge in edges)


def _all_stale(edges: Iterable[AnsweredEdge]) -> bool:
    return all(edge.stale for edge in edges)
