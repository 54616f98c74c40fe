"""What is kept of a run beside its lineage: its SQL text and query id, who ran it, how much it wrote, why it failed.

Producers say in facets of many shapes what has no field of its own; a value of the wrong shape counts as not said.
"""

from __future__ import annotations

from sqllineage_svc.catalog.interning import shortened
from sqllineage_svc.openlineage.document import is_text
from sqllineage_svc.openlineage.incoming import IncomingEvent
from sqllineage_svc.openlineage.users import user_of

_TYPE = ("integration", "jobType", "processingType")


def text_of(event: IncomingEvent) -> str | None:
    """The SQL text of an event's job; what no database can hold is none."""
    return _text(event.job_facets.get("sql", {}).get("query"))


def query_id_of(event: IncomingEvent) -> str | None:
    """What the engine that ran it calls the query."""
    said = event.run_facets.get("externalQuery", {}).get("externalQueryId")
    text = str(said) if isinstance(said, int) else _text(said)
    return shortened(text) if text else None


def facts_of(event: IncomingEvent) -> dict[str, object]:
    """The rest, as far as it is said.

    `type` is integration, type and processing of the job, `dialect` that of its SQL, `source` the file that it
    stands in, `rows` how many were written by dataset, `user` who ran it, `error` why it failed, `parent` the job
    that started it.
    """
    job_type = event.job_facets.get("jobType", {})
    facts: dict[str, object] = {
        "type": " ".join(word for key in _TYPE if (word := _text(job_type.get(key)))) or None,
        "dialect": _text(event.job_facets.get("sql", {}).get("dialect")) or None,
        "source": _text(event.job_facets.get("sourceCodeLocation", {}).get("path")) or None,
        "user": user_of(event.run_facets),
        "parent": "/".join(event.parent.job) if event.parent is not None else None,
        "error": _text(event.run_facets.get("errorMessage", {}).get("message")),
        "rows": {"/".join(one.name): one.rows for one in event.outputs if one.rows is not None} or None,
    }
    return {name: value for name, value in facts.items() if value is not None}


def _text(value: object) -> str | None:
    return str(value) if is_text(value) else None
