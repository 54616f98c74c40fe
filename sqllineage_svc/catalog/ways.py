"""How a source acts on a target, as one small number."""

from __future__ import annotations

TYPES = ("", "DIRECT", "INDIRECT")
SUBTYPES = (
    "", "IDENTITY", "TRANSFORMATION", "AGGREGATION", "JOIN", "GROUP_BY", "FILTER", "SORT", "WINDOW", "CONDITIONAL",
)  # fmt: skip
OTHER = "OTHER"
"""What a subtype reads as that the standard does not know."""

_KNOWN = (*SUBTYPES, OTHER)
_TYPE = {name: number for number, name in enumerate(TYPES)}
_SUBTYPE = {name: number for number, name in enumerate(_KNOWN)}


def way_number(type_: str, subtype: str, masking: bool) -> int:
    """The number of a way; a type that nobody knows counts as not said, an unknown subtype as OTHER."""
    return (_SUBTYPE.get(subtype, _SUBTYPE[OTHER]) * len(TYPES) + _TYPE.get(type_, 0)) * 2 + masking


def way_parts(number: int) -> tuple[str, str, bool]:
    """The type, subtype and masking of a way's number."""
    rest, masking = divmod(number, 2)
    subtype, type_ = divmod(rest, len(TYPES))
    return TYPES[type_], _KNOWN[subtype], bool(masking)


def decides(number: int) -> bool:
    """Is it an influence, not a value that flows?"""
    return number // 2 % len(TYPES) == _TYPE["INDIRECT"]


VALUE = way_number("DIRECT", "", False)
"""A value flows; nobody said how."""

INFLUENCE = way_number("INDIRECT", "", False)
"""Something is decided; nobody said how."""

FLOWING = frozenset(way for way in range(2 * len(TYPES) * len(_KNOWN)) if not decides(way))
"""The ways by which a value flows, or may."""
