"""`sqllin analyze --save`: what a script would do, into the catalog."""

from __future__ import annotations

from collections.abc import Sequence

from sqllineage_svc.catalog.loading import LoadReport, load
from sqllineage_svc.commands.options import opened


def save(events: Sequence[str], url: str | None) -> LoadReport:
    """Load events into the catalog at a URL (None: the user's own)."""
    with opened(url) as catalog:
        return load(catalog, (event.encode() for event in events))
