"""A value in somebody else's JSON, with its place in it.

Whoever needs a value asks for it and gets InvalidEvent where it has the wrong shape. `attempt` bounds what is
lost by that: it notes the fault and goes on without the part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from sqllineage_svc.errors import InvalidEvent

T = TypeVar("T")

_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_MAX_KEY_CHARACTERS = 80


class Node:
    """A value and where it is. Of the nodes of one document all write their faults into one list.

    A null is as good as an absent value: serialisers write it for what they do not have.
    """

    __slots__ = ("_key", "_parent", "faults", "value")

    def __init__(
        self, value: Any, faults: list[str], parent: Node | None = None, key: str | int = ""
    ) -> None:
        self.value = value
        self.faults = faults
        self._parent = parent
        self._key = key

    @property
    def place(self) -> str:
        """Where it is: `outputs[0].facets.schema`."""
        keys: list[str] = []
        node: Node = self
        while node._parent is not None:
            keys.append(f"[{node._key}]" if isinstance(node._key, int) else f".{_printable(node._key)}")
            node = node._parent
        return "".join(reversed(keys)).removeprefix(".") or "the event"

    @property
    def absent(self) -> bool:
        """Is there no value?"""
        return self.value is None

    def at(self, key: str) -> Node:
        """The value under a key, absent where this one is. Raises InvalidEvent where this is no object."""
        if isinstance(self.value, dict):
            return Node(self.value.get(key), self.faults, self, key)
        if not self.absent:
            raise self.error("is no object")
        return Node(None, self.faults, self, key)

    def error(self, said: str) -> InvalidEvent:
        """The error that says this of the value: `error("is no text")`."""
        return InvalidEvent(f"{self.place} {said}")

    def text(self) -> str:
        """The text, not empty. Raises InvalidEvent; half a surrogate pair and NUL are in no text."""
        value = self.value
        if isinstance(value, str) and value and is_text(value):
            return value
        if self.absent:
            raise self.error("is missing")
        raise self.error("is no text" if value or not isinstance(value, str) else "is empty")

    def optional_text(self) -> str | None:
        """The text; None where there is none, or an empty one. Raises InvalidEvent where it is no text."""
        return None if self.value is None or self.value == "" else self.text()

    def any_text(self) -> str | None:
        """The text; None where there is none, or it is no text, which is noted."""
        return self.attempt(Node.optional_text)

    def members(self) -> Iterator[tuple[str, Node]]:
        """What an object holds, by key; nothing where it is absent. Raises InvalidEvent where it is none."""
        if not self.absent and not isinstance(self.value, dict):
            raise self.error("is no object")
        for key, value in (self.value or {}).items():
            if is_text(key):
                yield key, Node(value, self.faults, self, key)
            else:
                self.faults.append(f"{self.place} has a member whose name is no text")

    def items(self) -> list[Node]:
        """What a list holds; nothing where it is absent. Raises InvalidEvent where it is no list."""
        if not self.absent and not isinstance(self.value, list):
            raise self.error("is no list")
        return [Node(value, self.faults, self, index) for index, value in enumerate(self.value or [])]

    def attempt(self, read: Callable[[Node], T]) -> T | None:
        """What is read of the value; None, with its fault noted, where that raises InvalidEvent."""
        try:
            return read(self)
        except InvalidEvent as invalid:
            self.faults.append(str(invalid))
            return None

    def readable(self, read: Callable[[Node], T]) -> list[T]:
        """What is read of each item of a list, without those that cannot be read; these are faults."""
        found: list[T] = []
        for item in self.attempt(Node.items) or []:
            try:
                found.append(read(item))
            except InvalidEvent as invalid:
                self.faults.append(str(invalid))
        return found


def is_text(value: object) -> bool:
    """Is it text that every database and encoding can hold?"""
    return isinstance(value, str) and _NO_TEXT.search(value) is None


def nests_deeper(value: object, levels: int) -> bool:
    """Do lists and objects hold each other over more than so many levels?"""
    level = [value]
    for _ in range(levels + 1):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return False
    return True


def _children(value: object) -> list[object]:
    """What it holds that may hold something itself."""
    if isinstance(value, dict):
        return [child for child in value.values() if isinstance(child, dict | list)]
    return [child for child in value if isinstance(child, dict | list)] if isinstance(value, list) else []


def _printable(key: str) -> str:
    """A key as a message may hold it: short, and text."""
    key = key.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
    return key if len(key) <= _MAX_KEY_CHARACTERS else key[:_MAX_KEY_CHARACTERS] + "…"
