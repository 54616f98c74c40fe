"""What is made once for each thread: it holds the statement that it works on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def once_a_thread(make: Callable[[str], T]) -> Callable[[str], T]:
    """Like `functools.cache`, but no two threads get the same."""
    own = threading.local()

    def made(name: str) -> T:
        known: dict[str, T] | None = getattr(own, "known", None)
        if known is None:
            known = own.known = {}
        if (found := known.get(name)) is None:
            found = known[name] = make(name)
        return found

    return made
