"""A mapping that is never changed: setting a key gives a new one, cheaply.

A session is a value, and a script may hold a hundred thousand statements that each change it a little.
Copying one dictionary for each would cost the square of the script; here small dictionaries are stacked and
merged when they have grown alike, so that a change costs about the logarithm.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Layers(Generic[K, V]):
    """An immutable mapping of layers, the newest first in `get`.

    `answers` is for what is worked out from these contents and from nothing that changes.
    """

    __slots__ = ("_layers", "answers")

    def __init__(self, layers: tuple[dict[K, V], ...] = ()) -> None:
        self._layers = layers
        self.answers: dict[object, object] = {}

    def get(self, key: K) -> V | None:
        """The value of this key, or None."""
        for layer in reversed(self._layers):
            if key in layer:
                return layer[key]
        return None

    def set(self, key: K, value: V) -> Layers[K, V]:
        """The same mapping with this key set."""
        layer = {key: value}
        layers = self._layers
        while layers and len(layers[-1]) <= 2 * len(layer):
            layer = {**layers[-1], **layer}
            layers = layers[:-1]
        return Layers((*layers, layer))

    def items(self) -> Iterator[tuple[K, V]]:
        """All keys with their newest values, in the order in which the keys came."""
        newest: dict[K, V] = {}
        for layer in self._layers:
            newest.update(layer)
        return iter(newest.items())

    def __contains__(self, key: object) -> bool:
        return any(key in layer for layer in self._layers)
