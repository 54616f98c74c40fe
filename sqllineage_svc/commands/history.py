"""`sqllin history`, `sqllin diff` and `sqllin search`: what was, what changed, and where a word stands."""

from __future__ import annotations

import json

import click

from sqllineage_svc.catalog.answering import around
from sqllineage_svc.catalog.comparing import Difference, compare
from sqllineage_svc.catalog.finding import FoundJob, find, find_with_history
from sqllineage_svc.catalog.history import Entry
from sqllineage_svc.catalog.history import history as history_of
from sqllineage_svc.catalog.jobs import job_history
from sqllineage_svc.catalog.moments import moment_of, shown
from sqllineage_svc.catalog.searching import search as search_for
from sqllineage_svc.catalog.snapshots import BEGINNING, cut_of
from sqllineage_svc.catalog.walking import Limits
from sqllineage_svc.commands.job_history import job_json, job_table
from sqllineage_svc.commands.options import asked, at_option, catalog_option, moment

_FORMATS = ("table", "json")
_format = click.option(
    "--format", "-f", "format_", type=click.Choice(_FORMATS), default="table", show_default=True
)
_MOST_HITS = 50


@click.command()
@click.argument("node")
@at_option
@_format
@click.option("--formatted", is_flag=True, help="Lay out the SQL of a job, where it can be read.")
@catalog_option
def history(node: str, at: str | None, format_: str, formatted: bool, url: str | None) -> None:
    """What happened to NODE: to a table, what filled, replaced, emptied or renamed it; of a job, SQL and runs."""
    with asked(url) as connection:
        found = find_with_history(connection, node, moment(at))
        if isinstance(found, FoundJob):
            job = job_history(connection, found.id, moment(at))
            click.echo((job_json if format_ == "json" else job_table)(str(found), job, formatted))
            return
        entries = history_of(connection, found.node.dataset, moment(at))
        cut = cut_of(connection)
    _show(entries, format_, cut)


def _show(entries: list[Entry], format_: str, cut: int) -> None:
    if format_ == "json":
        content = [
            {
                "at": moment_of(entry.at).isoformat(),
                "last": moment_of(entry.last).isoformat(),
                "times": entry.times,
                "what": entry.what,
                "job": entry.job,
                "run": entry.run,
            }
            for entry in entries
        ]
        click.echo(json.dumps(content, indent=2, ensure_ascii=False))
    else:
        lines = [f"what was before {shown(cut)} was pruned"] if cut != BEGINNING else []
        lines += map(_line, entries) if entries else ["nothing is known to have happened to it"]
        click.echo("\n".join(lines))


def _line(entry: Entry) -> str:
    times = f" ({entry.times} times until {shown(entry.last)})" if entry.times > 1 else ""
    return f"{shown(entry.at)}  {entry.what}{times}" + (f"  by {entry.job}" if entry.job else "")


@click.command()
@click.option(
    "--from", "first", required=True, metavar="TIME", help="The first moment: 2026-01-31, 3d (ago), …"
)
@click.option("--to", "second", metavar="TIME", help="The second one. [default: now]")
@click.argument("node", required=False)
@_format
@catalog_option
def diff(first: str, second: str | None, node: str | None, format_: str, url: str | None) -> None:
    """What changed between two moments: edges, tables, columns, SQL; of what is around NODE, or of all."""
    moments = (moment(first), moment(second))
    with asked(url) as connection:
        only = None
        if node is not None:
            found = find(connection, node)
            answers = [around(connection, found, at, Limits(), Limits()) for at in moments]
            only = {one.found.node.dataset for answer in answers for one in answer.nodes}
        difference = compare(connection, *moments, only)
    click.echo(_json(difference) if format_ == "json" else _table(difference))


def _table(difference: Difference) -> str:
    lines = [f"+ {found}" for found in difference.new_datasets]
    lines += [f"- {found}" for found in difference.gone_datasets]
    for sign, edges in (("+", difference.new_edges), ("-", difference.gone_edges)):
        for edge in edges:
            way = (edge.subtype or edge.type or "unknown").lower()
            lines.append(f"{sign} {edge.target} <- {edge.source}  {way}")
    for found, changes in difference.columns:
        lines += [f"{found}: {change}" for change in changes]
    for job in difference.rewritten:
        lines += [f"{job.job}: SQL was", *_indented(job.was), "and is", *_indented(job.now)]
    return "\n".join(lines) or "nothing changed"


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.splitlines()]


def _json(difference: Difference) -> str:
    def edges(some: tuple[object, ...]) -> list[list[str]]:
        return [[str(part) for part in edge] for edge in some]  # type: ignore[attr-defined]

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


@click.command()
@click.argument("text")
@click.option("--limit", type=click.IntRange(1), default=_MOST_HITS, show_default=True)
@_format
@catalog_option
def search(text: str, limit: int, format_: str, url: str | None) -> None:
    """Find TEXT in names of tables, columns and jobs, in SQL, and in ids of runs and queries."""
    with asked(url) as connection:
        hits = search_for(connection, text, limit)
    if format_ == "json":
        click.echo(json.dumps([hit._asdict() for hit in hits], indent=2, ensure_ascii=False))
        return
    lines = [
        f"{hit.where:<8}{hit.name}" + (f"  {hit.text}" if hit.where in ("sql", "run") else "") for hit in hits
    ]
    click.echo("\n".join(lines) or "nothing holds it")
