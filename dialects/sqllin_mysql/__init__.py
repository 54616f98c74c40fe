"""MySQL and MariaDB on one page."""

from __future__ import annotations

from sqllineage_svc.dialect import Dialect, FunctionFacts, ScopeRules
from sqllineage_svc.model.names import Dataset, DatasetName
from sqllineage_svc.sql.identifiers import Fold, IdentifierRules
from sqllineage_svc.sql.readers.alter import alter_table_reader, drop_reader, read_rename, read_truncate
from sqllineage_svc.sql.readers.change import read_delete, read_update
from sqllineage_svc.sql.readers.create import create_reader, read_view, table_reader
from sqllineage_svc.sql.readers.insert import read_insert, read_replace
from sqllineage_svc.sql.readers.query import with_reader
from sqllineage_svc.sql.redact import SecretRules
from sqllineage_svc.sql.split import Lexis


def name_dataset(dataset: Dataset, instance: str) -> DatasetName:
    return DatasetName(instance, str(dataset))


_VERBS = {"INSERT": read_insert, "REPLACE": read_replace, "UPDATE": read_update, "DELETE": read_delete}
_CONSTRAINTS = frozenset({
    "CONSTRAINT", "PRIMARY", "UNIQUE", "FOREIGN", "KEY", "INDEX", "FULLTEXT", "SPATIAL", "CHECK", "PERIOD",
})

MYSQL = Dialect(
    name="mysql",
    sqlglot="mysql",
    lexis=Lexis(
        backslash_escapes=True, hash_comments=True, dash_needs_blank=True, versioned_comments=True,
        routine_bodies=True, delimiter_command=True, terminators=("\\G", "\\g"),
        client_commands=r"(?:source|\\\.)[ \t][^\n]*",
    ),
    identifiers=IdentifierRules(Fold.KEEP, Fold.KEEP, Fold.LOWER, Fold.LOWER),
    case_sensitive_identifiers=IdentifierRules(Fold.KEEP, Fold.KEEP, Fold.LOWER, Fold.LOWER),
    default_schemas=(),
    readers={
        **_VERBS,
        "WITH": with_reader(_VERBS),
        "CREATE": create_reader({"TABLE": table_reader(_CONSTRAINTS, by_name=True), "VIEW": read_view}, {}),
        "DROP": drop_reader({}),
        "TRUNCATE": read_truncate,
        "ALTER": alter_table_reader(()),
        "RENAME": read_rename,
    },
    inert={},
    functions=FunctionFacts(),
    scoping=ScopeRules(unnamed_is_text=True, unnamed_column="column_{position}", first_unnamed=0),
    secrets=SecretRules(),
    databases_hold_schemas=False,
    ddl_commits=True,
    name_dataset=name_dataset,
    tableless=frozenset({"dual"}),
)
