"""Threads that trace at the same time do not see each other's statements, whichever sqlglot reads them."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

IN_TURNS = (
    "import sys; sys.setswitchinterval(1e-6); from tests.sql.test_threads import trace_all; trace_all()"
)
PURE = "import sys; from tests.pure import Sources; sys.meta_path.insert(0, Sources())"


def edges(number: int) -> list[str]:
    """The edges of a statement of its own, as texts."""
    from sqllineage_svc import trace_sql  # in here, so that the build of sqlglot can be chosen before

    columns = ", ".join(f"coalesce(a.c{at}, upper(b.d{at})) as e{at}" for at in range(20))
    text = f"create table t{number} as select {columns} from a{number} a join b{number} b on a.k = b.k"
    return [str(edge) for edge in trace_sql(text, "redshift").statements[0].lineage.columns]


def trace_all() -> None:
    """Trace one by one, then by threads."""
    numbers = [*range(40)] * 2
    expected = [edges(number) for number in numbers]
    assert len(expected[0]) == 40
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(edges, numbers)) == expected


def test_threads_trace_alike() -> None:
    for build in (IN_TURNS, f"{PURE}; {IN_TURNS}"):
        done = subprocess.run([sys.executable, "-c", build], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
