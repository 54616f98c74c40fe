"""functions.toml against what sqlglot makes of each function."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from sqllineage_svc.dialect import load_dialect

FACTS = load_dialect("redshift").functions


def parsed(expression: str) -> exp.Expr:
    tree = sqlglot.parse_one(f"select {expression} from t", read="redshift")
    return tree.expressions[0]


@pytest.mark.parametrize("name", sorted(FACTS.masking))
def test_a_masking_function_is_found_by_this_name(name: str) -> None:
    found = parsed(f"{name}(a, a)" if name == "regr_count" else f"{name}(a)")
    names = [found.name] if isinstance(found, exp.Anonymous) else found.sql_names()  # type: ignore[attr-defined]
    assert name in [spelling.lower() for spelling in names]


def test_approximate_count_is_masked_under_the_name_sqlglot_gives_it() -> None:
    found = parsed("approximate count(distinct a)")
    assert "approx_distinct" in [name.lower() for name in found.sql_names()]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", sorted(FACTS.aggregates))
def test_an_aggregate_is_listed_only_if_sqlglot_does_not_know_it(name: str) -> None:
    assert isinstance(parsed(f"{name}(a)"), exp.Anonymous)


@pytest.mark.parametrize(("name", "position"), sorted(FACTS.date_parts.items()))
def test_a_date_part_is_listed_only_where_it_looks_like_a_column(name: str, position: int) -> None:
    assert parsed(f"{name}(dow, a)").expressions[position] == exp.column("dow")


@pytest.mark.parametrize(
    "expression",
    [
        "date_part(dow, a)",
        "dateadd(mons, 1, a)",
        "datediff(qtr, a, a)",
        "date_trunc(w, a)",
        "extract(epoch from a)",
    ],
)
def test_sqlglot_knows_the_other_date_parts(expression: str) -> None:
    assert {column.name for column in parsed(expression).find_all(exp.Column)} == {"a"}


def test_names_that_are_no_columns() -> None:
    assert {"current_user", "user", "sysdate", "current_date"} <= FACTS.niladic
    assert {"$path", "$size", "$spectrum_oid", "oid"} <= FACTS.pseudo_columns
    assert "level" not in FACTS.pseudo_columns  # a common column; it is one in any query without CONNECT BY
