"""Amazon Redshift on one page."""

from __future__ import annotations

from sqllin_redshift.alter import append_rows, change_partitions, read_alter_external, read_alter_schema
from sqllin_redshift.copy_unload import read_copy, read_unload
from sqllin_redshift.external import (
    create_external_schema,
    create_external_view,
    create_function,
    create_model,
)
from sqllin_redshift.inert import CREATED, DROPPED, INERT
from sqllin_redshift.lexis import LEXIS
from sqllin_redshift.naming import canonical_name, name_dataset
from sqllin_redshift.procedures import create_procedure
from sqllin_redshift.rewrites import rewriting
from sqllin_redshift.secrets import SECRETS
from sqllin_redshift.settings import read_reset, read_set
from sqllin_redshift.statements import (
    read_call,
    read_declare,
    read_execute,
    read_fetch,
    read_prepare,
    read_refresh,
    read_use,
    transaction,
)
from sqllineage_svc.dialect import Dialect, ScopeRules, load_function_facts
from sqllineage_svc.sql.identifiers import Fold, IdentifierRules
from sqllineage_svc.sql.readers.alter import alter_table_reader, drop_reader, read_truncate
from sqllineage_svc.sql.readers.change import read_delete, read_merge, read_update
from sqllineage_svc.sql.readers.create import create_reader, read_view, table_reader
from sqllineage_svc.sql.readers.insert import read_insert
from sqllineage_svc.sql.readers.query import read_query, with_reader
from sqllineage_svc.sql.statement import MoveRows, TransactionStep, Truncate

_CREATE = create_reader(
    {
        "TABLE": table_reader(frozenset({"CONSTRAINT", "PRIMARY", "UNIQUE", "FOREIGN"})),
        "VIEW": read_view,
        "EXTERNAL VIEW": create_external_view,
        "PROTECTED VIEW": create_external_view,
        "EXTERNAL SCHEMA": create_external_schema,
        "FUNCTION": create_function,
        "MODEL": create_model,
        "PROCEDURE": create_procedure,
    },
    CREATED,
)
_VERBS = {"INSERT": read_insert, "UPDATE": read_update, "DELETE": read_delete, "MERGE": read_merge}
_BEGIN, _COMMIT, _ROLLBACK = map(
    transaction, (TransactionStep.BEGIN, TransactionStep.COMMIT, TransactionStep.ROLLBACK)
)
_READERS = {
    **_VERBS,
    "SELECT": read_query, "(": read_query, "VALUES": read_query, "TABLE": read_query,
    "WITH": with_reader(_VERBS),
    "COPY": read_copy, "UNLOAD": read_unload,
    "CREATE": _CREATE, "DROP": drop_reader(DROPPED), "TRUNCATE": read_truncate,
    "ALTER TABLE": alter_table_reader((append_rows, change_partitions)),
    "ALTER SCHEMA": read_alter_schema, "ALTER EXTERNAL": read_alter_external,
    "REFRESH": read_refresh, "CALL": read_call,
    "PREPARE": read_prepare, "EXECUTE": read_execute, "DECLARE": read_declare, "FETCH": read_fetch,
    "BEGIN": _BEGIN, "START": _BEGIN, "COMMIT": _COMMIT, "END": _COMMIT,
    "ROLLBACK": _ROLLBACK, "ABORT": _ROLLBACK,
    "SET": read_set, "RESET": read_reset, "USE": read_use,
}  # fmt: skip
# https://docs.aws.amazon.com/redshift/latest/dg/cm_chap_system-tables.html
_SYSTEM_SCHEMAS = frozenset({
    "catalog_history", "information_schema", "pg_auto_copy", "pg_automv", "pg_catalog", "pg_internal",
    "pg_mv", "pg_s3", "pg_toast",
})  # fmt: skip

REDSHIFT = Dialect(
    name="redshift",
    sqlglot="redshift",
    lexis=LEXIS,
    # ASCII letters fold to lower case, in quoted names too, unless a setting keeps the case of quoted names
    # https://docs.aws.amazon.com/redshift/latest/dg/r_names.html
    identifiers=IdentifierRules(*[Fold.ASCII_LOWER] * 4),
    # https://docs.aws.amazon.com/redshift/latest/dg/r_enable_case_sensitive_identifier.html
    case_sensitive_identifiers=IdentifierRules(Fold.ASCII_LOWER, Fold.KEEP, Fold.ASCII_LOWER, Fold.KEEP),
    # "$user", public: https://docs.aws.amazon.com/redshift/latest/dg/r_search_path.html
    default_schemas=("public",),
    readers={verb: rewriting(reader) for verb, reader in _READERS.items()},
    inert=INERT,
    functions=load_function_facts(__name__),
    # an alias can be used further on: https://docs.aws.amazon.com/redshift/latest/dg/r_SELECT_list.html
    scoping=ScopeRules(lateral_aliases=True, navigates_values=True),
    secrets=SECRETS,
    databases_hold_schemas=True,
    # https://docs.aws.amazon.com/redshift/latest/dg/r_TRUNCATE.html, …/r_ALTER_TABLE_APPEND.html
    commits_implicitly=(Truncate, MoveRows),
    committing=frozenset(),
    settings_survive_rollback=False,
    name_dataset=name_dataset,
    local_instance="redshift://local/dev",
    canonical_name=canonical_name,
    system_schemas=_SYSTEM_SCHEMAS,
)
