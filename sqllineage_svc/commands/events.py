"""`sqllin events`: the events that the catalog keeps."""

from __future__ import annotations

import json

import click

from sqllineage_svc.catalog.events import KeptEvent, get_event, list_events
from sqllineage_svc.catalog.moments import moment_of, shown
from sqllineage_svc.catalog.rebuilding import events_of
from sqllineage_svc.commands.options import asked, catalog_option, said
from sqllineage_svc.errors import UsageError


@click.group()
def events() -> None:
    """The events that the catalog keeps."""


@events.command("list")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True)
@click.option("--faulty", is_flag=True, help="Only those of which something could not be read.")
@click.option(
    "--format", "-f", "format_", type=click.Choice(("table", "json")), default="table", show_default=True
)
@catalog_option
def list_(limit: int, faulty: bool, format_: str, url: str | None) -> None:
    """The last events, newest first."""
    with asked(url) as connection:
        found = list_events(connection, limit, faulty)
    if format_ == "json":
        click.echo(json.dumps([_fields(event) for event in found], indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(map(_line, found)) or "no events")


@events.command()
@click.argument("event_id", metavar="ID")
@catalog_option
def get(event_id: str, url: str | None) -> None:
    """The event of this ID as it came, but for secrets; of a run's ID all of its events, one a line."""
    with asked(url) as connection, said():
        content = get_event(connection, event_id)
        found = [content] if content is not None else events_of(connection, event_id)
        if not found:
            raise UsageError(f"there is no event or run {event_id}; sqllin events list shows ids")
    for event in found if content is not None else map(_on_one_line, found):
        click.echo(event.decode("utf-8", "replace"))


def _on_one_line(event: bytes) -> bytes:
    """The same JSON: a line can end only between its parts."""
    return event.replace(b"\r", b"").replace(b"\n", b" ")


def _line(event: KeptEvent) -> str:
    kind = event.kind.value if event.kind is not None else "kept aside"
    said_ = [*(["secrets cut out"] if event.redacted else []), *event.faults]
    return f"{event.id}  {shown(event.at)}  {kind:<12}{'; '.join(said_)}".rstrip()


def _fields(event: KeptEvent) -> dict[str, object]:
    return {
        "id": event.id,
        "at": moment_of(event.at).isoformat(),
        "received_at": moment_of(event.received_at).isoformat(),
        "kind": event.kind.value if event.kind is not None else None,
        "redacted": event.redacted,
        "faults": list(event.faults),
    }
