"""What a run read and who had written it, for a terminal and as JSON."""

from __future__ import annotations

import json

from sqllineage_svc.catalog.moments import moment_of, shown
from sqllineage_svc.catalog.reading_runs import RunRead
from sqllineage_svc.commands.formats import as_csv, no_picture


def show_run(found: RunRead, format_: str) -> str:
    """The answer as `table`, `json` or `csv`, with a line's end. Raises UsageError for pictures."""
    no_picture(format_, "what a run read")
    if format_ == "json":
        return _json(found)
    if format_ == "csv":
        return _csv(found)
    lines = [f"{found.run}  {found.job}  {shown(found.started_at)} to {shown(found.at)}  {found.state}"]
    for writer in found.writers:
        times = f"  (the last of {writer.runs} that added to it)" if writer.runs > 1 else ""
        run = writer.run or "declared"
        lines.append(f"  {writer.dataset}  {shown(writer.at)}  {run}  {writer.job}{times}")
    if not found.writers:
        lines.append("no run is known that wrote what it read")
    return "\n".join(lines) + "\n"


def _csv(found: RunRead) -> str:
    rows = [
        (
            one.dataset.namespace,
            one.dataset.dataset,
            one.job,
            one.run,
            moment_of(one.at).isoformat(),
            one.runs,
        )
        for one in found.writers
    ]
    return as_csv(("namespace", "dataset", "job", "run", "at", "runs"), rows) + "\n"


def _json(found: RunRead) -> str:
    content = {
        "run": found.run,
        "job": found.job,
        "started_at": moment_of(found.started_at).isoformat(),
        "at": moment_of(found.at).isoformat(),
        "state": found.state,
        "writers": [
            {
                "namespace": writer.dataset.namespace,
                "dataset": writer.dataset.dataset,
                "job": writer.job,
                "run": writer.run,
                "at": moment_of(writer.at).isoformat(),
                "runs": writer.runs,
            }
            for writer in found.writers
        ],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
