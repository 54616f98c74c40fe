"""A query as a tree of pieces, so that one query can be written in many ways that must mean the same.

Text stands beside references that point at the FROM item they mean; names are put in only when it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

INTEGER = "int"
TEXT = "text"


@dataclass(eq=False)
class Table:
    """A table of the warehouse: its columns, each with INTEGER or TEXT.

    `key` is the column whose values all differ; `generated` columns are each made of another one.
    """

    name: str
    columns: dict[str, str]
    key: str | None = None
    generated: dict[str, str] = field(default_factory=dict)

    @property
    def given(self) -> dict[str, str]:
        """The columns that hold data of their own."""
        return {name: kind for name, kind in self.columns.items() if name not in self.generated}

    def derived(self, column: str) -> list[str]:
        """The columns that are made of this one."""
        return [name for name, base in self.generated.items() if base == column]


@dataclass(eq=False)
class Query:
    """A query: its text with the references in it, the CTEs before it and its output columns in order."""

    pieces: Pieces
    outputs: dict[str, str]
    ctes: tuple[Cte, ...] = ()


@dataclass(eq=False)
class Cte:
    """A named query; `names` are its columns where they are listed behind its name."""

    name: str
    query: Query
    names: tuple[str, ...] = ()
    recursive: bool = False
    itself: Cte | None = None

    @property
    def columns(self) -> dict[str, str]:
        """Its columns under the names that a reader of it sees."""
        kinds = self.query.outputs.values()
        return dict(zip(self.names or self.query.outputs, kinds, strict=True))


@dataclass(eq=False)
class Item:
    """Something in a FROM clause; `names` rename its columns where they are listed behind its alias."""

    source: Table | Cte | Query
    alias: str | None = None
    names: tuple[str, ...] = ()

    @property
    def columns(self) -> dict[str, str]:
        """Its columns as the rest of the query sees them."""
        own = self.source.outputs if isinstance(self.source, Query) else self.source.columns
        return dict(zip(self.names, own.values(), strict=True)) if self.names else own

    @property
    def name(self) -> str:
        """What its columns are qualified with."""
        return self.alias or (self.source.name if not isinstance(self.source, Query) else "")


@dataclass(frozen=True, eq=False)
class Reference:
    """A column of an item, or `*`; `bare`: written without the item's name."""

    item: Item
    column: str
    bare: bool = False


@dataclass(frozen=True, eq=False)
class Constant:
    """A literal, of which only the kind matters."""

    kind: str
    number: int


Piece = str | Item | Reference | Constant | Query
Pieces = tuple[Piece, ...]


def keep(name: str) -> str:
    """The name itself."""
    return name


@dataclass
class Writer:
    """Writes a query; held open while it does.

    `rename` and `rename_alias` are applied to relations and to aliases. `wrap`, "derived" or "cte", puts
    `(SELECT * FROM r)` around each table. `split` makes a temporary table of each derived table and CTE;
    `statements` are those that have to run before. `noise` adds comments, `shift` changes the literals.
    """

    rename: Callable[[str], str] = keep
    rename_alias: Callable[[str], str] = keep
    wrap: str = ""
    split: bool = False
    noise: Random | None = None
    shift: int = 0
    temporary: str = "temp"
    statements: list[str] = field(default_factory=list)
    _wrapped: dict[str, str] = field(default_factory=dict)
    _made: dict[int, str] = field(default_factory=dict)

    def write(self, query: Query) -> str:
        """The text of a whole statement's query."""
        text = self._query(query, top=True)
        if not self._wrapped:
            return text
        wrapped = ", ".join(f"{name} as (select * from {table})" for table, name in self._wrapped.items())
        if text.startswith("with recursive "):
            return f"with recursive {wrapped}, {text.removeprefix('with recursive ')}"
        return (
            f"with {wrapped}, {text.removeprefix('with ')}"
            if text.startswith("with ")
            else f"with {wrapped} {text}"
        )

    def _query(self, query: Query, top: bool = False) -> str:
        ctes = [self._cte(cte) for cte in query.ctes]
        body = "".join(self._pieces(query.pieces))
        written = [cte for cte in ctes if cte]
        if not written:
            return body
        recursive = " recursive" if any(cte.recursive for cte in query.ctes) else ""
        return f"with{recursive} {', '.join(written)} {body}"

    def _cte(self, cte: Cte) -> str:
        name = self.rename(cte.name)
        listed = f"({', '.join(cte.names)})" if cte.names else ""
        if not self.split:
            return f"{name}{listed} as ({self._query(cte.query)})"
        made = self._made[id(cte)] = f"split_{len(self._made)}"
        text = self._query(cte.query)
        if cte.recursive:
            text = f"with recursive {name}{listed} as ({text}) select * from {name}"
        elif listed:
            text = f"with {name}{listed} as ({text}) select * from {name}"
        self.statements.append(f"create {self.temporary} table {made} as {text}")
        return ""

    def _pieces(self, pieces: Pieces) -> Iterator[str]:
        for piece in pieces:
            match piece:
                case str():
                    yield self._noisy(piece)
                case Item():
                    yield self._item(piece)
                case Reference(item, column, bare):
                    yield column if bare else f"{self._qualifier(item)}.{column}"
                case Constant(kind, number):
                    shifted = number + self.shift
                    yield str(shifted) if kind == INTEGER else f"'{'abcxyz'[shifted % 6]}'"
                case Query():
                    yield f"({self._query(piece)})"

    def _noisy(self, text: str) -> str:
        if self.noise is None or " " not in text or self.noise.random() < 0.5:
            return text
        comment = self.noise.choice(("/* select a.k from t0 a, t1 */ ", "-- ; drop table t0 'x\n", "/**/"))
        return text.replace(" ", " " + comment, 1)

    def _qualifier(self, item: Item) -> str:
        return self.rename_alias(item.alias) if item.alias is not None else self.rename(item.name)

    def _item(self, item: Item) -> str:
        match item.source:
            case Query() as query:
                text = self._hoisted(query) if self.split else f"({self._query(query)})"
                name = None
            case Cte() as cte:
                name = self.rename(cte.name)
                inside = cte.itself is not None
                text = name if inside else self._made.get(id(cte), name)
            case Table(name=plain):
                name = self.rename(plain)
                text = self._wrap(name)
        alias = self._qualifier(item)
        listed = f"({', '.join(item.names)})" if item.names else ""
        return text if text == alias and not listed and item.alias is None else f"{text} as {alias}{listed}"

    def _wrap(self, table: str) -> str:
        if self.wrap == "derived":
            return f"(select * from {table})"
        if self.wrap == "cte":
            return self._wrapped.setdefault(table, f"wrapped_{len(self._wrapped)}")
        return table

    def _hoisted(self, query: Query) -> str:
        made = self._made[id(query)] = f"split_{len(self._made)}"
        self.statements.append(f"create {self.temporary} table {made} as {self._query(query)}")
        return made


def schema_of(
    tables: list[Table], rename: Callable[[str], str] = keep
) -> Mapping[str, Mapping[str, str | None]]:
    """The schema of some tables as `trace_sql` takes it."""
    return {rename(table.name): dict(table.columns) for table in tables}
