"""`sqllin analyze` and the catalog: what a script would do into it, the columns of tables out of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.retracting import no_longer_declared
from sqllineage_svc.catalog.schemas import CatalogSchemas
from sqllineage_svc.commands.options import asked, opened
from sqllineage_svc.dialect import Dialect
from sqllineage_svc.model.schema import FirstOf, SchemaProvider
from sqllineage_svc.openlineage.events import retraction, to_json
from sqllineage_svc.openlineage.incoming import JobName


class SaveReport(NamedTuple):
    """How many statements were saved, how many of them are new, and how many that were there are gone."""

    read: int
    new: int
    gone: int


@contextmanager
def known_schemas(
    given: SchemaProvider, dialect: Dialect, instance: str | None, url: str | None
) -> Iterator[SchemaProvider]:
    """What is given and, of tables that it does not know, what the catalog says of their columns."""
    with asked(url) as connection:
        yield FirstOf(given, CatalogSchemas(connection, dialect, instance or dialect.local_instance))


def save(events: Sequence[str], files: Collection[str], url: str | None) -> SaveReport:
    """Load what files declare into the catalog at a URL (None: the user's own); what they did before ends."""
    with opened(url) as catalog:
        report = load(catalog, (event.encode() for event in events))
        still = {
            JobName(job["namespace"], job["name"]) for job in (json.loads(event)["job"] for event in events)
        }
        with catalog.reading() as connection:
            gone = no_longer_declared(connection, files, still)
        now = datetime.now(UTC)
        load(catalog, (to_json(retraction(*one, now)).encode() for one in gone))
    return SaveReport(report.read, report.new, len(gone))
