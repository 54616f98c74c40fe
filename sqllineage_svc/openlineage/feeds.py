"""What feeds each output of a statement, under OpenLineage's names.

Both lineage facets are written from this. A dataset that is read, while no column of it is known to matter,
still feeds the output as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sqllineage_svc.model.lineage import ColumnEdge, RowEdge, StatementLineage, Transformation
from sqllineage_svc.model.names import ALL_COLUMNS, RESULT, Carrier, ColumnRef, Dataset, DatasetName, Variable

_MAX_DESCRIPTION_CHARACTERS = 500


class Source(NamedTuple):
    """A field of a dataset; None: fields of it that nobody could list."""

    dataset: DatasetName
    field: str | None


class Way(NamedTuple):
    """How a source acts; `description` is the SQL that makes the target."""

    transformation: Transformation
    masking: bool | None = None
    description: str | None = None


Sources = dict[Source, dict[Way, None]]
"""Sources, each with the ways it acts, in the order of the text."""


@dataclass(frozen=True, slots=True)
class Feed:
    """What one output gets.

    `fields` are those of its fields that are known to be made, one without sources from nothing but the
    statement itself; `whole` acts on every field, or on which nobody knows.
    """

    fields: dict[str, Sources] = field(default_factory=dict)
    whole: Sources = field(default_factory=dict)

    @property
    def datasets(self) -> set[DatasetName]:
        """The datasets that something comes from."""
        return {source.dataset for sources in (*self.fields.values(), self.whole) for source in sources}


Namer = Callable[[Dataset], DatasetName]


def inputs_of(lineage: StatementLineage) -> tuple[Dataset, ...]:
    """The datasets that a statement reads or whose values reach it through a variable."""
    edges: tuple[ColumnEdge | RowEdge, ...] = (*lineage.columns, *lineage.rows)
    carriers: tuple[Carrier, ...] = (*lineage.inputs, *(edge.source.dataset for edge in edges))
    return tuple(carrier for carrier in dict.fromkeys(carriers) if not isinstance(carrier, Variable))


def feeds_of(lineage: StatementLineage, name: Namer) -> dict[DatasetName, Feed]:
    """What feeds each output, one entry an output."""
    feeds = {name(output): Feed() for output in lineage.outputs}
    _add_edges(feeds, lineage, name)
    inputs = [name(dataset) for dataset in inputs_of(lineage)]
    if len(feeds) == 1:
        ((target, feed),) = feeds.items()
        for silent in dict.fromkeys(inputs):
            if silent != target and silent not in feed.datasets:
                feed.whole[Source(silent, None)] = {}
    if not inputs and not lineage.issues:
        _add_made_from_nothing(feeds, lineage, name)
    return feeds


def feed_of_result(lineage: StatementLineage, name: Namer) -> Sources:
    """What feeds the rows that a query returns to its client."""
    feeds = {DatasetName("", ""): Feed()}
    _add_edges(feeds, lineage, lambda dataset: DatasetName("", "") if dataset == RESULT else name(dataset))
    (feed,) = feeds.values()
    result: Sources = {}
    for sources in (*feed.fields.values(), feed.whole):
        for source, ways in sources.items():
            result.setdefault(source, {}).update(ways)
    for dataset in map(name, inputs_of(lineage)):
        if dataset not in {source.dataset for source in result}:
            result[Source(dataset, None)] = {}
    return result


def _add_edges(feeds: Mapping[DatasetName, Feed], lineage: StatementLineage, name: Namer) -> None:
    descriptions: dict[ColumnRef, str | None] = {}
    for edge in lineage.columns:
        target = edge.target
        feed = None if isinstance(target.dataset, Variable) else feeds.get(name(target.dataset))
        if feed is None or isinstance(edge.source.dataset, Variable):
            continue
        if target not in descriptions:
            descriptions[target] = _description(target, lineage)
        told = None if edge.transformation is Transformation.IDENTITY else descriptions[target]
        sources = feed.whole if target.column == ALL_COLUMNS else feed.fields.setdefault(target.column, {})
        _add(sources, edge.source, name(edge.source.dataset), Way(edge.transformation, edge.masking, told))
    for row in lineage.rows:
        feed = feeds.get(name(row.target))
        if feed is not None and not isinstance(row.source.dataset, Variable):
            _add(feed.whole, row.source, name(row.source.dataset), Way(row.transformation))


def _add(sources: Sources, source: ColumnRef, dataset: DatasetName, way: Way) -> None:
    column = None if source.column == ALL_COLUMNS else source.column
    sources.setdefault(Source(dataset, column), {})[way] = None


def _description(target: ColumnRef, lineage: StatementLineage) -> str | None:
    """The SQL that makes a column, cut where it is long: it is repeated for each of the sources."""
    text = None if target.column == ALL_COLUMNS else lineage.expressions.get(target)
    if text is None or len(text) <= _MAX_DESCRIPTION_CHARACTERS:
        return text
    return text[:_MAX_DESCRIPTION_CHARACTERS] + "…"


def _add_made_from_nothing(feeds: Mapping[DatasetName, Feed], lineage: StatementLineage, name: Namer) -> None:
    for target in lineage.expressions:
        feed = None if isinstance(target.dataset, Variable) else feeds.get(name(target.dataset))
        if feed is not None and target.column != ALL_COLUMNS:
            feed.fields.setdefault(target.column, {})
