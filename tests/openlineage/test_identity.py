"""Which statements are one run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest

from sqllineage_svc.errors import UsageError
from sqllineage_svc.openlineage.identity import run_id
from sqllineage_svc.openlineage.run import StatementRun, Warehouse

Ran = Callable[..., StatementRun]


def test_a_second_reading_makes_the_same_id(ran: Ran, warehouse: Warehouse) -> None:
    assert run_id(ran(), warehouse) == run_id(ran(), warehouse)
    elsewhere = datetime(2026, 1, 31, 10, tzinfo=timezone(timedelta(hours=1)))
    assert run_id(ran(started_at=elsewhere), warehouse) == run_id(ran(), warehouse)


def test_the_id_is_a_version_7_uuid(ran: Ran, warehouse: Warehouse) -> None:
    assert UUID(run_id(ran(), warehouse)).version == 7


@pytest.mark.parametrize(
    "said",
    [
        {"line": 5},
        {"file": "b.sql"},
        {"text": "x"},
        {"query_id": "7"},
        {"started_at": datetime(2026, 2, 1, tzinfo=UTC)},
    ],
    ids=["another line", "another file", "another text", "another query", "another time"],
)
def test_another_statement_has_another_id(ran: Ran, warehouse: Warehouse, said: dict[str, object]) -> None:
    assert run_id(ran(**said), warehouse) != run_id(ran(), warehouse)


def test_another_instance_has_other_ids(ran: Ran, warehouse: Warehouse) -> None:
    other = Warehouse(warehouse.dialect, "redshift://staging.eu-west-1:5439/dev")
    assert run_id(ran(), warehouse) != run_id(ran(), other)


def test_equal_statements_in_one_line_are_two_runs(ran: Ran, warehouse: Warehouse) -> None:
    assert run_id(ran(), warehouse, 0) != run_id(ran(), warehouse, 1)


def test_a_time_without_a_zone_is_refused(ran: Ran) -> None:
    message = "etl/load.sql line 4: 2026-01-31 09:00:00 has no time zone; events need one"
    with pytest.raises(UsageError, match=message):
        ran(started_at=datetime(2026, 1, 31, 9))  # noqa: DTZ001 the mistake this is about
