"""What the catalog costs as it grows: python -m benchmarks.catalog [--edges 1000000] [--runs 100000] [--postgres URL]

Loads a made-up warehouse by events, walks downstream at depth 10 from usual columns and from the widest, and loads
many runs of few jobs. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, time_ns
from uuid import UUID

from sqllineage_svc.catalog.finding import find
from sqllineage_svc.catalog.loading import load
from sqllineage_svc.catalog.nodes import Node
from sqllineage_svc.catalog.opening import Catalog, open_catalog
from sqllineage_svc.catalog.walking import Limits, downstream

NAMESPACE = "redshift://local"
COLUMNS = 20
START = datetime(2026, 1, 1, tzinfo=UTC)
DEPTH = 10
WALKS = 20


@dataclass(frozen=True, slots=True)
class Warehouse:
    """Tables in layers; each column of a layer is made of some columns of the one before it."""

    edges: int
    random: Random

    @property
    def tables(self) -> int:
        """A tenth of the edges are columns."""
        return max(DEPTH + 2, self.edges // 10 // COLUMNS)

    def events(self) -> Iterator[bytes]:
        """One run for each table, with about ten sources to a column, most of them near."""
        wanted = max(1, round(self.edges / (self.tables * COLUMNS)))
        for table in range(1, self.tables):
            fields = {f"c{at}": [self._source(table) for _ in range(wanted)] for at in range(COLUMNS)}
            yield event(table, table, f"job{table}", f"dev.s.t{table}", fields)

    def _source(self, table: int) -> tuple[str, str]:
        """A column of an earlier table; a few are read by very many."""
        earlier = 0 if self.random.random() < 0.01 else self.random.randrange(max(0, table - 200), table)
        return f"dev.s.t{earlier}", f"c{self.random.randrange(COLUMNS)}"


def event(run: int, second: int, job: str, table: str, fields: dict[str, list[tuple[str, str]]]) -> bytes:
    """A COMPLETE event with column lineage."""
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
    content = {
        "eventType": "COMPLETE",
        "eventTime": (START + timedelta(seconds=second)).isoformat(),
        "producer": "https://example.test/benchmark",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": str(UUID(int=run + 1))},
        "job": {"namespace": NAMESPACE, "name": job},
        "inputs": [],
        "outputs": [{"namespace": NAMESPACE, "name": table, "facets": {"columnLineage": lineage}}],
    }
    return json.dumps(content).encode()


def walks(catalog: Catalog, warehouse: Warehouse) -> tuple[float, float, int]:
    """Milliseconds of a downstream walk from a usual and from the widest column, and the nodes of a usual one."""
    now = time_ns() // 1000
    taken: list[tuple[float, int]] = []
    with catalog.reading() as connection:
        for _ in range(WALKS):
            node = find(connection, f"dev.s.t{warehouse.random.randrange(1, warehouse.tables // 2)}.c3").node
            taken.append(_walk(connection, node, now))
        widest = max(_walk(connection, find(connection, f"dev.s.t0.c{at}").node, now)[0] for at in range(3))
    return median(ms for ms, _ in taken), widest, round(median(nodes for _, nodes in taken))


def _walk(connection: object, node: Node, now: int) -> tuple[float, int]:
    start = perf_counter()
    walk = downstream(connection, [node], now, Limits(DEPTH))  # type: ignore[arg-type]
    return (perf_counter() - start) * 1000, len(walk.nodes)


def repeated(runs: int, jobs: int) -> Iterator[bytes]:
    """Runs of a few jobs, over and over, a second apart."""
    for run in range(runs):
        job = run % jobs
        fields = {f"c{at}": [(f"dev.s.in{job}", f"c{at}")] for at in range(3)}
        yield event(10_000_000 + run, 10_000_000 + run, f"again{job}", f"dev.s.out{job}", fields)


def measure(url: str, edges: int, runs: int) -> None:
    """Load, walk and load again in one catalog, and print what it took."""
    catalog = open_catalog(url)
    try:
        warehouse = Warehouse(edges, Random(1))
        start = perf_counter()
        load(catalog, warehouse.events())
        loaded = perf_counter() - start
        usual, widest, nodes = walks(catalog, warehouse)
        start = perf_counter()
        load(catalog, repeated(runs, max(1, runs // 500)))
        again = perf_counter() - start
    finally:
        catalog.close()
    kind = url.partition(":")[0].partition("+")[0]
    print(
        f"{kind:<11}{edges:>10,}{edges / loaded:>14,.0f}{usual:>11.1f}{nodes:>8,}{widest:>12.1f}{runs / again:>12,.0f}"
    )


def main() -> None:
    """Measure each size in a new SQLite file, and in PostgreSQL where a URL of an empty database is given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--postgres", metavar="URL", help="an empty database, which is filled")
    options = parser.parse_args()
    print("catalog        edges  edges/s load  median ms   nodes   widest ms      runs/s")
    for edges in sorted({options.edges // 10, options.edges}):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "catalog.db"
            measure(f"sqlite:///{file}", edges, options.runs)
            print(f"{'':<11}{file.stat().st_size / edges:>10,.0f} bytes an edge, with its events")
    if options.postgres:
        measure(options.postgres, options.edges, options.runs)


if __name__ == "__main__":
    main()
