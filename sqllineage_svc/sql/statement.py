"""What a statement does, with its syntax gone but for the queries inside it.

UPDATE, DELETE and MERGE are queries too: their tables are a FROM clause, their conditions a WHERE, their new
values a select list. So a reader turns each into the SELECT of the same scope and says what its output
columns are for; the engine then knows one way to resolve names.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sqlglot import exp

from sqllineage_svc.model.names import Dataset, Location, Relation
from sqllineage_svc.model.schema import Column
from sqllineage_svc.sql.column_changes import ColumnChange

Query = exp.Expr
"""A parsed query: SELECT, a set operation, VALUES, or one of them in parentheses."""


@dataclass(frozen=True, slots=True)
class Read:
    """A query whose result goes to the client."""

    query: Query


class TableKind(Enum):
    """What CREATE made, DROP removes."""

    TABLE = "table"
    EXTERNAL_TABLE = "external table"
    VIEW = "view"
    MATERIALIZED_VIEW = "materialized view"
    MODEL = "model"
    SCHEMA = "schema"


@dataclass(frozen=True, slots=True)
class Define:
    """CREATE: a relation with its columns, filled by a query if there is one.

    `columns` are those written; a query adds its own (`by_name`: those of the same name fill the written
    ones) or takes the written names in order. `like` is the relation whose columns are copied, ahead of the
    written ones.
    """

    relation: Relation
    kind: TableKind = TableKind.TABLE
    columns: tuple[Column, ...] = ()
    keys: tuple[tuple[str, ...], ...] = ()
    like: Relation | None = None
    query: Query | None = None
    by_name: bool = False
    temporary: bool = False
    keeps_existing: bool = False
    location: Location | None = None


class Effect(Enum):
    """What writing does to the rows that are there."""

    APPEND = "append"
    OVERWRITE = "overwrite"


@dataclass(frozen=True, slots=True)
class Assignment:
    """A column that gets the value of an expression; `qualifier` is the alias before it, if written."""

    column: str
    expression: exp.Expr
    qualifier: str | None = None


@dataclass(frozen=True, slots=True)
class Write:
    """INSERT: the rows of a query go into a dataset.

    `columns` are those listed (None: the target's, in order). `keyed`: a row that collides with one of the
    same key is replaced, ignored or updated. `updates` are the assignments of ON DUPLICATE KEY UPDATE, in
    which `row_alias` (and `row_columns`) name the row that was to be inserted.
    """

    target: Dataset
    query: Query | None
    columns: tuple[str, ...] | None = None
    effect: Effect = Effect.APPEND
    keyed: bool = False
    updates: tuple[Assignment, ...] = ()
    row_alias: str | None = None
    row_columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """UPDATE, DELETE or MERGE, as the query of its scope.

    The query's outputs are the values of `assigned` in order, each (qualifier or None, column). `targets`
    are what the statement names as changed: an alias or a table of the query's FROM clause. `by_position`:
    the query's remaining outputs fill the target's columns in order. `inserts` are the values, by index, that
    make a new row and see only what is joined to the target. `sequential`: it is of one table alone, where an
    assignment sees the ones before it. `every_row`: DELETE without a condition.
    """

    kind: str
    query: Query
    targets: tuple[Relation, ...]
    assigned: tuple[tuple[str | None, str], ...] = ()
    by_position: bool = False
    inserts: tuple[int, ...] = ()
    sequential: bool = False
    every_row: bool = False


@dataclass(frozen=True, slots=True)
class Load:
    """COPY, LOAD DATA: files into a relation.

    `columns` None: the target's, in order. `named_fields`: the format names its fields, else it goes by
    position. `assignments` are computed from what `variables` took from the file.
    """

    target: Relation
    source: Location
    columns: tuple[str, ...] | None = None
    named_fields: bool = False
    variables: tuple[str, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    keyed: bool = False


@dataclass(frozen=True, slots=True)
class Unload:
    """UNLOAD, SELECT … INTO OUTFILE: a query's rows into files."""

    query: Query
    target: Location


@dataclass(frozen=True, slots=True)
class MoveRows:
    """ALTER TABLE … APPEND: all rows of one relation into another, columns by name; the source is left empty."""

    target: Relation
    source: Relation


@dataclass(frozen=True, slots=True)
class ExchangeRows:
    """EXCHANGE PARTITION: the rows of a partition and those of a table change places."""

    relation: Relation
    other: Relation


@dataclass(frozen=True, slots=True)
class Drop:
    """DROP: the relations (or, for a schema, everything in it) are gone."""

    relations: tuple[Relation, ...]
    kind: TableKind = TableKind.TABLE
    temporary: bool = False


@dataclass(frozen=True, slots=True)
class Truncate:
    """All rows are gone, the relation stays."""

    relation: Relation


@dataclass(frozen=True, slots=True)
class Rename:
    """Relations get new names, left to right."""

    pairs: tuple[tuple[Relation, Relation], ...]


@dataclass(frozen=True, slots=True)
class Alter:
    """ALTER TABLE: columns change; `location` is where an external table's files now lie, `new_name` its name."""

    relation: Relation
    changes: tuple[ColumnChange, ...] = ()
    location: Location | None = None
    new_name: Relation | None = None


@dataclass(frozen=True, slots=True)
class Refresh:
    """REFRESH MATERIALIZED VIEW: its query is run again."""

    relation: Relation


@dataclass(frozen=True, slots=True)
class SetSearchPath:
    """The schemas in which an unqualified name is looked for; None: the dialect's default."""

    schemas: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Use:
    """USE: the database (or, where databases hold no schemas, the schema) of unqualified names."""

    name: str


@dataclass(frozen=True, slots=True)
class SetCaseSensitivity:
    """From here on quoted names keep their letter case, or no longer do; None: the dialect's default."""

    quoted_names_keep_case: bool | None


@dataclass(frozen=True, slots=True)
class SetVariables:
    """Variables take the query's output values in order.

    A user variable's name begins with `@` and is lower case; a routine's is folded as a column.
    """

    variables: tuple[str, ...]
    query: Query


class TransactionStep(Enum):
    """What a statement does to the transaction."""

    BEGIN = "begin"
    COMMIT = "commit"
    ROLLBACK = "rollback"
    SAVEPOINT = "savepoint"
    ROLLBACK_TO = "rollback to"
    AUTOCOMMIT_OFF = "autocommit off"
    AUTOCOMMIT_ON = "autocommit on"


@dataclass(frozen=True, slots=True)
class Transaction:
    """BEGIN, COMMIT, ROLLBACK, SAVEPOINT and what turns autocommit on or off."""

    step: TransactionStep
    savepoint: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """Statements that run one after the other: the body of a routine, a branch, a loop.

    `variables` are the names declared for it (folded as columns); each holds one value, hides columns of
    its name and is set by SetVariables. `guards` are queries of one value that decide whether or how often
    the body runs: the condition of an IF or WHILE.
    """

    body: tuple[Statement, ...]
    variables: tuple[str, ...] = ()
    guards: tuple[Query, ...] = ()


@dataclass(frozen=True, slots=True)
class ForEach:
    """FOR record IN query LOOP …: in the body, `record.column` is a column of the query's row."""

    record: str
    query: Query
    body: Block


@dataclass(frozen=True, slots=True)
class CreateRoutine:
    """CREATE PROCEDURE, FUNCTION, EVENT: statements kept under a name; `parameters` are like its variables."""

    relation: Relation
    body: Block
    parameters: tuple[str, ...] = ()
    kind: str = "PROCEDURE"


@dataclass(frozen=True, slots=True)
class Call:
    """CALL: the body of a routine runs; `arguments` are the values of its parameters."""

    relation: Relation
    arguments: tuple[exp.Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class CreateTrigger:
    """CREATE TRIGGER: `body` runs for each row that `event` (INSERT, UPDATE, DELETE) changes in `table`.

    In the body `NEW.column` and `OLD.column` are columns of the table; `SET NEW.a = x` is a Change of it.
    """

    relation: Relation
    table: Relation
    event: str
    body: Block


@dataclass(frozen=True, slots=True)
class DropRoutine:
    """DROP PROCEDURE, FUNCTION, TRIGGER, EVENT: it runs no more."""

    relation: Relation
    kind: str


@dataclass(frozen=True, slots=True)
class Prepare:
    """PREPARE: a statement kept under a name; None where its text is not in the script."""

    name: str
    body: Statement | None = None
    variable: str | None = None


@dataclass(frozen=True, slots=True)
class Execute:
    """EXECUTE: a prepared statement runs."""

    name: str


@dataclass(frozen=True, slots=True)
class DeclareCursor:
    """DECLARE … CURSOR FOR: reads what the query reads, once."""

    name: str
    query: Query


@dataclass(frozen=True, slots=True)
class Fetch:
    """FETCH: a row of a cursor, into variables if there are any."""

    name: str
    variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Inert:
    """A statement that moves no data; `reason` says so to a person.

    `declares` is what it says of a table. `commits`: it ends a transaction.
    """

    reason: str
    declares: Alter | None = None
    commits: bool = False


@dataclass(frozen=True, slots=True)
class Opaque:
    """A statement that may move data we cannot see: `reason` becomes an Issue of `code`."""

    code: str
    reason: str


Statement = (
    Read | Define | Write | Change | Load | Unload | MoveRows | ExchangeRows | Drop | Truncate | Rename | Alter
    | Refresh | SetSearchPath | Use | SetCaseSensitivity | SetVariables | Transaction | Block | ForEach
    | CreateRoutine | Call | CreateTrigger | DropRoutine | Prepare | Execute | DeclareCursor | Fetch | Inert | Opaque
)  # fmt: skip
