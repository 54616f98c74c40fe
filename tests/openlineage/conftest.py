"""A warehouse, and statements that ran in it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.model.lineage import StatementLineage
from sqllineage_svc.openlineage.run import StatementRun, Warehouse

Ran = Callable[..., StatementRun]


@pytest.fixture(scope="session")
def warehouse() -> Warehouse:
    return Warehouse(load_dialect("redshift"), "redshift://sales.eu-west-1:5439/dev")


@pytest.fixture(scope="session")
def ran() -> Ran:
    """Makes a statement that ran at nine o'clock, an INSERT unless told otherwise."""

    def make(lineage: StatementLineage | None = None, **said: Any) -> StatementRun:
        defaults: dict[str, Any] = {
            "text": "insert into mart.sales select * from app.orders",
            "kind": "insert",
            "lineage": lineage or StatementLineage(),
            "started_at": datetime(2026, 1, 31, 9, tzinfo=UTC),
            "file": "etl/load.sql",
            "line": 4,
        }
        return StatementRun(**{**defaults, **said})

    return make
