"""A node is found by as much of its name as is unique."""

from __future__ import annotations

import pytest

from sqllineage_svc.catalog.finding import find
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.opening import Catalog
from sqllineage_svc.errors import UsageError
from tests.catalog.events import NAMESPACE, event, output


@pytest.fixture
def filled(catalog: Catalog) -> Catalog:
    """A catalog with two tables `orders` and one `Customer`."""
    outputs = [
        output("dev.shop.orders", {"Total": ["dev.app.orders.amount"]}),
        output("dev.shop.Customer", {"id": ["dev.app.orders.customer"]}),
    ]
    load(catalog, [event(1, 10, "COMPLETE", outputs=outputs)])
    return catalog


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"{NAMESPACE}/dev.shop.orders", "dev.shop.orders"),
        ("dev.shop.orders", "dev.shop.orders"),
        ("shop.orders", "dev.shop.orders"),
        ("Customer", "dev.shop.customer"),
        ("shop.orders.total", "dev.shop.orders.Total"),
        (f"{NAMESPACE}/dev.app.orders.AMOUNT", "dev.app.orders.amount"),
        ("orders.customer", "dev.app.orders.customer"),
    ],
)
def test_it_is_found(filled: Catalog, text: str, name: str) -> None:
    with filled.reading() as connection:
        assert str(find(connection, text)) == f"{NAMESPACE}/{name}"


def test_what_may_be_several_is_listed(filled: Catalog) -> None:
    with filled.reading() as connection, pytest.raises(UsageError) as caught:
        find(connection, "orders")
    assert f"{NAMESPACE}/dev.app.orders" in str(caught.value)
    assert f"{NAMESPACE}/dev.shop.orders" in str(caught.value)


@pytest.mark.parametrize("text", ["order", "shop.orders.nothing", "", ".", "%", "shop_orders"])
def test_what_is_not_there_is_said(filled: Catalog, text: str) -> None:
    with filled.reading() as connection, pytest.raises(UsageError, match="neither as a dataset nor"):
        find(connection, text)
