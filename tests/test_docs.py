"""The README cannot drift: every command, option and format is in it, and its Python runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from sqllineage_svc.cli import FORMATS, main

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")


def commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command with its name, those of groups too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


COMMANDS = dict(commands(main))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_in_the_readme(name: str) -> None:
    assert f"sqllin {name}" in README
    for parameter in COMMANDS[name].params:
        if isinstance(parameter, click.Option):
            assert any(option in README for option in parameter.opts), parameter.name


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_is_in_the_readme(format_: str) -> None:
    assert f"`{format_}`" in README


def test_the_python_example_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()[0]
    assert f"prints `{printed}`" in README
