"""Small events of a warehouse, as bytes; times are seconds on the first of January 2026."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

NAMESPACE = "redshift://local"
Columns = Mapping[str, Sequence[str]]
"""Target column to its sources, each `table.column`."""


def moment(seconds: float) -> datetime:
    """So many seconds after the start of 2026."""
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)


def micros(seconds: float) -> int:
    """The same as the catalog keeps it."""
    return round(moment(seconds).timestamp() * 1_000_000)


def event(run: int, time: float, state: str, job: str = "job", **said: object) -> bytes:
    """A run event: `inputs` are names or datasets made by `output`, which `outputs` are."""
    inputs = [
        one if isinstance(one, dict) else {"namespace": NAMESPACE, "name": one}
        for one in said.get("inputs", ())  # type: ignore[attr-defined]
    ]
    job_facets = said.get("job_facets", {})
    content = {
        "eventType": state,
        "eventTime": moment(time).isoformat(),
        "producer": "https://example.test/producer",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": str(UUID(int=run + 1)), "facets": said.get("run_facets", {})},
        "job": {"namespace": NAMESPACE, "name": job, "facets": job_facets},
        "inputs": inputs,
        "outputs": said.get("outputs", []),
    }
    return json.dumps(content).encode()


def output(
    name: str, columns: Columns | None = None, change: str | None = None, **said: object
) -> dict[str, object]:
    """An output with column lineage and what became of it."""
    facets: dict[str, object] = dict(said.get("facets", {}))  # type: ignore[call-overload]
    if columns is not None:
        facets["columnLineage"] = {
            "fields": {
                target: {"inputFields": [_field(one) for one in sources]}
                for target, sources in columns.items()
            }
        }
    if change is not None:
        facets["lifecycleStateChange"] = {"lifecycleStateChange": change}
        if "previous" in said:
            facets["lifecycleStateChange"] = {
                "lifecycleStateChange": change,
                "previousIdentifier": {"namespace": NAMESPACE, "name": said["previous"]},
            }
    return {"namespace": NAMESPACE, "name": name, "facets": facets}


def known_as(dataset: dict[str, object], namespace: str, *others: tuple[str, str]) -> dict[str, object]:
    """The dataset in a namespace, with other names: each a namespace and a name."""
    symlinks = {
        "identifiers": [{"namespace": space, "name": name, "type": "TABLE"} for space, name in others]
    }
    facets = {**dataset["facets"], "symlinks": symlinks}  # type: ignore[dict-item]
    return {**dataset, "namespace": namespace, "facets": facets}


def _field(text: str) -> dict[str, object]:
    table, _, column = text.rpartition(".")
    way = {"type": "DIRECT", "subtype": "IDENTITY"}
    return {"namespace": NAMESPACE, "name": table, "field": column, "transformations": [way]}


def copied(run: int, time: float, source: str, target: str, change: str | None = None) -> list[bytes]:
    """A run that copies column `a` of one table to another: a START, and a COMPLETE one second later."""
    job = f"{source}-{target}-{change}"
    moved = output(target, {"a": [f"{source}.a"]}, change)
    return [
        event(run, time, "START", job, inputs=[source]),
        event(run, time + 1, "COMPLETE", job, inputs=[source], outputs=[moved]),
    ]


def changed(run: int, time: float, target: str, change: str, previous: str | None = None) -> list[bytes]:
    """A run that drops, empties or renames a table."""
    said = {"previous": previous} if previous is not None else {}
    return [
        event(run, time, "COMPLETE", f"{change} {target}", outputs=[output(target, None, change, **said)])
    ]
