"""An event at the door: its bytes are read, its secrets cut out, its content named by a hash."""

from __future__ import annotations

import json
import re
import zlib
from contextlib import suppress
from dataclasses import dataclass

from sqllineage_svc.catalog.cleaning import clean_broken, clean_json
from sqllineage_svc.catalog.ids import dataset_id, event_hash, identify_bytes, job_id, run_id
from sqllineage_svc.catalog.moments import microseconds
from sqllineage_svc.catalog.rules import Rule, read_rule
from sqllineage_svc.errors import InvalidEvent
from sqllineage_svc.openlineage.incoming import EventKind, IncomingEvent
from sqllineage_svc.openlineage.reading import read_event

QUARANTINED = -1
RULE = -2
"""The kind of what is no event but a user's rule about names."""
_KINDS = list(EventKind)
RUN_EVENT = _KINDS.index(EventKind.RUN)
"""The kind of an event that is about a run, as it is kept."""
_LINE_ENDS = re.compile(rb"[\r\n]+")


@dataclass(frozen=True, slots=True)
class Arrival:
    """An event as it is kept.

    `payload` is compressed, `subject` the id of the run, job or dataset that it is about. `event` is None in
    quarantine, `faults` then say why. A `rule` is no event, and is kept elsewhere.
    """

    hash: bytes
    payload: bytes
    redacted: bool
    subject: int
    kind: int
    event_time: int
    faults: tuple[str, ...]
    event: IncomingEvent | None
    rule: Rule | None = None


def arrive(raw: bytes, received_at: int) -> Arrival:
    """An event from its bytes, or a rule about names; what cannot be read goes to quarantine."""
    try:
        content = json.loads(raw)
    except (ValueError, RecursionError) as error:
        reason = "it nests too deep" if isinstance(error, RecursionError) else str(error)
        kept = clean_broken(raw)
        return _quarantined(kept, kept != raw, received_at, f"this is no JSON: {reason}")
    kept = clean_json(raw)
    changed = kept != raw
    content = json.loads(kept) if changed else content
    name = event_hash(as_line(kept))
    try:
        if (rule := read_rule(content)) is not None:
            return Arrival(name, zlib.compress(kept), changed, 0, RULE, received_at, (), None, rule)
        event = read_event(content)
    except InvalidEvent as error:
        return _quarantined(kept, changed, received_at, str(error))
    kind = _KINDS.index(event.kind)
    time = microseconds(event.time)
    return Arrival(name, zlib.compress(kept), changed, subject_of(event), kind, time, event.faults, event)


def as_line(kept: bytes) -> bytes:
    """An event on one line, whichever way it is written: in JSON a line's end is between values, and a blank.

    An event is named by this, so that it is the same one when it moves to another catalog.
    """
    encoding = json.detect_encoding(kept)
    if encoding != "utf-8":
        with suppress(UnicodeDecodeError):  # else it is no JSON, and stays what it is
            kept = kept.decode(encoding, "surrogatepass").encode("utf-8", "surrogatepass")
    return _LINE_ENDS.sub(b" ", kept).strip()


def again(payload: bytes) -> IncomingEvent:
    """The event that is kept so."""
    return read_event(json.loads(zlib.decompress(payload)))


def subject_of(event: IncomingEvent) -> int:
    """The id of the run, job or dataset that an event is about."""
    if event.run_id is not None:
        return run_id(event.run_id)
    if event.job is not None:
        return job_id(*event.job)
    return dataset_id(*event.outputs[0].name)


def declaration_id(hash_: bytes) -> int:
    """The id under which a JobEvent or DatasetEvent stands among the runs."""
    return identify_bytes(b"declaration\0" + hash_)


def _quarantined(kept: bytes, changed: bool, received_at: int, reason: str) -> Arrival:
    name = event_hash(as_line(kept))
    return Arrival(name, zlib.compress(kept), changed, 0, QUARANTINED, received_at, (reason,), None)
