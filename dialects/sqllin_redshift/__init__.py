"""Amazon Redshift on one page."""

from __future__ import annotations

from sqllineage_svc.dialect import Dialect, FunctionFacts, ScopeRules
from sqllineage_svc.model.names import Dataset, DatasetName
from sqllineage_svc.sql.identifiers import Fold, IdentifierRules
from sqllineage_svc.sql.readers.alter import alter_table_reader, drop_reader, read_truncate
from sqllineage_svc.sql.readers.change import read_delete, read_merge, read_update
from sqllineage_svc.sql.readers.create import create_reader, read_view, table_reader
from sqllineage_svc.sql.readers.insert import read_insert
from sqllineage_svc.sql.readers.query import with_reader
from sqllineage_svc.sql.redact import SecretRules
from sqllineage_svc.sql.split import Lexis


def name_dataset(dataset: Dataset, instance: str) -> DatasetName:
    return DatasetName(instance, str(dataset))


_VERBS = {"INSERT": read_insert, "UPDATE": read_update, "DELETE": read_delete, "MERGE": read_merge}

REDSHIFT = Dialect(
    name="redshift",
    sqlglot="redshift",
    lexis=Lexis(backslash_escapes=True, dollar_quotes=True, client_commands=r"\\[a-z!?][^\n]*"),
    identifiers=IdentifierRules(*[Fold.ASCII_LOWER] * 4),
    case_sensitive_identifiers=IdentifierRules(Fold.ASCII_LOWER, Fold.KEEP, Fold.ASCII_LOWER, Fold.KEEP),
    default_schemas=("public",),
    readers={
        **_VERBS,
        "WITH": with_reader(_VERBS),
        "CREATE": create_reader({
            "TABLE": table_reader(frozenset({"CONSTRAINT", "PRIMARY", "UNIQUE", "FOREIGN"})),
            "VIEW": read_view,
        }, {}),
        "DROP": drop_reader({}),
        "TRUNCATE": read_truncate,
        "ALTER TABLE": alter_table_reader(()),
    },
    inert={},
    functions=FunctionFacts(),
    scoping=ScopeRules(lateral_aliases=True),
    secrets=SecretRules(),
    databases_hold_schemas=True,
    ddl_commits=False,
    name_dataset=name_dataset,
)
