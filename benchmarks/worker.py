"""The processes that run the tools, and the environment that the others live in."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from os import environ
from pathlib import Path
from subprocess import DEVNULL, PIPE
from threading import Event, Timer
from typing import Any

HERE = Path(__file__).parent
ENVIRONMENT = HERE.parent / ".bench-venv"
REQUIREMENTS = HERE / "requirements-peers.txt"
INSTALL_LIMIT_SECONDS = 600


class WorkerStopped(Exception):
    """A tool that took longer than it may, or that ended by itself."""


class Worker:
    """A tool in a process of its own, held open; a context manager. One that stopped starts again."""

    def __init__(self, tool: str, python: Path) -> None:
        self._command = [str(python), str(HERE / "peers.py"), tool]
        self._process = self._start()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def ask(self, request: Mapping[str, Any], limit_seconds: float) -> Mapping[str, Any]:
        """The tool's answer. Raises WorkerStopped where there is none in time."""
        process = self._process
        if process.stdin is None or process.stdout is None:
            raise WorkerStopped("the tool has no pipes")
        expired = Event()

        def stop() -> None:
            expired.set()
            process.kill()

        timer = Timer(limit_seconds, stop)
        timer.start()
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        if line:
            answer: Mapping[str, Any] = json.loads(line)
            return answer
        self._process.kill()
        self._process = self._start()
        raise WorkerStopped(
            f"no answer within {limit_seconds:.0f} s" if expired.is_set() else "it ended by itself"
        )

    def _start(self) -> subprocess.Popen[str]:
        # some tools' answers hang on the order of their sets
        process = subprocess.Popen(
            self._command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            text=True,
            env=environ | {"PYTHONHASHSEED": "0"},
        )
        hello = process.stdout.readline() if process.stdout else ""
        if not hello:
            raise WorkerStopped(f"{self._command[-1]} does not start; run: {' '.join(self._command)}")
        self.version: str = json.loads(hello)["version"]
        return process


def prepare(tools: Mapping[str, tuple[str, object]]) -> tuple[dict[str, Path], dict[str, str]]:
    """The Python that runs each tool, and why a tool that does not install is left out.

    A tool that no requirement names runs in the project's own environment.
    """
    requirements = dict(_requirements())
    pythons: dict[str, Path] = {}
    left_out: dict[str, str] = {}
    for tool, (distribution, _) in tools.items():
        requirement = requirements.get(distribution)
        if requirement is None:
            pythons[tool] = Path(sys.executable)
        elif (reason := _install(requirement)) is None:
            pythons[tool] = ENVIRONMENT / "bin" / "python"
        else:
            left_out[tool] = reason
    return pythons, left_out


def python_with(distribution: str) -> Path:
    """The Python of .bench-venv, with one of the required distributions. Raises WorkerStopped where it lacks."""
    reason = _install(dict(_requirements())[distribution])
    if reason is not None:
        raise WorkerStopped(f"{distribution} did not install: {reason}")
    return ENVIRONMENT / "bin" / "python"


def _requirements() -> Iterable[tuple[str, str]]:
    for line in REQUIREMENTS.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.partition("==")[0].partition("[")[0], line


def _install(requirement: str) -> str | None:
    """Install into the environment what is not there yet; the last words of pip where it cannot."""
    installed = ENVIRONMENT / "installed.txt"
    if installed.exists() and requirement in installed.read_text("utf-8").splitlines():
        return None
    if not (ENVIRONMENT / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    print(f"installing {requirement} into {ENVIRONMENT.name} …", flush=True)
    pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "--quiet", requirement]
    try:
        done = subprocess.run(pip, capture_output=True, text=True, timeout=INSTALL_LIMIT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"not done after {INSTALL_LIMIT_SECONDS} s"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["pip says nothing"])[-1]
    with installed.open("a", encoding="utf-8") as file:
        file.write(requirement + "\n")
    return None
