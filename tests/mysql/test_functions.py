"""functions.toml against what sqlglot makes of each function."""

from __future__ import annotations

import pytest
from sqlglot import exp

from sqllineage_svc.sql.statement import Read
from tests.mysql.reading import MYSQL, read

FACTS = MYSQL.functions


def parsed(expression: str) -> exp.Expr:
    statement = read(f"SELECT {expression} FROM t")
    assert isinstance(statement, Read)
    tree: exp.Expr = statement.query.expressions[0]
    return tree


@pytest.mark.parametrize("name", sorted(FACTS.masking - {"encrypt"}))
def test_a_masking_function_is_found_by_this_name(name: str) -> None:
    found = parsed(f"{name}(a)")
    names = [found.name] if isinstance(found, exp.Anonymous) else found.sql_names()  # type: ignore[attr-defined]
    assert name in [spelling.lower() for spelling in names]


@pytest.mark.parametrize("name", sorted(FACTS.aggregates | FACTS.decided_by_first))
def test_a_function_is_listed_only_if_sqlglot_does_not_know_it(name: str) -> None:
    assert isinstance(parsed(f"{name}(a, b)"), exp.Anonymous)


@pytest.mark.parametrize(("name", "position"), sorted(FACTS.date_parts.items()))
def test_a_date_part_is_listed_only_where_it_looks_like_a_column(name: str, position: int) -> None:
    assert parsed(f"{name}(date, a)").expressions[position] == exp.column("date")


@pytest.mark.parametrize(
    "expression",
    [
        "timestampdiff(month, a, a)",
        "timestampadd(sql_tsi_week, 1, a)",
        "date_add(a, interval 1 day_hour)",
        "a + interval 1 week",
        "extract(year_month from a)",
        "convert(a using utf8mb4)",
        "cast(a as unsigned integer)",
        "trim(both 'x' from a)",
        "a collate utf8mb4_bin",
    ],
)
def test_words_inside_an_expression_are_no_columns(expression: str) -> None:
    assert {column.name for column in parsed(expression).find_all(exp.Column)} == {"a"}


@pytest.mark.parametrize("name", sorted(FACTS.niladic))
def test_a_function_without_parentheses_is_listed_only_where_it_looks_like_a_column(name: str) -> None:
    assert parsed(name) == exp.column(name)
