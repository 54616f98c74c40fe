"""`sqllin history`, `sqllin diff` and `sqllin search`: what was, what changed, and where a word stands."""

from __future__ import annotations

import json

import click

from sqllineage_svc.catalog.answering import around
from sqllineage_svc.catalog.comparing import compare
from sqllineage_svc.catalog.finding import FoundJob, find, find_with_history
from sqllineage_svc.catalog.history import Entry
from sqllineage_svc.catalog.history import history as history_of
from sqllineage_svc.catalog.jobs import job_history
from sqllineage_svc.catalog.moments import moment_of, shown
from sqllineage_svc.catalog.searching import Hit
from sqllineage_svc.catalog.searching import search as search_for
from sqllineage_svc.catalog.snapshots import BEGINNING, cut_of
from sqllineage_svc.catalog.walking import Limits
from sqllineage_svc.commands.formats import as_csv, format_option, no_picture
from sqllineage_svc.commands.job_history import job_csv, job_json, job_table
from sqllineage_svc.commands.options import asked, at_option, catalog_option, moment, said
from sqllineage_svc.commands.showing_difference import show_difference

_MOST_HITS = 50


@click.command()
@click.argument("node")
@at_option
@format_option
@click.option("--formatted", is_flag=True, help="Lay out the SQL of a job, where it can be read.")
@catalog_option
def history(node: str, at: str | None, format_: str, formatted: bool, url: str | None) -> None:
    """What happened to NODE: to a table, what filled, replaced, emptied or renamed it; of a job, SQL and runs."""
    with said():
        no_picture(format_, "a history")
    with asked(url) as connection:
        found = find_with_history(connection, node, moment(at))
        if isinstance(found, FoundJob):
            job = job_history(connection, found.id, moment(at))
            writer = {"json": job_json, "csv": job_csv, "table": job_table}[format_]
            click.echo(writer(str(found), job, formatted))
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
    elif format_ == "csv":
        rows = [
            (
                moment_of(one.at).isoformat(),
                moment_of(one.last).isoformat(),
                one.times,
                one.what,
                one.job,
                one.run,
            )
            for one in entries
        ]
        click.echo(as_csv(Entry._fields, rows))
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
@format_option
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
    click.echo(show_difference(difference, format_))


@click.command()
@click.argument("text")
@click.option("--limit", type=click.IntRange(1), default=_MOST_HITS, show_default=True)
@at_option
@format_option
@catalog_option
def search(text: str, limit: int, at: str | None, format_: str, url: str | None) -> None:
    """Find TEXT in names of tables, columns and jobs, in SQL, and in ids of runs and queries.

    With --at only what had been seen by then: tables and columns by the end of a run, jobs and runs by a start.
    """
    with said():
        no_picture(format_, "what a search finds")
    with asked(url) as connection:
        hits = search_for(connection, text, limit, moment(at) if at is not None else None)
    if format_ == "csv":
        click.echo(as_csv(Hit._fields, hits))
        return
    if format_ == "json":
        click.echo(json.dumps([hit._asdict() for hit in hits], indent=2, ensure_ascii=False))
        return
    lines = [
        f"{hit.where:<8}{hit.name}" + (f"  {hit.text}" if hit.where in ("sql", "run") else "") for hit in hits
    ]
    click.echo("\n".join(lines) or "nothing holds it")
