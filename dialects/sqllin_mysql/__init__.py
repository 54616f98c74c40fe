"""MySQL and MariaDB on one page."""

from __future__ import annotations

from sqllin_mysql.inert import ALTERED, COMMITTING, CREATED, DROPPED, STATEMENTS
from sqllin_mysql.lexis import LEXIS
from sqllin_mysql.load_data import read_load
from sqllin_mysql.naming import canonical_name, name_dataset
from sqllin_mysql.queries import read_any_query, read_do, read_handler, with_into
from sqllin_mysql.rewrites import rewriting
from sqllin_mysql.routines import (
    read_call,
    read_compound,
    read_event,
    read_execute,
    read_prepare,
    read_trigger,
    routine_reader,
)
from sqllin_mysql.secrets import SECRETS
from sqllin_mysql.statements import (
    convert_partition,
    database_reader,
    delete_reader,
    exchange_partition,
    read_analyze,
    read_begin,
    read_commit,
    read_rollback,
    read_savepoint,
    read_use,
)
from sqllin_mysql.variables import read_set
from sqllineage_svc.dialect import Dialect, ScopeRules, load_function_facts
from sqllineage_svc.sql.identifiers import Fold, IdentifierRules
from sqllineage_svc.sql.readers.alter import (
    alter_table_reader,
    drop_reader,
    index_reader,
    read_rename,
    read_truncate,
)
from sqllineage_svc.sql.readers.change import read_delete, read_update
from sqllineage_svc.sql.readers.create import create_reader, read_view, table_reader
from sqllineage_svc.sql.readers.insert import read_insert, read_replace
from sqllineage_svc.sql.readers.query import with_reader
from sqllineage_svc.sql.reading import Reader
from sqllineage_svc.sql.statement import (
    Alter,
    CreateRoutine,
    CreateTrigger,
    Define,
    Drop,
    DropRoutine,
    ExchangeRows,
    Rename,
    Truncate,
)

# words that begin a constraint or index where a column's name may stand:
# https://dev.mysql.com/doc/refman/8.4/en/create-table.html, https://mariadb.com/kb/en/create-table/
_CONSTRAINTS = frozenset(
    {"CONSTRAINT", "PRIMARY", "UNIQUE", "FOREIGN", "KEY", "INDEX", "FULLTEXT", "SPATIAL", "VECTOR", "CHECK"}
    | {"PERIOD"}
)
_VERBS = {
    "INSERT": read_insert,
    "REPLACE": read_replace,
    "UPDATE": read_update,
    "DELETE": delete_reader(read_delete),
}
# renamed without a database, a table goes to the current one (tried: MariaDB 10.11)
_TABLE = alter_table_reader((exchange_partition, convert_partition), stays=False)
_DROP = drop_reader(DROPPED)
_READERS: dict[str, Reader] = {
    **_VERBS,
    "WITH": with_into(with_reader(_VERBS)),
    **dict.fromkeys(("SELECT", "VALUES", "TABLE", "("), read_any_query),
    "HANDLER": read_handler,
    "DO": read_do,
    "ANALYZE": read_analyze,
    "LOAD DATA": read_load,
    "LOAD XML": read_load,
    "CREATE": create_reader(
        {
            "TABLE": table_reader(_CONSTRAINTS, by_name=True),
            "VIEW": read_view,
            "PROCEDURE": routine_reader("PROCEDURE"),
            "FUNCTION": routine_reader("FUNCTION"),
            "TRIGGER": read_trigger,
            "EVENT": read_event,
            "INDEX": index_reader(CREATED["INDEX"]),
        },
        CREATED,
    ),
    "ALTER": create_reader(
        {"TABLE": lambda created: _TABLE(created.reading), "VIEW": read_view, "EVENT": read_event}, ALTERED
    ),
    "ALTER IGNORE": _TABLE,
    "DROP": _DROP,
    "DROP DATABASE": database_reader(_DROP),
    "TRUNCATE": read_truncate,
    "RENAME": read_rename,
    "USE": read_use,
    "SET": read_set,
    "BEGIN": read_begin,
    "START TRANSACTION": read_begin,
    "COMMIT": read_commit,
    "ROLLBACK": read_rollback,
    "SAVEPOINT": read_savepoint,
    "CALL": read_call,
    "PREPARE": read_prepare,
    "EXECUTE": read_execute,
    **dict.fromkeys(("BEGIN NOT", "IF", "CASE", "LOOP", "WHILE", "REPEAT", "FOR"), read_compound),
}

MYSQL = Dialect(
    name="mysql",
    sqlglot="mysql",
    lexis=LEXIS,
    identifiers=IdentifierRules(Fold.KEEP, Fold.KEEP, Fold.LOWER, Fold.LOWER),
    case_sensitive_identifiers=IdentifierRules(Fold.KEEP, Fold.KEEP, Fold.LOWER, Fold.LOWER),
    default_schemas=(),
    readers={words: rewriting(reader) for words, reader in _READERS.items()},
    inert=STATEMENTS,
    functions=load_function_facts("sqllin_mysql"),
    # RIGHT JOIN … USING and `*`: tried on MariaDB 10.11; https://dev.mysql.com/doc/refman/8.4/en/join.html
    # assignments: https://dev.mysql.com/doc/refman/8.4/en/update.html and insert.html; those of ON DUPLICATE
    # KEY UPDATE, of joined tables and of a table that is read twice: tried on MariaDB 10.11
    # HAVING: tried on MariaDB 10.11; https://dev.mysql.com/doc/refman/8.4/en/select.html
    # columns of VALUES: https://dev.mysql.com/doc/refman/8.4/en/values.html
    scoping=ScopeRules(
        unnamed_is_text=True,
        unnamed_column="column_{position}",
        first_unnamed=0,
        common_columns_follow_right=True,
        common_columns_in_table_order=True,
        conditionless_joins=True,
        assignments_in_order=True,
        prefers_aliases=True,
    ),
    secrets=SECRETS,
    databases_hold_schemas=False,
    # https://dev.mysql.com/doc/refman/8.4/en/implicit-commit.html
    commits_implicitly=(
        Define,
        Drop,
        Alter,
        Rename,
        Truncate,
        ExchangeRows,
        CreateRoutine,
        CreateTrigger,
        DropRoutine,
    ),
    committing=COMMITTING,
    settings_survive_rollback=True,
    name_dataset=name_dataset,
    local_instance="mysql://local",
    canonical_name=canonical_name,
    system_schemas=frozenset({"information_schema", "mysql", "performance_schema", "sys"}),
    tableless=frozenset({"dual"}),
)
