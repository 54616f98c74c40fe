"""Speed and correctness beside other lineage tools: python -m benchmarks.compare

Every tool, ours too, is a process of its own that times its own calls, so start-up and imports do not count.
The others live in .bench-venv, which this program makes; one that does not install is left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.corpus import SIZES, corpus
from benchmarks.peers import TOOLS
from benchmarks.phrases import SCHEMA
from benchmarks.ratios import DIALECTS
from benchmarks.tables import machine, print_table, write_json
from benchmarks.truth import Score, executed_cases
from benchmarks.worker import Worker, WorkerStopped, prepare

OURS = "sqllin"
COUNTS = {5: 200, 50: 40, 500: 6}
BUDGET_SECONDS = 2.0
"""CPU time a tool may use for one size and dialect; the statement that crosses it is its last."""
CASE_LIMIT_SECONDS = 30.0
TIME_LIMIT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Timing:
    """CPU seconds of the statements a tool got through, failed ones too, in the order of the corpus."""

    tool: str
    dialect: str
    lines: int
    seconds: list[float]
    errors: list[str]


def main() -> None:
    """Prepare the tools, run them, print, and write JSON where asked."""
    arguments = _arguments()
    pythons, left_out = prepare(TOOLS)
    with ThreadPoolExecutor(2) as pool:  # correctness is not timed, so two at once
        slowest_first = {tool: pool.submit(score, tool, pythons[tool]) for tool in reversed(pythons)}
    scored = {tool: slowest_first[tool].result() for tool in pythons}
    timings = time_tools(pythons)
    versions = {tool: version for tool, (version, _) in scored.items()}
    print(f"{machine()}; " + ", ".join(f"{tool} {version}" for tool, version in versions.items()))
    for tool, reason in left_out.items():
        print(f"left out: {tool}, which did not install: {reason}")
    print_scores({tool: scores for tool, (_, scores) in scored.items()})
    print_speed(timings)
    print("\nWhat each tool was given:")
    for tool in pythons:
        print(f"  {tool}: {TOOLS[tool][1].__doc__}")
    figures = {
        "versions": versions,
        "left_out": left_out,
        "scores": {
            tool: {of: asdict(one) for of, one in scores.items()} for tool, (_, scores) in scored.items()
        },
        "timings": [asdict(one) for one in timings],
    }
    write_json(arguments.json, figures)


def score(tool: str, python: Path) -> tuple[str, Mapping[str, Score]]:
    """The tool's version, and its score on the executed cases of each dialect."""
    scores = {dialect: Score() for dialect in DIALECTS}
    with Worker(tool, python) as worker:
        for case in executed_cases():
            request = {name: case[name] for name in ("dialect", "schema", "statements")}
            scores[case["dialect"]].add(case, _asked(worker, {"do": "trace", **request}, CASE_LIMIT_SECONDS))
        return worker.version, scores


def time_tools(pythons: Mapping[str, Path]) -> list[Timing]:
    """Times on the corpus, of each size as many statements as the budget allows; the tools take turns."""
    with ExitStack() as stack:
        workers = {tool: stack.enter_context(Worker(tool, python)) for tool, python in pythons.items()}
        return [
            _time(worker, tool, dialect, lines)
            for dialect in DIALECTS
            for lines in SIZES
            for tool, worker in workers.items()
        ]


def _time(worker: Worker, tool: str, dialect: str, lines: int) -> Timing:
    texts = {"warm_up": corpus(dialect, 5, 20, seed=0), "texts": corpus(dialect, lines, COUNTS[lines])}
    request = {"do": "time", "dialect": dialect, "schema": SCHEMA, "budget_seconds": BUDGET_SECONDS, **texts}
    answer = _asked(worker, request, TIME_LIMIT_SECONDS)
    return Timing(tool, dialect, lines, answer.get("seconds", []), answer["errors"])


def _asked(worker: Worker, request: Mapping[str, Any], limit_seconds: float) -> Mapping[str, Any]:
    try:
        return worker.ask(request, limit_seconds)
    except WorkerStopped as error:
        return {"errors": [str(error)]}


def print_scores(scores: Mapping[str, Mapping[str, Score]]) -> None:
    """Correctness, a row for each tool and dialect."""
    print_table(
        "Correct column edges on the executed cases: what really flowed when the statements ran\n"
        "recall: true direct edges found. precision: direct edges found that are true (or tolerated).\n"
        "influences: true ones found; reported: all it reports ÷ true ones. failed: cases with an error.",
        ("tool", "cases", "failed", "recall", "precision", "influences", "reported"),
        [
            (
                f"{tool}, {dialect}",
                str(one.cases),
                str(one.failed),
                f"{one.recall:.1%}",
                f"{one.precision:.1%}",
                f"{one.influences_found / one.influences:.1%}" if one.influences_reported else "reports none",
                f"{one.influences_reported / one.influences:.2f}" if one.influences_reported else "-",
            )
            for tool, by_dialect in scores.items()
            for dialect, one in by_dialect.items()
        ],
    )
    for tool, by_dialect in scores.items():
        for dialect, one in by_dialect.items():
            if one.first_error:
                print(f"  first error of {tool}, {dialect}: {' '.join(one.first_error.split())[:90]}")


def print_speed(timings: Sequence[Timing]) -> None:
    """Speed, a row for each size, dialect and tool."""
    ours = {(one.dialect, one.lines): one for one in timings if one.tool == OURS}
    rows = []
    for one in timings:
        label, done = (
            f"{one.dialect} {one.lines} lines, {one.tool}",
            f"{len(one.seconds)} of {COUNTS[one.lines]}",
        )
        same = ours[one.dialect, one.lines].seconds[: len(one.seconds)]
        if not one.seconds or not same:
            rows.append((label, done, f"no answer: {one.errors[0][:40]}", "-", "-", "-"))
            continue
        each, ratio = fmean(one.seconds), sum(one.seconds) / sum(same)
        rows.append(
            (label, done, str(len(one.errors)), f"{each * 1000:.2f}", f"{1 / each:.1f}", f"{ratio:.2f}")
        )
    print_table(
        "Speed on the generated corpus: CPU time of the tool's call alone, one statement at a time\n"
        "÷ ours: its time over ours for the same statements. texts: how many; a tool stops after\n"
        f"{BUDGET_SECONDS:.0f} CPU seconds of a size, so slow ones are only sampled.",
        ("", "texts", "failed", "ms each", "statements/s", "÷ ours"),
        rows,
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here")
    return parser.parse_args()


if __name__ == "__main__":
    main()
