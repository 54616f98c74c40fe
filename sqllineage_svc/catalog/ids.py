"""Ids that need no counter: hashes of what a thing is called, so that two loaders give one thing one id.

They are positive 63-bit integers, which SQLite and PostgreSQL keep in 8 bytes. Among a million names two meet
by chance in one of ten million catalogs.
"""

from __future__ import annotations

from hashlib import blake2b

_SEPARATOR = "\0"
_BITS = (1 << 63) - 1


def identify(*parts: str) -> int:
    """The id of a name in parts."""
    return identify_bytes(_SEPARATOR.join(parts).encode("utf-8", "surrogatepass"))


def identify_bytes(content: bytes) -> int:
    """The id of a content."""
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "big") & _BITS or 1


def dataset_id(namespace: str, name: str) -> int:
    """The id of a dataset, which also stands for it as a whole where columns stand."""
    return identify("dataset", namespace, name)


def column_id(dataset: int, name: str) -> int:
    """The id of a column of a dataset; letter case makes no other column."""
    return identify("column", str(dataset), name.lower())


def job_id(namespace: str, name: str) -> int:
    """The id of a job."""
    return identify("job", namespace, name)


def run_id(external: str) -> int:
    """The id of a run, whose UUID may be written in either case."""
    return identify_bytes(b"run\0" + external.lower().encode("utf-8", "surrogatepass"))


def event_hash(payload: bytes) -> bytes:
    """The 16 bytes that tell events apart: of their content alone."""
    return blake2b(payload, digest_size=16).digest()
