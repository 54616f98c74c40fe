"""`sqllin catalog`: the catalog itself."""

from __future__ import annotations

import click
from sqlalchemy import func, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.opening import default_url, open_catalog
from sqllineage_svc.catalog.reindexing import reindex as make_anew
from sqllineage_svc.commands.merging import list_identities, merge, unmerge
from sqllineage_svc.commands.options import asked, catalog_option, opened, said

_COUNTED = {
    "events": tables.event,
    "datasets": tables.dataset,
    "columns": tables.dataset_column,
    "jobs": tables.job,
    "runs": tables.run,
    "payloads": tables.payload,
    "edges": tables.edge,
    "contributions": tables.contribution,
}


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
    click.echo("the catalog is of this version")


@catalog.command()
@catalog_option
def stats(url: str | None) -> None:
    """How much is in the catalog."""
    with asked(url) as connection:
        for name, table in _COUNTED.items():
            click.echo(f"{name:<15}{connection.scalar(select(func.count()).select_from(table)):>12,}")


@catalog.command()
@catalog_option
def reindex(url: str | None) -> None:
    """Make everything that is derived anew from the events; readers see the old until the new is there."""
    with opened(url) as store:
        make_anew(store)
    click.echo("everything is derived anew")


for _command in (merge, unmerge, list_identities):
    catalog.add_command(_command)
