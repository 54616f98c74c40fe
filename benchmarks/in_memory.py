"""Walks downstream in memory, by rustworkx: a process of its own, in .bench-venv.

Reads {"columns", "edges" (a file of pairs of 32-bit numbers), "depth", "starts"}; answers, for each start, the
milliseconds of the walk and how many columns it reached.
"""

from __future__ import annotations

import json
import sys
from array import array
from pathlib import Path
from time import perf_counter

import rustworkx


def walk(graph: rustworkx.PyDiGraph, start: int, depth: int) -> int:
    """How many nodes are reached from a node, breadth first."""
    seen, frontier = {start}, {start}
    for _ in range(depth):
        frontier = {node for origin in frontier for node in graph.successor_indices(origin)} - seen
        seen |= frontier
    return len(seen) - 1


def main() -> None:
    """Answer one question."""
    asked = json.load(sys.stdin)
    numbers = array("i", Path(asked["edges"]).read_bytes())
    graph = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(range(asked["columns"]))
    graph.add_edges_from_no_data(list(zip(numbers[::2], numbers[1::2], strict=True)))
    answers = []
    for start in asked["starts"]:
        walk(graph, start, asked["depth"])
        began = perf_counter()
        reached = walk(graph, start, asked["depth"])
        answers.append(((perf_counter() - began) * 1000, reached))
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
