"""Secrets out of query text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SecretRules:
    """Which clauses of a warehouse hold secrets."""
