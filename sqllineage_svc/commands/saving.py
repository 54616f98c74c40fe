"""`sqllin analyze` and the catalog: what a script would do into it, the columns of tables out of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqllineage_svc.catalog.loading import LoadReport, load
from sqllineage_svc.catalog.schemas import CatalogSchemas
from sqllineage_svc.commands.options import asked, opened
from sqllineage_svc.dialect import Dialect
from sqllineage_svc.model.schema import FirstOf, SchemaProvider


@contextmanager
def known_schemas(
    given: SchemaProvider, dialect: Dialect, instance: str | None, url: str | None
) -> Iterator[SchemaProvider]:
    """What is given and, of tables that it does not know, what the catalog says of their columns."""
    with asked(url) as connection:
        yield FirstOf(given, CatalogSchemas(connection, dialect, instance or dialect.local_instance))


def save(events: Sequence[str], url: str | None) -> LoadReport:
    """Load events into the catalog at a URL (None: the user's own)."""
    with opened(url) as catalog:
        return load(catalog, (event.encode() for event in events))
