"""The command `sqllin`: reads settings, calls what is below, prints.

Exit codes: 0 all understood, 2 wrong use, 3 something was not understood (everything else is printed).
"""

from __future__ import annotations

import glob
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from pathlib import Path

import click

from sqllineage_svc.dialect import Dialect, load_dialect
from sqllineage_svc.engine.script import UNREADABLE, ScriptLineage, trace_files
from sqllineage_svc.errors import UsageError
from sqllineage_svc.model.schema import SchemaProvider, StaticSchemas
from sqllineage_svc.render.document import to_json
from sqllineage_svc.render.events import to_declarations, to_events
from sqllineage_svc.render.graph import to_dot, to_mermaid
from sqllineage_svc.render.text import to_csv, to_table
from sqllineage_svc.render.view import View, around_column, qualified_by, without_indirect
from sqllineage_svc.schema_file import load_schemas

NOT_UNDERSTOOD = 3
FORMATS = ("table", "json", "csv", "openlineage", "mermaid", "dot")
LONG_INPUT_BYTES = 200_000


class _Commands(click.Group):
    """A group that imports a command when it is called: the catalog's need a database library."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All of them, in the order of the alphabet."""
        return sorted({*super().list_commands(ctx), *_LATER})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if cmd_name not in _LATER:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(_LATER[cmd_name]), cmd_name)
        return command


_LATER = {
    "load": "sqllineage_svc.commands.load",
    "lineage": "sqllineage_svc.commands.lineage",
    "impact": "sqllineage_svc.commands.lineage",
    "history": "sqllineage_svc.commands.history",
    "diff": "sqllineage_svc.commands.history",
    "search": "sqllineage_svc.commands.history",
    "events": "sqllineage_svc.commands.events",
    "catalog": "sqllineage_svc.commands.catalog",
}
"""Commands and the modules that they are in."""


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sqllineage-svc", prog_name="sqllin")
def main() -> None:
    """Column-level lineage from the SQL that a warehouse has already run."""


@main.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|GLOB|-...")
@click.option(
    "--dialect", "-d", required=True, envvar="SQLLIN_DIALECT", help="The warehouse: redshift, mysql, …"
)
@click.option(
    "--schema", "-s", "schema_files", multiple=True, type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Tables that the script does not create: a DDL script, or JSON/YAML as table → column → type.",
)  # fmt: skip
@click.option("--format", "-f", "format_", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option(
    "--end-to-end", is_flag=True, help="Through temporary tables, views and tables that the script makes."
)
@click.option(
    "--column", metavar="TABLE.COLUMN", help="Only what this column comes from and what comes from it."
)
@click.option(
    "--indirect/--no-indirect", default=True, help="With what only decides: joins, filters, … [default: with]"
)
@click.option(
    "--strict", is_flag=True, help=f"Exit {NOT_UNDERSTOOD} on any issue, not only an unreadable statement."
)
@click.option(
    "--instance", metavar="URL",
    help="Which warehouse, for full names: redshift://cluster.region:5439/db?schema=public, mysql://host:3306/db",
)  # fmt: skip
@click.option(
    "--use-catalog", is_flag=True,
    help="Take the columns of tables that neither the script nor --schema tells from the catalog; --save does too.",
)  # fmt: skip
@click.option("--save", is_flag=True, help="Keep it in the catalog, as what the statements would do.")
@click.option(
    "--catalog", "catalog_url", envvar="SQLLIN_CATALOG", metavar="URL",
    help="Where the catalog is: sqlite:///file.db, postgresql://user@host/db. [env: SQLLIN_CATALOG; default: your own]",
)  # fmt: skip
def analyze(
    files: tuple[str, ...],
    dialect: str,
    schema_files: tuple[Path, ...],
    format_: str,
    end_to_end: bool,
    column: str | None,
    indirect: bool,
    strict: bool,
    instance: str | None,
    use_catalog: bool,
    save: bool,
    catalog_url: str | None,
) -> None:
    """Trace the lineage of SQL scripts: each FILE, each match of GLOB, or standard input (-)."""
    try:
        warehouse = load_dialect(dialect)
        schemas = StaticSchemas(schema for path in schema_files for schema in load_schemas(path, warehouse))
        inputs = _inputs(files)
        with _known(schemas, warehouse, instance, catalog_url, use_catalog or save) as known:
            script = _run(inputs, warehouse, known)
            view = View(_chosen(script, column, indirect), qualified_by(script, instance))
            click.echo(_rendered(view, format_, end_to_end, instance), nl=False)
            declared = to_declarations(view, instance) if save else []
        if save:
            _save(declared, [name for name, _ in inputs], catalog_url)
    except UsageError as error:
        raise click.UsageError(str(error)) from error
    sys.exit(_exit_code(script, strict))


def _known(
    schemas: StaticSchemas, dialect: Dialect, instance: str | None, url: str | None, use_catalog: bool
) -> AbstractContextManager[SchemaProvider]:
    if not use_catalog:
        return nullcontext(schemas)
    from sqllineage_svc.commands.saving import known_schemas  # needs a database library

    return known_schemas(schemas, dialect, instance, url)


def _save(events: Sequence[str], files: Sequence[str], url: str | None) -> None:
    from sqllineage_svc.commands.saving import save  # needs a database library, which little else does

    report = save(events, files, url)
    gone = f"; {report.gone} that stood there before are gone" if report.gone else ""
    click.echo(f"{report.new} of {report.read} statements are new in the catalog{gone}", err=True)


def _inputs(files: Sequence[str]) -> list[tuple[str, str]]:
    """Each input as (name, text). Raises UsageError, naming it, where one cannot be read."""
    paths: list[str] = []
    for given in files:
        matches = (
            sorted(glob.glob(given, recursive=True))
            if glob.has_magic(given) and not Path(given).exists()
            else [given]
        )
        if not matches:
            raise UsageError(f"nothing matches {given}")
        paths.extend(path for path in matches if not Path(path).is_dir() or len(matches) == 1)
    return [(path, _text(path)) for path in dict.fromkeys(paths)]


def _text(path: str) -> str:
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        click.echo(f"{path} line {line} is not {encoding.upper()}; it is read as Latin-1", err=True)
        return content.decode("latin-1")


def _run(inputs: Sequence[tuple[str, str]], dialect: Dialect, schemas: SchemaProvider) -> ScriptLineage:
    length = sum(len(text) for _, text in inputs)
    hidden = length < LONG_INPUT_BYTES or not sys.stderr.isatty()
    with click.progressbar(length=length, label="Tracing", file=sys.stderr, hidden=hidden) as bar:
        return trace_files(inputs, dialect, schemas, bar.update)


def _chosen(script: ScriptLineage, column: str | None, indirect: bool) -> ScriptLineage:
    if not indirect:
        script = without_indirect(script)
    return script if column is None else around_column(script, column)


def _rendered(view: View, format_: str, end_to_end: bool, instance: str | None) -> str:
    match format_:
        case "json":
            return to_json(view)
        case "csv":
            return to_csv(view, end_to_end)
        case "mermaid":
            return to_mermaid(view, end_to_end)
        case "dot":
            return to_dot(view, end_to_end)
        case "openlineage":
            return to_events(view, instance)
        case _:
            return to_table(view, end_to_end)


def _exit_code(script: ScriptLineage, strict: bool) -> int:
    unreadable = any(statement.kind == UNREADABLE for statement in script.statements)
    return NOT_UNDERSTOOD if unreadable or (strict and script.issues) else 0
