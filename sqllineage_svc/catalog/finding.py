"""From what a person writes to a node: `namespace/name`, or as much of the end of a name as is unique."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Row, Table, func, or_, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.aliases import Aliases
from sqllineage_svc.catalog.folding import FOREVER
from sqllineage_svc.catalog.nodes import ColumnNames, Node, names_of_datasets
from sqllineage_svc.errors import UsageError

T = TypeVar("T")

_MOST_SHOWN = 10
NOW = FOREVER - 1
"""Behind everything that is known."""


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


def find(connection: Connection, text: str, at: int = NOW) -> Found:
    """The dataset or column of this name; what has several, under the one that it is shown by at a moment.

    shop.orders, orders.total, redshift://wh.eu-west-1:5439/dev.shop.orders, lake/in/orders.csv

    Raises UsageError where there is none, and where there are several, with their names.
    """
    return _only(_nodes(connection, text, at), text, "neither as a dataset nor as a column")


def find_with_history(connection: Connection, text: str, at: int = NOW) -> Found | FoundJob:
    """The dataset, column or job of this name; of several kinds the first of these.

    Raises UsageError as `find` does.
    """
    nodes = _nodes(connection, text, at)
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


def _nodes(connection: Connection, text: str, at: int) -> list[Found]:
    names = ColumnNames(connection)
    aliases = Aliases(connection, names)
    return _datasets(connection, aliases, text, at) or _columns(connection, aliases, names, text, at)


def _datasets(connection: Connection, aliases: Aliases, text: str, at: int) -> list[Found]:
    """The datasets that are meant."""
    rows = _named(connection, tables.dataset, text)
    shown = set(aliases.first([row.id for row in rows], at).values())
    return list(names_of(connection, map(Node.of, shown)).values())


def _named(connection: Connection, table: Table, text: str) -> Sequence[Row[Any, Any, Any]]:
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


def _columns(connection: Connection, aliases: Aliases, names: ColumnNames, text: str, at: int) -> list[Found]:
    """The columns that are meant, each behind the last dot of what names its dataset."""
    owner, dot, name = text.rpartition(".")
    if not dot or not name:
        return []
    owners = {Node.of(one.node.dataset, name): one for one in _datasets(connection, aliases, owner, at)}
    names.load(owners)
    return [
        one._replace(column=names.get(node.id), node=node)
        for node, one in owners.items()
        if names.get(node.id) is not None
    ]


def names_of(connection: Connection, nodes: Iterable[Node]) -> dict[Node, Found]:
    """The full names of nodes."""
    wanted = list(nodes)
    names = ColumnNames(connection)
    names.load(wanted)
    datasets = names_of_datasets(connection, {node.dataset for node in wanted})
    return {
        node: Found(*datasets[node.dataset], None if node.whole else names.get(node.id), node)
        for node in wanted
    }
