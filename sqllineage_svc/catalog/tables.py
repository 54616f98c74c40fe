"""The tables of the catalog, once for SQLite and PostgreSQL.

Facts are `event`, `job_version` and those rows of `run` whose `origin` is a trace of our own; everything else is
derived from them and can be made anew. Moments are microseconds since 1970 in UTC, ids as in `ids`. A
column's id stands for the column, a dataset's id for the dataset as a whole.
"""

from __future__ import annotations

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
)

metadata = MetaData(
    naming_convention={"ix": "ix_%(table_name)s_%(column_0_N_name)s", "pk": "pk_%(table_name)s"}
)


def _id(name: str = "id", primary_key: bool = False) -> Column[int]:
    return Column(name, BigInteger, primary_key=primary_key, nullable=False, autoincrement=False)


def _reference(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=True)


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
    Column("origin", SmallInteger, nullable=False),  # 0 events, 1 a trace of ours
    Column("state", Text, nullable=False),
    Column("effective", Boolean, nullable=False),  # does it change what datasets hold?
    _id("started_at"),
    _reference("ended_at"),
    _id("at"),  # when its effects are there
    _reference("parent_id"),
    _reference("text_id"),
    Column("facts", Text, nullable=False),  # JSON: user, query id, rows, error, processing engine
    Index(None, "payload_id"),  # of few values each: PostgreSQL keeps 6 bytes a run in such an index
    Index(None, "job_id"),
)

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
    Index(None, "source_id"),
    Index(None, "target_id"),
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

expression = Table("expression", metadata, _id(primary_key=True), Column("text", Text, nullable=False))

table_schema = Table(
    "table_schema", metadata, _id(primary_key=True), Column("columns", Text, nullable=False)
)  # JSON: [[name, type], …]

contribution = Table(
    "contribution",
    metadata,
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
    Index(None, "payload_id", "via_id"),
)
