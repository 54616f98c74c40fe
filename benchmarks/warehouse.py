"""A made-up warehouse: which column is made of which, in layers, with a few columns that very many read.

Columns are numbers, twenty to a table. Each is made of ten: one or two of the layer before it, the others of
dimensions, whose columns are read the more the lower their number is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from random import Random
from uuid import UUID

NAMESPACE = "redshift://local"
TABLE = 20
LAYERS = 25
SOURCES = 10
DEPTH = 10
_START = datetime(2026, 1, 1, tzinfo=UTC)
_FROM_LAYER_BEFORE = 0.97
"""The chance of a second source there: with it, a usual column reaches about 1,260 in ten hops of a million edges."""


class Warehouse:
    """So many edges from column to column, the same ones every time."""

    def __init__(self, edges: int) -> None:
        columns = edges // SOURCES
        self.layer = max(1, round(columns / LAYERS / TABLE)) * TABLE
        self.dimensions = max(1, round(columns / 100 / TABLE)) * TABLE
        self.edges = list(self._edges(Random(1)))

    @property
    def columns(self) -> int:
        """How many columns there are; the dimensions' come last."""
        return self.layer * LAYERS + self.dimensions

    @property
    def widest(self) -> int:
        """The column that most others are made of."""
        return self.layer * LAYERS

    def starts(self, count: int) -> list[int]:
        """Columns with ten layers behind them."""
        random = Random(2)
        return [random.randrange(self.layer * (LAYERS - DEPTH)) for _ in range(count)]

    def events(self) -> Iterator[bytes]:
        """A run for each table, layer by layer."""
        made: dict[int, dict[str, list[tuple[str, str]]]] = {}
        for source, target in self.edges:
            of_table = made.setdefault(target // TABLE, {})
            of_table.setdefault(f"c{target % TABLE}", []).append(named(source))
        for table, fields in made.items():
            yield event(table, table, f"job{table}", named(table * TABLE)[0], fields)

    def _edges(self, random: Random) -> Iterator[tuple[int, int]]:
        weights = list(accumulate((place + 1) ** -0.5 for place in range(self.dimensions)))
        dimensions = range(self.widest, self.columns)
        for target in range(self.layer, self.widest):
            before = target // self.layer * self.layer - self.layer
            wanted = 2 if random.random() < _FROM_LAYER_BEFORE else 1
            sources = {before + random.randrange(self.layer) for _ in range(wanted)}
            while len(sources) < SOURCES:
                sources.update(random.choices(dimensions, cum_weights=weights, k=SOURCES - len(sources)))
            for source in sorted(sources):
                yield source, target


def named(column: int) -> tuple[str, str]:
    """The table and the name of a column."""
    return f"dev.s.t{column // TABLE}", f"c{column % TABLE}"


def event(
    run: int, second: float, job: str, table: str, fields: Mapping[str, Sequence[tuple[str, str]]]
) -> bytes:
    """A COMPLETE event of a run that replaces a table, with column lineage."""
    ways = [{"type": "DIRECT", "subtype": "IDENTITY"}]
    lineage = {
        "fields": {
            column: {
                "inputFields": [
                    {"namespace": NAMESPACE, "name": name, "field": field, "transformations": ways}
                    for name, field in sources
                ]
            }
            for column, sources in fields.items()
        }
    }
    facets = {"columnLineage": lineage, "lifecycleStateChange": {"lifecycleStateChange": "OVERWRITE"}}
    content = {
        "eventType": "COMPLETE",
        "eventTime": (_START + timedelta(seconds=second)).isoformat(),
        "producer": "https://example.test/benchmark",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": str(UUID(int=run + 1))},
        "job": {"namespace": NAMESPACE, "name": job},
        "inputs": [],
        "outputs": [{"namespace": NAMESPACE, "name": table, "facets": facets}],
    }
    return json.dumps(content).encode()
