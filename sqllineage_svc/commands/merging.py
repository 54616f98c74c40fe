"""`sqllin catalog merge|unmerge|identities`: several names of one dataset."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click
from sqlalchemy import Connection

from sqllineage_svc.catalog.finding import find
from sqllineage_svc.catalog.folding import FOREVER
from sqllineage_svc.catalog.merging import rules
from sqllineage_svc.catalog.moments import moment_of, read_moment, shown
from sqllineage_svc.catalog.rules import Rule
from sqllineage_svc.catalog.ruling import Identities, Outcome, add_rule, drop_rule, identities
from sqllineage_svc.commands.options import asked, catalog_option, opened
from sqllineage_svc.errors import UsageError
from sqllineage_svc.model.names import DatasetName

_dry_run = click.option("--dry-run", is_flag=True, help="Only show what it would change.")


@click.command()
@click.argument("one")
@click.argument("other")
@click.option(
    "--namespaces", is_flag=True, help="ONE and OTHER are namespaces: of a host under two names, say."
)
@click.option("--from", "since", metavar="TIME", help="From when on. [default: of all time]")
@_dry_run
@catalog_option
def merge(one: str, other: str, namespaces: bool, since: str | None, dry_run: bool, url: str | None) -> None:
    """Say that ONE and OTHER are names of one table, or (--namespaces) that two namespaces are one.

    Events say so too, by their symlinks. Names are given as those of other commands are.
    """
    valid_from = read_moment(since) if since is not None else 0
    with opened(url) as store, store.writing() as connection:
        first, second = (
            DatasetName(name.rstrip("/"), "") if namespaces else _named(connection, name)
            for name in (one, other)
        )
        with connection.begin_nested() as savepoint:
            outcome = add_rule(connection, first, second, valid_from, read_moment("0s"))
            if dry_run:
                savepoint.rollback()
    click.echo(_changes(outcome, dry_run))


@click.command()
@click.argument("rule")
@_dry_run
@catalog_option
def unmerge(rule: str, dry_run: bool, url: str | None) -> None:
    """Take RULE back, the key that `sqllin catalog identities` shows."""
    with opened(url) as store, store.writing() as connection, connection.begin_nested() as savepoint:
        outcome = drop_rule(connection, rule)
        if dry_run:
            savepoint.rollback()
    click.echo(_changes(outcome, dry_run))


@click.command(name="identities")
@click.option(
    "--format", "-f", "format_", type=click.Choice(("table", "json")), default="table", show_default=True
)
@catalog_option
def list_identities(format_: str, url: str | None) -> None:
    """The tables with several names, the rules that say so, and what was refused."""
    with asked(url) as connection:
        found, said = identities(connection), rules(connection)
    click.echo(_json(found, said) if format_ == "json" else _table(found, said))


def _named(connection: Connection, text: str) -> DatasetName:
    found = find(connection, text)
    if found.column is not None:
        raise UsageError(f"{text!r} is a column; give two tables")
    return DatasetName(found.namespace, found.dataset)


def _changes(outcome: Outcome, dry_run: bool) -> str:
    lines = [f"+ {line}" for line in _lines(outcome.new)] + [f"- {line}" for line in _lines(outcome.gone)]
    tried = " (tried only)" if dry_run else ""
    return "\n".join([f"rule {outcome.rule.key}{tried}", *(lines or ["nothing that is known changes"])])


def _table(found: Identities, said: list[Rule]) -> str:
    lines = list(_lines(found))
    lines += [
        f"rule {rule.key}: {_shown(rule.one)} = {_shown(rule.other)}"
        + (f" from {shown(rule.valid_from)}" if rule.valid_from else "")
        for rule in said
    ]
    return "\n".join(lines) or "every table has one name"


def _lines(found: Identities) -> Iterator[str]:
    for joined in sorted(found.joined):
        since = f" from {shown(joined.valid_from)}" if joined.valid_from else ""
        until = f" until {shown(joined.valid_to)}" if joined.valid_to != FOREVER else ""
        yield f"{_shown(joined.one)} = {_shown(joined.other)}{since}{until}"
    for refused in sorted(found.refused):
        when = f", said {shown(refused.at)}" if refused.at else ""
        yield (
            f"refused{when}: {_shown(refused.one)} = {_shown(refused.other)}"
            f" (would make two names of {refused.clash} one)"
        )


def _shown(name: DatasetName) -> str:
    return f"{name.namespace}/{name.name}" if name.name else name.namespace


def _json(found: Identities, said: list[Rule]) -> str:
    content = {
        "identities": [
            {
                "one": one._asdict(),
                "other": other._asdict(),
                "valid_from": moment_of(start).isoformat() if start else None,
                "valid_to": moment_of(end).isoformat() if end != FOREVER else None,
            }
            for one, other, start, end in sorted(found.joined)
        ],
        "refused": [
            {
                "one": one._asdict(),
                "other": other._asdict(),
                "at": moment_of(at).isoformat() if at else None,
                "clash": clash,
            }
            for one, other, at, clash in sorted(found.refused)
        ],
        "rules": [
            {
                "key": rule.key,
                "one": rule.one._asdict(),
                "other": rule.other._asdict(),
                "valid_from": moment_of(rule.valid_from).isoformat() if rule.valid_from else None,
            }
            for rule in said
        ],
    }
    return json.dumps(content, indent=2, ensure_ascii=False)
