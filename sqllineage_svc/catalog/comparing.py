"""Two moments side by side: the edges, datasets, columns and SQL that came, went or changed between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.aliases import Aliases
from sqllineage_svc.catalog.altering import Alters
from sqllineage_svc.catalog.doings import NO_TEXT, done_by
from sqllineage_svc.catalog.finding import Found, names_of
from sqllineage_svc.catalog.history import Change, read_schema, schema_changes
from sqllineage_svc.catalog.interning import in_pieces
from sqllineage_svc.catalog.nodes import ColumnNames, Node
from sqllineage_svc.catalog.snapshots import refuse_before_cut
from sqllineage_svc.catalog.ways import way_parts


class ComparedEdge(NamedTuple):
    """An edge that stands at one of the moments only."""

    source: Found
    target: Found
    type: str
    subtype: str
    masking: bool


class Rewritten(NamedTuple):
    """A job whose SQL is another one."""

    job: str
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What is other at a second moment than at a first one. `columns` are by dataset."""

    new_datasets: tuple[Found, ...]
    gone_datasets: tuple[Found, ...]
    new_edges: tuple[ComparedEdge, ...]
    gone_edges: tuple[ComparedEdge, ...]
    columns: tuple[tuple[Found, tuple[Change, ...]], ...]
    rewritten: tuple[Rewritten, ...]

    def __bool__(self) -> bool:
        return any((
            self.new_datasets, self.gone_datasets, self.new_edges, self.gone_edges, self.columns, self.rewritten,
        ))  # fmt: skip


_Raw = tuple[Node, Node, int]


class _Standing(NamedTuple):
    """A contribution that stands at a moment.

    `filled_at` is its last run's time, at most the moment, or that of a rename.
    """

    payload: int
    via: int
    job: int
    filled_at: int


_Held = dict[int, set[_Standing]]
"""The contributions of each dataset at a moment."""


def compare(
    connection: Connection, first: int, second: int, only: Collection[int] | None = None
) -> Difference:
    """The difference of two moments; of some datasets `only`, or of all.

    What has several names is called as it is at the second moment. Raises UsageError where one of them is before
    the cut.
    """
    refuse_before_cut(connection, first, second)
    aliases = Aliases(connection, ColumnNames(connection))
    only = aliases.members(only) if only is not None else None
    held_first, held_second = (_held(connection, at, only) for at in (first, second))
    schemas = _schema_changes(connection, first, second, only)
    other = {id_ for id_ in {*held_first, *held_second} if held_first.get(id_) != held_second.get(id_)}
    other.update(schemas)  # what an ALTER has taken away, nothing need have replaced
    edges_first = _edges(connection, held_first, other, first)
    edges_second = _edges(connection, held_second, other, second)
    ends = (node for edge in (*edges_first, *edges_second) for node in edge[:2])
    shown = aliases.shown(dict.fromkeys(ends, second))
    edges_first, edges_second = (_under(edges, shown) for edges in (edges_first, edges_second))
    new, gone = edges_second - edges_first, edges_first - edges_second
    present = [_present(connection, held) for held in (held_first, held_second)]
    called = aliases.first({one for some in present for one in some}, second)
    there_first, there_second = ({called[one] for one in some} for some in present)
    appeared = {Node.of(id_) for id_ in there_second - there_first}
    went = {Node.of(id_) for id_ in there_first - there_second}
    named = {node for edge in (*new, *gone) for node in edge[:2]} | appeared | went | {*map(Node.of, schemas)}
    names = names_of(connection, named)
    return Difference(
        _sorted(names[node] for node in appeared),
        _sorted(names[node] for node in went),
        _shown(new, names),
        _shown(gone, names),
        tuple(
            (names[Node.of(id_)], changes)
            for id_, changes in sorted(schemas.items(), key=lambda one: str(names[Node.of(one[0])]))
        ),
        _rewritten(connection, held_first, held_second, first, second),
    )


def _under(edges: set[_Raw], shown: Mapping[Node, Node]) -> set[_Raw]:
    """The edges between nodes as they are shown, without those from one name of a dataset to another."""
    found = {(shown[source], shown[target], way): source == target for source, target, way in edges}
    return {edge for edge, itself in found.items() if edge[0] != edge[1] or itself}


def _sorted(found: Iterable[Found]) -> tuple[Found, ...]:
    return tuple(sorted(found, key=str))


def _shown(edges: Iterable[_Raw], names: dict[Node, Found]) -> tuple[ComparedEdge, ...]:
    found = [ComparedEdge(names[source], names[target], *way_parts(way)) for source, target, way in edges]
    return tuple(sorted(found, key=lambda edge: tuple(map(str, edge))))


def _held(connection: Connection, at: int, only: Collection[int] | None) -> _Held:
    table = tables.contribution.c
    columns = (table.dataset_id, table.payload_id, table.via_id, table.job_id, table.read_to)
    query = select(*columns, table.valid_from)
    query = query.where(table.valid_from <= at, table.valid_to > at)
    found: _Held = defaultdict(set)
    for piece in [None] if only is None else in_pieces(only):
        rows = connection.execute(query if piece is None else query.where(table.dataset_id.in_(piece)))
        for dataset, payload, via, job, read_to, valid_from in rows:
            found[dataset].add(_Standing(payload, via, job, max(valid_from, min(read_to, at))))
    return dict(found)


def _edges(connection: Connection, held: _Held, datasets: Collection[int], at: int) -> set[_Raw]:
    """The edges into some datasets, between nodes."""
    owners: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for dataset in datasets:
        for one in held.get(dataset, ()):
            owners[one.payload, one.via].append((dataset, one.filled_at))
    alters = Alters(connection, at)
    alters.of(datasets)
    edge = tables.edge.c
    rows = [
        row
        for piece in in_pieces({payload for payload, _ in owners})
        for row in connection.execute(select(tables.edge).where(edge.payload_id.in_(piece)))
        if (row.payload_id, row.target_dataset_id) in owners
    ]
    columns = _columns(connection, {id_ for row in rows for id_ in (row.source_id, row.target_id)})
    return {
        (
            Node(row.source_dataset_id, row.source_id),
            Node.of(dataset, columns.get(row.target_id)),
            row.way,
        )
        for row in rows
        for dataset, filled_at in owners[row.payload_id, row.target_dataset_id]
        if alters.gone_at(dataset, columns.get(row.target_id), filled_at) is None
    }


def _columns(connection: Connection, ids: Iterable[int]) -> dict[int, str]:
    column = tables.dataset_column.c
    found: dict[int, str] = {}
    for piece in in_pieces(ids):
        rows = connection.execute(select(column.id, column.name).where(column.id.in_(piece)))
        found.update({id_: name.lower() for id_, name in rows})
    return found


def _present(connection: Connection, held: _Held) -> set[int]:
    """The datasets that hold something, and those that it came from."""
    pairs = {(one.payload, one.via) for some in held.values() for one in some}
    link = tables.link.c
    found = set(held)
    for piece in in_pieces({payload for payload, _ in pairs}):
        rows = connection.execute(
            select(link.payload_id, link.source_dataset_id, link.target_dataset_id).where(
                link.payload_id.in_(piece)
            )
        )
        found.update(source for payload, source, target in rows if (payload, target) in pairs)
    return found


def _schema_changes(
    connection: Connection, first: int, second: int, only: Collection[int] | None
) -> dict[int, tuple[Change, ...]]:
    """How the columns of each dataset changed from one moment to another, in either direction of time."""
    was, now = _schemas(connection, first, only), _schemas(connection, second, only)
    found = {
        id_: tuple(schema_changes(read_schema(was[id_]), read_schema(text)))
        for id_, text in now.items()
        if id_ in was and was[id_] != text
    }
    return {id_: changes for id_, changes in found.items() if changes}


def _schemas(connection: Connection, at: int, only: Collection[int] | None) -> dict[int, str]:
    """The last schema of each dataset up to a moment."""
    run, touched, schema = tables.run.c, tables.payload_dataset.c, tables.table_schema.c
    place = func.row_number().over(
        partition_by=touched.dataset_id,
        order_by=(run.at.desc(), run.started_at.desc(), run.id.desc(), touched.number.desc()),
    )
    ranked = (
        select(touched.dataset_id, schema.columns, place.label("place"))
        .join_from(tables.run, tables.payload_dataset, touched.payload_id == run.payload_id)
        .join(tables.table_schema, schema.id == touched.schema_id)
        .where(run.effective, run.at <= at)
    )
    if only is not None:
        ranked = ranked.where(touched.dataset_id.in_(list(only)))
    inner = ranked.subquery()
    rows = connection.execute(select(inner.c.dataset_id, inner.c.columns).where(inner.c.place == 1))
    return dict(rows.all())


def _rewritten(
    connection: Connection,
    held_first: _Held,
    held_second: _Held,
    first: int,
    second: int,
) -> tuple[Rewritten, ...]:
    """The jobs that contribute at both moments with another SQL."""
    jobs = {one.job for held in held_first.values() for one in held}
    jobs &= {one.job for held in held_second.values() for one in held}
    was, now = _texts(connection, jobs, first), _texts(connection, jobs, second)
    found = [
        Rewritten(was[id_][0], was[id_][1], now[id_][1]) for id_ in was if id_ in now and was[id_] != now[id_]
    ]
    return tuple(sorted(found))


def _texts(connection: Connection, jobs: Iterable[int], at: int) -> dict[int, tuple[str, str]]:
    """The name and last SQL text of jobs up to a moment."""
    run, job, doing, text = tables.run.c, tables.job.c, tables.doing.c, tables.sql_text.c
    place = func.row_number().over(partition_by=doing.job_id, order_by=(run.at.desc(), run.id.desc()))
    found: dict[int, tuple[str, str]] = {}
    for piece in in_pieces(jobs):
        ranked = (
            select(doing.job_id, doing.text_id, place.label("place"))
            .join_from(tables.doing, tables.run, done_by())
            .where(doing.job_id.in_(piece), doing.text_id != NO_TEXT, run.at <= at)
            .subquery()
        )
        rows = connection.execute(
            select(job.id, job.name, text.text)
            .join_from(ranked, tables.job, job.id == ranked.c.job_id)
            .join(tables.sql_text, text.id == ranked.c.text_id)
            .where(ranked.c.place == 1)
        )
        found.update({id_: (name, sql) for id_, name, sql in rows})
    return found
