"""From what a person writes to a node: `namespace/name`, or as much of the end of a name as is unique."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, func, or_, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.aliases import Aliases
from sqllineage_svc.catalog.folding import FOREVER
from sqllineage_svc.catalog.nodes import ColumnNames, Node, names_of_datasets
from sqllineage_svc.errors import UsageError

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


def find(connection: Connection, text: str, at: int = NOW) -> Found:
    """The node of this name; of a dataset that has several, under the one that it is shown by at a moment.

    shop.orders, orders.total, redshift://wh.eu-west-1:5439/dev.shop.orders, lake/in/orders.csv

    Raises UsageError where there is none, and where there are several, with their names.
    """
    names = ColumnNames(connection)
    aliases = Aliases(connection, names)
    found = _datasets(connection, aliases, text, at) or _columns(connection, aliases, names, text, at)
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"{text!r} is in the catalog neither as a dataset nor as a column")
    shown = "\n".join(f"  {one}" for one in sorted(found, key=str)[:_MOST_SHOWN])
    more = f"\n  and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    raise UsageError(f"{text!r} may be one of {len(found)}:\n{shown}{more}")


def _datasets(connection: Connection, aliases: Aliases, text: str, at: int) -> list[Found]:
    """The datasets that are meant: by the full name, by the whole name, else by its end."""
    dataset = tables.dataset.c
    names = [text, *(text[at + 1 :] for at, letter in enumerate(text) if letter == "/")]
    folded = text.lower()
    rows = connection.execute(
        select(dataset.id, dataset.namespace, dataset.name).where(
            or_(
                dataset.name.in_(names),
                func.lower(dataset.name) == folded,
                func.lower(dataset.name).endswith(f".{folded}", autoescape=True),
                func.lower(dataset.name).endswith(f"/{folded}", autoescape=True),
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
    best = next((tier for tier in tiers if tier), [])
    shown = set(aliases.first([row.id for row in best], at).values())
    return list(names_of(connection, map(Node.of, shown)).values())


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
