"""The datasets of an event, with those of their facets that sqllin understands.

A facet that cannot be read is left out as a whole, since half a schema is a wrong one; only the lists of
sources and symlinks count without their malformed members.

Source: https://openlineage.io/docs/spec/facets/dataset-facets
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from sqllineage_svc.model.lifecycle import StateChange
from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.model.schema import Column
from sqllineage_svc.openlineage.claims import dataset_name, read_column_lineage, read_dataset_lineage
from sqllineage_svc.openlineage.document import Node, nests_deeper
from sqllineage_svc.openlineage.incoming import SeenDataset

T = TypeVar("T")

_MAX_LEVELS = 200
_MAX_STRUCTS = 50
_MAX_COUNT = 2**63 - 1


def read_dataset(node: Node) -> SeenDataset:
    """An input or output, or the dataset of a DatasetEvent. Raises InvalidEvent where it has no name."""
    name = dataset_name(node)
    facets = read_facets(node, "facets", "inputFacets", "outputFacets")
    columns = take(facets, "schema", _columns)
    symlinks = take(facets, "symlinks", _symlinks) or ()
    change, previous = take(facets, "lifecycleStateChange", _change) or (None, None)
    kind = take(facets, "datasetType", _kind)
    read = take(facets, "inputStatistics", _statistics)
    rows, size = take(facets, "outputStatistics", _statistics) or read or (None, None)
    take(facets, "columnLineage", partial(read_column_lineage, target=name))
    take(facets, "lineage", partial(read_dataset_lineage, target=name))
    return SeenDataset(
        name,
        columns or None,
        tuple(symlink for symlink in symlinks if symlink != name),
        change,
        previous,
        kind,
        rows,
        size,
        {key: facet.value for key, facet in facets.items()},
    )


def read_facets(holder: Node, *keys: str) -> dict[str, Node]:
    """The facets under these keys, by name; of two of one name the later."""
    found: dict[str, Node] = {}
    for key in keys:
        for name, facet in holder.at(key).attempt(lambda node: list(node.members())) or []:
            if not facet.absent and facet.attempt(_check_facet):
                found[name] = facet
    return found


def take(facets: dict[str, Node], name: str, read: Callable[[Node], T]) -> T | None:
    """What a facet says; None where it is absent or deleted, or cannot be read: that one is taken out."""
    facet = facets.get(name)
    if facet is None or facet.value.get("_deleted") is True:
        return None
    found = facet.attempt(lambda node: (read(node),))
    if found is None:
        del facets[name]
        return None
    return found[0]


def _check_facet(node: Node) -> bool:
    if not isinstance(node.value, dict):
        raise node.error("is no object")
    if nests_deeper(node.value, _MAX_LEVELS):
        raise node.error(f"nests deeper than {_MAX_LEVELS} levels")
    return True


def _columns(facet: Node) -> tuple[Column, ...]:
    """The columns in their order, each once; after a struct its fields, as `struct.field`."""
    columns: dict[str, Column] = {}
    pending = [("", field, 1) for field in reversed(facet.at("fields").items())]
    while pending:
        prefix, field, level = pending.pop()
        if level > _MAX_STRUCTS:
            raise field.error(f"is in more than {_MAX_STRUCTS} structs")
        name = prefix + field.at("name").text()
        type_ = field.at("type").any_text()
        columns.setdefault(name, Column(name, type_))
        inner = reversed(field.at("fields").items())
        pending += [(f"{name}.", child, level + 1) for child in inner]
    return tuple(columns.values())


def _symlinks(facet: Node) -> tuple[DatasetName, ...]:
    identifiers = facet.at("identifiers")
    identifiers.items()
    return tuple(dict.fromkeys(identifiers.readable(dataset_name)))


def _change(facet: Node) -> tuple[StateChange, DatasetName | None]:
    state = facet.at("lifecycleStateChange")
    change = StateChange.__members__.get(state.text().upper())
    if change is None:
        raise state.error("is none of " + ", ".join(StateChange.__members__))
    previous = facet.at("previousIdentifier")
    return change, None if previous.absent else previous.attempt(dataset_name)


def _kind(facet: Node) -> tuple[str, str | None]:
    return facet.at("datasetType").text(), facet.at("subType").any_text()


def _statistics(facet: Node) -> tuple[int | None, int | None]:
    return facet.at("rowCount").attempt(_count), facet.at("size").attempt(_count)


def _count(node: Node) -> int | None:
    """A count that fits into 64 bits; None where it is absent."""
    value = node.value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if value is not None and (type(value) is not int or not 0 <= value <= _MAX_COUNT):
        raise node.error("is no count")
    return None if value is None else int(value)
