"""The tables of the catalog, once for SQLite and PostgreSQL.

Facts are `event`, `job_version`, `identity_rule`, what a prune has left (`cut`, `snapshot`) and those rows of `run` and
`usage` whose `origin` is no event; everything else is derived from them and can be made anew. Moments are microseconds
since 1970 in UTC, ids as in `ids`. A column's id stands for the column, a dataset's id for the dataset as a whole.
Beside them stands the index of words, which is made by `indexing`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    text,
)

metadata = MetaData(
    naming_convention={"ix": "ix_%(table_name)s_%(column_0_N_name)s", "pk": "pk_%(table_name)s"}
)

_EXACT = Text().with_variant(Text(collation="C"), "postgresql")
"""Text in the order of its bytes, so that an index knows what begins so."""


def _id(name: str = "id", primary_key: bool = False) -> Column[int]:
    return Column(name, BigInteger, primary_key=primary_key, nullable=False, autoincrement=False)


def _reference(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=True)


def _read(primary_key: bool = False) -> list[Column[Any]]:
    return [
        _id("job_id", primary_key),
        _id("payload_id", primary_key),
        _id("text_id", primary_key),
        Column("user", Text, primary_key=primary_key, nullable=False),  # "" where nobody said it
        Column(
            "day", Integer, primary_key=primary_key, nullable=False, autoincrement=False
        ),  # since 1970, UTC
    ]


event = Table(
    "event",
    metadata,
    Column("hash", LargeBinary(16), primary_key=True),
    _id("subject"),  # the run, job or dataset that it is about; 0 where nobody can tell
    Column("kind", SmallInteger, nullable=False),  # ordinal of EventKind, -1 in quarantine
    _id("event_time"),
    _id("received_at"),
    Column("redacted", Boolean, nullable=False),
    Column("faults", Text, nullable=False),  # JSON: what could not be read; in quarantine, why
    Column("payload", LargeBinary, nullable=False),  # zlib
    Index(None, "subject", "event_time", "hash"),
    Index(None, "event_time", "hash"),
)

dataset = Table(
    "dataset",
    metadata,
    _id(primary_key=True),
    Column("namespace", Text, nullable=False),
    Column("name", Text, nullable=False),
    _id("changed_at"),  # the last moment at which something happened to it, 0: never
    Index(None, "name"),
)

dataset_column = Table(
    "dataset_column",
    metadata,
    _id(primary_key=True),
    _id("dataset_id"),
    Column("name", Text, nullable=False),
    Index(None, "dataset_id"),
)

job = Table(
    "job",
    metadata,
    _id(primary_key=True),
    Column("namespace", Text, nullable=False),
    Column("name", Text, nullable=False),
    Index(None, "name"),
)

sql_text = Table("sql_text", metadata, _id(primary_key=True), Column("text", Text, nullable=False))

run = Table(
    "run",
    metadata,
    _id(primary_key=True),
    Column("run_id", Text, nullable=False),  # "" of a declaration, which has not run
    _id("job_id"),
    _id("payload_id"),
    Column("origin", SmallInteger, nullable=False),  # 0 events, 1 a trace of ours, 2 events before the cut
    Column("state", Text, nullable=False),
    Column("effective", Boolean, nullable=False),  # does it change what datasets hold?
    _id("started_at"),
    _reference("ended_at"),
    _id("at"),  # when its effects are there
    _reference("parent_id"),
    _reference("text_id"),
    Column("query_id", _EXACT, nullable=True),  # what the engine that ran it calls it
    Column("facts", Text, nullable=False),  # JSON: user, rows, error, type and dialect of the job
    # of few values: PostgreSQL keeps 6 bytes a run in such an index
    Index(None, "payload_id", "job_id"),
    Index(None, "query_id"),
    Index(
        "ix_run_declared",
        "job_id",
        sqlite_where=text("state = 'DECLARED'"),
        postgresql_where=text("state = 'DECLARED'"),
    ),
)

ancestor = Table(
    "ancestor",
    metadata,
    _id("run_id", primary_key=True),  # as in `run`
    _id("ancestor_id", primary_key=True),
    Column("namespace", Text, nullable=False),  # of its job, as the run says it
    Column("name", Text, nullable=False),
    Column("root", Boolean, nullable=False),  # did all begin with it?
    Index(None, "ancestor_id"),
)  # the runs that a run says that it was started by: its parent, and the one that all began with

doing = Table(
    "doing",
    metadata,
    _id("job_id", primary_key=True),
    _id("payload_id", primary_key=True),
    _id("text_id", primary_key=True),  # 0: none
    Index(None, "text_id"),
    sqlite_with_rowid=False,
)  # what the runs of a job did, by which text: each once

reading = Table(
    "reading",
    metadata,
    _id(primary_key=True),  # as in `run`
    *_read(),
    _id("at"),
    Index(None, "payload_id", "day"),
)  # an event's run that read and wrote nothing, as `usage` counts it; in `run` too where it tells columns

usage = Table(
    "usage",
    metadata,
    *_read(primary_key=True),
    Column("origin", SmallInteger, primary_key=True, autoincrement=False),  # as in `run`
    _id("count"),
    _id("last"),
    Index(None, "payload_id", "day"),
)  # how often a query read what it reads, by user and day, and when last

job_version = Table(
    "job_version",
    metadata,
    _id(primary_key=True),
    _id("job_id"),
    _id("payload_id"),
    _reference("text_id"),
    Column(
        "template", LargeBinary, nullable=False
    ),  # zlib: an event of its runs without what is of one run alone
)  # what traces of ours have seen jobs do

payload = Table("payload", metadata, _id(primary_key=True))

payload_dataset = Table(
    "payload_dataset",
    metadata,
    _id("payload_id", primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _id("dataset_id"),
    Column("effect", SmallInteger, nullable=False),
    Column("fills", Boolean, nullable=False),
    Column("live", Boolean, nullable=False),
    _reference("previous_id"),
    _reference("schema_id"),
    Index(None, "dataset_id"),
    Index(None, "previous_id"),
    # of ALTERs alone, which are few: each walk asks which datasets have any
    Index(
        "ix_payload_dataset_altered",
        "dataset_id",
        sqlite_where=text("effect = 6"),
        postgresql_where=text("effect = 6"),
    ),
)

edge = Table(
    "edge",
    metadata,
    _id("payload_id", primary_key=True),
    _id("source_id", primary_key=True),
    _id("target_id", primary_key=True),
    Column("way", SmallInteger, primary_key=True, autoincrement=False),  # see `ways`
    _id("source_dataset_id"),
    _id("target_dataset_id"),
    _reference("expression_id"),
    # each holds all that a walk asks of an edge: with the primary key, as SQLite keeps it in an index
    Index("ix_edge_source", "source_id", "source_dataset_id", "target_dataset_id", "expression_id"),
    Index("ix_edge_target", "target_id", "source_dataset_id", "target_dataset_id", "expression_id"),
    sqlite_with_rowid=False,
)

link = Table(
    "link",
    metadata,
    _id("payload_id", primary_key=True),
    _id("source_dataset_id", primary_key=True),
    _id("target_dataset_id", primary_key=True),
    Column("direct", Boolean, nullable=False),  # does a value flow, or may one?
    Index(None, "source_dataset_id"),
    Index(None, "target_dataset_id"),
)  # the edges of a payload from dataset to dataset

symlink = Table(
    "symlink",
    metadata,
    _id("payload_id", primary_key=True),
    _id("dataset_id", primary_key=True),
    _id("other_id", primary_key=True),
    Index(None, "dataset_id"),
    Index(None, "other_id"),
    sqlite_with_rowid=False,
)  # a payload says that two names are of one dataset

identity_rule = Table(
    "identity_rule",
    metadata,
    _id(primary_key=True),
    Column("namespace", Text, nullable=False),
    Column("name", Text, nullable=False),  # "" where all datasets of the two namespaces are meant
    Column("other_namespace", Text, nullable=False),
    Column("other_name", Text, nullable=False),
    _id("valid_from"),  # 0: of all time
    _id("made_at"),
)  # a user says so; a fact

identity = Table(
    "identity",
    metadata,
    _id("dataset_id", primary_key=True),
    _id("other_id", primary_key=True),
    _id("valid_from", primary_key=True),
    _id("valid_to"),
    Index(None, "other_id"),
    sqlite_with_rowid=False,
)  # names of one dataset: all pairs, in both directions

refused_identity = Table(
    "refused_identity",
    metadata,
    _id("dataset_id", primary_key=True),
    _id("other_id", primary_key=True),
    _id("at", primary_key=True),
    Column("clash", Text, nullable=False),  # the namespaces of which it would join two names
)

expression = Table("expression", metadata, _id(primary_key=True), Column("text", Text, nullable=False))

table_schema = Table(
    "table_schema", metadata, _id(primary_key=True), Column("columns", Text, nullable=False)
)  # JSON: [[name, type], …]


def _contribution() -> list[Column[Any]]:
    return [
        _id("dataset_id", primary_key=True),
        _id("payload_id", primary_key=True),
        _id("via_id", primary_key=True),
        _id("valid_from", primary_key=True),
        _id("valid_to"),
        _id("read_from"),
        _id("read_to"),
        _id("job_id"),
        _id("first_run_id"),
        _id("last_run_id"),
        _id("runs"),
        Column("replacing", Boolean, nullable=False),
        Column("live", Boolean, nullable=False),
        Column("declared", Boolean, nullable=False),
    ]


contribution = Table("contribution", metadata, *_contribution(), Index(None, "payload_id", "via_id"))

cut = Table(
    "cut",
    metadata,
    _id("at", primary_key=True),
    _id("made_at"),
)  # a moment up to which the catalog was pruned; the last one counts

snapshot = Table("snapshot", metadata, *_contribution())
# what stood at the cut, without what happened from then on, and what that came from by the time it was read
