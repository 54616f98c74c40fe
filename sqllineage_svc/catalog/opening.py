"""Where a catalog is, and how it is opened: SQLite in the user's data directory, or PostgreSQL by URL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from platformdirs import user_data_path
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, OperationalError

from sqllineage_svc.errors import UsageError

_BUSY_SECONDS = 60
_LOCK = 0x73716C6C696E  # "sqllin": PostgreSQL's advisory lock of the one writer
_SQLITE_PRAGMAS = (
    "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "temp_store=MEMORY", "cache_size=-65536",
)  # fmt: skip


@dataclass(frozen=True)
class Catalog:
    """An open catalog. Close it when done."""

    engine: Engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection whose answers are all of one moment."""
        with self.engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """The connection of the one writer; others wait. What it did counts when it ends without an error."""
        with self.engine.connect() as connection, connection.execution_options(sqllin_writes=True).begin():
            if connection.dialect.name == "postgresql":
                connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            yield connection

    def close(self) -> None:
        """Give its connections back."""
        self.engine.dispose()


def default_url() -> str:
    """The SQLite file in the user's data directory."""
    return f"sqlite:///{user_data_path('sqllin', appauthor=False) / 'catalog.db'}"


def open_catalog(url: str | None = None, upgrade: bool = True) -> Catalog:
    """The catalog at a URL (None: the user's own), made if it is not there.

    `upgrade`: bring its tables to this version; else one that is behind is refused. Raises UsageError where
    the URL is none, where the database cannot be reached, and where a newer sqllin has written it.
    """
    target = _url(url or default_url())
    if target.get_backend_name() == "sqlite" and target.database not in (None, "", ":memory:"):
        Path(str(target.database)).parent.mkdir(parents=True, exist_ok=True)
    engine = _engine(target)
    catalog = Catalog(engine)
    with ExitStack() as undone:
        undone.callback(catalog.close)
        try:
            _check(catalog, target, upgrade)
        except DatabaseError as error:
            if type(error) not in (DatabaseError, OperationalError):
                raise  # a bug of ours
            reason = str(error.orig).strip()
            raise UsageError(f"catalog {_shown(target)} cannot be opened: {reason}") from error
        undone.pop_all()
    return catalog


def _url(text_: str) -> URL:
    try:
        url = make_url(text_)
    except ArgumentError as error:
        raise UsageError(
            "the catalog's URL cannot be read; it looks like sqlite:///file.db or postgresql://host/db"
        ) from error
    if url.get_backend_name() == "postgresql" and url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise UsageError(f"a catalog is kept in SQLite or PostgreSQL, not in {url.get_backend_name()}")
    return url


def _shown(url: URL) -> str:
    return url.render_as_string(hide_password=True)


def _engine(url: URL) -> Engine:
    try:
        if url.get_backend_name() == "sqlite":
            engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS, "isolation_level": None})
            event.listen(engine, "connect", _set_up_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        return create_engine(url)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise UsageError("PostgreSQL needs its driver: pip install 'sqllineage-svc[postgres]'") from error


def _set_up_sqlite(connection: object, _record: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    for pragma in _SQLITE_PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """A writer asks for the lock at once: waiting for it later, behind a read, would end in an error."""
    writes = connection.get_execution_options().get("sqllin_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def alembic_config(connection: Connection | None = None) -> Config:
    """Alembic's configuration for the migrations in this package."""
    config = Config()
    config.set_main_option("script_location", str(files("sqllineage_svc.catalog") / "migrations"))
    config.attributes["connection"] = connection
    return config


def _check(catalog: Catalog, url: URL, upgrade: bool) -> None:
    script = ScriptDirectory.from_config(alembic_config())
    head = script.get_current_head()
    with catalog.writing() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
        if current == head:
            return
        known = {revision.revision for revision in script.walk_revisions()}
        if current is not None and current not in known:
            raise UsageError(
                f"catalog {_shown(url)} was written by a newer sqllin; upgrade sqllin to read it"
            )
        if not upgrade:
            raise UsageError(
                f"catalog {_shown(url)} has the tables of an older sqllin; run: sqllin catalog upgrade"
            )
        command.upgrade(alembic_config(connection), "head")
