"""What the events of one run, job or dataset say together."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sqllineage_svc.model.lifecycle import StateChange
from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.model.schema import Column
from sqllineage_svc.openlineage.accumulating import Accumulated, accumulate, merge_datasets
from sqllineage_svc.openlineage.claims import claims_of
from sqllineage_svc.openlineage.incoming import IncomingEvent, JobName, RunName, RunState, SeenDataset
from sqllineage_svc.openlineage.reading import read_event

NINE = datetime(2026, 1, 31, 9, tzinfo=UTC)


def _dataset(name: str, **facets: Any) -> dict[str, Any]:
    return {"namespace": "db", "name": name, "facets": facets}


def _columns(*names: str) -> dict[str, Any]:
    return {"fields": [{"name": name} for name in names]}


def _event(
    state: str | None, minute: int = 0, job_facets: dict[str, Any] | None = None, **said: Any
) -> IncomingEvent:
    run = {"run": {"runId": "r", "facets": said.pop("run_facets", {})}, "eventType": state} if state else {}
    job = {"namespace": "spark", "name": "load", "facets": job_facets or {}}
    time = (NINE + timedelta(minutes=minute)).isoformat()
    return read_event({"eventTime": time, "job": job, **run, **said})


def _names(datasets: tuple[SeenDataset, ...]) -> list[str]:
    return [dataset.name.name for dataset in datasets]


def _together(*events: IncomingEvent) -> Accumulated:
    return accumulate(events)


def test_one_event_is_itself() -> None:
    event = _event("COMPLETE", outputs=[_dataset("a", schema=_columns("x"))])
    assert _together(event) == Accumulated(event, NINE, NINE)


def test_start_with_inputs_and_complete_with_outputs_is_one_run() -> None:
    """As Glue's crawlers and Flink send them."""
    parent = {"run": {"runId": "p"}, "job": {"namespace": "spark", "name": "all"}}
    whole = _together(
        _event("START", 0, inputs=[_dataset("a", schema=_columns("x"))], run_facets={"parent": parent}),
        _event("RUNNING", 1, inputs=[_dataset("a")], run_facets={"progress": {"percent": 50}}),
        _event("COMPLETE", 2, outputs=[_dataset("b")], producer="https://example.org"),
    )
    event = whole.event
    assert (event.state, event.time) == (RunState.COMPLETE, NINE + timedelta(minutes=2))
    assert (whole.started_at, whole.ended_at) == (NINE, NINE + timedelta(minutes=2))
    assert (_names(event.inputs), _names(event.outputs)) == (["a"], ["b"])
    assert event.inputs[0].columns == (Column("x"),)
    assert event.parent == RunName("p", JobName("spark", "all"))
    assert set(event.run_facets) == {"parent", "progress"}
    assert event.producer == "https://example.org"


@pytest.mark.parametrize(
    ("states", "state", "started", "ended"),
    [
        (["START", "RUNNING"], "RUNNING", 0, None),
        (["OTHER", "START", "OTHER"], "OTHER", 1, None),
        (["RUNNING", "FAIL"], "FAIL", 0, 1),
        (["START", "FAIL", "COMPLETE"], "FAIL", 0, 1),
        (["START", "COMPLETE", "OTHER"], "COMPLETE", 0, 1),
        (["COMPLETE", "START"], "COMPLETE", 0, 0),
        (["START", "ABORT", "START"], "ABORT", 0, 1),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else None,
)
def test_state_is_that_of_the_first_end(
    states: list[str], state: str, started: int, ended: int | None
) -> None:
    whole = _together(*(_event(each, minute) for minute, each in enumerate(states)))
    end = None if ended is None else NINE + timedelta(minutes=ended)
    assert whole.event.state is RunState[state]
    assert (whole.started_at, whole.ended_at) == (NINE + timedelta(minutes=started), end)
    assert whole.event.time == (end or NINE + timedelta(minutes=len(states) - 1))


def test_late_event_still_adds() -> None:
    whole = _together(_event("COMPLETE"), _event("START", 1, inputs=[_dataset("a")]))
    assert _names(whole.event.inputs) == ["a"]


def test_later_facet_replaces_the_earlier_as_a_whole() -> None:
    symlinks = {"identifiers": [{"namespace": "glue", "name": "b", "type": "TABLE"}]}
    created = {"lifecycleStateChange": "CREATE"}
    first = _dataset("b", schema=_columns("x", "y"), symlinks=symlinks, lifecycleStateChange=created)
    counted = {**_dataset("b", schema=_columns("z")), "outputFacets": {"outputStatistics": {"rowCount": 3}}}
    (output,) = _together(
        _event("START", outputs=[first]), _event("COMPLETE", outputs=[counted])
    ).event.outputs
    assert output.columns == (Column("z"),)
    assert output.symlinks == (DatasetName("glue", "b"),)
    assert (output.change, output.rows) == (StateChange.CREATE, 3)
    assert set(output.facets) == {"schema", "symlinks", "lifecycleStateChange", "outputStatistics"}
    assert output.facets["schema"] == _columns("z")


def test_deleted_facet_is_gone_until_said_again() -> None:
    said, deleted = _dataset("b", schema=_columns("x")), _dataset("b", schema={"_deleted": True})
    first, gone = _event("START", outputs=[said]), _event("RUNNING", 1, outputs=[deleted])
    assert _together(first, gone).event.outputs[0].columns is None
    assert _together(first, gone, first).event.outputs[0].columns == (Column("x"),)


def test_unreadable_facet_leaves_the_earlier_one() -> None:
    said, broken = _dataset("b", schema=_columns("x")), _dataset("b", schema={"fields": 5})
    event = _together(_event("START", outputs=[said]), _event("COMPLETE", outputs=[broken])).event
    assert event.outputs[0].columns == (Column("x"),)
    assert event.faults == ("outputs[0].facets.schema.fields is no list",)


def test_values_without_their_facets_merge_too() -> None:
    name = DatasetName("db", "a")
    earlier = SeenDataset(name, columns=(Column("x"),), rows=1)
    later = SeenDataset(name, symlinks=(DatasetName("glue", "a"),), rows=2)
    merged = SeenDataset(name, (Column("x"),), (DatasetName("glue", "a"),), rows=2)
    assert merge_datasets([earlier, later]) == (merged,)


def _entry(target: str | None, *sources: str, **more: Any) -> dict[str, Any]:
    inputs = [{"namespace": "db", "name": source, "type": "DATASET"} for source in sources]
    if target is None:
        return {"type": "JOB", "inputs": inputs, **more}
    return {"namespace": "db", "name": target, "type": "DATASET", "inputs": inputs}


def _lineage(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"lineage": {"entries": list(entries)}}


def _pairs(event: IncomingEvent) -> list[tuple[str, str]]:
    return [(claim.source.name, claim.target.name) for claim in claims_of(event)]


def test_lineage_entries_of_a_run_add_and_replace_by_target() -> None:
    whole = _together(
        _event("START", job_facets=_lineage(_entry("x", "a"), _entry("x", "b"), _entry("y", "a"))),
        _event("COMPLETE", job_facets=_lineage(_entry("x", "c"), _entry("z", "d"), _entry("z", "e"))),
    )
    assert _pairs(whole.event) == [("c", "x"), ("a", "y"), ("d", "z"), ("e", "z")]
    assert _names(whole.event.inputs) == ["a", "b", "c", "d", "e"]


def test_job_without_a_name_is_the_own_one() -> None:
    own = _entry(None, "b", namespace="spark", name="load")
    first = _lineage(_entry(None, "a"), _entry(None, "x", namespace="spark", name="other"))
    event = _together(_event("START", job_facets=first), _event("COMPLETE", job_facets=_lineage(own))).event
    assert event.job_facets["lineage"]["entries"] == [first["lineage"]["entries"][1], own]


def test_deleted_lineage_does_not_come_back() -> None:
    first = _event("START", job_facets=_lineage(_entry("x", "a")))
    deleted = _event("RUNNING", job_facets={"lineage": {"entries": [], "_deleted": True}})
    last = _event("COMPLETE", job_facets=_lineage(_entry("y", "b")))
    assert _pairs(_together(first, deleted, last).event) == [("b", "y")]


SNAPSHOT = {
    "jobType": {
        "processingType": "STREAMING",
        "integration": "FLINK",
        "emissionPattern": {"eventTrigger": "PERIODIC", "eventContentMode": "COMPLETE_SNAPSHOT"},
    }
}


def test_snapshot_replaces_what_came_before() -> None:
    whole = _together(
        _event("START", 0, inputs=[_dataset("a", schema=_columns("x"))], outputs=[_dataset("b")]),
        _event("RUNNING", 1, SNAPSHOT, inputs=[_dataset("a")], outputs=[_dataset("c")]),
        _event("RUNNING", 2, outputs=[_dataset("d")]),
    )
    assert (_names(whole.event.inputs), _names(whole.event.outputs)) == (["a"], ["c", "d"])
    assert whole.event.inputs[0].columns is None
    assert (whole.started_at, whole.event.run_id) == (NINE, "r")


def test_end_of_a_stream_does_not_empty_it() -> None:
    facets = {**SNAPSHOT, **_lineage(_entry("b", "a"))}
    event = _together(_event("RUNNING", 0, facets), _event("COMPLETE", 1, SNAPSHOT)).event
    assert event.state is RunState.COMPLETE
    assert _pairs(event) == [("a", "b")]


def test_job_is_what_was_last_declared() -> None:
    first = _event(
        None,
        0,
        {**_lineage(_entry("x", "a")), "ownership": {"owners": []}},
        inputs=[_dataset("a", schema=_columns("k"))],
    )
    second = _event(None, 1, _lineage(_entry("y", "a")))
    whole = _together(first, second)
    assert _pairs(whole.event) == [("a", "y")]
    assert (_names(whole.event.inputs), _names(whole.event.outputs)) == (["a"], ["y"])
    assert whole.event.inputs[0].columns == (Column("k"),)
    assert set(whole.event.job_facets) == {"lineage", "ownership"}
    assert (whole.started_at, whole.ended_at) == (NINE, None)


def test_declaration_without_datasets_keeps_them() -> None:
    first = _event(None, 0, inputs=[_dataset("a")], outputs=[_dataset("b")])
    event = _together(first, _event(None, 1, {"ownership": {"owners": []}})).event
    assert _pairs(event) == [("a", "b")]


def test_dataset_event_replaces_facets_one_by_one() -> None:
    first = {"eventTime": "2026-01-31T09:00:00Z", "dataset": _dataset("v", schema=_columns("x"))}
    second = {
        "eventTime": "2026-01-31T09:05:00Z",
        "dataset": _dataset("v", datasetType={"datasetType": "VIEW"}),
    }
    whole = _together(read_event(first), read_event(second))
    (view,) = whole.event.outputs
    assert (view.columns, view.kind) == ((Column("x"),), ("VIEW", None))
    assert whole.event.time == NINE + timedelta(minutes=5)


def test_accumulating_in_steps_is_the_same() -> None:
    first = _event("START", 0, _lineage(_entry("x", "a")), inputs=[_dataset("a", schema=_columns("k"))])
    second = _event("RUNNING", 1, _lineage(_entry("x", "b"), _entry("y", "b")))
    third = _event("COMPLETE", 2, outputs=[_dataset("x", schema=_columns("k"))])
    at_once = _together(first, second, third).event
    assert _together(_together(first, second).event, third).event == at_once


@pytest.mark.parametrize("events", [[], [_event("START"), _event(None)]], ids=["none", "of two kinds"])
def test_events_that_do_not_belong_together(events: list[IncomingEvent]) -> None:
    with pytest.raises(ValueError, match="all of one kind"):
        accumulate(events)
