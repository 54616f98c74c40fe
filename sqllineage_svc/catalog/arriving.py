"""An event at the door: its bytes are read, its secrets cut out, its content named by a hash."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqllineage_svc.catalog.ids import dataset_id, event_hash, identify_bytes, job_id, run_id
from sqllineage_svc.dialect import installed_dialects, load_dialect
from sqllineage_svc.errors import InvalidEvent
from sqllineage_svc.openlineage.incoming import EventKind, IncomingEvent
from sqllineage_svc.openlineage.reading import read_event
from sqllineage_svc.sql.redact import redact
from sqllineage_svc.sql.secret_rules import SecretRules

QUARANTINED = -1
_KINDS = list(EventKind)
_MASK = "***"
_SECRET_KEY = re.compile(
    r"(?i)passw(or)?d|secret|token|credential|api[_.-]?key|access[_.-]?key|private[_.-]?key"
)
_USER_INFO = re.compile(r"(?<=://)([^/@:\s'\"]*):[^/@\s'\"]+@")
_PARAMETER = re.compile(r"(?i)((?:password|pwd|secret|token|accesskey|secretkey|sig|signature)=)[^&;\s'\"]+")


@dataclass(frozen=True, slots=True)
class Arrival:
    """An event as it is kept.

    `payload` is compressed, `subject` the id of the run, job or dataset that it is about. `event` is None in
    quarantine, `faults` then say why.
    """

    hash: bytes
    payload: bytes
    redacted: bool
    subject: int
    kind: int
    event_time: int
    faults: tuple[str, ...]
    event: IncomingEvent | None


def microseconds(moment: datetime) -> int:
    """A moment as the catalog keeps it."""
    delta = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds


def arrive(raw: bytes, received_at: int) -> Arrival:
    """An event from its bytes; what cannot be read goes to quarantine."""
    name = event_hash(raw)
    try:
        content = json.loads(raw)
    except (ValueError, RecursionError) as error:
        reason = "this is no JSON" if isinstance(error, RecursionError) else f"this is no JSON: {error}"
        kept = redact_text(raw.decode("utf-8", "replace")).encode("utf-8", "replace")
        return _quarantined(name, kept, kept != raw, received_at, reason)
    clean, changed = _clean(content)
    kept = json.dumps(clean, separators=(",", ":")).encode("ascii") if changed else raw
    try:
        event = read_event(clean)
    except InvalidEvent as error:
        return _quarantined(name, kept, changed, received_at, str(error))
    kind = _KINDS.index(event.kind)
    time = microseconds(event.time)
    return Arrival(name, zlib.compress(kept), changed, subject_of(event), kind, time, event.faults, event)


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


def _quarantined(name: bytes, kept: bytes, changed: bool, received_at: int, reason: str) -> Arrival:
    return Arrival(name, zlib.compress(kept), changed, 0, QUARANTINED, received_at, (reason,), None)


def _clean(content: Any) -> tuple[Any, bool]:
    """The content without secrets, and whether it held any; without recursion, since a producer may nest."""
    root = [content]
    stack: list[tuple[Any, Any]] = [(root, 0)]
    changed = False
    while stack:
        holder, key = stack.pop()
        value = holder[key]
        if isinstance(value, dict):
            copy = holder[key] = dict(value)
            stack.extend((copy, name) for name in copy)
        elif isinstance(value, list):
            holder[key] = list(value)
            stack.extend((holder[key], at) for at in range(len(value)))
        elif isinstance(value, str) and value:
            clean = _clean_value(key, value)
            changed = changed or clean != value
            holder[key] = clean
    return root[0], changed


def _clean_value(key: object, value: str) -> str:
    if isinstance(key, str) and _SECRET_KEY.search(key):
        return _MASK
    return redact_text(value)


def redact_text(text: str) -> str:
    """A text without the passwords in URLs, and without the secrets of any known warehouse's statements."""
    text = _USER_INFO.sub(rf"\1:{_MASK}@", text)
    text = _PARAMETER.sub(rf"\1{_MASK}", text)
    for rules in _rules():
        text = redact(text, rules)
    return text


_loaded: list[SecretRules] = []


def _rules(load: Callable[[], Iterable[str]] = installed_dialects) -> list[SecretRules]:
    if not _loaded:
        _loaded.extend(load_dialect(name).secrets for name in load())
    return _loaded
