"""Figures as a person reads them: aligned text tables, and the machine they were taken on."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median

import sqlglot.parser


def parser_build() -> str:
    """The sqlglot that is installed, and whether it is the compiled build."""
    compiled = not (sqlglot.parser.__file__ or "").endswith(".py")
    return (
        f"sqlglot {version('sqlglot')}, {'compiled' if compiled else 'pure Python (measure the compiled!)'}"
    )


def machine() -> str:
    """What the figures were taken on."""
    return f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def print_table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table: first column to the left, the others to the right."""
    widths = [max(len(line[at]) for line in (headings, *rows)) for at in range(len(headings))]
    print(f"\n{title}\n")
    for line in (headings, *rows):
        first, *others = (
            cell.ljust(w) if at == 0 else cell.rjust(w)
            for at, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        print("  " + "  ".join([first, *others]).rstrip())


def spread(values: Sequence[float]) -> str:
    """The median, with the least and the greatest.

    (1.2, 1.3, 1.5)  ->  1.30 (1.20-1.50)
    """
    return f"{median(values):.2f} ({min(values):.2f}-{max(values):.2f})"


def write_json(path: Path | None, figures: object) -> None:
    """Keep the figures in a file, where one was asked for."""
    if path is not None:
        path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
