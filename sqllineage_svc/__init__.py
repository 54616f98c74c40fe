"""Column-level lineage from the SQL that a warehouse has already run.

from sqllineage_svc import trace_sql

script = trace_sql("create table b as select x + 1 as y from a", dialect="redshift")
print(script.columns)    # a.x -> b.y, end to end
"""

from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.engine.script import ScriptLineage, TracedStatement, trace_files, trace_sql
from sqllineage_svc.errors import SqllinError, UsageError
from sqllineage_svc.model.lineage import ColumnEdge, Issue, RowEdge, StatementLineage, Transformation
from sqllineage_svc.model.names import ColumnRef, Location, Relation
from sqllineage_svc.model.schema import Column, SchemaProvider, StaticSchemas, TableSchema

__all__ = [
    "Column",
    "ColumnEdge",
    "ColumnRef",
    "Issue",
    "Location",
    "Relation",
    "RowEdge",
    "SchemaProvider",
    "ScriptLineage",
    "SqllinError",
    "StatementLineage",
    "StaticSchemas",
    "TableSchema",
    "TracedStatement",
    "Transformation",
    "UsageError",
    "load_dialect",
    "trace_files",
    "trace_sql",
]
