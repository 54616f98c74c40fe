"""What the commands share: which catalog, which moment, and how errors leave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click
from sqlalchemy import Connection

from sqllineage_svc.catalog.moments import read_moment
from sqllineage_svc.catalog.opening import Catalog, default_url, open_catalog
from sqllineage_svc.errors import UsageError

catalog_option = click.option(
    "--catalog", "url", envvar="SQLLIN_CATALOG", metavar="URL", default=None,
    help="Where the catalog is: sqlite:///file.db, postgresql://user@host/db. [env: SQLLIN_CATALOG; default: your own]",
)  # fmt: skip

at_option = click.option(
    "--at", metavar="TIME", default=None, help="As it was: 2026-01-31, 2026-01-31T09:00 (UTC), 3d (ago)."
)


@contextmanager
def said() -> Iterator[None]:
    """Show a caller's mistake the way click does, with exit code 2."""
    try:
        yield
    except UsageError as error:
        raise click.UsageError(str(error)) from error


@contextmanager
def opened(url: str | None) -> Iterator[Catalog]:
    """The catalog, closed in the end."""
    with said():
        catalog = open_catalog(url or default_url())
        try:
            yield catalog
        finally:
            catalog.close()


@contextmanager
def asked(url: str | None) -> Iterator[Connection]:
    """A connection to ask the catalog by."""
    with opened(url) as catalog, catalog.reading() as connection:
        yield connection


def moment(text: str | None) -> int:
    """The moment that was asked for, or now."""
    return read_moment(text) if text is not None else read_moment("0s")
