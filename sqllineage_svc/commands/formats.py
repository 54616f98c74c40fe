"""The formats of answers, and what is the same in all commands about them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

import click

from sqllineage_svc.errors import UsageError

FORMATS = ("table", "json", "csv", "mermaid", "dot")

format_option = click.option(
    "--format", "-f", "format_", type=click.Choice(FORMATS), default="table", show_default=True
)


def no_picture(format_: str, what: str) -> None:
    """Raises UsageError where a picture is asked for of what is none."""
    if format_ in ("mermaid", "dot"):
        raise UsageError(
            f"{what} is shown as table, json or csv; {format_} draws what lineage, impact and diff find"
        )


def as_csv(fields: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A line for the fields and one for each row, None as nothing, without the last line's end."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(fields)
    writer.writerows(rows)
    return out.getvalue().removesuffix("\n")
