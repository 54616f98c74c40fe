"""From what a person writes to a node: `namespace/name`, or as much of the end of a name as is unique."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Row, Table, func, or_, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.ids import column_id
from sqllineage_svc.catalog.interning import in_pieces
from sqllineage_svc.catalog.stepping import Node
from sqllineage_svc.errors import UsageError

T = TypeVar("T")

_MOST_SHOWN = 10


class Found(NamedTuple):
    """A dataset or column by its full name, and its node."""

    namespace: str
    dataset: str
    column: str | None
    node: Node

    def __str__(self) -> str:
        column = f".{self.column}" if self.column is not None else ""
        return f"{self.namespace}/{self.dataset}{column}"


class FoundJob(NamedTuple):
    """A job by its full name, and its id."""

    namespace: str
    name: str
    id: int

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


def find(connection: Connection, text: str) -> Found:
    """The dataset or column of this name.

    shop.orders, orders.total, redshift://wh.eu-west-1:5439/dev.shop.orders, lake/in/orders.csv

    Raises UsageError where there is none, and where there are several, with their names.
    """
    found = _datasets(connection, text) or _columns(connection, text)
    return _only(found, text, "neither as a dataset nor as a column")


def find_with_history(connection: Connection, text: str) -> Found | FoundJob:
    """The dataset, column or job of this name; of several kinds the first of these.

    Raises UsageError as `find` does.
    """
    nodes = _datasets(connection, text) or _columns(connection, text)
    if nodes:
        return _only(nodes, text, "")
    jobs = [FoundJob(row.namespace, row.name, row.id) for row in _named(connection, tables.job, text)]
    return _only(jobs, text, "neither as a dataset or column nor as a job")


def _only(found: Sequence[T], text: str, nowhere: str) -> T:
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"{text!r} is in the catalog {nowhere}")
    shown = "\n".join(f"  {one}" for one in sorted(found, key=str)[:_MOST_SHOWN])
    more = f"\n  and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    raise UsageError(f"{text!r} may be one of {len(found)}:\n{shown}{more}")


def _datasets(connection: Connection, text: str) -> list[Found]:
    """The datasets that are meant."""
    rows = _named(connection, tables.dataset, text)
    return [Found(row.namespace, row.name, None, Node(row.id)) for row in rows]


def _named(connection: Connection, table: Table, text: str) -> list[Row[Any, Any, Any]]:
    """What is meant: by the full name, by the whole name, else by its end."""
    names = [text, *(text[at + 1 :] for at, letter in enumerate(text) if letter == "/")]
    folded = text.lower()
    rows = connection.execute(
        select(table.c.id, table.c.namespace, table.c.name).where(
            or_(
                table.c.name.in_(names),
                func.lower(table.c.name) == folded,
                func.lower(table.c.name).endswith(f".{folded}", autoescape=True),
                func.lower(table.c.name).endswith(f"/{folded}", autoescape=True),
            )
        )
    ).all()
    tiers = (
        [row for row in rows if f"{row.namespace}/{row.name}" == text],
        [row for row in rows if row.name == text],
        [row for row in rows if f"{row.namespace}/{row.name}".endswith(f"/{text}")],
        [row for row in rows if row.name.lower() == folded],
        [row for row in rows if row.name.endswith((f".{text}", f"/{text}"))],
        [row for row in rows if row.name.lower().endswith((f".{folded}", f"/{folded}"))],
    )
    return next((tier for tier in tiers if tier), [])


def _columns(connection: Connection, text: str) -> list[Found]:
    """The columns that are meant, each behind the last dot of what names its dataset."""
    owner, dot, name = text.rpartition(".")
    if not dot or not name:
        return []
    owners = _datasets(connection, owner)
    ids = {column_id(one.node.dataset, name): one for one in owners}
    column = tables.dataset_column.c
    rows = connection.execute(select(column.id, column.name).where(column.id.in_(list(ids))))
    return [
        Found(ids[id_].namespace, ids[id_].dataset, written, Node(ids[id_].node.dataset, name.lower()))
        for id_, written in rows
    ]


def names_of(connection: Connection, nodes: Iterable[Node]) -> dict[Node, Found]:
    """The full names of nodes."""
    wanted = list(nodes)
    datasets: dict[int, tuple[str, str]] = {}
    for piece in in_pieces({node.dataset for node in wanted}):
        rows = connection.execute(select(tables.dataset).where(tables.dataset.c.id.in_(piece)))
        datasets.update({row.id: (row.namespace, row.name) for row in rows})
    columns: dict[int, str] = {}
    for piece in in_pieces({node.id for node in wanted if node.column is not None}):
        rows = connection.execute(select(tables.dataset_column).where(tables.dataset_column.c.id.in_(piece)))
        columns.update({row.id: row.name for row in rows})
    return {
        node: Found(*datasets[node.dataset], columns.get(node.id, node.column) if node.column else None, node)
        for node in wanted
    }
