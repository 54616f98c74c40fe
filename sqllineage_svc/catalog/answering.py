"""Answers under full names: what a node came from and what was made of it, as of a moment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.counting import DAY, Usage, reads_of
from sqllineage_svc.catalog.finding import Found, names_of
from sqllineage_svc.catalog.interning import in_pieces
from sqllineage_svc.catalog.snapshots import refuse_before_cut
from sqllineage_svc.catalog.staling import STALE_AFTER, last_seen
from sqllineage_svc.catalog.stepping import Hop, Node
from sqllineage_svc.catalog.walking import Limits, Walk, downstream, upstream
from sqllineage_svc.catalog.ways import way_parts


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

    `stale`: the job was not seen to run for long.
    """

    source: Found
    target: Found
    type: str
    subtype: str
    masking: bool
    expression: str
    job: str
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What is around a node at a moment; `cut` nodes were at the limits and not walked on."""

    asked: Found
    at: int
    nodes: tuple[AnsweredNode, ...]
    edges: tuple[AnsweredEdge, ...]
    cut: int


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
    hops = dict.fromkeys(hop for _, walk in walks for hop in walk.hops)
    shown = [hop for hop in hops if hop.source in names and hop.target in names]
    edges = _edges(connection, shown, names, _stale(connection, shown, at, stale_after))
    ordered = sorted(nodes.values(), key=lambda node: (abs(node.distance), node.distance, str(node.found)))
    return Answer(asked, at, tuple(ordered), edges, sum(walk.cut for _, walk in walks))


def usage_of(connection: Connection, answer: Answer) -> dict[Found, Usage]:
    """How often the datasets of an answer, but for those upstream, were read in the days before its moment."""
    datasets = {
        one.found.node.dataset: one.found._replace(column=None, node=Node(one.found.node.dataset))
        for one in answer.nodes
        if one.distance >= 0
    }
    reads = reads_of(connection, datasets, answer.at)
    return {found: reads[dataset] for dataset, found in datasets.items() if dataset in reads}


def _stale(connection: Connection, hops: Iterable[Hop], at: int, days: int) -> set[tuple[int, int]]:
    """The contributions, by payload and last run, that were not seen to run in the last days."""
    seen = last_seen(connection, (hop.payload for hop in hops), at)
    return {contribution for contribution, last in seen.items() if last < at - days * DAY}


def _edges(
    connection: Connection, hops: Iterable[Hop], names: dict[Node, Found], stale: set[tuple[int, int]]
) -> tuple[AnsweredEdge, ...]:
    """The edges of hops; one that several contributions have is stale where all of them are."""
    texts = _texts(connection, {hop.expression for hop in hops if hop.expression is not None})
    jobs = _jobs(connection, {hop.job for hop in hops})
    found: dict[AnsweredEdge, bool] = {}
    for hop in hops:
        edge = AnsweredEdge(
            names[hop.source],
            names[hop.target],
            *way_parts(hop.way),
            texts.get(hop.expression, "") if hop.expression is not None else "",
            jobs.get(hop.job, ""),
        )
        found[edge] = found.get(edge, True) and (hop.payload, hop.last_run) in stale
    edges = [edge._replace(stale=is_stale) for edge, is_stale in found.items()]
    return tuple(sorted(edges, key=lambda edge: tuple(map(str, edge))))


def _texts(connection: Connection, ids: Iterable[int]) -> dict[int, str]:
    table = tables.expression.c
    found: dict[int, str] = {}
    for piece in in_pieces(ids):
        rows = connection.execute(select(table.id, table.text).where(table.id.in_(piece)))
        found.update(dict(rows.all()))
    return found


def _jobs(connection: Connection, ids: Iterable[int]) -> dict[int, str]:
    """The names of jobs; a DatasetEvent's declaration is of none."""
    table = tables.job.c
    found: dict[int, str] = {}
    for piece in in_pieces(ids):
        rows = connection.execute(select(table.id, table.name).where(table.id.in_(piece)))
        found.update(dict(rows.all()))
    return found
