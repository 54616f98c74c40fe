"""Names of datasets and columns, as the warehouse has them.

Parts are folded before a name is made (`sql/identifiers.py`), so equal names are equal values. They are
named tuples: lineage hashes millions of them, and a tuple's hash is computed in C.
"""

from __future__ import annotations

from typing import NamedTuple

ALL_COLUMNS = "*"
"""The column of a `ColumnRef` that stands for columns nobody could list."""

ROWS = ""
"""The column of a `ColumnRef` that stands for which rows the dataset holds."""

VALUE = "value"
"""The column of a `ColumnRef` to a variable, which holds one value."""


class Relation(NamedTuple):
    """A table or view. None means that the statement did not say that part."""

    catalog: str | None
    schema: str | None
    name: str

    def __str__(self) -> str:
        parts = (self.catalog, self.schema, self.name)
        return ".".join(_part(part) for part in parts if part is not None)


def temporary_key(relation: Relation) -> Relation:
    """What a session's temporary table is kept under: beside a permanent one of its name, in no schema of any."""
    return Relation(None, "\0temporary", relation.name)


def permanent_key(relation: Relation, default_schemas: tuple[str, ...]) -> Relation:
    """One name for the spellings of one relation: `t` and `public.t` where public is searched anyway."""
    if relation.schema in default_schemas and relation.catalog is None:
        return Relation(None, None, relation.name)
    return relation


class Location(NamedTuple):
    """Files outside the warehouse, as their path or URI is written."""

    uri: str

    def __str__(self) -> str:
        return self.uri


class Variable(NamedTuple):
    """A variable of the session that carries values from one statement to a later one."""

    variable: str

    def __str__(self) -> str:
        return self.variable


Dataset = Relation | Location
Carrier = Relation | Location | Variable
"""What a value can come from: a dataset or, inside a session, a variable."""

RESULT = Relation(None, None, "")
"""What a bare query returns to its client: the dataset with no name."""


class ColumnRef(NamedTuple):
    """A column of a dataset; prints `app.orders.amount`."""

    dataset: Carrier
    column: str

    def __str__(self) -> str:
        return f"{self.dataset}.{self.column}"


class DatasetName(NamedTuple):
    """A dataset as OpenLineage names it (https://openlineage.io/docs/spec/naming)."""

    namespace: str
    name: str


def location_name(location: Location) -> DatasetName:
    """What OpenLineage calls files: the scheme and authority of a URI, and the path in it; else a local path.

        s3://lake/in/orders/  ->  s3://lake  in/orders

    The root of a bucket is `/`. Source: https://openlineage.io/docs/spec/naming
    """
    scheme, separator, rest = location.uri.partition("://")
    if not separator or scheme == "file":
        return DatasetName("file", rest or location.uri)
    authority, _, path = rest.partition("/")
    return DatasetName(
        f"{_SCHEMES.get(scheme.lower(), scheme.lower())}://{authority}", path.strip("/") or "/"
    )


def canonical_location(name: DatasetName) -> DatasetName:
    """The name of files as `location_name` gives it; any other name as it is.

    s3a://lake  /in/orders/  ->  s3://lake  in/orders
    """
    scheme, separator, rest = name.namespace.partition("://")
    known = _SCHEMES.get(scheme.lower(), scheme.lower())
    if not separator or known != "s3":
        return name
    return DatasetName(f"s3://{rest.rstrip('/')}", name.name.strip("/") or "/")


_SCHEMES = {"s3a": "s3", "s3n": "s3"}


def _part(part: str) -> str:
    """A part as it stands in a dotted name; one that holds a dot is quoted."""
    return '"' + part.replace('"', '""') + '"' if "." in part else part
