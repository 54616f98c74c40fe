"""Moments as a person writes them, as the catalog keeps them, and back."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from sqllineage_svc.errors import UsageError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_AGO = re.compile(r"(\d+)\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def microseconds(moment: datetime) -> int:
    """A moment as the catalog keeps it."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def moment_of(kept: int) -> datetime:
    """The moment that is kept so, in UTC."""
    return _EPOCH + timedelta(microseconds=kept)


def shown(kept: int) -> str:
    """A moment for a person: `2026-01-31 09:00:00`, in UTC; a fraction only where there is one."""
    return moment_of(kept).isoformat(sep=" ").removesuffix("+00:00")


def read_moment(text: str, now: datetime | None = None) -> int:
    """The moment that a text names: a date or time (UTC where it says no zone), or so long ago.

    2026-01-31, 2026-01-31T09:00, 2026-01-31 09:00:00+02:00, 3d, 12h

    Raises UsageError where it names none.
    """
    present = now or datetime.now(UTC)
    ago = _AGO.fullmatch(text.strip())
    try:
        if ago is not None:
            return microseconds(present - timedelta(**{_UNITS[ago[2]]: int(ago[1])}))
        moment = datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{text!r} is no moment; write 2026-01-31, 2026-01-31T09:00 or 3d (ago)") from error
    return microseconds(moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC))
