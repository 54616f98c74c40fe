"""The two lineage facets, whole, made of edges by hand."""

from __future__ import annotations

from typing import Any

from openlineage.client.serde import Serde

from sqllineage_svc.model.lineage import ColumnEdge, Issue, RowEdge, StatementLineage, Transformation
from sqllineage_svc.model.names import (
    ALL_COLUMNS,
    RESULT,
    ColumnRef,
    Dataset,
    DatasetName,
    Location,
    Relation,
    Variable,
)
from sqllineage_svc.openlineage.feeds import feed_of_result, feeds_of, inputs_of
from sqllineage_svc.openlineage.lineage_facets import column_lineage, lineage_facet, query_lineage_facet

ORDERS = Relation(None, "app", "orders")
RATES = Relation(None, "app", "rates")
SALES = Relation(None, "mart", "sales")
FILES = Location("s3://lake/in")
T = Transformation


def _name(dataset: Dataset) -> DatasetName:
    return DatasetName("db", str(dataset))


def _of(column: str, dataset: Dataset = ORDERS) -> ColumnRef:
    return ColumnRef(dataset, column)


def _plain(facet: Any) -> Any:
    return {key: value for key, value in Serde.to_dict(facet).items() if not key.startswith("_")}


def _entries(lineage: StatementLineage) -> Any:
    reads = {_name(dataset) for dataset in inputs_of(lineage)}
    facet = lineage_facet(feeds_of(lineage, _name), reads)
    return facet and _plain(facet)["entries"]


def _columns(lineage: StatementLineage) -> Any:
    facet = column_lineage(feeds_of(lineage, _name)[_name(SALES)])
    return facet and _plain(facet)


def _field(name: str, column: str | None, *ways: dict[str, Any], **more: str) -> dict[str, Any]:
    found: dict[str, Any] = {"namespace": "db", "name": name, **more}
    if column is not None:
        found["field"] = column
    if ways:
        found["transformations"] = list(ways)
    return found


IDENTITY = {"type": "DIRECT", "subtype": "IDENTITY", "masking": False}
JOIN = {"type": "INDIRECT", "subtype": "JOIN"}
FILTER = {"type": "INDIRECT", "subtype": "FILTER"}
TARGET = {"namespace": "db", "name": "mart.sales", "type": "DATASET"}

JOINED = StatementLineage(
    inputs=(ORDERS, RATES),
    outputs=(SALES,),
    columns=(
        ColumnEdge(_of("id"), _of("id", SALES), T.IDENTITY),
        ColumnEdge(_of("amount"), _of("value", SALES), T.TRANSFORMATION),
        ColumnEdge(_of("kind"), _of("value", SALES), T.CONDITIONAL),
        ColumnEdge(_of("amount"), _of("value", SALES), T.CONDITIONAL),
        ColumnEdge(_of("mail"), _of("mail", SALES), T.TRANSFORMATION, masking=True),
    ),
    rows=(
        RowEdge(_of("currency"), SALES, T.JOIN),
        RowEdge(_of("code", RATES), SALES, T.JOIN),
        RowEdge(_of("currency"), SALES, T.FILTER),
    ),
    expressions={
        _of("id", SALES): "o.id",
        _of("value", SALES): "CASE WHEN kind THEN amount END",
        _of("mail", SALES): "MD5(mail)",
    },
)
CASE = {"description": "CASE WHEN kind THEN amount END", "masking": False}
CHOSEN = {"type": "DIRECT", "subtype": "TRANSFORMATION", **CASE}
CHOOSES = {"type": "INDIRECT", "subtype": "CONDITIONAL", **CASE}
HASHED = {"type": "DIRECT", "subtype": "TRANSFORMATION", "description": "MD5(mail)", "masking": True}


def test_column_lineage_keeps_what_decides_rows_off_the_fields() -> None:
    assert _columns(JOINED) == {
        "fields": {
            "id": {"inputFields": [_field("app.orders", "id", IDENTITY)]},
            "value": {
                "inputFields": [
                    _field("app.orders", "amount", CHOSEN, CHOOSES),
                    _field("app.orders", "kind", CHOOSES),
                ]
            },
            "mail": {"inputFields": [_field("app.orders", "mail", HASHED)]},
        },
        "dataset": [_field("app.orders", "currency", JOIN, FILTER), _field("app.rates", "code", JOIN)],
    }


def test_lineage_says_the_same_exactly() -> None:
    dataset = {"type": "DATASET"}
    assert _entries(JOINED) == [
        {
            **TARGET,
            "inputs": [
                _field("app.orders", "currency", JOIN, FILTER, **dataset),
                _field("app.rates", "code", JOIN, **dataset),
            ],
            "fields": {
                "id": {"inputs": [_field("app.orders", "id", IDENTITY, **dataset)]},
                "value": {
                    "inputs": [
                        _field("app.orders", "amount", CHOSEN, CHOOSES, **dataset),
                        _field("app.orders", "kind", CHOOSES, **dataset),
                    ]
                },
                "mail": {"inputs": [_field("app.orders", "mail", HASHED, **dataset)]},
            },
        }
    ]


def test_source_whose_columns_are_unknown_has_no_field() -> None:
    star = ColumnEdge(_of(ALL_COLUMNS, FILES), _of("id", SALES), T.IDENTITY)
    lineage = StatementLineage(inputs=(FILES,), outputs=(SALES,), columns=(star,))
    source = _field("s3://lake/in", None, IDENTITY, type="DATASET")
    assert _entries(lineage) == [{**TARGET, "fields": {"id": {"inputs": [source]}}}]
    assert _columns(lineage) is None


def test_target_whose_columns_are_unknown_is_fed_as_a_whole() -> None:
    edge = ColumnEdge(_of("id"), _of(ALL_COLUMNS, SALES), T.IDENTITY)
    lineage = StatementLineage(inputs=(ORDERS,), outputs=(SALES,), columns=(edge,))
    assert _entries(lineage) == [{**TARGET, "inputs": [_field("app.orders", "id", IDENTITY, type="DATASET")]}]
    assert _columns(lineage) == {"fields": {}, "dataset": [_field("app.orders", "id", IDENTITY)]}


def test_dataset_that_is_read_without_a_known_column_feeds_the_whole() -> None:
    edge = ColumnEdge(_of("id"), _of("id", SALES), T.IDENTITY)
    lineage = StatementLineage(inputs=(ORDERS, RATES, SALES), outputs=(SALES,), columns=(edge,))
    (entry,) = _entries(lineage)
    assert entry["inputs"] == [_field("app.rates", None, type="DATASET")]


def test_value_from_nothing_comes_from_the_job() -> None:
    made = StatementLineage(outputs=(SALES,), expressions={_of("at", SALES): "NOW()"})
    assert _entries(made) == [{**TARGET, "fields": {"at": {"inputs": [{"type": "JOB"}]}}}]
    assert _columns(made) is None


def test_value_that_could_not_be_followed_is_not_said_to_come_from_nothing() -> None:
    unknown = StatementLineage(
        outputs=(SALES,),
        expressions={_of("at", SALES): "x"},
        issues=(Issue("UnknownColumn", "'x' is unknown"),),
    )
    assert _entries(unknown) == [{**TARGET, "inputs": []}]


def test_output_without_any_source_says_so() -> None:
    assert _entries(StatementLineage(outputs=(SALES,))) == [{**TARGET, "inputs": []}]


def test_outputs_that_may_share_a_source_claim_nothing() -> None:
    edge = ColumnEdge(_of("id"), _of("id", SALES), T.IDENTITY)
    lineage = StatementLineage(inputs=(ORDERS, RATES), outputs=(SALES, ORDERS), columns=(edge,))
    assert [entry["name"] for entry in _entries(lineage)] == ["mart.sales"]


def test_value_through_a_variable_makes_its_table_an_input() -> None:
    edge = ColumnEdge(_of("id"), _of("id", SALES), T.AGGREGATION)
    lost = ColumnEdge(ColumnRef(Variable("@x"), "value"), _of("id", SALES), T.IDENTITY)
    lineage = StatementLineage(outputs=(SALES,), columns=(edge, lost))
    assert inputs_of(lineage) == (ORDERS,)
    (entry,) = _entries(lineage)
    assert [source["name"] for source in entry["fields"]["id"]["inputs"]] == ["app.orders"]


def test_query_feeds_the_job() -> None:
    lineage = StatementLineage(
        inputs=(ORDERS, RATES),
        columns=(ColumnEdge(_of("id"), _of("id", RESULT), T.IDENTITY),),
        rows=(RowEdge(_of("id"), RESULT, T.FILTER),),
    )
    assert _plain(query_lineage_facet(feed_of_result(lineage, _name))) == {
        "entries": [
            {
                "type": "JOB",
                "inputs": [
                    _field("app.orders", "id", IDENTITY, FILTER, type="DATASET"),
                    _field("app.rates", None, type="DATASET"),
                ],
            }
        ]
    }


def test_long_expression_is_cut() -> None:
    edge = ColumnEdge(_of("id"), _of("id", SALES), T.TRANSFORMATION)
    lineage = StatementLineage((ORDERS,), (SALES,), (edge,), expressions={_of("id", SALES): "x" * 501})
    (source,) = _columns(lineage)["fields"]["id"]["inputFields"]
    assert source["transformations"][0]["description"] == "x" * 500 + "…"
