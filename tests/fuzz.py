"""Trace mutated statements: nothing may escape, hang, crash or print a secret.

    python -m tests.fuzz --count 200000 --seed 1 --start 0

Workers are processes, so that a crash or a hang is a finding and not the end. The seed and the number of a
mutant make it again; `--start` goes on where another run ended.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from sqllineage_svc import ScriptLineage, trace_sql
from tests.mutate import SECRET, Mutant, mutant

SECONDS = 60.0
_CHUNK = 50


@dataclass(frozen=True)
class Finding:
    """A mutant that did what none may: `what` is exception, crash, hang or secret."""

    seed: int
    at: int
    what: str
    detail: str

    def __str__(self) -> str:
        return f"mutant {self.at} of seed {self.seed}: {self.what}\n{self.detail}"


@dataclass
class Worker:
    """A process with the mutants it still has to try; `begun` is when it began the first of them."""

    process: SpawnProcess
    pipe: Connection
    pending: list[int]
    begun: float = field(default_factory=time.monotonic)


def fuzz(
    seed: int, start: int, count: int, workers: int = 2, seconds: float = SECONDS
) -> Iterator[Finding | int]:
    """Try mutants; yields what is found and, after each, its number."""
    chunks = iter(
        [list(range(at, min(at + _CHUNK, start + count))) for at in range(start, start + count, _CHUNK)]
    )
    running = [worker for _ in range(workers) if (worker := _begin(seed, next(chunks, [])))]
    while running:
        for pipe in wait([worker.pipe for worker in running], timeout=1):
            worker = next(worker for worker in running if worker.pipe is pipe)
            try:
                at, found = worker.pipe.recv()
            except EOFError:
                yield Finding(seed, worker.pending[0], "crash", f"exit code {worker.process.exitcode}")
                running = _replace(running, worker, seed)
                continue
            if found is not None:
                yield found
            yield at
            worker.pending.remove(at)
            worker.begun = time.monotonic()
            if not worker.pending:
                worker.pending = next(chunks, [])
                worker.pipe.send((seed, worker.pending))
                running = running if worker.pending else [other for other in running if other is not worker]
        for worker in running:
            if time.monotonic() - worker.begun > seconds:
                yield Finding(seed, worker.pending[0], "hang", f"longer than {seconds:.0f} s")
                worker.process.kill()
                running = _replace(running, worker, seed)


def _begin(seed: int, numbers: list[int]) -> Worker | None:
    if not numbers:
        return None
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    ours.send((seed, numbers))
    return Worker(process, ours, list(numbers))


def _replace(running: list[Worker], worker: Worker, seed: int) -> list[Worker]:
    """The workers with a new one for what this one has left behind its first mutant."""
    worker.process.join(10)
    new = _begin(seed, worker.pending[1:])
    return [other for other in running if other is not worker] + ([new] if new else [])


def _work(pipe: Connection) -> None:
    while True:
        seed, numbers = pipe.recv()
        if not numbers:
            return
        for at in numbers:
            pipe.send((at, check(seed, at, mutant(seed, at))))


def check(seed: int, at: int, made: Mutant) -> Finding | None:
    """What this mutant does that none may."""
    try:
        script = trace_sql(made.text, made.dialect)
        shown = printed(script)
        faults = [issue.message for issue in script.issues if issue.code == "InternalError"]
        assert not faults, faults
    except Exception:
        return Finding(
            seed, at, "exception", f"{made.dialect}: {made.text[:2000]!r}\n{traceback.format_exc()[-3000:]}"
        )
    if made.secret and SECRET in shown:
        where = shown.index(SECRET)
        return Finding(
            seed,
            at,
            "secret",
            f"{made.dialect}: {made.text[:2000]!r}\n… {shown[max(0, where - 200) : where + 50]!r}",
        )
    return None


def printed(script: ScriptLineage) -> str:
    """All that a caller may print of a script."""
    parts = [repr(script.columns), repr(script.rows), repr(script.issues)]
    for statement in script.statements:
        parts += [statement.text, repr(statement), *statement.lineage.expressions.values()]
    return "\n".join(parts)


def main() -> int:
    """Run from the command line; 1 when something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for event in fuzz(options.seed, options.start, options.count, options.workers):
        if isinstance(event, Finding):
            counts[event.what] += 1
            print(event, end="\n\n", flush=True)
        else:
            counts["mutants"] += 1
            if counts["mutants"] % 10_000 == 0:
                print(f"{counts['mutants']} mutants, up to about {event}", file=sys.stderr, flush=True)
    print(f"seed {options.seed}, from {options.start}: {dict(counts)}")
    return 1 if counts.total() > counts["mutants"] else 0


if __name__ == "__main__":
    sys.exit(main())
