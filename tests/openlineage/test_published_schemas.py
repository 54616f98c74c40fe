"""Every event and facet of whole scripts, against OpenLineage's published JSON schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource

from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.engine.script import TracedStatement, trace_sql
from sqllineage_svc.model.lifecycle import DatasetKind, LifecycleChange, StateChange
from sqllineage_svc.model.names import Dataset, Relation
from sqllineage_svc.openlineage.events import events_of, to_json
from sqllineage_svc.openlineage.run import StatementRun, Warehouse

SPEC = Path(__file__).parents[2].parent / "shared" / "openlineage" / "spec"
pytestmark = pytest.mark.skipif(
    not SPEC.is_dir(), reason=f"OpenLineage's published schemas are not in {SPEC}"
)

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
KINDS = {
    "create_view": DatasetKind.VIEW,
    "create_materialized_view": DatasetKind.MATERIALIZED_VIEW,
    "create_external_table": DatasetKind.EXTERNAL_TABLE,
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


@pytest.fixture(scope="module")
def published() -> Registry[Any]:
    files = [SPEC / "OpenLineage.json", *sorted((SPEC / "facets").glob("*.json"))]
    resources = [Resource.from_contents(json.loads(file.read_text("utf-8"))) for file in files]
    return Registry().with_resources((resource.id() or "", resource) for resource in resources)


def _validate(value: Any, published: Registry[Any], url: str) -> None:
    """Check a value against the published schema of this URL's file name, whatever version the URL says."""
    path, _, fragment = url.partition("#")
    file = path.rpartition("/")[2]
    (known,) = [uri for uri in published if uri.rpartition("/")[2] == file]
    checker = Draft202012Validator.FORMAT_CHECKER
    validator = Draft202012Validator(
        {"$ref": f"{known}#{fragment}"}, registry=published, format_checker=checker
    )
    validator.validate(value)


def _facets(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for holder in (event["job"], event.get("run", {}), *event["inputs"], *event["outputs"]):
        for key in ("facets", "inputFacets", "outputFacets"):
            yield from holder.get(key, {}).values()


def _check(event: dict[str, Any], published: Registry[Any]) -> None:
    _validate(event, published, event["schemaURL"])
    for facet in _facets(event):
        _validate(facet, published, facet["_schemaURL"])


def _run(statement: TracedStatement, kinds: dict[Dataset, DatasetKind]) -> StatementRun:
    made = statement.schema.relation if statement.schema is not None else None
    if made is not None:
        temporary = "temp" in statement.text.split("select")[0]
        kinds[made] = (
            DatasetKind.TEMPORARY_TABLE if temporary else KINDS.get(statement.kind, DatasetKind.TABLE)
        )
    return StatementRun(
        statement.text,
        statement.kind,
        statement.lineage,
        datetime(2026, 1, 31, 9, tzinfo=UTC),
        file="etl.sql",
        line=statement.line,
        schemas={made: statement.schema} if made is not None and statement.schema is not None else {},
        kinds=kinds,
        lifecycle=(LifecycleChange(made, StateChange.CREATE),) if made is not None else (),
        declares=statement.kind == "create_procedure",
    )


def _events(dialect: str, runs: list[StatementRun], reads: bool = False) -> list[dict[str, Any]]:
    warehouse = Warehouse(load_dialect(dialect), INSTANCES[dialect])
    return [json.loads(to_json(event)) for event in events_of(runs, warehouse, reads)]


@pytest.mark.parametrize(("dialect", "text"), SCRIPTS)
def test_events_of_a_script_are_valid(dialect: str, text: str, published: Registry[Any]) -> None:
    kinds: dict[Dataset, DatasetKind] = {}
    runs = [_run(statement, kinds) for statement in trace_sql(text, dialect, SCHEMAS).statements]
    events = _events(dialect, runs, reads=True)
    assert events
    for event in events:
        _check(event, published)


@pytest.mark.parametrize("change", list(StateChange), ids=lambda change: change.value)
def test_events_of_ddl_are_valid(change: StateChange, published: Registry[Any]) -> None:
    (statement,) = trace_sql("drop table app.orders", "redshift").statements
    table = Relation(None, "app", "orders")
    old = Relation(None, "app", "old_orders") if change is StateChange.RENAME else None
    run = replace(_run(statement, {}), lifecycle=(LifecycleChange(table, change, old),), query_id="4711")
    events = _events("redshift", [run])
    assert [event["eventType"] for event in events] == ["START", "COMPLETE"]
    for event in events:
        _check(event, published)


def test_wrong_event_is_found(published: Registry[Any]) -> None:
    """The check itself: a facet that lacks what its schema requires does not pass."""
    (statement,) = trace_sql(
        "insert into mart.sales (total) select amount from app.orders", "redshift"
    ).statements
    *_, event = _events("redshift", [_run(statement, {})])
    _check(event, published)
    del event["outputs"][0]["facets"]["columnLineage"]["fields"]
    with pytest.raises(ValidationError, match="'fields' is a required property"):
        _check(event, published)
