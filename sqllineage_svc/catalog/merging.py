"""The names of one dataset, kept: from the symlinks of events and the rules of users to pairs with their times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sqlalchemy import Connection, Subquery, delete, func, or_, select, union_all

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.among import among, rows_among
from sqllineage_svc.catalog.identities import Link, Refused, Saying, is_location, join
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.interning import in_pieces
from sqllineage_svc.catalog.nodes import names_of_datasets
from sqllineage_svc.catalog.refolding import refold
from sqllineage_svc.catalog.rules import Rule
from sqllineage_svc.model.names import DatasetName

_SYMLINK, _RUN = tables.symlink.c, tables.run.c


class Component(NamedTuple):
    """Datasets that sayings hang together, by id, with the sayings."""

    names: Mapping[int, DatasetName]
    sayings: list[Saying]


def rules(connection: Connection) -> list[Rule]:
    """The rules of users, in the order in which they were made."""
    table = tables.identity_rule.c
    return [
        Rule(
            row.id,
            DatasetName(row.namespace, row.name),
            DatasetName(row.other_namespace, row.other_name),
            row.valid_from,
            row.made_at,
        )
        for row in connection.execute(select(tables.identity_rule).order_by(table.made_at, table.id))
    ]


def merge(connection: Connection, datasets: Iterable[int]) -> None:
    """Make anew which names are of one dataset, for these datasets and all that hang together with them.

    What those hold of which it changed is made anew.
    """
    wanted = set(datasets)
    if not wanted:
        return
    component = component_of(connection, wanted, rules(connection))
    links, refused = join(component.sayings, component.names)
    concerned = [*(wanted | component.names.keys())]
    before = _known(connection, concerned)
    for table in (tables.identity, tables.refused_identity):
        gone = or_(*(among(table.c[end], connection.dialect) for end in ("dataset_id", "other_id")))
        connection.execute(delete(table).where(gone), {"ids": concerned})
    _insert(connection, links, refused)
    changed = before ^ set(links)
    refold(connection, {end for link in changed for end in link[:2]})


def _known(connection: Connection, datasets: Iterable[int]) -> set[Link]:
    table = tables.identity.c
    ends = or_(*(among(end, connection.dialect) for end in (table.dataset_id, table.other_id)))
    return set(map(Link._make, rows_among(connection, select(tables.identity).where(ends), datasets)))


def merge_all(connection: Connection) -> None:
    """Make all of it anew."""
    dataset = tables.dataset.c
    ends = select(_SYMLINK.dataset_id).union(select(_SYMLINK.other_id))
    of_rules = select(dataset.id).where(dataset.namespace.in_(_ruled_spaces(connection)))
    merge(connection, {*connection.scalars(ends), *connection.scalars(of_rules)})


def ruled(connection: Connection, names: Iterable[DatasetName]) -> set[int]:
    """Those of the datasets of which a rule may say something."""
    spaces = _ruled_spaces(connection)
    return {dataset_id(*name) for name in names if name.namespace in spaces}


def _ruled_spaces(connection: Connection) -> set[str]:
    return {end.namespace for rule in rules(connection) for end in (rule.one, rule.other)}


def _insert(connection: Connection, links: Iterable[Link], refused: Iterable[Refused]) -> None:
    rows = [
        {"dataset_id": one, "other_id": other, "valid_from": start, "valid_to": end}
        for one, other, start, end in links
    ]
    if rows:
        connection.execute(tables.identity.insert(), rows)
    rejected = [
        {"dataset_id": one, "other_id": other, "at": at, "clash": clash} for one, other, at, clash in refused
    ]
    if rejected:
        connection.execute(tables.refused_identity.insert(), rejected)


def component_of(connection: Connection, datasets: Iterable[int], by: Iterable[Rule]) -> Component:
    """All that sayings connect with these datasets."""
    by = list(by)
    names: dict[int, DatasetName] = {}
    pairs: set[tuple[int, int]] = set()
    ruled: list[Saying] = []
    fresh = set(datasets)
    while fresh:
        names |= names_of_datasets(connection, fresh)
        found = _symlinked(connection, fresh)
        pairs |= found
        some = [
            saying for saying in _ruled(connection, fresh & names.keys(), names, by) if saying not in ruled
        ]
        ruled += some
        fresh = {end for pair in found for end in pair} | {end for one in some for end in one[:2]}
        fresh -= names.keys()
    said = [saying for saying in ruled if {saying.one, saying.other} <= names.keys()]
    return Component(names, [*said, *_said(connection, pairs, names)])


def _symlinked(connection: Connection, datasets: Iterable[int]) -> set[tuple[int, int]]:
    """The symlinks of which one end is one of the datasets."""
    ends = or_(*(among(end, connection.dialect) for end in (_SYMLINK.dataset_id, _SYMLINK.other_id)))
    query = select(_SYMLINK.dataset_id, _SYMLINK.other_id).where(ends).distinct()
    return {(one, other) for one, other in connection.execute(query, {"ids": list(datasets)})}


def _ruled(
    connection: Connection, datasets: Iterable[int], names: Mapping[int, DatasetName], by: Iterable[Rule]
) -> list[Saying]:
    """What the rules say of these datasets, where both names are in the catalog."""
    found = []
    for rule in by:
        for dataset in datasets:
            for other in _counterparts(rule, names[dataset]):
                one, two = sorted((dataset, dataset_id(*other)))
                found.append(Saying(one, two, rule.valid_from, rule=True))
    there = names_of_datasets(connection, {end for saying in found for end in saying[:2]})
    return [saying for saying in found if {saying.one, saying.other} <= there.keys()]


def _counterparts(rule: Rule, name: DatasetName) -> Iterator[DatasetName]:
    """What a name is too, by a rule."""
    for one, other in ((rule.one, rule.other), (rule.other, rule.one)):
        if rule.of_namespaces and name.namespace == one.namespace:
            yield DatasetName(other.namespace, name.name)
        elif name == one:
            yield other


def _said(
    connection: Connection, pairs: Iterable[tuple[int, int]], names: Mapping[int, DatasetName]
) -> list[Saying]:
    """When events said first that two names are one; of a table with several places, each time."""
    places: dict[int, set[int]] = defaultdict(set)
    for pair in pairs:
        table, place = sorted(pair, key=lambda end: is_location(names[end]))
        if is_location(names[place]):
            places[table].add(place)
    moved = {table for table, some in places.items() if len(some) > 1}
    once = {pair for pair in pairs if not moved & set(pair)}
    found: list[Saying] = []
    said = _when_said()
    for piece in in_pieces({one for one, _ in once}):
        query = (
            select(_SYMLINK.dataset_id, _SYMLINK.other_id, func.min(said.c.at))
            .join_from(tables.symlink, said, said.c.payload_id == _SYMLINK.payload_id)
            .where(_SYMLINK.dataset_id.in_(piece))
            .group_by(_SYMLINK.dataset_id, _SYMLINK.other_id)
        )
        found += [Saying(*row) for row in connection.execute(query) if (row[0], row[1]) in once]
    return found + _each_time(connection, moved)


def _each_time(connection: Connection, tables_moved: set[int]) -> list[Saying]:
    """Every time that one of the tables was said to be another name too."""
    found: set[Saying] = set()
    said = _when_said()
    for piece in in_pieces(tables_moved):
        query = (
            select(_SYMLINK.dataset_id, _SYMLINK.other_id, said.c.at)
            .join_from(tables.symlink, said, said.c.payload_id == _SYMLINK.payload_id)
            .where(or_(_SYMLINK.dataset_id.in_(piece), _SYMLINK.other_id.in_(piece)))
        )
        found.update(Saying(*row) for row in connection.execute(query))
    return sorted(found)


def _when_said() -> Subquery:
    """When each payload was said: by runs, and by those that only read, of which each day's last is kept."""
    usage = tables.usage.c
    return union_all(select(_RUN.payload_id, _RUN.at), select(usage.payload_id, usage.last)).subquery()
