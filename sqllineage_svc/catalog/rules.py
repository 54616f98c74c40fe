"""Users' rules about names, as values and as the lines by which they move from catalog to catalog.

    {"identityRule": {"one": {"namespace": "mysql://a:3306", "name": "hr.t"}, "other": {"namespace": "s3://lake",
     "name": "t"}, "validFrom": "2026-01-31T09:00:00+00:00", "madeAt": "2026-02-01T12:00:00+00:00"}}

Where two namespaces are meant, neither has a `name`; without `validFrom` it holds of all time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from sqllineage_svc.catalog.ids import identify
from sqllineage_svc.catalog.moments import microseconds, moment_of
from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.openlineage.document import Node

_KEY = "identityRule"


class Rule(NamedTuple):
    """A user's word that two names are of one dataset, or that two namespaces are one (names of "").

    It holds from a moment on, 0: of all time.
    """

    id: int
    one: DatasetName
    other: DatasetName
    valid_from: int
    made_at: int

    @classmethod
    def of(cls, one: DatasetName, other: DatasetName, valid_from: int, made_at: int) -> Rule:
        """The rule of two names in either order."""
        one, other = sorted((one, other))
        return cls(identify("rule", *one, *other), one, other, valid_from, made_at)

    @property
    def key(self) -> str:
        """What a person calls it."""
        return f"{self.id:016x}"[:8]

    @property
    def of_namespaces(self) -> bool:
        """Are all datasets meant that have one name in both namespaces?"""
        return not self.one.name


def rule_line(rule: Rule) -> bytes:
    """The line that says it."""
    content: dict[str, object] = {"one": _written(rule.one), "other": _written(rule.other)}
    if rule.valid_from:
        content["validFrom"] = moment_of(rule.valid_from).isoformat()
    content["madeAt"] = moment_of(rule.made_at).isoformat()
    return json.dumps({_KEY: content}, ensure_ascii=False).encode()


def read_rule(content: object) -> Rule | None:
    """The rule that parsed JSON holds; None where it is something else, InvalidEvent where it is no valid one."""
    if not isinstance(content, Mapping) or content.keys() != {_KEY}:
        return None
    said = Node(content, []).at(_KEY)
    names = [_name(said.at(end)) for end in ("one", "other")]
    if names[0].namespace == names[1].namespace:
        raise said.error("joins two names of one namespace")
    if bool(names[0].name) != bool(names[1].name):
        raise said.error("joins a dataset and a namespace")
    since = said.at("validFrom")
    return Rule.of(names[0], names[1], 0 if since.absent else _moment(since), _moment(said.at("madeAt")))


def _written(name: DatasetName) -> dict[str, str]:
    return name._asdict() if name.name else {"namespace": name.namespace}


def _name(node: Node) -> DatasetName:
    return DatasetName(node.at("namespace").text(), node.at("name").optional_text() or "")


def _moment(node: Node) -> int:
    try:
        moment = datetime.fromisoformat(node.text())
        return microseconds(moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError) as unreadable:
        raise node.error("is no time; expected RFC 3339, e.g. 2026-01-31T09:00:00Z") from unreadable
