"""The two facets that say what feeds what: `lineage` of a job and `columnLineage` of a dataset.

The first is exact. The second, which older consumers read, cannot name a source whose fields nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import TypeVar

from openlineage.client.facet_v2 import column_lineage_dataset, lineage

from sqllineage_svc.model.names import DatasetName
from sqllineage_svc.openlineage.facets import producer
from sqllineage_svc.openlineage.feeds import Feed, Source, Sources, Way

T = TypeVar("T")


def lineage_facet(
    feeds: Mapping[DatasetName, Feed], reads: Set[DatasetName]
) -> lineage.LineageJobFacet | None:
    """The exact lineage, one entry an output; None where there is nothing to say.

    An output that nothing is known to feed has an entry, with no inputs, only where `reads` names nothing
    else that might.
    """
    entries: list[lineage.LineageEntry] = []
    for target, feed in feeds.items():
        if feed.fields or feed.whole or not reads - {target}:
            entries.append(_entry(target, feed))
    return lineage.LineageJobFacet(entries, producer=producer()) if entries else None


def query_lineage_facet(sources: Sources) -> lineage.LineageJobFacet:
    """The lineage of a query that fills nothing: its sources feed the job itself."""
    return lineage.LineageJobFacet(
        [lineage.LineageJobEntry(type="JOB", inputs=_inputs(sources))], producer=producer()
    )


def column_lineage(feed: Feed) -> column_lineage_dataset.ColumnLineageDatasetFacet | None:
    """The sources of each field and, in `dataset`, those that act on all; None where there are none."""
    fields = {
        target: column_lineage_dataset.Fields(inputFields=inputs)
        for target, sources in feed.fields.items()
        if (inputs := _input_fields(sources))
    }
    whole = _input_fields(feed.whole)
    if not fields and not whole:
        return None
    return column_lineage_dataset.ColumnLineageDatasetFacet(fields, whole or None, producer=producer())


def _entry(target: DatasetName, feed: Feed) -> lineage.LineageDatasetEntry:
    from_nothing: list[lineage.LineageInput] = [lineage.LineageJobInput(type="JOB", transformations=None)]
    fields = {
        column: lineage.LineageFieldEntry(_inputs(sources) or list(from_nothing))
        for column, sources in feed.fields.items()
    }
    inputs = _inputs(feed.whole)
    return lineage.LineageDatasetEntry(
        namespace=target.namespace,
        name=target.name,
        type="DATASET",
        inputs=inputs if inputs or not fields else None,
        fields=fields or None,
    )


def _inputs(sources: Sources) -> list[lineage.LineageInput]:
    return [_input(source, ways) for source, ways in sources.items()]


def _input(source: Source, ways: Iterable[Way]) -> lineage.LineageInput:
    (namespace, name), field = source
    transformations = _transformations(lineage.LineageTransformation, ways)
    return lineage.LineageDatasetInput(
        namespace=namespace, name=name, type="DATASET", field=field, transformations=transformations or None
    )


def _input_fields(sources: Sources) -> list[column_lineage_dataset.InputField]:
    return [
        column_lineage_dataset.InputField(
            namespace=source.dataset.namespace,
            name=source.dataset.name,
            field=source.field,
            transformations=_transformations(column_lineage_dataset.Transformation, ways),
        )
        for source, ways in sources.items()
        if source.field is not None
    ]


def _transformations(kind: Callable[..., T], ways: Iterable[Way]) -> list[T]:
    """Each way as either facet's own class of transformation; both have the same fields."""
    return [
        kind(
            type=way.transformation.type,
            subtype=way.transformation.subtype,
            description=way.description,
            masking=way.masking,
        )
        for way in ways
    ]
