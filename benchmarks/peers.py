"""One lineage tool behind a pipe: python peers.py TOOL, then a JSON request a line, a JSON answer a line.

Runs inside the tool's own environment and so imports nothing of the project at the top. `time` answers with
the CPU seconds of the tool's call alone; `trace` with a script's edges end to end.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from time import process_time
from typing import Any, Protocol

Schema = Mapping[str, Mapping[str, str]]
Edge = tuple[str, str, str, str]
"""source table, source column, target table, target column"""
Influence = tuple[str, str, str, str | None]
"""source table, source column, target table, target column; None: every column of the target"""


@dataclass(slots=True)
class Answer:
    """The edges of a script end to end; `errors` are the tool's own words."""

    direct: set[Edge] = field(default_factory=set)
    indirect: set[Influence] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)


class Tool(Protocol):
    """A tool that knows one dialect and one schema."""

    def __init__(self, dialect: str, schema: Schema) -> None: ...

    def lineage(self, text: str) -> object:
        """The call that is timed: one statement to the tool's column lineage."""
        ...

    def trace(self, statements: Sequence[str]) -> Answer:
        """The lineage of a script, end to end."""
        ...


class Sqllin:
    """The script as one text, and the schema."""

    def __init__(self, dialect: str, schema: Schema) -> None:
        from sqllineage_svc import load_dialect
        from sqllineage_svc.engine.script import provider_of

        self.dialect = dialect
        self.schemas = provider_of(schema, load_dialect(dialect).identifiers)

    def lineage(self, text: str) -> Any:
        """Statement and script, from text to edges."""
        from sqllineage_svc import trace_sql

        return trace_sql(text, self.dialect, self.schemas)

    def trace(self, statements: Sequence[str]) -> Answer:
        """Its end-to-end edges as they are."""
        script, answer = self.lineage(";\n".join(statements)), Answer()
        for source, target, transformation, _ in script.columns:
            edge = _lower(source.dataset, source.column, target.dataset, target.column)
            (answer.direct if transformation.type == "DIRECT" else answer.indirect).add(edge)
        for source, dataset, _ in script.rows:
            answer.indirect.add((*_lower(source.dataset, source.column, dataset), None))
        answer.errors += [issue.message for issue in script.issues if issue.code == "UnreadableStatement"]
        return answer


class Sqllineage:
    """The script as one text, the schema as its metadata, lateral aliases as the dialect has them."""

    def __init__(self, dialect: str, schema: Schema) -> None:
        # it looks up no metadata of a table without a schema; some of it reads this when imported
        os.environ["SQLLINEAGE_DEFAULT_SCHEMA"] = "main"
        os.environ["SQLLINEAGE_LATERAL_COLUMN_ALIAS_REFERENCE"] = str(dialect == "redshift")
        from sqllineage.core.metadata.dummy import DummyMetaDataProvider

        names = {
            table if "." in table else f"main.{table}": list(columns) for table, columns in schema.items()
        }
        self.dialect, self.metadata = dialect, DummyMetaDataProvider(names)

    def lineage(self, text: str) -> Any:
        """Paths of columns, sources first; statements it does not know are passed over."""
        from sqllineage.runner import LineageRunner

        runner = LineageRunner(text, dialect=self.dialect, metadata_provider=self.metadata, silent_mode=True)
        return runner.get_column_lineage(exclude_subquery_columns=True)

    def trace(self, statements: Sequence[str]) -> Answer:
        """Every step of a path is a target, so tables on the way count; what it left open is no edge."""
        answer = Answer()
        for path in self.lineage(";\n".join(statements)):
            columns = [str(column).removeprefix("main.").rpartition(".") for column in path]
            (source, _, column), *targets = columns
            if source and column != "*":
                answer.direct.update(_lower(source, column, target, name) for target, _, name in targets)
        return answer


class OpenlineageSql:
    """One statement at a time, as it takes no schema; made end to end here."""

    def __init__(self, dialect: str, schema: Schema) -> None:
        self.dialect = dialect

    def lineage(self, text: str) -> Any:
        """What it makes of one statement."""
        from openlineage_sql import parse

        return parse([text], dialect=self.dialect)

    def trace(self, statements: Sequence[str]) -> Answer:
        """Its column lineage, each statement's to its first output table."""
        composed = Composed()
        for statement in statements:
            found = self.lineage(statement)
            composed.answer.errors += [error.message for error in found.errors]
            if not found.out_tables:
                continue
            target = found.out_tables[0].qualified_name
            edges = [
                _lower(source.origin.qualified_name, source.name, target, column.descendant.name)
                for column in found.column_lineage
                for source in column.lineage
                if source.origin is not None
            ]
            composed.add(statement, target, edges)
        return composed.finish()


class Datahub:
    """One statement at a time, and the schema, to which the tables made are added; made end to end here."""

    def __init__(self, dialect: str, schema: Schema) -> None:
        from datahub.sql_parsing.schema_resolver import SchemaResolver

        self.dialect, self.resolver = dialect, SchemaResolver(platform=dialect)
        for table, columns in schema.items():
            self.learn(table, columns)

    def learn(self, table: str, columns: Mapping[str, str]) -> None:
        """From now on the table has these columns."""
        urn = f"urn:li:dataset:(urn:li:dataPlatform:{self.dialect},{table},PROD)"
        self.resolver.add_raw_schema_info(urn, dict(columns))

    def lineage(self, text: str) -> Any:
        """What `sqlglot_lineage` makes of one statement."""
        from datahub.sql_parsing.sqlglot_lineage import sqlglot_lineage

        return sqlglot_lineage(text, schema_resolver=self.resolver)

    def trace(self, statements: Sequence[str]) -> Answer:
        """Its column lineage, and the columns of its joins as influences."""
        composed = Composed()
        for statement in statements:
            found = self.lineage(statement)
            error = found.debug_info.table_error or found.debug_info.column_error
            composed.answer.errors += [str(error)] if error else []
            if not found.out_tables:
                continue
            target = _table(found.out_tables[0])
            edges = [
                _lower(_table(source.table), source.column, target, column.downstream.column)
                for column in found.column_lineage or ()
                for source in column.upstreams
            ]
            joined = [column for join in found.joins or () for column in join.columns_involved]
            composed.add(statement, target, edges, [_lower(_table(one.table), one.column) for one in joined])
            if _makes(statement):
                self.learn(target, {edge[3]: "varchar" for edge in edges})
        return composed.finish()


class Composed:
    """Edges of statements, end to end: a table that the script made is seen through."""

    def __init__(self) -> None:
        self.answer = Answer()
        self._made: set[str] = set()
        self._origins: dict[str, dict[str, set[tuple[str, str]]]] = {}
        self._influences: dict[str, set[tuple[str, str]]] = {}

    def add(
        self, statement: str, target: str, edges: Sequence[Edge], influences: Iterable[Sequence[str]] = ()
    ) -> None:
        """What one statement does to its target; CREATE makes it anew."""
        target = target.lower()
        new = [(column, self._through(table, source)) for table, source, _, column in edges]
        decided = {origin for table, column in influences for origin in self._through(table, column)}
        decided |= {origin for table, *_ in edges for origin in self._influences.get(table, ())}
        if _makes(statement):
            self._made.add(target)
            self._origins[target], self._influences[target] = {}, set()
        for column, origins in new:
            self._origins.setdefault(target, {}).setdefault(column, set()).update(origins)
        self._influences.setdefault(target, set()).update(decided)

    def finish(self) -> Answer:
        """The edges into every table that was written."""
        for target, columns in self._origins.items():
            self.answer.direct |= {
                (*origin, target, column) for column, of in columns.items() for origin in of
            }
        for target, decided in self._influences.items():
            self.answer.indirect |= {(*origin, target, None) for origin in decided}
        return self.answer

    def _through(self, table: str, column: str) -> set[tuple[str, str]]:
        found = self._origins.get(table, {}).get(column, set())
        return set(found) if table in self._made else found | {(table, column)}


TOOLS: Mapping[str, tuple[str, type[Tool]]] = {
    "sqllin": ("sqllineage-svc", Sqllin),
    "openlineage-sql": ("openlineage-sql", OpenlineageSql),
    "datahub": ("acryl-datahub", Datahub),
    "sqllineage": ("sqllineage", Sqllineage),
}
"""name → (distribution, adapter)"""


def main() -> None:
    """Answer requests until there are no more."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what a tool prints is no answer
    distribution, tool = TOOLS[sys.argv[1]]
    sys.setrecursionlimit(10_000)
    print(json.dumps({"version": version(distribution)}), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(_answer(tool, json.loads(line))), file=answers, flush=True)


def _answer(adapter: type[Tool], request: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        tool = adapter(request["dialect"], request["schema"])
        if request["do"] == "time":
            return _times(tool, request["warm_up"], request["texts"], request["budget_seconds"])
        found = tool.trace(request["statements"])
        return {"direct": sorted(found.direct), "indirect": list(found.indirect), "errors": found.errors}
    except Exception as error:  # any failure of a tool is an answer
        return {"errors": [f"{type(error).__name__}: {str(error)[:200]}"]}


def _times(
    tool: Tool, warm_up: Sequence[str], texts: Sequence[str], budget_seconds: float
) -> Mapping[str, Any]:
    """CPU seconds of each text, up to the one that crosses the budget, and what went wrong."""
    for text in warm_up:
        _time(tool, text)
    seconds: list[float] = []
    errors: list[str] = []
    for text in texts:
        taken, error = _time(tool, text)
        seconds.append(taken)
        errors += [error] if error else []
        if sum(seconds) > budget_seconds:
            break
    return {"seconds": seconds, "errors": errors}


def _time(tool: Tool, text: str) -> tuple[float, str | None]:
    start = process_time()
    try:
        tool.lineage(text)
    except Exception as error:
        return process_time() - start, f"{type(error).__name__}: {str(error)[:200]}"
    return process_time() - start, None


def _makes(statement: str) -> bool:
    return statement.lstrip().lower().startswith("create")


def _table(urn: str) -> str:
    return urn.split(",")[1]


def _lower(*names: object) -> Any:
    return tuple(str(name).lower() for name in names)


if __name__ == "__main__":
    main()
