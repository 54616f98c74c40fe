"""Every event and facet of whole scripts, against OpenLineage's published JSON schemas."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema.exceptions import ValidationError

from sqllineage_svc.cli import main
from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.engine.script import trace_sql
from sqllineage_svc.model.lifecycle import LifecycleChange, StateChange
from sqllineage_svc.model.names import Relation
from sqllineage_svc.openlineage.events import events_of, to_json
from sqllineage_svc.openlineage.run import StatementRun, Warehouse
from sqllineage_svc.render.events import runs_of
from sqllineage_svc.render.view import View
from tests.openlineage.published import check_event, needs_published_schemas

pytestmark = needs_published_schemas
SAMPLES = Path(__file__).parents[2] / "sample_queries"

INSTANCES = {
    "redshift": "redshift://sales.abc123.eu-west-1.redshift.amazonaws.com/dev",
    "mysql": "mysql://db.example/shop",
}
SCHEMAS = {
    "app.orders": {"id": "integer", "customer": "integer", "amount": "numeric(12,2)", "day": "date"},
    "app.customers": {"id": "integer", "mail": "varchar(100)", "region": "varchar(20)"},
    "mart.sales": {"region": "varchar(20)", "total": "numeric(12,2)"},
    "orders": {"id": "int", "amount": "decimal(12,2)"},
}
REDSHIFT = {
    "CTAS with join": """
        create table mart.by_region as
        select c.region, sum(o.amount) as total, count(*) as orders,
               row_number() over (partition by c.region order by sum(o.amount)) as place,
               case when max(o.day) > '2026-01-01' then md5(max(c.mail)) end as newest
        from app.orders o join app.customers c on o.customer = c.id
        where o.day > '2025-01-01' group by c.region""",
    "INSERT with star": """
        insert into mart.sales select * from mart.unknown;
        insert into mart.unknown select * from app.orders;
        insert into mart.unknown (a, b) select * from app.elsewhere;
        insert into mart.sales (region, total) values ('north', 1), ('south', 2);
        insert into mart.sales (total) select 1 from app.orders""",
    "MERGE": """
        merge into mart.sales using app.customers c on mart.sales.region = c.region
        when matched then update set total = 0
        when not matched then insert (region) values (c.region)""",
    "UPDATE and DELETE": """
        update mart.sales set total = o.amount from app.orders o where o.id = 1;
        delete from mart.sales where region in (select region from app.customers);
        delete from mart.sales""",
    "COPY and UNLOAD": """
        copy app.orders from 's3://lake/in/orders/' iam_role 'arn:aws:iam::1:role/x' csv;
        copy app.orders (id, amount) from 's3://lake/in/orders.json' iam_role default json 'auto';
        unload ('select id, amount from app.orders') to 's3://lake/out/' iam_role default parquet""",
    "temporary table and view": """
        create temp table t as select id, amount * 2 as twice from app.orders;
        insert into mart.sales (total) select twice from t;
        create view mart.v as select region from mart.sales;
        create materialized view mart.m as select region from mart.v""",
    "unreadable and unknown": "selec 1; call mart.refresh(); select x from app.orders; select 'open",
    "procedure": """
        create procedure mart.fill() as $$ begin
          insert into mart.sales select region, 1 from app.customers;
        end; $$ language plpgsql""",
}
MYSQL = {
    "LOAD DATA": """
        load data infile '/var/lib/in.csv' into table orders fields terminated by ',';
        load data infile '/var/lib/in.csv' into table orders (id, @a) set amount = @a * 2""",
    "files and REPLACE": """
        select id, amount from orders into outfile '/tmp/out.csv';
        replace into orders select * from old_orders;
        insert into orders (id) select id from old_orders on duplicate key update amount = values(amount)""",
    "temporary table and variable": """
        create temporary table t select * from orders;
        select max(id) into @last from orders;
        insert into elsewhere (id, at) select @last, now() from t""",
}
SCRIPTS = [
    *(pytest.param("redshift", text, id=f"redshift: {name}") for name, text in REDSHIFT.items()),
    *(pytest.param("mysql", text, id=f"mysql: {name}") for name, text in MYSQL.items()),
]


def _runs(text: str, dialect: str) -> list[StatementRun]:
    return list(runs_of(View(trace_sql(text, dialect, SCHEMAS))))


def _events(dialect: str, runs: list[StatementRun], reads: bool = False) -> list[dict[str, Any]]:
    warehouse = Warehouse(load_dialect(dialect), INSTANCES[dialect])
    return [json.loads(to_json(event)) for event in events_of(runs, warehouse, reads)]


@pytest.mark.parametrize(("dialect", "text"), SCRIPTS)
def test_events_of_a_script_are_valid(dialect: str, text: str) -> None:
    events = _events(dialect, _runs(text, dialect), reads=True)
    assert events
    for event in events:
        check_event(event)


@pytest.mark.parametrize("change", list(StateChange), ids=lambda change: change.value)
def test_events_of_ddl_are_valid(change: StateChange) -> None:
    (ran,) = _runs("drop table app.orders", "redshift")
    table = Relation(None, "app", "orders")
    old = Relation(None, "app", "old_orders") if change is StateChange.RENAME else None
    run = replace(ran, lifecycle=(LifecycleChange(table, change, old),), query_id="4711")
    events = _events("redshift", [run])
    assert [event["eventType"] for event in events] == ["START", "COMPLETE"]
    for event in events:
        check_event(event)


def test_wrong_event_is_found() -> None:
    """The check itself: a facet that lacks what its schema requires does not pass."""
    *_, event = _events(
        "redshift", _runs("insert into mart.sales (total) select amount from app.orders", "redshift")
    )
    check_event(event)
    del event["outputs"][0]["facets"]["columnLineage"]["fields"]
    with pytest.raises(ValidationError, match="'fields' is a required property"):
        check_event(event)


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*/*.sql")), ids=lambda path: path.stem)
def test_events_of_a_sample_are_valid(sample: Path) -> None:
    dialect = sample.parent.name
    arguments = ["analyze", "-d", dialect, "-f", "openlineage", "--instance", INSTANCES[dialect], str(sample)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(events) >= 2
    for event in events:
        check_event(event)
