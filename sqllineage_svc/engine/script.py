"""Whole scripts: each statement read, traced and replayed in its session; then the lineage end to end.

A statement that cannot be read is an Issue and the rest goes on. What a transaction did is taken back when it
is rolled back.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqllineage_svc.dialect import Dialect, load_dialect
from sqllineage_svc.engine.collapse import Contents
from sqllineage_svc.engine.flows import Step
from sqllineage_svc.engine.kinds import kind_of
from sqllineage_svc.engine.outcome import StatementTrace, with_issue
from sqllineage_svc.engine.read import read_statement
from sqllineage_svc.engine.replay import replay
from sqllineage_svc.engine.session import Session
from sqllineage_svc.engine.trace import trace
from sqllineage_svc.errors import StatementError, UsageError
from sqllineage_svc.model.lineage import ColumnEdge, Issue, RowEdge, StatementLineage
from sqllineage_svc.model.schema import Column, PlainSchemas, SchemaProvider, StaticSchemas, TableSchema
from sqllineage_svc.sql.identifiers import IdentifierRules, parse_relation
from sqllineage_svc.sql.redact import Cut, original_column, redact_with_cuts
from sqllineage_svc.sql.split import SourceText, split
from sqllineage_svc.sql.statement import Inert, Prepare, Transaction, TransactionStep

UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class TracedStatement:
    """One statement of a script and its lineage.

    `line` is 1-based in `file`. `skipped` says why the statement moves no data, or whose rollback took its
    effect back; None for one that counts. `steps` is what it did to contents, `session` what it left.
    """

    text: str
    kind: str
    lineage: StatementLineage
    file: str = ""
    line: int = 1
    skipped: str | None = None
    steps: tuple[Step, ...] = field(default=(), repr=False, compare=False)
    session: Session | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ScriptLineage:
    """The lineage of a script, statement by statement and end to end.

    `columns` and `rows` go from relations and files that the script does not make to those it fills, as
    they are named when it ends; temporary tables, views and tables it makes are seen through.
    """

    dialect: Dialect
    statements: tuple[TracedStatement, ...]
    columns: tuple[ColumnEdge, ...] = ()
    rows: tuple[RowEdge, ...] = ()

    @property
    def issues(self) -> tuple[Issue, ...]:
        """The issues of all statements, in order."""
        return tuple(issue for statement in self.statements for issue in statement.lineage.issues)


def trace_sql(text: str, dialect: str, schemas: SchemaProvider | PlainSchemas | None = None) -> ScriptLineage:
    """The lineage of a script.

    `schemas` is a SchemaProvider or a mapping of table → {column: type}. Raises UnknownDialect.
    """
    return trace_files([("", text)], load_dialect(dialect), schemas)


def trace_files(
    files: Iterable[tuple[str, str]],
    dialect: Dialect,
    schemas: SchemaProvider | PlainSchemas | None = None,
    advance: Callable[[int], object] | None = None,
) -> ScriptLineage:
    """The lineage of files of SQL, each (name, text): one session a file, one set of tables for all.

    `advance` is told of each statement how many characters it has.
    """
    script = Script(dialect, provider_of(schemas, dialect.identifiers))
    for file, text in files:
        script.begin_session()
        for source in split(text, dialect.lexis):
            script.run(source, file)
            if advance is not None:
                advance(len(source.text))
    return script.lineage()


def provider_of(schemas: SchemaProvider | PlainSchemas | None, rules: IdentifierRules) -> SchemaProvider:
    """A SchemaProvider over what a caller may give.

    Raises UsageError, naming the table, where a name cannot be read.
    """
    if schemas is None:
        return StaticSchemas()
    if not isinstance(schemas, Mapping):
        return schemas
    tables: list[TableSchema] = []
    for name, columns in schemas.items():
        try:
            relation = parse_relation(name, rules)
        except ValueError as error:
            raise UsageError(f"schema: {error}") from error
        folded = [Column(rules.fold_column(column, True), type_) for column, type_ in columns.items()]
        tables.append(TableSchema(relation, tuple(folded)))
    return StaticSchemas(tables)


@dataclass(frozen=True, slots=True)
class _State:
    """What a transaction can take back: the session, the contents, and how many statements were traced."""

    session: Session
    contents: Contents
    traced: int


@dataclass
class Script:
    """A script while it runs; held open from its first statement to `lineage`."""

    dialect: Dialect
    schemas: SchemaProvider
    session: Session = field(init=False)
    contents: Contents = field(init=False)
    statements: list[TracedStatement] = field(default_factory=list)
    _open: _State | None = None
    _savepoints: dict[str, _State] = field(default_factory=dict)
    _autocommit: bool = True

    def __post_init__(self) -> None:
        self.session = Session.start(self.dialect, self.schemas)
        self.contents = Contents(self.dialect.default_schemas)

    def begin_session(self) -> None:
        """Go on in a new session: permanent tables stay, what belonged to the old session is gone."""
        self._end_transaction()
        self._autocommit = True
        self.session = self.session.next_session()
        self.contents = self.contents.next_session()

    def run(self, source: SourceText, file: str = "") -> TracedStatement:
        """Read, trace and replay one statement; an unreadable one, or a fault of ours, becomes an Issue."""
        text, cuts = redact_with_cuts(source.text, self.dialect.secrets)
        try:
            return self._run(text, cuts, source, file)
        except Exception as error:  # whatever it is costs this statement alone, and is said
            issue = Issue("InternalError", _fault(error), source.line, source.column)
            return self._keep(_not_read(text, issue, source, file))

    def _run(self, text: str, cuts: Sequence[Cut], source: SourceText, file: str) -> TracedStatement:
        try:
            statement = read_statement(text, self.dialect, self.session.identifiers)
        except StatementError as error:
            line, column = source.place(error.line, original_column(text, cuts, error.line, error.column))
            issue = Issue("UnreadableStatement", error.message, line, column)
            return self._keep(_not_read(text, issue, source, file))
        if isinstance(statement, Inert):
            if statement.commits:
                self._end_transaction()
            if statement.declares is not None:
                self.session = replay(statement.declares, StatementTrace(), self.session)
            return self._keep(
                TracedStatement(text, "inert", StatementLineage(), file, source.line, statement.reason)
            )
        if isinstance(statement, Prepare) and statement.variable is not None:
            statement = self._prepared(statement)
        if isinstance(statement, Transaction):
            self._transact(statement, source.line)
        elif isinstance(statement, self.dialect.commits_implicitly) and not getattr(
            statement, "temporary", False
        ):
            self._end_transaction()
        try:
            done = trace(statement, self.session)
        except RecursionError:
            done = with_issue("NestingTooDeep", "nested too deep to trace")
        self.session = replay(statement, done, self.session)
        self.contents = self.contents.after(done.steps)
        issues = tuple(_placed(issue, source, text, cuts) for issue in done.lineage.issues)
        lineage = replace(done.lineage, issues=issues)
        return self._keep(
            TracedStatement(
                text, kind_of(statement), lineage, file, source.line, None, done.steps, self.session
            )
        )

    def _keep(self, traced: TracedStatement) -> TracedStatement:
        self.statements.append(traced)
        return traced

    def _prepared(self, prepare: Prepare) -> Prepare:
        """PREPARE … FROM @variable, read where the variable holds a known text."""
        text = self.session.texts.get(prepare.variable or "")
        if text is None:
            return prepare
        try:
            return Prepare(prepare.name, read_statement(text, self.dialect, self.session.identifiers))
        except StatementError:
            return prepare

    def _transact(self, transaction: Transaction, line: int) -> None:
        state = _State(self.session, self.contents, len(self.statements))
        match transaction.step:
            case TransactionStep.BEGIN:
                self._end_transaction()
                self._open = state
            case TransactionStep.COMMIT:
                self._end_transaction()
            case TransactionStep.SAVEPOINT:
                self._savepoints[transaction.savepoint or ""] = state
            case TransactionStep.ROLLBACK:
                self._take_back(self._open, line)
                self._end_transaction()
            case TransactionStep.ROLLBACK_TO:
                self._take_back(self._savepoints.get(transaction.savepoint or ""), line)
            case TransactionStep.AUTOCOMMIT_OFF:
                self._autocommit = False
                self._open = self._open or state
            case TransactionStep.AUTOCOMMIT_ON:
                self._autocommit = True
                self._end_transaction()

    def _end_transaction(self) -> None:
        self._savepoints.clear()
        self._open = None if self._autocommit else _State(self.session, self.contents, len(self.statements))

    def _take_back(self, state: _State | None, line: int) -> None:
        """Undo what came after `state`; a session's variables outlive it where the warehouse says so."""
        if state is None:
            return
        session = state.session
        if self.dialect.settings_survive_rollback:
            session = self.session.with_tables_of(session)
        self.session, self.contents = session, state.contents
        for at in range(state.traced, len(self.statements)):
            undone = self.statements[at]
            if undone.skipped is None and undone.kind != UNREADABLE:
                self.statements[at] = replace(
                    undone, lineage=StatementLineage(), steps=(), skipped=f"rolled back in line {line}"
                )

    def lineage(self) -> ScriptLineage:
        """What the script has done so far."""
        columns, rows = self.contents.edges()
        return ScriptLineage(self.dialect, tuple(self.statements), columns, rows)


def _not_read(text: str, issue: Issue, source: SourceText, file: str) -> TracedStatement:
    return TracedStatement(text, UNREADABLE, StatementLineage(issues=(issue,)), file, source.line)


def _fault(error: Exception) -> str:
    """Where a fault of ours happened; not the error's own text, which may quote the statement's values."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"sqllin failed on this statement ({type(error).__name__} in {place}); please report it"


def _placed(issue: Issue, source: SourceText, text: str, cuts: Sequence[Cut]) -> Issue:
    """The issue with its place in the file."""
    if not issue.line:
        return replace(issue, line=source.line, column=source.column)
    line, column = source.place(issue.line, original_column(text, cuts, issue.line, issue.column))
    return replace(issue, line=line, column=column)
