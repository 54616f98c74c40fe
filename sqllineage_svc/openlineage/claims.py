"""The lineage that an event claims, and the two facets it is read from.

Who sends the `lineage` facet means it to be all: where it is there, `columnLineage` and the lists of inputs
and outputs say nothing more about what feeds what. A malformed input is left out, the others count.

Sources: https://openlineage.io/docs/spec/facets/dataset-facets/column_lineage_facet,
https://openlineage.io/spec/facets/1-0-0/LineageFacet.json
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from sqllineage_svc.model.lineage import Transformation
from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.openlineage.document import Node
from sqllineage_svc.openlineage.incoming import Claim, EventKind, Facets, IncomingEvent


class Entry(NamedTuple):
    """An entry of the `lineage` facet: a target, None where it is a job, and the datasets that feed it."""

    target: DatasetName | None
    sources: tuple[DatasetName, ...]
    claims: tuple[Claim, ...]


class _Way(NamedTuple):
    """How a source acts, as a Claim has it."""

    type: str = ""
    subtype: str = ""
    masking: bool = False
    description: str = ""


class _Origin(NamedTuple):
    """A source and the ways it acts; none where nobody said any."""

    dataset: DatasetName
    field: str | None
    ways: tuple[_Way, ...]


_FLOWS = _Way("DIRECT")
_DECIDES = _Way("INDIRECT")
_FEEDS = _Way()
_KINDS = {transformation.subtype: transformation.type for transformation in Transformation}


def claims_of(event: IncomingEvent) -> tuple[Claim, ...]:
    """The edges that an event claims, each once, sorted.

    The `lineage` facet is taken if there is one; else `columnLineage` of the outputs; else every input
    feeds every output, but itself. An output of whose columns nothing is known is fed by every input too.
    """
    claims = _explicit_claims(event)
    if claims is None:
        claims = [
            claim for output in event.outputs for claim in _claims_of_output(output.name, output.facets)
        ]
        silent = {output.name for output in event.outputs} - {claim.target for claim in claims}
        claims += [
            Claim(source.name, None, target, None)
            for source in event.inputs
            for target in silent
            if source.name != target
        ]
    return tuple(sorted(set(claims), key=_order))


def is_there(facets: Facets, name: str) -> bool:
    """Is there such a facet, one that is not deleted?"""
    return name in facets and facets[name].get("_deleted") is not True


def dataset_name(node: Node) -> DatasetName:
    """The dataset that an object names. Raises InvalidEvent where it names none."""
    return DatasetName(node.at("namespace").text(), node.at("name").text())


def read_job_lineage(facet: Node) -> list[Entry]:
    """The entries of a job's `lineage` facet. Raises InvalidEvent where it has no list of them."""
    entries = facet.at("entries")
    if entries.absent:
        raise entries.error("is missing")
    entries.items()  # raises: without any entry the facet is none
    return entries.readable(_entry)


def read_dataset_lineage(facet: Node, target: DatasetName) -> Entry:
    """What a dataset's own `lineage` facet says. Raises InvalidEvent where its `fields` are no object."""
    origins = facet.at("inputs").readable(_origin)
    claims = list(_claims_on_the_whole(origins, target))
    for field, said in facet.at("fields").members():
        inputs = said.attempt(lambda node: node.at("inputs").readable(_origin)) or []
        origins += inputs
        claims += _claims(inputs, target, field, _FLOWS)
    sources = dict.fromkeys(origin.dataset for origin in origins if origin is not None)
    return Entry(target, tuple(sources), tuple(claims))


def read_column_lineage(facet: Node, target: DatasetName) -> list[Claim]:
    """What a `columnLineage` facet says of its dataset. Raises InvalidEvent where its `fields` are no object."""
    claims = list(_claims_on_the_whole(facet.at("dataset").readable(_dataset_origin), target))
    for field, said in facet.at("fields").members():
        inputs = said.attempt(lambda node: node.at("inputFields").readable(_dataset_origin)) or []
        if inputs:
            claims += _claims(inputs, target, field, said.attempt(_deprecated_way) or _FLOWS)
    return claims


def _explicit_claims(event: IncomingEvent) -> list[Claim] | None:
    """What the `lineage` facet says; None where there is none that can be read."""
    if event.kind is not EventKind.DATASET:
        if not is_there(event.job_facets, "lineage"):
            return None
        entries = Node(event.job_facets["lineage"], []).attempt(read_job_lineage)
        return None if entries is None else [claim for entry in entries for claim in entry.claims]
    for output in event.outputs:
        if is_there(output.facets, "lineage"):
            read = partial(read_dataset_lineage, target=output.name)
            entry = Node(output.facets["lineage"], []).attempt(read)
            return None if entry is None else list(entry.claims)
    return None


def _claims_of_output(target: DatasetName, facets: Facets) -> list[Claim]:
    if not is_there(facets, "columnLineage"):
        return []
    read = partial(read_column_lineage, target=target)
    return Node(facets["columnLineage"], []).attempt(read) or []


def _entry(node: Node) -> Entry:
    if _is_job(node):
        origins = node.at("inputs").readable(_origin)
        sources = dict.fromkeys(origin.dataset for origin in origins if origin is not None)
        return Entry(None, tuple(sources), ())
    return read_dataset_lineage(node, dataset_name(node))


def _is_job(node: Node) -> bool:
    """Is it a job, not a dataset? Raises InvalidEvent where it is neither."""
    kind = node.at("type").optional_text()
    if kind not in ("DATASET", "JOB", None):
        raise node.at("type").error("is neither DATASET nor JOB")
    return kind == "JOB"


def _origin(node: Node) -> _Origin | None:
    """A source of the `lineage` facet; None where it is a job."""
    return None if _is_job(node) else _dataset_origin(node)


def _dataset_origin(node: Node) -> _Origin:
    name = dataset_name(node)
    return _Origin(
        name, node.at("field").optional_text(), tuple(node.at("transformations").readable(_read_way))
    )


def _read_way(node: Node) -> _Way:
    """A transformation. What is not INDIRECT is DIRECT: the standard has no other."""
    type_ = "INDIRECT" if node.at("type").text().upper() == "INDIRECT" else "DIRECT"
    return _Way(
        type_,
        node.at("subtype").any_text() or "",
        node.at("masking").value is True,
        node.at("description").any_text() or "",
    )


def _deprecated_way(node: Node) -> _Way:
    """`transformationType` and `transformationDescription` of a field, as they were before 1-1-0.

    MASKED does not say what is done to the value, only that it cannot be seen any more.
    """
    subtype = (node.at("transformationType").optional_text() or "").upper()
    description = node.at("transformationDescription").any_text() or ""
    if subtype == "MASKED":
        return _Way("DIRECT", "", True, description)
    if subtype in ("DIRECT", "INDIRECT"):
        return _Way(subtype, description=description)
    return _Way(_KINDS.get(subtype, "DIRECT"), subtype, description=description)


def _claims_on_the_whole(origins: Iterable[_Origin | None], target: DatasetName) -> Iterator[Claim]:
    """A field that acts on the whole decides it, unless said otherwise; of a whole dataset nobody knows."""
    for origin in origins:
        if origin is not None:
            yield from _claims([origin], target, None, _FEEDS if origin.field is None else _DECIDES)


def _claims(
    origins: Iterable[_Origin | None], target: DatasetName, field: str | None, default: _Way
) -> Iterator[Claim]:
    for origin in origins:
        if origin is not None:
            for way in origin.ways or (default,):
                yield Claim(origin.dataset, origin.field, target, field, *way)


def _order(claim: Claim) -> tuple[Any, ...]:
    source, source_field, target, target_field, *way = claim
    return (target, target_field or "", source, source_field or "", *way)
