"""What all runs of one job version have in common, as an event; and the events of each of them made of it.

A template is the event that ends a run, without what is of that run alone: its id, times, state, counts, query
and error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from openlineage.client.facet_v2 import (
    error_message_run,
    external_query_run,
    output_statistics_output_dataset,
    tags_run,
)
from openlineage.client.serde import Serde

from sqllineage_svc.openlineage.facets import producer
from sqllineage_svc.openlineage.incoming import RunState

Json = dict[str, Any]

_NO_TIME = "1970-01-01T00:00:00Z"
_NO_RUN = "00000000-0000-0000-0000-000000000000"
_OF_ONE_RUN = frozenset({"errorMessage", "nominalTime", "tags"})
_COUNTS = frozenset({"inputFacets", "outputFacets"})
_USER = "user"


@dataclass(frozen=True, slots=True)
class OneRun:
    """What tells a run from the others of its job version.

    Times are aware. `rows` are those put into each output, by `namespace/name`; None: nobody counted.
    """

    run_id: str
    state: RunState
    started_at: datetime
    ended_at: datetime
    user: str | None = None
    query_id: str | None = None
    rows: Mapping[str, int] | None = None
    error: str | None = None


def template_of(event: Mapping[str, Any]) -> Json:
    """The template of the job version that a run event shows; the event is one that can be read."""
    facets = {
        name: facet for name, facet in (event["run"].get("facets") or {}).items() if name not in _OF_ONE_RUN
    }
    if "externalQuery" in facets:
        facets["externalQuery"] = {**facets["externalQuery"], "externalQueryId": ""}
    return {
        **event,
        "eventType": RunState.COMPLETE.value,
        "eventTime": _NO_TIME,
        "run": {"runId": _NO_RUN, "facets": facets},
        "inputs": [_without_counts(dataset) for dataset in event.get("inputs") or []],
        "outputs": [_without_counts(dataset) for dataset in event.get("outputs") or []],
    }


def events_of_run(template: Mapping[str, Any], run: OneRun) -> tuple[Json, Json]:
    """The START of a run and the event that ends it; the second is complete in itself but for its start."""
    job, facets = template["job"], _run_facets(template, run)
    known = {name: facet for name, facet in (job.get("facets") or {}).items() if name != "lineage"}
    start = {
        **template,
        "eventType": RunState.START.value,
        "eventTime": _time(run.started_at),
        "run": {"runId": run.run_id, "facets": dict(facets)},
        "job": {**job, "facets": known},
        "inputs": [],
        "outputs": [],
    }
    if run.error is not None:
        facets["errorMessage"] = _json(
            error_message_run.ErrorMessageRunFacet(run.error, "SQL", producer=producer())
        )
    end = {
        **template,
        "eventType": run.state.value,
        "eventTime": _time(run.ended_at),
        "run": {"runId": run.run_id, "facets": facets},
        "outputs": [_counted(output, run.rows or {}) for output in template["outputs"]],
    }
    return start, end


def _run_facets(template: Mapping[str, Any], run: OneRun) -> Json:
    facets = dict(template["run"]["facets"])
    known = facets.pop("externalQuery", None)
    if run.query_id is not None:
        facet = external_query_run.ExternalQueryRunFacet(
            run.query_id, template["job"]["namespace"], producer=producer()
        )
        facets["externalQuery"] = {**(known or _json(facet)), "externalQueryId": run.query_id}
    if run.user is not None:
        tag = tags_run.TagsRunFacetFields(_USER, run.user)
        facets["tags"] = _json(tags_run.TagsRunFacet([tag], producer=producer()))
    return facets


def _counted(output: Json, rows: Mapping[str, int]) -> Json:
    counted = rows.get(f"{output['namespace']}/{output['name']}")
    if counted is None:
        return output
    facet = output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(
        rowCount=counted, producer=producer()
    )
    return {**output, "outputFacets": {"outputStatistics": _json(facet)}}


def _without_counts(dataset: Mapping[str, Any]) -> Json:
    return {name: said for name, said in dataset.items() if name not in _COUNTS}


def _json(facet: object) -> Json:
    return Serde.to_dict(facet)


def _time(moment: datetime) -> str:
    """RFC 3339 in UTC: `2026-01-31T09:00:00Z`."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
