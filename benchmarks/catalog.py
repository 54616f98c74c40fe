"""What the catalog costs as it grows: python -m benchmarks.catalog [--full] [--json FILE]

Walks downstream at depth 10 in SQLite and in a PostgreSQL that this program starts, beside rustworkx in memory, and
records runs in bulk, beside SQLAlchemy Core's plain insert of the same rows. --full goes to a million of both.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from array import array
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, time_ns
from uuid import UUID

from sqlalchemy import select, text

from benchmarks.tables import machine, print_table, write_json
from benchmarks.warehouse import DEPTH, Warehouse, event, named
from benchmarks.worker import HERE, WorkerStopped, python_with
from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.finding import find
from sqllineage_svc.catalog.opening import Catalog, open_catalog
from sqllineage_svc.catalog.recording import RecordedRun, record
from sqllineage_svc.catalog.versions import JobVersion, version_of
from sqllineage_svc.catalog.walking import Limits, downstream
from tests.engines import EngineMissing, postgres

MICROSECONDS = 1_000_000
START = 1_767_225_600 * MICROSECONDS
SAMPLED, WALKED = 201, 11
RUNS_OF_JOB, MOST_JOBS = 50, 2_000
CHUNK, CORE_ROWS, CORE_ROUNDS = 200_000, 20_000, 2
FULL, USUAL = (10_000, 100_000, 1_000_000), (10_000, 100_000)


@dataclass(frozen=True, slots=True)
class Walked:
    """Milliseconds of walks and the columns that they reached; of the usual ones the medians."""

    engine: str
    edges: int
    usual_ms: float
    usual_reached: int
    widest_ms: float
    widest_reached: int
    filled_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Recorded:
    """Runs recorded per second, rows that Core inserts per second, and bytes on disk per run."""

    engine: str
    runs: int
    jobs: int
    per_second: float
    core_per_second: float
    table_bytes: float
    index_bytes: float


class Databases:
    """New catalogs, in SQLite files of a folder and in databases of a PostgreSQL server."""

    def __init__(self, folder: Path, server: str | None) -> None:
        self._folder, self._server, self._numbers = folder, server, count()

    @property
    def engines(self) -> list[str]:
        """Those that there are."""
        return ["sqlite", *(["postgresql"] if self._server else [])]

    @contextmanager
    def new(self, engine: str) -> Iterator[Catalog]:
        """An empty catalog, closed in the end."""
        name = f"bench_{next(self._numbers)}"
        url = f"sqlite:///{self._folder / name}.db"
        if engine == "postgresql" and self._server is not None:
            admin = open_catalog(self._server)
            with admin.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.execute(text(f"create database {name}"))
            admin.close()
            url = self._server.replace("/postgres?", f"/{name}?")
        catalog = open_catalog(url)
        try:
            yield catalog
        finally:
            catalog.close()


def in_memory(warehouse: Warehouse, starts: list[int], folder: Path) -> list[tuple[float, int]]:
    """Milliseconds and reach of walks by rustworkx. Raises WorkerStopped where it does not install."""
    file = folder / "edges"
    file.write_bytes(array("i", [end for edge in warehouse.edges for end in edge]).tobytes())
    question = {"edges": str(file), "columns": warehouse.columns, "depth": DEPTH, "starts": starts}
    command = [str(python_with("rustworkx")), str(HERE / "in_memory.py")]
    done = subprocess.run(command, input=json.dumps(question), capture_output=True, text=True, check=True)
    return [(ms, reached) for ms, reached in json.loads(done.stdout)]


def walks(databases: Databases, edges: int, folder: Path) -> Iterator[Walked]:
    """Walks from usual columns, those whose reach is in the middle, and from the widest."""
    warehouse = Warehouse(edges)
    sampled = warehouse.starts(SAMPLED)
    reach = in_memory(warehouse, sampled, folder)
    middle = (SAMPLED - WALKED) // 2
    usual = [sampled[at] for at in sorted(range(SAMPLED), key=lambda at: reach[at][1])][middle:][:WALKED]
    starts = [*usual, warehouse.widest]
    yield _walked("rustworkx", edges, in_memory(warehouse, starts, folder))
    for engine in databases.engines:
        with databases.new(engine) as catalog:
            began = perf_counter()
            versions = map(version_of, warehouse.events())
            runs = (
                RecordedRun(version, str(UUID(int=at)), START + at * MICROSECONDS)
                for at, version in enumerate(versions)
            )
            record(catalog, runs, 500)
            filled = perf_counter() - began
            _settle(catalog)
            yield _walked(engine, edges, _walk_all(catalog, starts), filled)


def _walk_all(catalog: Catalog, starts: list[int]) -> list[tuple[float, int]]:
    """Each walk once to warm up, then once by the clock."""
    now = time_ns() // 1000
    found = []
    with catalog.reading() as connection:
        nodes = [find(connection, ".".join(named(start))).node for start in starts]
        for node in nodes:
            downstream(connection, [node], now, Limits(DEPTH))
            began = perf_counter()
            walk = downstream(connection, [node], now, Limits(DEPTH))
            found.append(((perf_counter() - began) * 1000, len(walk.nodes) - 1))
    return found


def _walked(engine: str, edges: int, found: list[tuple[float, int]], filled: float = 0.0) -> Walked:
    *usual, widest = found
    ms, reached = (median(one[at] for one in usual) for at in (0, 1))
    return Walked(engine, edges, ms, round(reached), *widest, filled)


def loads(databases: Databases, wanted: int) -> Iterator[Recorded]:
    """Runs of few jobs, recorded as a scan does; after each chunk some of the same rows by Core, elsewhere."""
    jobs = min(MOST_JOBS, wanted // RUNS_OF_JOB)
    for engine in databases.engines:
        with databases.new(engine) as catalog, databases.new(engine) as beside:
            runs = _runs(jobs)
            before, taken, core = _bytes(catalog), 0.0, []
            for at in range(0, wanted, CHUNK):
                chunk = list(islice(runs, min(CHUNK, wanted)))
                began = perf_counter()
                record(catalog, chunk)
                taken += perf_counter() - began
                core += [_core(catalog, beside, at + number) for number in range(CORE_ROUNDS)]
            after = _bytes(catalog)
            each = [(now - was) / wanted for now, was in zip(after, before, strict=True)]
            yield Recorded(engine, wanted, jobs, wanted / taken, median(core), *each)


def _runs(jobs: int) -> Iterator[RecordedRun]:
    """Runs of jobs in turn, a second apart, for ever."""
    versions: list[JobVersion] = []
    for job in range(jobs):
        fields = {f"c{at}": [(f"dev.s.in{job}", f"c{at}")] for at in range(3)}
        versions.append(version_of(event(0, 0, f"job{job}", f"dev.s.out{job}", fields)))
    random = Random(3)
    for number in count():
        started = START + number * MICROSECONDS
        yield RecordedRun(
            versions[number % jobs],
            str(UUID(int=random.getrandbits(128))),
            started,
            started + random.randrange(60 * MICROSECONDS),
            user="etl",
            query_id=str(10_000_000 + number),
            rows=random.randrange(1_000_000),
        )


def _core(catalog: Catalog, beside: Catalog, seed: int) -> float:
    """Rows per second that Core's plain insert adds to a table of its own."""
    with catalog.reading() as connection:
        kept = connection.execute(select(tables.run).limit(CORE_ROWS)).mappings().all()
    random = Random(seed)
    rows = [{**row, "id": random.getrandbits(63)} for row in kept]
    with beside.writing() as connection:
        began = perf_counter()
        connection.execute(tables.run.insert(), rows)
        return len(rows) / (perf_counter() - began)


def _bytes(catalog: Catalog) -> tuple[int, int]:
    """Bytes of the table of runs and of its indexes; in SQLite of the whole file, as one."""
    with catalog.engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            return pages * connection.exec_driver_sql("PRAGMA page_size").scalar_one(), 0
        sizes = "select pg_table_size('run'), pg_indexes_size('run')"
        table, indexes = connection.exec_driver_sql(sizes).one()
        return table, indexes


def _settle(catalog: Catalog) -> None:
    """Let the database count what it holds, as it would by itself after a while."""
    with catalog.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")


def print_walks(walked: list[Walked]) -> None:
    """Milliseconds, and times those of rustworkx."""
    limit = {one.edges: one for one in walked if one.engine == "rustworkx"}
    print_table(
        f"Downstream at depth {DEPTH}, warm: median of {WALKED} usual columns, and the widest column\n"
        "÷: times rustworkx in memory, which knows nothing of time. goal: a usual column in at most 10 ms",
        ("edges", "filled s", "usual ms", "÷", "reached", "widest ms", "÷", "reached"),
        [
            (
                f"{one.edges:,} {one.engine}",
                f"{one.filled_seconds:.0f}",
                f"{one.usual_ms:.2f}",
                f"{one.usual_ms / limit[one.edges].usual_ms:.1f}",
                f"{one.usual_reached:,}",
                f"{one.widest_ms:.1f}",
                f"{one.widest_ms / limit[one.edges].widest_ms:.1f}",
                f"{one.widest_reached:,}",
            )
            for one in walked
        ],
    )


def print_loads(recorded: list[Recorded]) -> None:
    """Runs per second, and times Core's insert."""
    print_table(
        f"Recording runs, with all that is derived of them\n"
        f"Core: SQLAlchemy's plain insert of {CORE_ROWS:,} of the same rows after each {CHUNK:,}, and nothing else.\n"
        "÷ Core: goal in PostgreSQL 4. bytes a run: of SQLite the whole file",
        ("runs", "jobs", "runs/s", "Core rows/s", "÷ Core", "table bytes", "index bytes"),
        [
            (
                f"{one.runs:,} {one.engine}",
                f"{one.jobs:,}",
                f"{one.per_second:,.0f}",
                f"{one.core_per_second:,.0f}",
                f"{one.per_second / one.core_per_second:.2f}",
                f"{one.table_bytes:.0f}",
                f"{one.index_bytes:.0f}",
            )
            for one in recorded
        ],
    )


def main() -> None:
    """Measure each size in new databases, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--full", action="store_true", help="up to 1,000,000 edges and runs: many minutes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here")
    options = parser.parse_args()
    print(machine())
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        try:
            server = stack.enter_context(postgres()).url
        except EngineMissing as missing:
            server = None
            print(f"left out: {missing}")
        databases = Databases(folder, server)
        sizes = FULL if options.full else USUAL
        recorded = [one for size in sizes for one in loads(databases, size)]
        print_loads(recorded)
        try:
            walked = [one for size in sizes for one in walks(databases, size, folder)]
        except WorkerStopped as stopped:
            parser.exit(1, f"{stopped}\n")
        print_walks(walked)
    figures = {"loads": [asdict(one) for one in recorded], "walks": [asdict(one) for one in walked]}
    write_json(options.json, figures)


if __name__ == "__main__":
    main()
