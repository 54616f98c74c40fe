"""What becomes of a dataset as a whole, and what kind of dataset it is."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from sqllineage_svc.model.names import Dataset


class StateChange(Enum):
    """OpenLineage's lifecycle state changes.

    Source: https://openlineage.io/docs/spec/facets/dataset-facets/lifecycle_state_change
    """

    CREATE = "CREATE"
    OVERWRITE = "OVERWRITE"
    ALTER = "ALTER"
    RENAME = "RENAME"
    TRUNCATE = "TRUNCATE"
    DROP = "DROP"


class LifecycleChange(NamedTuple):
    """A dataset is made, replaced, altered, renamed, emptied or dropped.

    Of a renamed one `dataset` is the new name and `previous` the old; else `previous` is None.
    """

    dataset: Dataset
    change: StateChange
    previous: Dataset | None = None


class DatasetKind(Enum):
    """What a dataset is; the value is OpenLineage's (datasetType, subType).

    Source: https://openlineage.io/docs/spec/facets/dataset-facets/type
    """

    TABLE = ("TABLE", None)
    TEMPORARY_TABLE = ("TABLE", "TEMPORARY")
    EXTERNAL_TABLE = ("TABLE", "EXTERNAL")
    VIEW = ("VIEW", None)
    MATERIALIZED_VIEW = ("VIEW", "MATERIALIZED")
    MODEL = ("MODEL", None)
    FILE = ("FILE", None)

    def __init__(self, type_: str, subtype: str | None) -> None:
        self.type = type_
        self.subtype = subtype
