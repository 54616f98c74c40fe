"""ALTER of tables, schemas and external views, as far as this warehouse has forms of its own."""

from __future__ import annotations

from sqllineage_svc.model.names import Location, Relation
from sqllineage_svc.sql.reading import Reading
from sqllineage_svc.sql.statement import Alter, Block, Define, Inert, MoveRows, Rename, Statement, TableKind
from sqllineage_svc.sql.tokens import TokenCursor


def append_rows(relation: Relation, cursor: TokenCursor, reading: Reading) -> Statement | None:
    """ALTER TABLE t APPEND FROM s [IGNOREEXTRA | FILLTARGET].

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_ALTER_TABLE_APPEND.html
    """
    if not cursor.accept("APPEND", "FROM"):
        return None
    return MoveRows(relation, cursor.relation())


def change_partitions(relation: Relation, cursor: TokenCursor, reading: Reading) -> Statement | None:
    """ALTER TABLE t ADD PARTITION (k = v) LOCATION 'files' …, DROP PARTITION, PARTITION … SET LOCATION.

    Each location is one more place where the external table's files lie.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_ALTER_TABLE.html
    """
    if cursor.accept("DROP", "PARTITION"):
        return Inert("forgets a partition of an external table; its files stay")
    added = cursor.accept("ADD", "PARTITION") or cursor.accept("ADD", "IF", "NOT", "EXISTS", "PARTITION")
    if not (added or cursor.accept("PARTITION")):
        return None
    locations: list[Statement] = []
    while not cursor.at_end:
        cursor.until("LOCATION")
        if cursor.accept("LOCATION"):
            locations.append(Alter(relation, location=Location(cursor.string())))
    if not locations:
        return Inert("describes the files of an external table's partition")
    return locations[0] if len(locations) == 1 else Block(tuple(locations))


def read_alter_schema(reading: Reading) -> Statement:
    """ALTER SCHEMA a RENAME TO b renames all that is in it; the other forms move no data.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_ALTER_SCHEMA.html
    """
    cursor = reading.cursor(2)
    schema = cursor.relation()
    if not cursor.accept("RENAME", "TO"):
        return Inert("changes a schema's owner or quota")
    new = cursor.relation()
    return Rename(((Relation(schema.schema, schema.name, ""), Relation(schema.schema, new.name, "")),))


def read_alter_external(reading: Reading) -> Statement:
    """ALTER EXTERNAL VIEW v [FORCE] AS (query) | REMOVE DEFINITION; ALTER EXTERNAL SCHEMA.

    Source: https://docs.aws.amazon.com/redshift/latest/dg/r_ALTER_EXTERNAL_VIEW.html
    """
    cursor = reading.cursor(2)
    if not cursor.accept("VIEW"):
        return Inert("changes how an external schema is reached")
    relation = cursor.relation()
    cursor.until("AS")
    if not cursor.accept("AS"):
        return Inert("removes one dialect's definition of an external view")
    return Define(relation, TableKind.VIEW, query=reading.query(cursor.rest()))
