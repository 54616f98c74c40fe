"""One name for one dataset, however its producers spell it.

What can be told from the spelling alone is made one here; names that only somebody can say to be of one dataset
(`symlinks`, rules) are joined in `identities` and stay apart here.
"""

from __future__ import annotations

from functools import lru_cache

from sqllineage_svc.dialect import load_dialects
from sqllineage_svc.model.names import DatasetName, canonical_location


@lru_cache(maxsize=65_536)
def canonical(name: DatasetName) -> DatasetName:
    """The one spelling of a dataset's name."""
    for dialect in load_dialects():
        found = dialect.canonical_name(name)
        if found is not None:
            return found
    return canonical_location(name)
