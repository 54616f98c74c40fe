"""OpenLineage's published JSON schemas as a check; third-party files, read in place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

SPEC = Path(__file__).parents[2].parent / "shared" / "openlineage" / "spec"
needs_published_schemas = pytest.mark.skipif(
    not SPEC.is_dir(), reason=f"OpenLineage's published schemas are not in {SPEC}"
)


@cache
def _published() -> Registry[Any]:
    files = [SPEC / "OpenLineage.json", *sorted((SPEC / "facets").glob("*.json"))]
    resources = [Resource.from_contents(json.loads(file.read_text("utf-8"))) for file in files]
    return Registry().with_resources((resource.id() or "", resource) for resource in resources)


def _validate(value: Any, url: str) -> None:
    """Check a value against the published schema of this URL's file name, whatever version the URL says."""
    published = _published()
    path, _, fragment = url.partition("#")
    file = path.rpartition("/")[2]
    (known,) = [uri for uri in published if uri.rpartition("/")[2] == file]
    checker = Draft202012Validator.FORMAT_CHECKER
    validator = Draft202012Validator(
        {"$ref": f"{known}#{fragment}"}, registry=published, format_checker=checker
    )
    validator.validate(value)


def _facets(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for holder in (event["job"], event.get("run", {}), *event["inputs"], *event["outputs"]):
        for key in ("facets", "inputFacets", "outputFacets"):
            yield from holder.get(key, {}).values()


def check_event(event: dict[str, Any]) -> None:
    """Raise ValidationError where the event or one of its facets is not as published."""
    _validate(event, event["schemaURL"])
    for facet in _facets(event):
        _validate(facet, facet["_schemaURL"])
