"""Answers under full names: what a node came from and what was made of it, as of a moment."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.aliases import Aliases
from sqllineage_svc.catalog.ancestors import root_jobs
from sqllineage_svc.catalog.counting import DAY, Usage, reads_of, together
from sqllineage_svc.catalog.finding import Found, names_of
from sqllineage_svc.catalog.holding import Held
from sqllineage_svc.catalog.interning import in_pieces
from sqllineage_svc.catalog.nodes import ColumnNames, Node
from sqllineage_svc.catalog.snapshots import refuse_before_cut
from sqllineage_svc.catalog.stepping import Hop
from sqllineage_svc.catalog.walking import Limits, Walk, downstream, upstream
from sqllineage_svc.catalog.ways import way_parts
from sqllineage_svc.openlineage.incoming import JobName

STALE_AFTER = 90
"""So many days after its last run an edge is stale."""


class AnsweredNode(NamedTuple):
    """A node that was reached.

    `distance` is in hops, below 0 upstream, 0 the node that was asked for. `value`: values flow all the way;
    else something on the way only decides.
    """

    found: Found
    distance: int
    value: bool


class AnsweredEdge(NamedTuple):
    """An edge between two of them, with the job that made it and the SQL that makes the target.

    `first` and `last` are the moments of the first and the last of the `runs` that made what was walked. `stale`: the
    job was not seen to run for long. `parent` is the job that started it last, of dbt, Airflow or Spark, "" where none
    did; `root` the outermost that is known of those, None likewise.
    """

    source: Found
    target: Found
    type: str
    subtype: str
    masking: bool
    expression: str
    job: str
    runs: int
    first: int
    last: int
    stale: bool
    parent: str
    root: JobName | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What is around a node at a moment; `cut` nodes were at the limits and not walked on.

    `history`: what was there at any time before.
    """

    asked: Found
    at: int
    nodes: tuple[AnsweredNode, ...]
    edges: tuple[AnsweredEdge, ...]
    cut: int
    history: bool = False


def around(
    connection: Connection,
    asked: Found,
    at: int,
    up: Limits | None,
    down: Limits | None,
    stale_after: int = STALE_AFTER,
) -> Answer:
    """The lineage of a node at a moment, in both directions or (None) in one.

    Edges are stale where their last run is more than `stale_after` days before the moment. Raises UsageError where
    the moment is before the cut.
    """
    refuse_before_cut(connection, at)
    walks: list[tuple[int, Walk]] = []
    if up is not None:
        walks.append((-1, upstream(connection, [asked.node], at, up)))
    if down is not None:
        walks.append((1, downstream(connection, [asked.node], at, down)))
    names = names_of(connection, {asked.node, *(node for _, walk in walks for node in walk.nodes)})
    nodes = {asked.node: AnsweredNode(names[asked.node], 0, True)}
    for sign, walk in walks:
        for node, reached in walk.nodes.items():
            nodes.setdefault(node, AnsweredNode(names[node], sign * reached.distance, reached.value))
    by_id = {node.id: found for node, found in names.items()}
    hops = dict.fromkeys(hop for _, walk in walks for hop in walk.hops)
    shown = [hop for hop in hops if hop.source in by_id and hop.target in by_id]
    edges = _edges(connection, shown, by_id, at, at - stale_after * DAY)
    ordered = sorted(nodes.values(), key=lambda node: (abs(node.distance), node.distance, str(node.found)))
    history = any(limits is not None and limits.history for limits in (up, down))
    return Answer(asked, at, tuple(ordered), edges, sum(walk.cut for _, walk in walks), history)


def usage_of(connection: Connection, answer: Answer) -> dict[Found, Usage]:
    """How often the datasets of an answer, but for those upstream, were read in the days before its moment."""
    datasets = {
        one.found.node.dataset: one.found._replace(column=None, node=Node.of(one.found.node.dataset))
        for one in answer.nodes
        if one.distance >= 0
    }
    others = Aliases(connection, ColumnNames(connection)).at(datasets, answer.at)
    names = {dataset: {dataset, *others[dataset]} for dataset in datasets}
    reads = reads_of(connection, {one for some in names.values() for one in some}, answer.at)
    added = {
        found: together(reads[one] for one in names[dataset] if one in reads)
        for dataset, found in datasets.items()
    }
    return {found: usage for found, usage in added.items() if usage.reads}


def _edges(
    connection: Connection, hops: list[Hop], names: dict[int, Found], at: int, stale_before: int
) -> tuple[AnsweredEdge, ...]:
    texts = _texts(connection, {hop.expression for hop in hops if hop.expression is not None})
    jobs = _jobs(connection, {hop.held.job for hop in hops})
    made_by: dict[tuple[Found, Found, int, str, str], dict[_Key, Held]] = {}
    for hop in hops:
        text = texts.get(hop.expression, "") if hop.expression is not None else ""
        edge = (names[hop.source], names[hop.target], hop.way, text, jobs.get(hop.held.job, ""))
        made_by.setdefault(edge, {})[_key(hop.held)] = hop.held
    last_runs = {hop.held.last_run for hop in hops}
    parents, roots = _parents(connection, last_runs), root_jobs(connection, last_runs)
    seen = _seen(connection, {key: held for some in made_by.values() for key, held in some.items()}, at)
    found = []
    for (source, target, way, text, job), some in made_by.items():
        runs, first, last = zip(*(seen[key] for key in some), strict=True)
        parts = way_parts(way)
        stale = max(last) < stale_before and not any(held.live for held in some.values())
        latest = max(some.values(), key=lambda held: held.read_to)
        times = (sum(runs), min(first), max(last))
        by = parents.get(latest.last_run, ""), roots.get(latest.last_run)
        found.append(AnsweredEdge(source, target, *parts, text, job, *times, stale, *by))
    return tuple(sorted(found, key=lambda edge: tuple(map(str, edge[:7]))))


_Key = tuple[int, int, int]


def _key(held: Held) -> _Key:
    """What a contribution has in common with itself after a rename."""
    return held.payload, held.via, held.first_run


def _seen(connection: Connection, held_by: Mapping[_Key, Held], at: int) -> dict[_Key, tuple[int, int, int]]:
    """Of each contribution how many runs made it up to a moment, and when the first and the last of them."""
    run = tables.run.c
    times: dict[int, int] = {}
    for piece in in_pieces({held.first_run for held in held_by.values()}):
        times.update(dict(connection.execute(select(run.id, run.at).where(run.id.in_(piece))).all()))
    until = _until(connection, {held.first_run for held in held_by.values() if held.read_to > at}, at)
    found = {}
    for key, held in held_by.items():
        first, last, runs = times.get(held.first_run, held.valid_from), held.read_to, held.runs
        if last > at:
            runs, last = until.get(held.first_run) or _kept_until(connection, held, at)
        found[key] = runs, first, last
    return found


def _until(connection: Connection, firsts: Set[int], at: int) -> dict[int, tuple[int, int]]:
    """How many runs did what these first runs did from then on up to a moment, and when the last of them."""
    first, run = tables.run.alias("first_run"), tables.run.c
    found: dict[int, tuple[int, int]] = {}
    for piece in in_pieces(firsts):
        rows = connection.execute(
            select(first.c.id, func.count(), func.max(run.at))
            .join_from(first, tables.run, run.payload_id == first.c.payload_id)
            .where(first.c.id.in_(piece), run.effective, run.at >= first.c.at, run.at <= at)
            .group_by(first.c.id)
        )
        found.update({id_: (runs, last) for id_, runs, last in rows})
    return found


def _kept_until(connection: Connection, held: Held, at: int) -> tuple[int, int]:
    """The same of a contribution whose first run went with a prune: of the runs that are left."""
    run = tables.run.c
    until = (run.payload_id == held.payload, run.effective, run.at >= held.valid_from, run.at <= at)
    runs, last = connection.execute(select(func.count(), func.max(run.at)).where(*until)).one()
    return max(1, runs), last or held.valid_from


def _texts(connection: Connection, ids: Iterable[int]) -> dict[int, str]:
    table = tables.expression.c
    found: dict[int, str] = {}
    for piece in in_pieces(ids):
        rows = connection.execute(select(table.id, table.text).where(table.id.in_(piece)))
        found.update(dict(rows.all()))
    return found


def _parents(connection: Connection, runs: Iterable[int]) -> dict[int, str]:
    """The names of the jobs that started runs, of those that some job did."""
    table = tables.run.c
    found: dict[int, str] = {}
    for piece in in_pieces(runs):
        started = select(table.id, table.facts).where(table.id.in_(piece), table.parent_id.is_not(None))
        for id_, facts in connection.execute(started):
            found[id_] = json.loads(facts).get("parent", "")
    return found


def _jobs(connection: Connection, ids: Iterable[int]) -> dict[int, str]:
    """The names of jobs; a DatasetEvent's declaration is of none."""
    table = tables.job.c
    found: dict[int, str] = {}
    for piece in in_pieces(ids):
        rows = connection.execute(select(table.id, table.name).where(table.id.in_(piece)))
        found.update(dict(rows.all()))
    return found
