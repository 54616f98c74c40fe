"""The history of a job, for a terminal and as JSON."""

from __future__ import annotations

import json

from sqllineage_svc.catalog.jobs import JobHistory, JobRuns, JobText
from sqllineage_svc.catalog.moments import moment_of, shown
from sqllineage_svc.commands.formats import as_csv
from sqllineage_svc.dialect import installed_dialects, load_dialect
from sqllineage_svc.errors import UsageError
from sqllineage_svc.sql.formatting import format_sql

_RUN_FIELDS = (
    "job", "at", "last", "times", "state", "ended", "rows", "user", "error", "run", "query",
)  # fmt: skip


def job_table(name: str, job: JobHistory, formatted: bool) -> str:
    """What it is, its texts and its runs, line by line."""
    said = [job.type, job.dialect and f"in {job.dialect}", job.parent and f"started by {job.parent}"]
    lines = [name, *([", ".join(word for word in said if word)] if any(said) else [])]
    for one in job.texts:
        times = f"{one.runs} runs" if one.runs > 1 else "1 run"
        lines += ["", f"SQL of {times} from {shown(one.first)} to {shown(one.last)}"]
        text = (_formatted(one, job.dialect) if formatted else None) or one.text
        lines += [f"    {line}".rstrip() for line in text.splitlines()]
    lines += ["", *map(_line, job.runs)] if job.runs else ["nothing is known to have run"]
    return "\n".join(lines)


def _line(runs: JobRuns) -> str:
    times = f" ({runs.times} times until {shown(runs.last)})" if runs.times > 1 else ""
    took = ""
    if runs.times == 1 and runs.ended_at is not None and runs.ended_at > runs.at:
        took = f"  in {(runs.ended_at - runs.at) / 1e6:.6g} s"
    rows = f"  {sum(runs.rows.values()):,} rows" if runs.rows else ""
    user = f"  by {runs.user}" if runs.user else ""
    error = f"  {' '.join(runs.error.split())}" if runs.error else ""
    return f"{shown(runs.at)}  {runs.state.lower()}{times}{took}{rows}{user}{error}"


def job_json(name: str, job: JobHistory, formatted: bool) -> str:
    """All of it."""
    content = {
        "job": name,
        "type": job.type,
        "dialect": job.dialect,
        "parent": job.parent,
        "texts": [_text_json(one, job.dialect, formatted) for one in job.texts],
        "runs": [
            {
                "at": moment_of(one.at).isoformat(),
                "last": moment_of(one.last).isoformat(),
                "times": one.times,
                "state": one.state,
                "ended": moment_of(one.ended_at).isoformat() if one.ended_at is not None else None,
                "rows": dict(one.rows),
                "user": one.user,
                "error": one.error,
                "run": one.run,
                "query": one.query_id,
            }
            for one in job.runs
        ],
    }
    return json.dumps(content, indent=2, ensure_ascii=False)


def job_csv(name: str, job: JobHistory, formatted: bool) -> str:
    """Its runs. Raises UsageError where SQL is to be laid out, which they do not have."""
    if formatted:
        raise UsageError("the runs of a job have no SQL to lay out; it is shown as table or json")
    rows = [
        (
            name, moment_of(one.at).isoformat(), moment_of(one.last).isoformat(), one.times, one.state,
            moment_of(one.ended_at).isoformat() if one.ended_at is not None else None,
            sum(one.rows.values()) if one.rows else None, one.user, one.error, one.run, one.query_id,
        )
        for one in job.runs
    ]  # fmt: skip
    return as_csv(_RUN_FIELDS, rows)


def _text_json(one: JobText, dialect: str | None, formatted: bool) -> dict[str, object]:
    content: dict[str, object] = {
        "text": one.text,
        "first": moment_of(one.first).isoformat(),
        "last": moment_of(one.last).isoformat(),
        "runs": one.runs,
    }
    return {**content, "formatted": _formatted(one, dialect)} if formatted else content


def _formatted(one: JobText, dialect: str | None) -> str | None:
    """The text laid out by the dialect that its job says; None where that cannot read it."""
    known = dialect is not None and dialect in installed_dialects()
    return format_sql(one.text, load_dialect(dialect).sqlglot if dialect is not None and known else dialect)
