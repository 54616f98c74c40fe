"""`sqllin load`: events from files into the catalog."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from sqllineage_svc.catalog.loading import LoadReport
from sqllineage_svc.catalog.loading import load as load_events
from sqllineage_svc.commands.options import catalog_option, opened, said
from sqllineage_svc.errors import UsageError

QUARANTINED = 3
_SHOWN = 10
_GZIP = b"\x1f\x8b"


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|-...")
@catalog_option
@click.option(
    "--format", "-f", "format_", type=click.Choice(("table", "json")), default="table", show_default=True
)
def load(files: tuple[str, ...], url: str | None, format_: str) -> None:
    """Load OpenLineage events: JSON (one, or an array), JSON lines, gzip or not; - is standard input.

    What `sqllin catalog export` writes is loaded with its rules about names. Loading an event again changes nothing.
    What is no valid event is kept aside, with the reason; exit 3 then.
    """
    places: list[str] = []
    with said():
        inputs = [(name, _bytes(name)) for name in files]
    with opened(url) as catalog:
        report = load_events(
            catalog, _shown(_events(inputs, places), sum(len(content) for _, content in inputs))
        )
    click.echo(_json(report, places) if format_ == "json" else _table(report, places))
    sys.exit(QUARANTINED if report.quarantined else 0)


def _bytes(name: str) -> bytes:
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return gzip.decompress(content) if content.startswith(_GZIP) else content
    except (OSError, EOFError) as error:
        raise UsageError(f"{name} cannot be read: {error}") from error


def _events(inputs: Iterable[tuple[str, bytes]], places: list[str]) -> Iterator[bytes]:
    """The events of all files; `places` says of each where it stood."""
    for name, content in inputs:
        for place, event in _split(content):
            places.append(f"{name} {place}")
            yield event


def _split(content: bytes) -> Iterator[tuple[str, bytes]]:
    """One document, an array of them, or one a line."""
    text = content.removeprefix(b"\xef\xbb\xbf").strip()
    if text.startswith(b"["):
        try:
            items = json.loads(text)
        except (ValueError, RecursionError):
            items = None
        if isinstance(items, list):
            for number, item in enumerate(items, 1):
                yield f"event {number}", json.dumps(item, separators=(",", ":")).encode("ascii")
            return
    lines = text.splitlines()
    if len(lines) > 1 and not _is_json(lines[0]) and _is_json(text):
        yield "event 1", text
        return
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield f"line {number}", line.strip()


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _shown(events: Iterable[bytes], length: int) -> Iterator[bytes]:
    """The events, with a bar on a terminal where there are many."""
    hidden = length < 1_000_000 or not sys.stderr.isatty()
    with click.progressbar(length=length, label="Loading", file=sys.stderr, hidden=hidden) as bar:
        for event in events:
            yield event
            bar.update(len(event) + 1)


def _table(report: LoadReport, places: list[str]) -> str:
    lines = [
        f"{report.read} events: {report.new} new, {report.known} known, {len(report.quarantined)} kept aside"
    ]
    if report.rules:
        lines.append(f"rules about names: {report.rules}, {report.new_rules} new")
    if report.redacted:
        lines.append(f"secrets were cut out of {report.redacted}")
    lines += [f"{places[at - 1]}: {why}" for at, why in report.quarantined[:_SHOWN]]
    lines += [f"{places[at - 1]}: {'; '.join(faults)}" for at, faults in report.faulty[:_SHOWN]]
    more = max(0, len(report.quarantined) - _SHOWN) + max(0, len(report.faulty) - _SHOWN)
    return "\n".join([*lines, *([f"and {more} more"] if more else [])])


def _json(report: LoadReport, places: list[str]) -> str:
    content = {
        "read": report.read,
        "new": report.new,
        "known": report.known,
        "redacted": report.redacted,
        "rules": report.rules,
        "new_rules": report.new_rules,
        "quarantined": [{"place": places[at - 1], "reason": why} for at, why in report.quarantined],
        "faulty": [{"place": places[at - 1], "faults": list(faults)} for at, faults in report.faulty],
    }
    return json.dumps(content, indent=2)
