"""Random rows for generated tables, and the statements that put them there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from tests.querytree import INTEGER, Table

Values = dict[str, list[str]]
"""Column to its literals, row by row."""

_MOST_ROWS = 5


def given_columns(tables: Sequence[Table]) -> Iterator[tuple[Table, str]]:
    """Every column that holds data of its own."""
    for table in tables:
        for column in table.given:
            yield table, column


def create(table: Table) -> tuple[str, str]:
    """The statements that make the table new."""
    columns = [_definition(table, name) for name in table.columns]
    return f"drop table if exists {table.name}", f"create table {table.name} ({', '.join(columns)})"


def _definition(table: Table, name: str) -> str:
    kind = "int" if table.columns[name] == INTEGER else "varchar(20)"
    if name in table.generated:
        return f"{name} {kind} generated always as ({table.generated[name]} + 1) stored"
    return f"{name} {kind} primary key" if name == table.key else f"{name} {kind}"


def insert(table: Table, values: Values) -> str:
    """The statement that puts rows into the table."""
    rows = zip(*(values[name] for name in table.given), strict=True)
    listed = ", ".join(f"({', '.join(row)})" for row in rows)
    return f"insert into {table.name} ({', '.join(table.given)}) values {listed}"


def emptied(table: Table, engine: str) -> str:
    """The statement that takes all rows out and lets the next ones lie in the order of their coming."""
    return f"{'truncate' if engine == 'postgres' else 'delete from'} {table.name}"


def values(table: Table, random: Random) -> Values:
    """Two to five rows."""
    rows = random.randint(2, _MOST_ROWS)
    return {name: _fresh(table, name, rows, random) for name in table.given}


def other(table: Table, name: str, now: list[str], random: Random) -> list[str]:
    """Other values of a column: in all rows, or in one."""
    if random.random() < 0.5:
        return _fresh(table, name, len(now), random)
    at = random.randrange(len(now))
    new = _value(table.columns[name], random)
    if name == table.key:
        new = random.choice([key for key in _KEYS if key not in now])
    return [new if row == at else value for row, value in enumerate(now)]


_KEYS = [str(number) for number in range(8)]


def _fresh(table: Table, name: str, rows: int, random: Random) -> list[str]:
    if name == table.key:
        return random.sample(_KEYS, rows)
    return [_value(table.columns[name], random) for _ in range(rows)]


def _value(kind: str, random: Random) -> str:
    if random.random() < 0.12:
        return "null"
    return str(random.randint(0, 4)) if kind == INTEGER else f"'{random.choice('aabcxy')}'"
