"""Real engines for tests: a PostgreSQL and a MariaDB of our own, in a directory that goes when they do.

PostgreSQL stands in for Redshift, whose ancestor it is. Only their own command line clients are used, so no
driver is needed. Outside of CI a missing engine skips the tests that want it; with `CI=true` it fails them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

Rows = list[tuple[str, ...]]
"""Rows as texts; NULL is `\\N` in PostgreSQL and `NULL` in MariaDB, which no test value is."""

_SEPARATOR = "\t"
_SECONDS_TO_START = 60


class EngineMissing(Exception):
    """The engine is not installed; the message says what to install."""


@dataclass(frozen=True)
class Engine:
    """A running engine that answers statements in order."""

    name: str
    client: Sequence[str]
    after: Callable[[int], str]
    url: str = ""
    """What SQLAlchemy reaches it by."""

    def run(self, statements: Sequence[str], seconds: float = 120) -> list[Rows | None]:
        """The rows of each statement; None for one that failed.

        Raises TimeoutExpired when all of them together take longer than this.
        """
        script = "".join(f"{statement};\n{self.after(at)}\n" for at, statement in enumerate(statements))
        done = subprocess.run(
            self.client, input=script, capture_output=True, text=True, check=False, timeout=seconds
        )
        answers: list[Rows | None] = []
        rows: Rows = []
        for line in done.stdout.split("\n"):
            if line.startswith("@@"):
                _, failed = line.split(" ")
                answers.append(None if failed in ("true", "1") else rows)
                rows = []
            elif len(answers) < len(statements):
                rows.append(tuple(line.split(_SEPARATOR)))
        if len(answers) != len(statements):
            raise RuntimeError(f"{self.name} ended after {len(answers)} statements: {done.stderr[-2000:]}")
        return answers


def running(start: Callable[[], AbstractContextManager[Engine]]) -> Iterator[Engine]:
    """The engine, or a skipped test where it is not installed; in CI that is a failure."""
    try:
        with start() as engine:
            yield engine
    except EngineMissing as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(missing))


@contextmanager
def postgres() -> Iterator[Engine]:
    """A PostgreSQL server; raises EngineMissing."""
    programs = _newest("/usr/lib/postgresql/*/bin") or _directory_of("initdb")
    if programs is None:
        raise EngineMissing("PostgreSQL is not installed; run: apt-get install postgresql")
    with _directory("postgres") as home:
        as_owner = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        data = home / "data"
        _run(
            [
                *as_owner,
                programs / "initdb",
                "-D",
                data,
                "-A",
                "trust",
                "-U",
                "test",
                "--locale=C",
                "-E",
                "UTF8",
            ]
        )
        settings = f"-c listen_addresses='' -k {home} -c fsync=off -c full_page_writes=off -c jit=off"
        control = [*as_owner, programs / "pg_ctl", "-D", data, "-w", "-l", home / "log"]
        _run([*control, "-o", settings, "start"])
        client = [
            programs / "psql",
            "-XqAt",
            f"-F{_SEPARATOR}",
            "-P",
            "null=\\N",
            "-h",
            home,
            "-U",
            "test",
            "postgres",
        ]
        try:
            url = f"postgresql+psycopg://test@/postgres?host={home}"
            yield Engine("postgres", [str(part) for part in client], lambda at: f"\\echo @@{at} :ERROR", url)
        finally:
            _run([*control, "-m", "immediate", "stop"])


@contextmanager
def mariadb() -> Iterator[Engine]:
    """A MariaDB server; raises EngineMissing."""
    server, client = _which("mariadbd", "/usr/sbin/mariadbd"), _which("mariadb", "/usr/bin/mariadb")
    install = _which("mariadb-install-db", "/usr/bin/mariadb-install-db")
    if server is None or client is None or install is None:
        raise EngineMissing("MariaDB is not installed; run: apt-get install mariadb-server")
    with _directory("mysql") as home:
        user = ["--user=mysql"] if os.geteuid() == 0 else []
        _run(
            [
                install,
                "--no-defaults",
                f"--datadir={home}/data",
                f"--tmpdir={home}",
                "--auth-root-authentication-method=normal",
                *user,
            ]
        )
        socket = f"{home}/socket"
        options = [f"--datadir={home}/data", f"--socket={socket}", f"--tmpdir={home}"]
        options += ["--skip-networking", "--skip-grant-tables"]
        tuning = ["--innodb-flush-log-at-trx-commit=0", "--skip-log-bin", "--sql-mode="]
        with open(home / "log", "wb") as log:
            process = subprocess.Popen(
                [server, "--no-defaults", *options, *tuning, *user], stdout=log, stderr=log
            )
        ask = [client, "--no-defaults", "-N", "-B", "--force", "--unbuffered", "-S", socket]
        try:
            _wait([*ask, "-e", "create database if not exists test"], process)
            yield Engine(
                "mariadb", [*ask, "test"], lambda at: f"select concat('@@{at} ', @@error_count > 0);"
            )
        finally:
            process.kill()  # it may be busy, and nothing of it is kept
            process.wait(30)


def _wait(ask: Sequence[str], process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _SECONDS_TO_START
    while subprocess.run(ask, capture_output=True, check=False).returncode:
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError("the server did not start")
        time.sleep(0.1)


@contextmanager
def _directory(owner: str) -> Iterator[Path]:
    """A new directory that the server's user may write to."""
    path = Path(tempfile.mkdtemp(prefix="sqllin-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(path, owner, owner)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _run(command: Sequence[str | Path]) -> None:
    """Run a command to its end, its output in a file: a server that it starts would keep a pipe open."""
    with tempfile.TemporaryFile() as output:
        done = subprocess.run(
            command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, check=False, cwd="/"
        )
        if done.returncode:
            output.seek(0)
            raise RuntimeError(f"{command[-1]} failed: {output.read().decode()[-2000:]}")


def _newest(pattern: str) -> Path | None:
    found = sorted(Path("/").glob(pattern.lstrip("/")), key=lambda path: int(path.parent.name))
    return found[-1] if found else None


def _directory_of(program: str) -> Path | None:
    found = shutil.which(program)
    return Path(found).parent if found else None


def _which(program: str, usual: str) -> str | None:
    return shutil.which(program) or (usual if Path(usual).exists() else None)
