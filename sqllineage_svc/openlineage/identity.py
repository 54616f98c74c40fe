"""Run ids that survive a second reading: the same statement at the same time is the same run."""

from __future__ import annotations

from openlineage.client.uuid import generate_static_uuid

from sqllineage_svc.openlineage.naming import namespace_of
from sqllineage_svc.openlineage.run import StatementRun, Warehouse


def run_id(run: StatementRun, warehouse: Warehouse, ordinal: int = 0) -> str:
    """A UUID (version 7) made of the run's start, its place, its text and, where known, its query's id.

    `ordinal` (0-based) tells statements apart that begin in one line of one file.
    """
    place = (namespace_of(warehouse), run.query_id or "", run.file, str(run.line), str(ordinal), run.text)
    return str(generate_static_uuid(run.started_at, "\0".join(place).encode("utf-8", "surrogatepass")))
