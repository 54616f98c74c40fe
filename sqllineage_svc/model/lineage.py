"""The lineage of a statement: which columns feed which, which decide the rows, and what we could not know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from sqllineage_svc.model.names import ColumnRef, Dataset


class Transformation(Enum):
    """How a source acts on a target; the value is OpenLineage's (type, subtype).

    Source: https://openlineage.io/docs/spec/facets/dataset-facets/column_lineage_facet
    """

    IDENTITY = ("DIRECT", "IDENTITY")
    TRANSFORMATION = ("DIRECT", "TRANSFORMATION")
    AGGREGATION = ("DIRECT", "AGGREGATION")
    JOIN = ("INDIRECT", "JOIN")
    GROUP_BY = ("INDIRECT", "GROUP_BY")
    FILTER = ("INDIRECT", "FILTER")
    SORT = ("INDIRECT", "SORT")
    WINDOW = ("INDIRECT", "WINDOW")
    CONDITIONAL = ("INDIRECT", "CONDITIONAL")

    @property
    def type(self) -> str:
        """DIRECT: the value flows; INDIRECT: it decides."""
        return self.value[0]

    @property
    def subtype(self) -> str:
        """OpenLineage's subtype, which is also the member's name."""
        return self.value[1]


class ColumnEdge(NamedTuple):
    """A column's value flows into another column or, when INDIRECT, decides that one column.

    `masking`: the target does not reveal the source's value (a hash, a count).
    """

    source: ColumnRef
    target: ColumnRef
    transformation: Transformation
    masking: bool = False


class RowEdge(NamedTuple):
    """A column decides which rows the target dataset gets; it acts on every column of it."""

    source: ColumnRef
    target: Dataset
    transformation: Transformation


@dataclass(frozen=True, slots=True)
class Issue:
    """Something we could not know or understand. Data, never an exception upward.

    `line` and `column` are 1-based and count in the whole file; 0 where the issue has no place.
    """

    code: str
    message: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class StatementLineage:
    """What one statement moves.

    `inputs` are the datasets it reads, `outputs` those that received, lost or changed rows, both in the
    order of the text. `expressions` gives the SQL that makes a target column; its text is made when asked.
    """

    inputs: tuple[Dataset, ...] = ()
    outputs: tuple[Dataset, ...] = ()
    columns: tuple[ColumnEdge, ...] = ()
    rows: tuple[RowEdge, ...] = ()
    issues: tuple[Issue, ...] = ()
    expressions: Mapping[ColumnRef, str] = field(default_factory=dict, compare=False)
