"""Where a row is known from that may be a fact."""

from __future__ import annotations

FROM_EVENTS = 0
"""It is derived from events that are kept."""

FROM_TRACES = 1
"""A trace of ours has seen it."""

FROM_SNAPSHOT = 2
"""Events before the cut told it; they are gone."""
