"""`sqllin lineage` and `sqllin impact`: what a node came from, and what depends on it."""

from __future__ import annotations

import sys

import click

from sqllineage_svc.catalog.answering import STALE_AFTER, around, usage_of
from sqllineage_svc.catalog.finding import find
from sqllineage_svc.catalog.reading_runs import read_by
from sqllineage_svc.catalog.walking import Limits
from sqllineage_svc.commands.formats import format_option
from sqllineage_svc.commands.options import asked, at_option, catalog_option, moment
from sqllineage_svc.commands.showing import impact_table, show
from sqllineage_svc.commands.showing_jobs import Jobs
from sqllineage_svc.commands.showing_runs import show_run

SOMETHING_DEPENDS = 4


_stale_after = click.option(
    "--stale-after", type=click.IntRange(0), default=STALE_AFTER, show_default=True, metavar="DAYS",
    help="Mark edges whose job was not seen to run for so long before.",
)  # fmt: skip
_jobs = click.option(
    "--jobs", "jobs_", type=click.Choice([one.value for one in Jobs]), default=Jobs.FOLDED.value, show_default=True,
    help="Name the job with which all began, as an Airflow DAG, for those that it started; or each. JSON has both.",
)  # fmt: skip


@click.command()
@click.argument("node", required=False)
@click.option("--run", metavar="ID", help="Of a run instead: which runs wrote what it read.")
@click.option("--up", type=click.IntRange(0), default=None, help="At most so many hops upstream.")
@click.option("--down", type=click.IntRange(0), default=None, help="At most so many hops downstream.")
@click.option(
    "--indirect/--no-indirect", default=False, help="Walk on through what only decides. [default: do not]"
)
@click.option("--history", is_flag=True, help="All that was ever seen: how often, first and last.")
@_stale_after
@_jobs
@at_option
@format_option
@catalog_option
def lineage(
    node: str | None,
    run: str | None,
    up: int | None,
    down: int | None,
    indirect: bool,
    history: bool,
    stale_after: int,
    jobs_: str,
    at: str | None,
    format_: str,
    url: str | None,
) -> None:
    """What NODE came from and what was made of it.

    NODE is a table or column: namespace/name, or the end of a name that no other has (orders.total). With --up
    or --down alone only that direction is walked.
    """
    if (node is None) == (run is None):
        raise click.UsageError("give a NODE, or a run by --run ID")
    if run is not None:
        with asked(url) as connection:
            click.echo(show_run(read_by(connection, run), format_), nl=False)
        return
    assert node is not None  # noqa: S101 - looked at above
    upward = None if up is None and down is not None else Limits(up, indirect, history=history)
    downward = None if down is None and up is not None else Limits(down, indirect, history=history)
    with asked(url) as connection:
        found = find(connection, node, moment(at))
        answer = around(connection, found, moment(at), upward, downward, stale_after)
    click.echo(show(answer, format_, jobs=Jobs(jobs_)), nl=False)


@click.command()
@click.argument("node")
@click.option("--indirect/--no-indirect", default=False, help="Count what influences decide further on, too.")
@click.option("--fail-if-any", is_flag=True, help=f"Exit {SOMETHING_DEPENDS} where something depends on it.")
@_stale_after
@_jobs
@at_option
@format_option
@catalog_option
def impact(
    node: str,
    indirect: bool,
    fail_if_any: bool,
    stale_after: int,
    jobs_: str,
    at: str | None,
    format_: str,
    url: str | None,
) -> None:
    """What breaks if NODE changes: everything downstream, by distance, values and influences apart.

    Who has read of it in the 90 days before, is told too.
    """
    with asked(url) as connection:
        limits = Limits(None, indirect)
        found = find(connection, node, moment(at))
        answer = around(connection, found, moment(at), None, limits, stale_after)
        usage = usage_of(connection, answer)
    whole = (
        impact_table(answer, usage, Jobs(jobs_))
        if format_ == "table"
        else show(answer, format_, usage, Jobs(jobs_))
    )
    click.echo(whole, nl=False)
    sys.exit(SOMETHING_DEPENDS if fail_if_any and len(answer.nodes) > 1 else 0)
