"""The tables of a catalog, from nothing and from every earlier revision, are those of `tables`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, Table, inspect, select, text

from sqllineage_svc.catalog import tables
from sqllineage_svc.catalog.arriving import arrive
from sqllineage_svc.catalog.indexing import is_index
from sqllineage_svc.catalog.opening import Catalog, alembic_config, open_catalog
from sqllineage_svc.errors import UsageError
from tests.catalog.events import event

SCRIPT = ScriptDirectory.from_config(alembic_config())
REVISIONS = [revision.revision for revision in reversed(list(SCRIPT.walk_revisions()))]
HEAD = REVISIONS[-1]


def differences(catalog: Catalog) -> list[Any]:
    """What the database has otherwise than `tables` says."""
    with catalog.reading() as connection:
        options = {"compare_type": True, "include_name": lambda name, *_: not is_index(name or "")}
        context = MigrationContext.configure(connection, opts=options)
        return list(compare_metadata(context, tables.metadata))


def revision_of(catalog: Catalog) -> str | None:
    with catalog.reading() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def with_one_event(catalog: Catalog, revision: str) -> None:
    """Go back to an earlier revision: drop all tables, make those of the revision, keep an event in them."""
    arrival = arrive(event(1, 10, "COMPLETE"), 5)
    row = {
        **{name: getattr(arrival, name) for name in ("hash", "subject", "kind", "event_time", "redacted")},
        "received_at": 5,
        "faults": "[]",
        "payload": arrival.payload,
    }
    with catalog.writing() as connection:
        metadata = MetaData()
        metadata.reflect(connection, only=lambda name, _: name == "search" or not is_index(name))
        metadata.drop_all(connection)
        command.upgrade(alembic_config(connection), revision)
        table = Table("event", MetaData(), autoload_with=connection)
        known = {name: value for name, value in row.items() if name in table.c}
        connection.execute(table.insert(), [known])


def test_from_nothing(catalog: Catalog) -> None:
    assert differences(catalog) == []
    assert revision_of(catalog) == HEAD
    with catalog.reading() as connection:
        there = {name for name in inspect(connection).get_table_names() if not is_index(name)}
    assert there == {*tables.metadata.tables, "alembic_version"}


def test_revisions_are_one_line() -> None:
    assert SCRIPT.get_heads() == [HEAD]
    assert SCRIPT.get_bases() == REVISIONS[:1]


@pytest.mark.parametrize("revision", REVISIONS)
def test_from_every_revision(catalog: Catalog, catalog_url: str, revision: str) -> None:
    with_one_event(catalog, revision)
    assert revision_of(catalog) == revision
    again = open_catalog(catalog_url)
    assert differences(again) == []
    assert revision_of(again) == HEAD
    with again.reading() as connection:
        kept = connection.scalars(select(tables.event.c.hash)).all()
    again.close()
    assert kept == [arrive(event(1, 10, "COMPLETE"), 5).hash]


def test_edges_and_what_payloads_touch_stay_when_their_tables_are_made_anew(
    catalog: Catalog, catalog_url: str
) -> None:
    with_one_event(catalog, REVISIONS[0])
    edge = {name: number for number, name in enumerate(tables.edge.c.keys())}
    touched = {"payload_id": 1, "number": 2, "dataset_id": 3, "effect": 6, "fills": True, "live": False}
    with catalog.writing() as connection:
        for name, row in (("edge", edge), ("payload_dataset", touched)):
            connection.execute(Table(name, MetaData(), autoload_with=connection).insert(), [row])
    again = open_catalog(catalog_url)
    with again.reading() as connection:
        kept = [
            dict(connection.execute(select(table)).mappings().one())
            for table in (tables.edge, tables.payload_dataset)
        ]
    again.close()
    assert kept == [edge, {**touched, "previous_id": None, "schema_id": None}]


def test_what_runs_did_is_known_of_those_that_were_there(catalog: Catalog, catalog_url: str) -> None:
    with_one_event(catalog, "0007")
    said = {"run_id": "", "origin": 0, "state": "COMPLETE", "effective": True, "facts": "{}"}
    times = {"started_at": 1, "at": 1}
    with catalog.writing() as connection:
        run = Table("run", MetaData(), autoload_with=connection)
        for id_, text_id in enumerate((None, None, 7, 8, 8)):
            row = {"id": id_, "job_id": 5, "payload_id": 6, "text_id": text_id, **said, **times}
            connection.execute(run.insert(), [row])
    again = open_catalog(catalog_url)
    with again.reading() as connection:
        done = sorted(connection.execute(select(tables.doing)).all())
    again.close()
    assert done == [(5, 6, 0), (5, 6, 7), (5, 6, 8)]


@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_an_older_one_is_refused_where_it_may_not_be_upgraded(
    catalog: Catalog, catalog_url: str, revision: str
) -> None:
    with_one_event(catalog, revision)
    with pytest.raises(UsageError, match="older sqllin; run: sqllin catalog upgrade"):
        open_catalog(catalog_url, upgrade=False)
    assert revision_of(catalog) == revision


def test_a_database_without_tables_is_refused_where_it_may_not_be_upgraded(catalog_url: str) -> None:
    with pytest.raises(UsageError, match="older sqllin; run: sqllin catalog upgrade"):
        open_catalog(catalog_url, upgrade=False)
    open_catalog(catalog_url).close()
    open_catalog(catalog_url, upgrade=False).close()


@pytest.mark.parametrize("upgrade", [True, False])
def test_a_newer_one_is_refused(catalog: Catalog, catalog_url: str, upgrade: bool) -> None:
    with catalog.writing() as connection:
        connection.execute(text("update alembic_version set version_num = '9999'"))
    with pytest.raises(UsageError, match="was written by a newer sqllin; upgrade sqllin"):
        open_catalog(catalog_url, upgrade)
    assert revision_of(catalog) == "9999"


def test_a_migration_that_fails_leaves_nothing(catalog: Catalog) -> None:
    with catalog.writing() as connection:
        tables.metadata.drop_all(connection)
        connection.execute(text("drop table search"))
        connection.execute(text("drop table alembic_version"))
        connection.execute(text("create table run (id integer)"))
    with pytest.raises(Exception, match=r"(?i)run.* already exists"), catalog.writing() as connection:
        command.upgrade(alembic_config(connection), "head")
    with catalog.reading() as connection:
        assert inspect(connection).get_table_names() == ["run"]


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.db").write_bytes(b"something else, and quite long: " * 100)
    with pytest.raises(UsageError, match="cannot be opened: file is not a database"):
        open_catalog(f"sqlite:///{tmp_path / 'other.db'}")
    with pytest.raises(UsageError, match="cannot be opened: unable to open database file"):
        open_catalog(f"sqlite:///{tmp_path}")
