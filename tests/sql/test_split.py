"""Scripts to statements: quotes, comments, DELIMITER, bodies, and what is not closed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqllineage_svc.dialect import load_dialect
from sqllineage_svc.sql.split import split

CASES = {
    "quotes and comments hide a semicolon": (
        "mysql",
        "select ';' , \";\", `;` /* ; */ -- ;\n, 1 # ;\n; select 2",
        ["select ';' , \";\", `;` /* ; */ -- ;\n, 1 # ;", "select 2"],
    ),
    "a dollar quote hides a semicolon": ("redshift", "select $$a;b$$; select $q$;$$;$q$", ["select $$a;b$$", "select $q$;$$;$q$"]),
    "a backslash escapes a quote": ("redshift", r"select 'a\';'; select 2", [r"select 'a\';'", "select 2"]),
    "two dashes without a blank are arithmetic": ("mysql", "select 1--1; select 2", ["select 1--1", "select 2"]),
    "delimiter is a command of the client": (
        "mysql",
        "DELIMITER //\ncreate procedure p() begin select 1; end //\ndelimiter ;\nselect 2;",
        ["create procedure p() begin select 1; end", "select 2"],
    ),
    "delimiter behind comments": ("mysql", "-- routines\n/* all */\nDELIMITER $$\nselect 1; $$\n", ["select 1;"]),
    "a body needs no delimiter": (
        "mysql",
        "create trigger t before insert on a for each row begin if new.x then set @a = if(1, 2, 3); end if; end; select 9",
        [
            "create trigger t before insert on a for each row begin if new.x then set @a = if(1, 2, 3); end if; end",
            "select 9",
        ],
    ),
    "an executable comment is a statement": ("mysql", "/*!50001 create view v as select ';' */; -- none\n;", ["/*!50001 create view v as select ';' */"]),
    "backslash G ends a statement": ("mysql", "select 1\\G select 2\\g", ["select 1", "select 2"]),
    "a byte order mark is no SQL": ("redshift", "\ufeffselect 1;\r\nselect 2;\r\n", ["select 1", "select 2"]),
    "an open quote costs only its statement": ("redshift", "select 'a;\nselect 2;\nselect '3';", ["select 'a", "select 2", "select '3'"]),
    "an open comment costs only its statement": ("redshift", "select /* 1;\nselect 2;", ["select /* 1", "select 2"]),
    "an open dollar quote costs only its statement": ("redshift", "select $$ 1;\nselect 2;", ["select $$ 1", "select 2"]),
    "nothing but comments is no statement": ("redshift", "-- a\n;; /* b */ ;", []),
    "a line of the client stands alone": ("redshift", "\\set x 1\nselect 2;", ["\\set x 1", "select 2"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_split(case: tuple[str, str, list[str]]) -> None:
    dialect, script, expected = case
    assert [source.text for source in split(script, load_dialect(dialect).lexis)] == expected


def test_places_count_in_the_script() -> None:
    script = "select 1;\n\n  select\n 2; select 3"
    places = [(source.line, source.column) for source in split(script, load_dialect("redshift").lexis)]
    assert places == [(1, 1), (3, 3), (4, 5)]


PIECES = st.sampled_from(
    ["select 1", "'a;b'", "''", "/* ; */", "-- x\n", "$$", "'", '"', "`", ";", "\n", "begin", "end", "\\"]
)


@pytest.mark.parametrize("dialect", ["redshift", "mysql"])
@given(pieces=st.lists(PIECES, max_size=30))
def test_statements_are_pieces_of_the_script_in_order(dialect: str, pieces: list[str]) -> None:
    """Whatever the text: nothing is invented, nothing but terminators, blanks and comments is lost."""
    script = " ".join(pieces)
    position = 0
    for source in split(script, load_dialect(dialect).lexis):
        found = script.find(source.text, position)
        assert found >= 0
        position = found + len(source.text)
