"""Who ran a run. OpenLineage has no facet for it: it is a tag, or in the facet of a producer's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqllineage_svc.openlineage.document import is_text
from sqllineage_svc.openlineage.incoming import Facets

_FACETS = (
    ("hive_session", "username"),
    ("trino_query_context", "user"),
)
"""Facets of producers and the field with the user.

Sources: https://github.com/OpenLineage/OpenLineage/tree/main/integration/hive,
https://trino.io/docs/current/admin/event-listeners-openlineage.html
"""


def user_of(facets: Facets) -> str | None:
    """The user that the facets of a run tell; a value of the wrong shape counts as not said."""
    return next((str(said) for said in _said(facets) if is_text(said) and said), None)


def _said(facets: Facets) -> Iterator[object]:
    tags = facets.get("tags", {}).get("tags")
    for tag in tags if isinstance(tags, list) else ():
        if isinstance(tag, Mapping) and tag.get("key") == "user":
            yield tag.get("value")
    for facet, field in _FACETS:
        yield facets.get(facet, {}).get(field)
    environment = facets.get("environment-properties", {}).get("environment-properties")
    if isinstance(environment, Mapping):  # of Spark on Databricks
        yield environment.get("user")
