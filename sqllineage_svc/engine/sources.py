"""What stands in a FROM clause, and the output of a query: columns by name, each with its origins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sqlglot import exp

from sqllineage_svc.engine.origins import IDENTITY, NOTHING, Origins, RowSet, add, through
from sqllineage_svc.model.names import ALL_COLUMNS, Carrier, ColumnRef, Relation

UNNAMED = "\0"
"""The name of an output column that the statement did not name."""


class OutputColumn(NamedTuple):
    """A column of a query's output; the name `*` stands for columns that could not be listed.

    `node` is the expression that makes the value; None where a column is passed on from a table.
    """

    name: str
    origins: Origins
    node: exp.Expr | None = None


class Output:
    """What a query returns: its columns in order, and what decides its rows."""

    __slots__ = ("_behind_star", "_by_name", "_open", "columns", "rows")

    def __init__(self, columns: Sequence[OutputColumn], rows: RowSet) -> None:
        self.columns = columns
        self.rows = rows
        self._by_name: dict[str, OutputColumn] | None = None
        self._behind_star: dict[str, OutputColumn] = {}
        self._open: OutputColumn | None = None

    def find(self, name: str) -> OutputColumn | None:
        """The column of this name; from an unlisted `*`, the column that it must be there."""
        by_name = self._by_name
        if by_name is None:
            by_name = self._by_name = {}
            for column in self.columns:
                if column.name == ALL_COLUMNS:
                    self._open = column if self._open is None else _both(self._open, column)
                else:
                    by_name.setdefault(column.name, column)
        found = by_name.get(name)
        if found is None and self._open is not None:
            found = self._behind_star.get(name)
            if found is None:
                found = self._behind_star[name] = OutputColumn(name, named_in(self._open.origins, name))
        return found

    def knows(self, name: str) -> bool | None:
        """Is there such a column? None: there may be, behind a `*`."""
        if self.find(name) is None:
            return False
        return None if name in self._behind_star else True

    @property
    def is_open(self) -> bool:
        """Does it hold columns that could not be listed?"""
        return any(column.name == ALL_COLUMNS for column in self.columns)

    def renamed(self, names: Sequence[str]) -> Output:
        """The same output with its first columns named so."""
        if not names:
            return self
        columns = [
            OutputColumn(names[at], column.origins, column.node) if at < len(names) and column.name != ALL_COLUMNS
            else column
            for at, column in enumerate(self.columns)
        ]  # fmt: skip
        if self.is_open and all(column.name == ALL_COLUMNS for column in columns):
            columns = [OutputColumn(name, self.columns[0].origins) for name in names]
        return Output(columns, self.rows)


Names = Mapping[str, object]
"""Column names in order, to be asked quickly whether one is among them."""


class Source:
    """An item of a FROM clause. `relation` is None for anything but a named table.

    Into a `navigable` one any path may lead.
    """

    navigable = False
    __slots__ = ("_memo", "alias", "names", "output", "relation")

    def __init__(
        self, alias: str, relation: Carrier | None, names: Names | None, output: Output | None = None
    ) -> None:
        self.alias = alias
        self.relation = relation
        self.names = names
        self.output = output
        self._memo: dict[str, Origins] = {}

    def knows(self, name: str) -> bool | None:
        """Has it such a column? None: nobody knows."""
        if self.output is not None:
            return self.output.knows(name)
        return None if self.names is None else name in self.names

    def origins(self, name: str) -> Origins:
        """Where the column's value comes from; call it only where `knows` is not False."""
        if self.output is not None:
            column = self.output.find(name)
            return NOTHING if column is None else column.origins
        found = self._memo.get(name)
        if found is None:
            assert self.relation is not None  # noqa: S101 - a source is a relation or has an output
            ref: ColumnRef = tuple.__new__(ColumnRef, (self.relation, name))  # made by the thousand
            found = self._memo[name] = {ref: IDENTITY}
        return found

    def find(self, name: str) -> Origins | None:
        """Where the column's value comes from; None where there is certainly no such column."""
        if self.output is not None:
            column = self.output.find(name)
            return None if column is None else column.origins
        if self.names is not None and name not in self.names:
            return None
        return self._memo.get(name) or self.origins(name)

    def column(self, name: str) -> OutputColumn:
        """The column as an output column of the same name."""
        if self.output is not None:
            found = self.output.find(name)
            if found is not None:
                return found
        return OutputColumn(name, self.origins(name))

    def columns(self) -> Iterator[OutputColumn]:
        """All columns in order; `*` for those nobody could list."""
        if self.output is not None:
            yield from self.output.columns
        elif self.names is None:
            yield OutputColumn(ALL_COLUMNS, self.origins(ALL_COLUMNS))
        else:
            for name in self.names:
                yield OutputColumn(name, self.origins(name))

    def datasets(self) -> Origins:
        """An unknown column of each dataset behind this source: the honest answer where a name is not known."""
        if self.output is None:
            return self.origins(ALL_COLUMNS)
        found: Origins = {}
        for column in self.output.columns:
            for ref, ways in column.origins.items():
                found[ColumnRef(ref.dataset, ALL_COLUMNS)] = ways
        for ref in self.output.rows.flat():
            if isinstance(ref.dataset, Relation):
                found.setdefault(ColumnRef(ref.dataset, ALL_COLUMNS), IDENTITY)
        return found


def named_in(star: Origins, name: str) -> Origins:
    """The column of this name behind an unlisted `*`: named where one dataset can have it, else unknown."""
    if len(star) != 1:
        return star
    ((ref, ways),) = star.items()
    return {ColumnRef(ref.dataset, name): ways} if ref.column == ALL_COLUMNS else star


def merged(first: Origins, second: Origins, outer: int = IDENTITY) -> Origins:
    """Both origins as one, each acting by `outer`."""
    result: Origins = {}
    add(result, first, outer)
    add(result, second, outer)
    return result


def weakened(origins: Origins, outer: int) -> Origins:
    """The origins as they act by `outer`."""
    return {ref: through(ways, outer) for ref, ways in origins.items()}


def _both(first: OutputColumn, second: OutputColumn) -> OutputColumn:
    return OutputColumn(ALL_COLUMNS, merged(first.origins, second.origins))
