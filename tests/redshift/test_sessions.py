"""Transactions, settings, cursors, prepared statements, procedures, and texts that are refused."""

from __future__ import annotations

import pytest
from sqlglot import exp

from sqllineage_svc.errors import UnreadableStatement
from sqllineage_svc.model.names import Relation
from sqllineage_svc.sql.statement import (
    Block,
    Call,
    Change,
    CreateRoutine,
    Execute,
    Fetch,
    Opaque,
    Prepare,
    SetCaseSensitivity,
    SetSearchPath,
    Statement,
    Transaction,
    TransactionStep,
    Truncate,
    Use,
    Write,
)
from tests.redshift.reading import S, T, read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("insert into t default values", Write(T, None)),
        ("begin", Transaction(TransactionStep.BEGIN)),
        ("begin work isolation level serializable", Transaction(TransactionStep.BEGIN)),
        ("start transaction read only", Transaction(TransactionStep.BEGIN)),
        ("commit work", Transaction(TransactionStep.COMMIT)),
        ("end transaction", Transaction(TransactionStep.COMMIT)),
        ("rollback", Transaction(TransactionStep.ROLLBACK)),
        ("abort", Transaction(TransactionStep.ROLLBACK)),
        ("set search_path to a, B", SetSearchPath(("a", "b"))),
        ('set search_path = "$user", public', SetSearchPath(("public",))),
        ("set search_path to '$user', 'a, b'", SetSearchPath(("a", "b"))),
        ("set local search_path to $user, a", SetSearchPath(("a",))),
        ("set search_path to default", SetSearchPath(None)),
        ("reset search_path", SetSearchPath(None)),
        ("reset all", Block((SetSearchPath(None), SetCaseSensitivity(None)))),
        ("set enable_case_sensitive_identifier to true", SetCaseSensitivity(True)),
        ("set enable_case_sensitive_identifier = 'off'", SetCaseSensitivity(False)),
        ("set enable_case_sensitive_identifier to default", SetCaseSensitivity(None)),
        ("reset enable_case_sensitive_identifier", SetCaseSensitivity(None)),
        ("use dev", Use("dev")),
        ("prepare p (int) as truncate t", Prepare("p", Truncate(T))),
        ("execute p (1, 'x')", Execute("p")),
        ("call x.p()", Call(Relation(None, "x", "p"))),
        ("call p(1)", Call(Relation(None, None, "p"), (exp.Literal.number(1),))),
        ("fetch forward all from c", Fetch("c")),
        ('fetch next from "SQL_CUR1"', Fetch("sql_cur1")),
        ("fetch c", Fetch("c")),
    ],
)
def test_sessions(text: str, expected: Statement) -> None:
    assert read(text) == expected


def test_execute_of_a_made_text_is_opaque() -> None:
    statement = read("execute 'insert into t ' || x")
    assert isinstance(statement, Opaque)
    assert statement.code == "DynamicSql"


def test_a_procedure_is_read_like_a_script() -> None:
    statement = read(
        "create or replace procedure x.p(day in date, n inout int) nonatomic as $$\n"
        "declare top int default 1;\n"
        "begin update t set a = default; truncate s; end;\n"
        "$$ language plpgsql security definer"
    )
    assert isinstance(statement, CreateRoutine)
    assert (statement.relation, statement.parameters) == (Relation(None, "x", "p"), ("day", "n"))
    change = statement.body.body[1]
    assert isinstance(change, Change)
    assert change.query.sql("redshift") == "SELECT NULL FROM t"
    assert statement.body.body[2] == Truncate(S)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("select a\nfrom t where", 2, 8),
        ("copy t 's3://b'", 1, 8),
        ("unload ('select 1' to 's3://b'", 1, 23),
        ("select max(a) keep (dense_rank last order by b) from t", 1, 20),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(UnreadableStatement) as caught:
        read(text)
    assert (caught.value.line, caught.value.column) == (line, column)
