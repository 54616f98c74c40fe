"""Users' rules about which names are of one dataset: made, tried, taken back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, delete, or_, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.among import among
from sqllineage_svc.catalog.ids import dataset_id
from sqllineage_svc.catalog.merging import merge, rules
from sqllineage_svc.catalog.nodes import names_of_datasets
from sqllineage_svc.catalog.rules import Rule
from sqllineage_svc.errors import UsageError
from sqllineage_svc.model.names import DatasetName


class Joined(NamedTuple):
    """Two names that are of one dataset in [valid_from, valid_to)."""

    one: DatasetName
    other: DatasetName
    valid_from: int
    valid_to: int


class RefusedPair(NamedTuple):
    """Two names that were said to be one at a moment; they would join two of one of the `clash` namespaces."""

    one: DatasetName
    other: DatasetName
    at: int
    clash: str


class Identities(NamedTuple):
    """Which names are joined and which refused; each pair once."""

    joined: frozenset[Joined]
    refused: frozenset[RefusedPair]


class Outcome(NamedTuple):
    """What a rule, made or taken back, changes."""

    rule: Rule
    new: Identities
    gone: Identities


class Taken(NamedTuple):
    """How many rules of another catalog are `new`, and which of them are there already, but from another moment on."""

    new: int
    contradicting: set[Rule]


def add_rule(
    connection: Connection, one: DatasetName, other: DatasetName, valid_from: int, made_at: int
) -> Outcome:
    """Let two names be of one dataset from a moment on, or two namespaces one (names of "").

    Raises UsageError where the rule is there, and where it would make two names of one namespace one.
    """
    if one.namespace == other.namespace:
        raise UsageError(f"two names of one namespace, {one.namespace}, cannot be of one dataset")
    rule = Rule.of(one, other, valid_from, made_at)
    if rule.id in {known.id for known in rules(connection)}:
        raise UsageError("this rule is there already; sqllin catalog identities lists all")
    before = _around(connection, rule)
    _insert(connection, [rule])
    return _outcome(connection, rule, before)


def take_rules(connection: Connection, said: Iterable[Rule]) -> Taken:
    """Take the rules of another catalog over; one that is there stays."""
    known = {rule.id: rule.valid_from for rule in rules(connection)}
    new, contradicting = [], set()
    for rule in said:
        if rule.id not in known:
            known[rule.id] = rule.valid_from
            new.append(rule)
        elif known[rule.id] != rule.valid_from:
            contradicting.add(rule)
    _insert(connection, new)
    merge(connection, {dataset for rule in new for dataset in _concerned(connection, rule)})
    return Taken(len(new), contradicting)


def _insert(connection: Connection, new: Iterable[Rule]) -> None:
    rows = [(one.id, *one.one, *one.other, one.valid_from, one.made_at) for one in new]
    if rows:
        table = tables.identity_rule
        connection.execute(table.insert(), [dict(zip(table.c.keys(), row, strict=True)) for row in rows])


def drop_rule(connection: Connection, key: str) -> Outcome:
    """Take a rule back; what events say remains. Raises UsageError where there is not one of this key."""
    found = [rule for rule in rules(connection) if rule.key.startswith(key.lower())]
    if len(found) != 1:
        raise UsageError(f"{key!r} is the key of no one rule; sqllin catalog identities lists all")
    (rule,) = found
    before = _around(connection, rule)
    table = tables.identity_rule
    connection.execute(delete(table).where(table.c.id == rule.id))
    return _outcome(connection, rule, before)


def identities(connection: Connection, datasets: Iterable[int] | None = None) -> Identities:
    """The names that are joined and those that were refused; of some datasets, or of all."""
    found: list[list[tuple[int, int, int, object]]] = []
    for table in (tables.identity, tables.refused_identity):
        query = select(table)
        wanted = None if datasets is None else {"ids": list(datasets)}
        if wanted is not None:
            ends = (among(table.c[end], connection.dialect) for end in ("dataset_id", "other_id"))
            query = query.where(or_(*ends))
        found.append([tuple(row) for row in connection.execute(query, wanted)])
    names = names_of_datasets(connection, {end for some in found for row in some for end in row[:2]})
    joined, refused = found
    return Identities(
        frozenset(
            Joined(names[one], names[other], start, int(str(end)))
            for one, other, start, end in joined
            if names[one] < names[other]
        ),
        frozenset(RefusedPair(names[one], names[other], at, str(clash)) for one, other, at, clash in refused),
    )


def _around(connection: Connection, rule: Rule) -> tuple[set[int], Identities]:
    """The datasets of which a rule may say something, and what is known of them."""
    concerned = _concerned(connection, rule)
    near = tables.identity.c
    others = select(near.other_id).where(among(near.dataset_id, connection.dialect))
    concerned |= set(connection.scalars(others, {"ids": list(concerned)}))
    return concerned, identities(connection, concerned)


def _concerned(connection: Connection, rule: Rule) -> set[int]:
    if not rule.of_namespaces:
        return {dataset_id(*rule.one), dataset_id(*rule.other)}
    dataset = tables.dataset.c
    spaces = (rule.one.namespace, rule.other.namespace)
    return set(connection.scalars(select(dataset.id).where(dataset.namespace.in_(spaces))))


def _outcome(connection: Connection, rule: Rule, before: tuple[set[int], Identities]) -> Outcome:
    concerned, was = before
    merge(connection, concerned)
    now = identities(connection, concerned)
    return Outcome(
        rule,
        Identities(now.joined - was.joined, now.refused - was.refused),
        Identities(was.joined - now.joined, was.refused - now.refused),
    )
