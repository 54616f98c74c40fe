"""Which names are of one dataset, and when: from what events and users said, never by likeness.

Names of tables that are said to be one are one for all time, said late or not. A table lies in one place at a
time: said to lie in another, it has moved at that moment. What would make two names of one namespace one is
refused. Pure: sayings in, links out, the same for any order of arrival.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqllineage_svc.catalog.folding import FOREVER
from sqllineage_svc.model.names import DatasetName

_LOCATIONS = frozenset(
    {"s3", "gs", "gcs", "hdfs", "file", "dbfs", "abfs", "abfss", "wasb", "wasbs", "adl", "oss", "cos"}
)
_CATALOGS = ("arn:aws:glue:", "hive:", "awsathena:")


def is_location(name: DatasetName) -> bool:
    """Is it a place of files, not a table?"""
    return name.namespace.partition("://")[0].lower() in _LOCATIONS


def shown_first(name: DatasetName) -> tuple[int, str, str]:
    """The order in which one of several names is shown: of a warehouse, of a metadata catalog, of files."""
    rank = 2 if is_location(name) else 1 if name.namespace.lower().startswith(_CATALOGS) else 0
    return rank, name.namespace, name.name


class Saying(NamedTuple):
    """At a moment (0: of all time) two names were said to be of one dataset; `rule`: by a user."""

    one: int
    other: int
    at: int
    rule: bool = False


class Link(NamedTuple):
    """Two names that are of one dataset in [valid_from, valid_to)."""

    one: int
    other: int
    valid_from: int
    valid_to: int


class Refused(NamedTuple):
    """Two names that were said to be one and would join two others of one namespace."""

    one: int
    other: int
    at: int
    clash: str


def join(sayings: Iterable[Saying], names: Mapping[int, DatasetName]) -> tuple[list[Link], list[Refused]]:
    """All pairs of names that are of one dataset, each in both directions, and what was refused."""
    joining = _Joining(names)
    ordered = sorted(
        (_table_first(saying, names) for saying in sayings),
        key=lambda one: (one.at, not one.rule, names[one.one], names[one.other]),
    )
    for saying in sorted(ordered, key=lambda one: not one.rule):
        if is_location(names[saying.one]) == is_location(names[saying.other]):
            joining.join(saying)
    for saying in ordered:
        if is_location(names[saying.one]) != is_location(names[saying.other]):
            joining.place(saying)
    return sorted(set(joining.links())), joining.refused


def _table_first(saying: Saying, names: Mapping[int, DatasetName]) -> Saying:
    one, other = sorted((saying.one, saying.other), key=lambda id_: (is_location(names[id_]), names[id_]))
    return saying._replace(one=one, other=other)


@dataclass(slots=True)
class _Group:
    """Names that are one for all time, the place where they lie now, and those where they lay."""

    members: set[int]
    namespaces: set[str]
    place: int | None = None
    moved: bool = False


@dataclass(slots=True)
class _Place:
    """A place of files: the groups that lie there now, and the namespaces of all that ever did."""

    groups: list[_Group] = field(default_factory=list)
    before: set[str] = field(default_factory=set)


class _Joining:
    def __init__(self, names: Mapping[int, DatasetName]) -> None:
        self.names = names
        self.refused: list[Refused] = []
        self._groups: dict[int, _Group] = {}
        self._places: dict[int, _Place] = defaultdict(_Place)
        self._near: dict[int, list[list[int]]] = defaultdict(list)  # [other, valid_from, valid_to]

    def join(self, saying: Saying) -> None:
        """Make two tables one, or two places."""
        one, other = self._group(saying.one), self._group(saying.other)
        if one is other:
            return
        if clash := one.namespaces & other.namespaces:
            self._refuse(saying, clash)
            return
        self._link(saying.one, saying.other, saying.at if saying.rule else 0)
        one.members |= other.members
        one.namespaces |= other.namespaces
        for member in other.members:
            self._groups[member] = one

    def place(self, saying: Saying) -> None:
        """Let a table lie in a place, and no more in the one where it lay."""
        group, place = self._group(saying.one), self._places[saying.other]
        if group.place == saying.other:
            return
        if group.place is not None:
            self._leave(group, saying.at)
        clash = {space for other in place.groups for space in other.namespaces & group.namespaces}
        if clash:
            self._refuse(saying, clash)
            return
        first = not group.moved and not place.before & group.namespaces
        self._link(saying.one, saying.other, 0 if first and not saying.rule else saying.at)
        group.place, group.moved = saying.other, True
        place.groups.append(group)
        place.before |= group.namespaces

    def _leave(self, group: _Group, at: int) -> None:
        left = group.place
        assert left is not None  # noqa: S101 - the caller has looked
        self._places[left].groups.remove(group)
        group.place = None
        for member in group.members:
            for link in self._near[member]:
                if link[0] == left and link[2] == FOREVER:
                    link[2] = at

    def _group(self, name: int) -> _Group:
        if name not in self._groups:
            self._groups[name] = _Group({name}, {self.names[name].namespace})
        return self._groups[name]

    def _refuse(self, saying: Saying, clash: Iterable[str]) -> None:
        self.refused.append(Refused(saying.one, saying.other, saying.at, ", ".join(sorted(clash))))

    def _link(self, one: int, other: int, valid_from: int) -> None:
        link = [other, valid_from, FOREVER]
        self._near[one].append(link)

    def links(self) -> Iterator[Link]:
        """The pairs of all that hang together, for as long as they do."""
        near: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
        for one, some in self._near.items():
            for other, valid_from, valid_to in some:
                if valid_from < valid_to:
                    near[one].append((other, valid_from, valid_to))
                    near[other].append((one, valid_from, valid_to))
        for name in list(near):
            yield from _reachable(name, near)


def _reachable(name: int, near: Mapping[int, Sequence[tuple[int, int, int]]]) -> Iterator[Link]:
    """All names that a name is linked with over others, and when: links have no cycles but by time."""
    stack = [(name, 0, FOREVER, frozenset({name}))]
    while stack:
        at, begins, ends, passed = stack.pop()
        for other, valid_from, valid_to in near[at]:
            start, end = max(begins, valid_from), min(ends, valid_to)
            if other not in passed and start < end:
                yield Link(name, other, start, end)
                stack.append((other, start, end, passed | {other}))
