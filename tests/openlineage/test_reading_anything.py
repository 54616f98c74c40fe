"""Whatever comes is read or is invalid: events of others, any JSON, and garbage inside good events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqllineage_svc.errors import InvalidEvent
from sqllineage_svc.openlineage.accumulating import accumulate
from sqllineage_svc.openlineage.claims import claims_of
from sqllineage_svc.openlineage.incoming import IncomingEvent, RunState
from sqllineage_svc.openlineage.reading import read_event
from tests.openlineage.published import SPEC
from tests.openlineage.shapes import AT_NINE, GLUE, changed

EVENTS = SPEC.parent / "events"


def _read(raw: object) -> IncomingEvent | str:
    """The event, or the reason why it is none."""
    try:
        return read_event(raw)
    except InvalidEvent as invalid:
        return str(invalid)


def _nested(levels: int, kind: type) -> Any:
    value: Any = {"name": "x"}
    for _ in range(levels):
        value = [value] if kind is list else {"name": "x", "fields": [value]}
    return value


@pytest.mark.parametrize("kind", [list, dict])
@pytest.mark.parametrize("path", ["run/facets/plan", "outputs", "outputs/0", "outputs/0/facets/schema"])
def test_deep_nesting_is_a_fault(path: str, kind: type) -> None:
    event = read_event(changed(GLUE, path, _nested(100_000, kind)))
    assert event.faults
    assert event.run_id == GLUE["run"]["runId"]


def test_deep_nesting_instead_of_a_run_is_invalid() -> None:
    with pytest.raises(InvalidEvent, match=r"^run is no object$"):
        read_event(changed(GLUE, "run", _nested(100_000, list)))


def test_deep_facet_is_left_out() -> None:
    event = read_event(changed(GLUE, "job/facets/plan", {"root": _nested(300, list)}))
    assert event.faults == ("job.facets.plan nests deeper than 200 levels",)
    assert set(event.job_facets) == {"jobType"}


def _third_party() -> list[Path]:
    return sorted(EVENTS.glob("*.json"))


@pytest.mark.skipif(not EVENTS.is_dir(), reason=f"OpenLineage's own events are not in {EVENTS}")
@pytest.mark.parametrize("file", _third_party(), ids=lambda file: file.stem)
def test_third_party_event_is_read_or_says_what_it_lacks(file: Path) -> None:
    """They are what tests expect of events, so most hold only a part of one: we complete them as well."""
    raw = json.loads(file.read_text("utf-8"))
    reason = _why_invalid(raw)
    if reason is None:
        assert read_event(raw).state is RunState[raw["eventType"]]
    else:
        with pytest.raises(InvalidEvent, match=reason):
            read_event(raw)
    raw["eventTime"] = AT_NINE
    raw["run"] = {"runId": "r", **raw.get("run", {})}
    raw["job"] = {"namespace": "n", "name": "j", **raw.get("job", {})}
    event = read_event(raw)
    for side, datasets in (("inputs", event.inputs), ("outputs", event.outputs)):
        named = {(each["namespace"], each["name"]) for each in raw.get(side, []) if "namespace" in each}
        assert {tuple(dataset.name) for dataset in datasets} == named
    nameless = [
        each for side in ("inputs", "outputs") for each in raw.get(side, []) if "namespace" not in each
    ]
    assert len([fault for fault in event.faults if fault.endswith("].namespace is missing")]) >= len(nameless)
    lineage = [output for output in event.outputs if output.facets.get("columnLineage", {}).get("fields")]
    assert len({claim.target for claim in claims_of(event) if claim.target_field}) == len(lineage)


def _why_invalid(raw: dict[str, Any]) -> str | None:
    if "run" not in raw and "eventType" not in raw and "job" not in raw:
        return "^the event holds no run, job or dataset$"
    if "eventTime" not in raw:
        return "^eventTime is missing$"
    if raw["eventTime"].startswith("$"):
        return "^eventTime is no time; expected RFC 3339"
    return None if raw["run"].get("runId") else r"^run\.runId is missing$"


KEYS = [
    *("eventTime", "eventType", "run", "runId", "job", "namespace", "name", "dataset", "facets", "inputs"),
    *("outputs", "schema", "fields", "columnLineage", "inputFields", "transformations", "type", "lineage"),
    *("entries", "field", "_deleted", "symlinks", "identifiers", "parent", "root", "outputFacets", "masking"),
]
TEXTS = st.one_of(
    st.sampled_from(["", "JOB", "DATASET", "\ud800", "\0", AT_NINE, "START"]),
    st.text(st.characters(exclude_categories=()), max_size=5),
)
JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.just(10**400), st.floats(), TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from(KEYS), TEXTS), inner, max_size=4),
    ),
    max_leaves=8,
)


def _read_everything(raw: object) -> IncomingEvent | None:
    """The event, all that is made of it asked for; None where it is invalid."""
    event = _read(raw)
    if isinstance(event, str):
        assert event.encode()
        return None
    assert event.time.utcoffset() is not None
    assert all(fault.encode() for fault in event.faults)
    assert set(claims_of(event)) == set(claims_of(accumulate([event, event]).event))
    return event


@given(st.one_of(JSON_VALUES, st.dictionaries(st.sampled_from(KEYS), JSON_VALUES, max_size=8)))
@settings(deadline=None, max_examples=200)
def test_any_json_is_read_or_invalid(raw: object) -> None:
    event = _read_everything(raw)
    assert event is None or isinstance(raw, dict)


LINEAGE = {
    "entries": [
        {
            "namespace": "s3://lake",
            "name": "attendance",
            "type": "DATASET",
            "inputs": [{"namespace": "s3://lake", "name": "csv/attendance.csv", "type": "DATASET"}],
            "fields": {"id": {"inputs": [{"type": "JOB", "transformations": [{"type": "DIRECT"}]}]}},
        }
    ]
}
FULL = changed(GLUE, "job/facets/lineage", LINEAGE)


def _places(value: object, above: tuple[str, ...] = ()) -> Iterator[str]:
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, child in children:
        yield "/".join((*above, str(key)))
        yield from _places(child, (*above, str(key)))


@given(st.sampled_from([*_places(FULL)]), JSON_VALUES)
@settings(deadline=None, max_examples=400)
def test_garbage_in_one_place_leaves_the_other_outputs(path: str, value: object) -> None:
    whole = read_event(FULL)
    event = _read_everything(changed(FULL, path, value))
    if event is None:
        assert path in ("run", "run/runId", "job", "job/namespace", "job/name", "eventTime", "eventType")
    elif path != "outputs":
        touched = path.split("/")[1] if path.startswith("outputs/") else ""
        for position, output in enumerate(whole.outputs):
            assert str(position) == touched or output in event.outputs
