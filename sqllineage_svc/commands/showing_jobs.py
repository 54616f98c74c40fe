"""Which jobs are named in an answer: those with which all began, or each."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from sqllineage_svc.catalog.answering import AnsweredEdge

_NAMED = 3


class Jobs(StrEnum):
    """`folded`: the job with which all began stands for those that it started. `all`: each stands for itself."""

    FOLDED = "folded"
    ALL = "all"


def job_of(edge: AnsweredEdge, jobs: Jobs) -> str:
    """The job that an edge is of."""
    return edge.root.name if jobs is Jobs.FOLDED and edge.root is not None else edge.job


def label(edges: Iterable[AnsweredEdge], jobs: Jobs) -> str:
    """The jobs of edges in the order of letters, of many the first; folded, a job that nobody started is not named.

    daily.load, weekly
    """
    named = {job_of(edge, jobs) for edge in edges if jobs is Jobs.ALL or edge.root is not None}
    names = sorted(named - {""})
    more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
    return ", ".join(names[:_NAMED] + more)
