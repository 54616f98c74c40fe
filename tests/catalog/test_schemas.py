"""The catalog says what `*` meant at a moment."""

from __future__ import annotations

from sqllineage_svc import Relation, load_dialect, trace_sql
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.catalog.schemas import CatalogSchemas
from tests.catalog.events import changed, event, moment, output

DIALECT = load_dialect("redshift")
T = Relation(None, "app", "t")


def with_columns(run: int, time: float, change: str | None, *names: str) -> bytes:
    facets = {"schema": {"fields": [{"name": name, "type": "int"} for name in names]}}
    return event(
        run, time, "COMPLETE", f"{change}", outputs=[output("dev.app.t", None, change, facets=facets)]
    )


def test_a_schema_is_that_of_its_time(catalog: Catalog) -> None:
    load(
        catalog,
        [
            with_columns(1, 10, "CREATE", "a", "b"),
            with_columns(2, 15, None, "a"),
            with_columns(3, 20, "ALTER", "a", "b", "c"),
            *changed(4, 30, "dev.app.t", "DROP"),
        ],
    )
    with catalog.reading() as connection:
        schemas = CatalogSchemas(connection, DIALECT, DIALECT.local_instance)
        found = {seconds: schemas.find(T, moment(seconds)) for seconds in (5, 16, 25, 35)}
        star = trace_sql(
            "insert into copy select * from app.t",
            "redshift",
            type("Then", (), {"find": lambda self, relation, at=None: schemas.find(relation, moment(25))})(),
        )
    assert found[5] is None
    assert found[16] is not None
    assert (found[16].names, found[16].complete) == (("a", "b"), True)
    assert found[25] is not None
    assert found[25].names == ("a", "b", "c")
    assert found[35] is None
    assert [edge.source.column for edge in star.columns] == ["a", "b", "c"]


def test_what_was_only_written_is_not_complete(catalog: Catalog) -> None:
    load(catalog, [with_columns(1, 10, None, "a")])
    with catalog.reading() as connection:
        found = CatalogSchemas(connection, DIALECT, DIALECT.local_instance).find(T)
    assert found is not None
    assert (found.names, found.complete) == (("a",), False)
