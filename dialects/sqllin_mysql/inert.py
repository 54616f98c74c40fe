"""Statements that move no data, each with its reason: by first words, and for CREATE, ALTER, DROP by object.

Sources: https://dev.mysql.com/doc/refman/8.4/en/sql-statements.html, https://mariadb.com/kb/en/sql-statements/,
https://dev.mysql.com/doc/refman/8.4/en/mysql-commands.html
"""

from __future__ import annotations

from collections.abc import Iterable


def _because(reason: str, words: Iterable[str]) -> dict[str, str]:
    return dict.fromkeys(words, reason)


STATEMENTS = {
    **_because("says who may do what", ("GRANT", "REVOKE", "SET PASSWORD", "SET ROLE")),
    **_because("shows what is there", ("SHOW", "DESCRIBE", "DESC", "HELP")),
    **_because("shows how a statement would run", ("EXPLAIN",)),
    **_because("changes what the server caches or logs", ("FLUSH", "RESET", "CACHE INDEX", "LOAD INDEX")),
    **_because("locks tables or lets them go", (
        "LOCK TABLE", "LOCK TABLES", "UNLOCK TABLE", "UNLOCK TABLES", "LOCK INSTANCE", "UNLOCK INSTANCE",
        "BACKUP STAGE", "BACKUP LOCK", "BACKUP UNLOCK", "LOCK BINLOG", "LOCK FOR",
    )),
    **_because("checks or repairs tables", ("OPTIMIZE", "CHECK", "CHECKSUM", "REPAIR")),
    **_because("stops a connection or a query", ("KILL",)),
    **_because("starts, stops or restarts the server", ("SHUTDOWN", "RESTART", "CLONE")),
    **_because("controls replication", (
        "PURGE", "CHANGE MASTER", "CHANGE REPLICATION", "START SLAVE", "STOP SLAVE", "START REPLICA",
        "STOP REPLICA", "START ALL", "STOP ALL", "START GROUP_REPLICATION", "STOP GROUP_REPLICATION",
    )),
    **_because("is the binary log of changes, encoded", ("BINLOG",)),
    **_because("installs or removes a part of the server", ("INSTALL", "UNINSTALL")),
    **_because("prepares or ends a distributed transaction", ("XA",)),
    **_because("takes in a table's own files", ("IMPORT TABLE",)),
    **_because("raises or asks about an error", ("SIGNAL", "RESIGNAL", "GET", "DIAGNOSTICS")),
    **_because("forgets a savepoint", ("RELEASE",)),
    **_because("forgets a prepared statement", ("DEALLOCATE",)),
    **_because("does nothing", ("NULL",)),
    **_because("is a command of the client, which the server never sees", (
        "SOURCE", "DELIMITER", "WARNINGS", "NOWARNING", "STATUS", "TEE", "NOTEE", "PAGER", "NOPAGER",
        "PROMPT", "CONNECT", "QUIT", "EXIT", "REHASH", "RESETCONNECTION", "SYSTEM", "\\", "?",
    )),
}  # fmt: skip

OBJECTS = {
    **_because("says who may do what", ("USER", "ROLE")),
    **_because("changes no table", ("SERVER", "SPATIAL", "REFERENCE", "LIBRARY")),
    **_because("an index changes no data", ("INDEX", "VECTOR")),
    **_because("changes where tables are stored", ("TABLESPACE", "UNDO TABLESPACE", "UNDO", "LOGFILE")),
    **_because("shares out threads or processors", ("RESOURCE",)),
    **_because("a sequence holds no data of a table", ("SEQUENCE",)),
    **_because("changes how the server is run", ("INSTANCE",)),
    **_because("declares routines", ("PACKAGE",)),
}

CREATED = {**OBJECTS, **_because("a new database is empty", ("DATABASE", "SCHEMA"))}

ALTERED = {
    **OBJECTS,
    **_because("changes the defaults of a database", ("DATABASE", "SCHEMA")),
    **_because("changes how a routine may be called, not what it does", ("PROCEDURE", "FUNCTION")),
}

DROPPED = {
    **OBJECTS,
    **_because("forgets a prepared statement", ("PREPARE",)),
}

COMMITTING = frozenset(
    {
        "ALTER", "CREATE", "DROP", "INSTALL", "UNINSTALL", "RENAME", "GRANT", "REVOKE", "SET PASSWORD",
        "LOCK TABLE", "LOCK TABLES",
        "ANALYZE TABLE", "ANALYZE LOCAL", "ANALYZE NO_WRITE_TO_BINLOG", "CACHE",
        "CHECK", "FLUSH", "LOAD INDEX", "OPTIMIZE", "REPAIR",
        "RESET", "START REPLICA", "START SLAVE", "STOP", "CHANGE",
    }
)  # fmt: skip
"""What ends a transaction though it moves no data.

Source: https://dev.mysql.com/doc/refman/8.4/en/implicit-commit.html
"""
