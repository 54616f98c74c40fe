"""Procedures, functions, triggers and events, statement by statement."""

from __future__ import annotations

from pathlib import Path

from sqllineage_svc.sql.split import split
from tests.bodies import outline
from tests.mysql.reading import MYSQL, read

HERE = Path(__file__)


def test_every_statement_of_a_routine_is_read() -> None:
    script = HERE.with_name("routines.sql").read_text("utf-8")
    found = "\n".join(
        line for source in split(script, MYSQL.lexis) for line in outline(read(source.text), "mysql")
    )
    assert found == HERE.with_name("routines.txt").read_text("utf-8").rstrip("\n")


def test_a_routine_without_delimiters_is_one_statement() -> None:
    script = (
        "CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR NOT FOUND BEGIN END; SELECT 1; END; SELECT 2;"
    )
    assert [source.text[:6] for source in split(script, MYSQL.lexis)] == ["CREATE", "SELECT"]
