"""`sqllin catalog`: the catalog itself."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click
from sqlalchemy import func, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.exporting import count_exported
from sqllineage_svc.catalog.exporting import export as exported
from sqllineage_svc.catalog.moments import read_moment, shown
from sqllineage_svc.catalog.opening import Catalog, default_url, open_catalog
from sqllineage_svc.catalog.pruning import prune as prune_catalog
from sqllineage_svc.catalog.reindexing import reindex as make_anew
from sqllineage_svc.catalog.sizing import give_space_back, size_in_bytes
from sqllineage_svc.catalog.snapshots import BEGINNING, cut_of
from sqllineage_svc.commands.merging import list_identities, merge, unmerge
from sqllineage_svc.commands.options import asked, catalog_option, opened, said
from sqllineage_svc.errors import UsageError

_COUNTED = {
    "events": tables.event,
    "datasets": tables.dataset,
    "columns": tables.dataset_column,
    "jobs": tables.job,
    "runs": tables.run,
    "readings": tables.reading,
    "payloads": tables.payload,
    "edges": tables.edge,
    "contributions": tables.contribution,
}

_MANY = 10_000


@click.group()
def catalog() -> None:
    """The catalog itself: make it, look after it."""


@catalog.command()
@catalog_option
def init(url: str | None) -> None:
    """Make the catalog where it is not there; other commands do so by themselves."""
    with said():
        open_catalog(url or default_url()).close()
    click.echo("the catalog is ready")


@catalog.command()
@catalog_option
def upgrade(url: str | None) -> None:
    """Bring the catalog's tables to this version of sqllin."""
    with said():
        open_catalog(url or default_url()).close()
    click.echo(
        "the catalog is of this version; sqllin catalog reindex finds in older events what it newly knows"
    )


@catalog.command()
@catalog_option
def stats(url: str | None) -> None:
    """How much is in the catalog."""
    with asked(url) as connection:
        for name, table in _COUNTED.items():
            click.echo(f"{name:<15}{connection.scalar(select(func.count()).select_from(table)):>12,}")
        click.echo(f"{'size':<15}{_megabytes(size_in_bytes(connection)):>12}")
        if (cut := cut_of(connection)) != BEGINNING:
            click.echo(f"pruned up to {shown(cut)}")


@catalog.command()
@catalog_option
def reindex(url: str | None) -> None:
    """Make everything that is derived anew from the events; readers see the old until the new is there."""
    with opened(url) as store:
        make_anew(store)
    click.echo("everything is derived anew")


@catalog.command()
@click.option(
    "--older-than",
    required=True,
    metavar="TIME",
    help="The cut: 90d (ago), 2026-01-01, 2026-01-01T09:00 (UTC).",
)
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@catalog_option
def prune(older_than: str, dry_run: bool, url: str | None) -> None:
    """Remove events and runs from before a moment, the cut.

    Questions as of any moment from then on have the same answers as before; earlier ones are refused.
    """
    with opened(url) as store:
        before = _size(store)
        report = prune_catalog(store, read_moment(older_than), dry_run)
        gone = f"{report.events:,} events and {report.runs:,} runs from before {shown(report.cut)}"
        kept = f"{report.kept_runs:,} runs that answers need {'would stay' if dry_run else 'stay'} without their events"
        click.echo(f"{gone} {'would go' if dry_run else 'are gone'}; {kept}")
        if not dry_run:
            freed = give_space_back(store)
            click.echo(f"{_megabytes(before)} before, {_megabytes(_size(store))} now")
            if not freed:
                click.echo(
                    "others use the catalog; its file shrinks when it is pruned while they do not", err=True
                )


def _size(store: Catalog) -> int:
    with store.reading() as connection:
        return size_in_bytes(connection)


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"


@catalog.command()
@click.argument("file", default="-", metavar="[FILE|-]")
@click.option("--valid", is_flag=True, help="Without the events that are kept aside.")
@catalog_option
def export(file: str, valid: bool, url: str | None) -> None:
    """Write all events, one a line, in the order of their times: to FILE, gzip where it ends in .gz, or to -.

    Behind them come the rules that `sqllin catalog merge` made, as {"identityRule": …}.
    Loaded into an empty catalog (sqllin load) they give the same one.
    """
    with asked(url) as connection, _written(file) as out:
        if (cut := cut_of(connection)) != BEGINNING:
            click.echo(
                f"what stood at {shown(cut)}, up to which the catalog was pruned, is in no event", err=True
            )
        for line in _with_bar(exported(connection, valid), count_exported(connection, valid)):
            out.write(line + b"\n")


@contextmanager
def _written(name: str) -> Iterator[IO[bytes] | gzip.GzipFile]:
    """A place to write to. A file is there as a whole in the end, or not at all."""
    if name == "-":
        yield sys.stdout.buffer
        return
    path, part = Path(name), Path(f"{name}.part")
    try:
        with part.open("wb") as raw:
            if path.suffix == ".gz":
                with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                    yield packed
            else:
                yield raw
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageError(f"{name} cannot be written: {error.strerror}") from error


def _with_bar(lines: Iterable[bytes], length: int) -> Iterator[bytes]:
    """The lines, with a bar on a terminal where there are many."""
    hidden = length < _MANY or not sys.stderr.isatty()
    with click.progressbar(lines, length=length, label="Exporting", file=sys.stderr, hidden=hidden) as bar:
        yield from bar


for _command in (merge, unmerge, list_identities):
    catalog.add_command(_command)
