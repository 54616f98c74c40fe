"""The lineage of events: from the three places that it is said in, and from our own events read back."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.engine.script import trace_sql
from sqllineage_svc.model.lineage import Transformation
from sqllineage_svc.model.names import ALL_COLUMNS, ColumnRef, Dataset, DatasetName, Variable
from sqllineage_svc.openlineage.claims import claims_of
from sqllineage_svc.openlineage.events import events_of, to_json
from sqllineage_svc.openlineage.incoming import Claim
from sqllineage_svc.openlineage.naming import name_dataset
from sqllineage_svc.openlineage.reading import read_event
from sqllineage_svc.openlineage.run import StatementRun, Warehouse
from sqllineage_svc.render.events import runs_of
from sqllineage_svc.render.view import View
from tests.openlineage.shapes import AT_NINE, GLUE, changed

A, B, T, U = (DatasetName("db", name) for name in "abtu")
IDENTITY = {"type": "DIRECT", "subtype": "IDENTITY"}
FILTER = {"type": "INDIRECT", "subtype": "FILTER"}
HASHED = {"type": "DIRECT", "subtype": "TRANSFORMATION", "description": "md5(X)", "masking": True}


def _source(dataset: DatasetName, field: str | None = None, *ways: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = dataset._asdict()
    if field is not None:
        found["field"] = field
    return {**found, "transformations": list(ways)} if ways else found


def _columns(*dataset: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A `columnLineage` facet; a field is a list of sources, or all that is said of it."""
    said = {
        key: {"inputFields": field} if isinstance(field, list) else field for key, field in fields.items()
    }
    return {"columnLineage": {"fields": said, "dataset": list(dataset)}}


def _entry(target: DatasetName, *inputs: dict[str, Any], **fields: list[dict[str, Any]]) -> dict[str, Any]:
    said = {key: {"inputs": sources} for key, sources in fields.items()}
    return {**target._asdict(), "type": "DATASET", "inputs": list(inputs), "fields": said}


def _claims(
    inputs: tuple[DatasetName, ...] = (A,),
    outputs: dict[DatasetName, dict[str, Any]] | None = None,
    entries: list[Any] | None = None,
) -> list[Claim]:
    raw = {
        "eventTime": AT_NINE,
        "run": {"runId": "r"},
        "job": {
            "namespace": "spark",
            "name": "load",
            "facets": {} if entries is None else {"lineage": {"entries": entries}},
        },
        "inputs": [source._asdict() for source in inputs],
        "outputs": [{**target._asdict(), "facets": facets} for target, facets in (outputs or {}).items()],
    }
    return list(claims_of(read_event(raw)))


def test_every_input_feeds_every_output_where_nothing_else_is_said() -> None:
    """As Airflow's operators and Flink say it."""
    assert _claims((B, A), {T: {}, U: {}}) == [
        Claim(A, None, T, None),
        Claim(B, None, T, None),
        Claim(A, None, U, None),
        Claim(B, None, U, None),
    ]


def test_dataset_that_is_read_and_written_does_not_feed_itself() -> None:
    assert _claims((A, T), {T: {}}) == [Claim(A, None, T, None)]


def test_column_lineage_says_how() -> None:
    facet = _columns(
        _source(B, "Day", FILTER), id=[_source(A, "ID", IDENTITY)], mail=[_source(A, "X", HASHED, FILTER)]
    )
    assert _claims((A, B), {T: facet}) == [
        Claim(B, "Day", T, None, "INDIRECT", "FILTER"),
        Claim(A, "ID", T, "id", "DIRECT", "IDENTITY"),
        Claim(A, "X", T, "mail", "DIRECT", "TRANSFORMATION", True, "md5(X)"),
        Claim(A, "X", T, "mail", "INDIRECT", "FILTER"),
    ]


@pytest.mark.parametrize(
    ("said", "way"),
    [
        ({}, ("DIRECT", "", False, "")),
        ({"transformationType": ""}, ("DIRECT", "", False, "")),
        (
            {"transformationType": "IDENTITY", "transformationDescription": "x"},
            ("DIRECT", "IDENTITY", False, "x"),
        ),
        ({"transformationType": "MASKED"}, ("DIRECT", "", True, "")),
        ({"transformationType": "filter"}, ("INDIRECT", "FILTER", False, "")),
        ({"transformationType": "INDIRECT"}, ("INDIRECT", "", False, "")),
    ],
)
def test_deprecated_transformation(said: dict[str, str], way: tuple[Any, ...]) -> None:
    facet = _columns(x={"inputFields": [_source(A, "k"), _source(A, "new", FILTER)], **said})
    assert _claims((A,), {T: facet}) == [
        Claim(A, "k", T, "x", *way),
        Claim(A, "new", T, "x", "INDIRECT", "FILTER"),
    ]


def test_field_that_acts_on_the_whole_decides_it_unless_said_otherwise() -> None:
    assert _claims((A,), {T: _columns(_source(A, "k"))}) == [Claim(A, "k", T, None, "INDIRECT")]


@pytest.mark.parametrize("silent", [{}, {"columnLineage": {}}, {"columnLineage": {"_deleted": True}}])
def test_output_without_column_lineage_gets_every_input(silent: dict[str, Any]) -> None:
    assert _claims((A, B), {T: _columns(x=[_source(A, "k", IDENTITY)]), U: silent}) == [
        Claim(A, "k", T, "x", "DIRECT", "IDENTITY"),
        Claim(A, None, U, None),
        Claim(B, None, U, None),
    ]


def test_lineage_facet_is_all_there_is() -> None:
    entry = _entry(
        T,
        _source(B, "day", FILTER),
        _source(B),
        {"type": "JOB"},
        x=[_source(A, "k", HASHED)],
        y=[_source(A)],
        at=[{"type": "JOB"}],
    )
    assert _claims((A, B), {T: _columns(x=[_source(B, "wrong")]), U: {}}, [entry]) == [
        Claim(B, None, T, None),
        Claim(B, "day", T, None, "INDIRECT", "FILTER"),
        Claim(A, "k", T, "x", "DIRECT", "TRANSFORMATION", True, "md5(X)"),
        Claim(A, None, T, "y", "DIRECT"),
    ]


@pytest.mark.parametrize("entries", [[], [_entry(T)], [{"type": "JOB", "inputs": [_source(A)]}]])
def test_lineage_facet_may_say_that_nothing_feeds_the_output(entries: list[Any]) -> None:
    assert _claims((A,), {T: {}}, entries) == []


def test_two_entries_of_one_target_both_count_and_no_claim_comes_twice() -> None:
    entries = [_entry(T, _source(A)), _entry(T, _source(A), _source(B)), _entry(T, _source(A))]
    assert _claims((), {}, entries) == [Claim(A, None, T, None), Claim(B, None, T, None)]


def test_malformed_parts_of_lineage_are_left_out() -> None:
    entries = [5, {**_entry(U), "type": "TABLE"}, _entry(T, {"name": "x"}, _source(A, "k", {"type": 5}))]
    assert _claims((B,), {U: {}}, entries) == [Claim(A, "k", T, None, "INDIRECT")]


def test_lineage_that_is_none_leaves_the_others() -> None:
    event = read_event(changed(GLUE, "job/facets/lineage", {"entries": "all"}))
    assert claims_of(event) == claims_of(read_event(GLUE))


def test_view_without_a_job_says_its_own_lineage() -> None:
    fields = {"x": {"inputs": [_source(A, "k", IDENTITY)]}}
    facets = {"lineage": {"inputs": [_source(B)], "fields": fields}, **_columns(x=[_source(U, "wrong")])}
    view = {**T._asdict(), "facets": facets}
    assert list(claims_of(read_event({"eventTime": AT_NINE, "dataset": view}))) == [
        Claim(B, None, T, None),
        Claim(A, "k", T, "x", "DIRECT", "IDENTITY"),
    ]
    del facets["lineage"]
    (claim,) = claims_of(read_event({"eventTime": AT_NINE, "dataset": view}))
    assert (claim.source, claim.source_field) == (U, "wrong")


def test_glue_job_from_mysql_to_the_lake() -> None:
    lake, employee = "s3://lake", DatasetName("mysql://db.example:3306", "shop.employee")
    attendance, rejected = DatasetName(lake, "attendance"), DatasetName(lake, "rejected")
    assert claims_of(read_event(GLUE)) == (
        Claim(employee, "ID", attendance, "id", "DIRECT", "IDENTITY"),
        Claim(employee, None, rejected, None),
        Claim(DatasetName(lake, "csv/attendance.csv"), None, rejected, None),
    )


WAREHOUSES = {
    "redshift": "redshift://sales.abc123.eu-west-1.redshift.amazonaws.com/dev",
    "mysql": "mysql://db.example/shop",
}
SCHEMAS = {
    "app.orders": {"id": "integer", "customer": "integer", "amount": "numeric(12,2)", "day": "date"},
    "app.customers": {"id": "integer", "mail": "varchar(100)", "region": "varchar(20)"},
}
SCRIPTS = [
    pytest.param(
        "redshift",
        """create table mart.by_region as
           select c.region, sum(o.amount) as total, count(*) as orders,
                  row_number() over (partition by c.region order by sum(o.amount)) as place,
                  case when max(o.day) > '2026-01-01' then md5(max(c.mail)) end as newest
           from app.orders o join app.customers c on o.customer = c.id
           where o.day > '2025-01-01' group by c.region;
           create temp table t as select id, amount * 2 as twice from app.orders;
           insert into mart.sales (total) select twice from t;
           create view mart.v as select total from mart.sales where exists (select 1 from app.unknown)""",
        id="join, temporary table and view",
    ),
    pytest.param(
        "redshift",
        """insert into mart.sales select * from mart.unknown;
           insert into mart.unknown select * from app.orders;
           copy app.orders from 's3://lake/in/orders/' iam_role default csv;
           unload ('select id, amount from app.orders') to 's3://lake/out/' iam_role default parquet;
           delete from mart.sales where region in (select region from app.customers);
           insert into mart.sales (total) values (1)""",
        id="stars, files and constants",
    ),
    pytest.param(
        "mysql",
        """insert into app.big select id, amount from app.orders order by day limit 5;
           select max(id) into @last from app.orders;
           update app.customers c join app.orders o on o.customer = c.id set c.region = o.amount;
           insert into app.late (id) select @last from app.customers""",
        id="variable and UPDATE with join",
    ),
]


def _edges(run: StatementRun, warehouse: Warehouse) -> set[Claim]:
    """The engine's edges as claims, without what SQL makes them."""
    name = partial(name_dataset, run=run, warehouse=warehouse)
    outputs = {name(output) for output in run.lineage.outputs}
    found: set[Claim] = set()

    def add(
        source: ColumnRef, target: Dataset, column: str | None, way: Transformation, masking: bool
    ) -> None:
        if not isinstance(source.dataset, Variable) and name(target) in outputs:
            field = None if source.column == ALL_COLUMNS else source.column
            found.add(
                Claim(name(source.dataset), field, name(target), column, way.type, way.subtype, masking)
            )

    for edge in run.lineage.columns:
        if not isinstance(edge.target.dataset, Variable):
            column = None if edge.target.column == ALL_COLUMNS else edge.target.column
            add(edge.source, edge.target.dataset, column, edge.transformation, edge.masking)
    for row in run.lineage.rows:
        add(row.source, row.target, None, row.transformation, False)
    return found


@pytest.mark.parametrize(("dialect", "text"), SCRIPTS)
def test_our_own_events_read_back_are_the_engines_edges(dialect: str, text: str) -> None:
    warehouse = Warehouse(load_dialect(dialect), WAREHOUSES[dialect])
    compared = 0
    for run in runs_of(View(trace_sql(text, dialect, SCHEMAS))):
        for event in events_of([run], warehouse):
            raw = json.loads(to_json(event))
            if raw.get("eventType") != "COMPLETE":
                continue
            read = read_event(raw)
            claims = [claim._replace(description="") for claim in claims_of(read)]
            edges = _edges(run, warehouse)
            assert read.faults == ()
            assert {claim for claim in claims if claim.type} == edges
            whole = {claim for claim in claims if not claim.type}
            told = {(claim.source, claim.target) for claim in edges}
            assert not {(claim.source, claim.target) for claim in whole} & told
            assert all((claim.source_field, claim.target_field) == (None, None) for claim in whole)
            del raw["job"]["facets"]["lineage"]
            older = {claim._replace(description="") for claim in claims_of(read_event(raw)) if claim.type}
            assert older == {claim for claim in edges if claim.source_field is not None}
            compared += len(edges)
    assert compared >= 3


def test_description_is_the_sql_of_the_target() -> None:
    text = "insert into mart.sales (total, id) select amount * 2, id from app.orders"
    (run,) = runs_of(View(trace_sql(text, "redshift", SCHEMAS)))
    *_, event = events_of([run], Warehouse(load_dialect("redshift"), WAREHOUSES["redshift"]))
    claims = claims_of(read_event(json.loads(to_json(event))))
    assert [(claim.target_field, claim.description) for claim in claims] == [
        ("id", ""),
        ("total", "amount * 2"),
    ]
