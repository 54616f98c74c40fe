"""Who ran a run. OpenLineage has no facet for it: it is a tag, or in the facet of a producer's own."""

from __future__ import annotations

from sqllineage_svc.openlineage.incoming import Facets

_FACETS = (("hive_session", "username"), ("trino_query_context", "user"))
"""Facets of producers and the field with the user.

Sources: https://github.com/OpenLineage/OpenLineage/tree/main/integration/hive,
https://trino.io/docs/current/admin/event-listeners-openlineage.html
"""


def user_of(facets: Facets) -> str | None:
    """The user that the facets of a run tell."""
    tags = facets.get("tags", {}).get("tags")
    for tag in tags if isinstance(tags, list) else ():
        match tag:
            case {"key": "user", "value": str(user)}:
                return user
    for facet, field in _FACETS:
        said = facets.get(facet, {}).get(field)
        if isinstance(said, str):
            return said
    return None
