"""How many minutes of video the service says are left."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from ..connection.profile import ServiceProfile
from ..errors import ConfigurationError
from ..protocol.calls import Call
from ..protocol.messages import HttpReply
from .listing import field_of, list_call, reply_value, shown_fields

_MINUTES = (
    *("minutes_left", "left_minutes", "remaining_minutes", "minutes_remaining"),
    *("available_minutes", "minutes_available"),
)
_SECONDS = ("seconds_left", "left_seconds", "remaining_seconds", "seconds_remaining")
_BARE = ("remaining", "left")
"""Names that say no unit: minutes, where the reply names no other one."""
USUAL_NAMES: tuple[tuple[str, float], ...] = (
    *((name, 1.0) for name in _MINUTES),
    *((name, 60.0) for name in _SECONDS),
    *((name, 1.0) for name in _BARE),
)
"""The field that holds what is left, and how many of its units are a minute; the first first (ours)."""
_UNIT = ("unit", "units")
_PLACES = ("data", "quota", "minutes")
"""In which of its fields a reply may hold it."""


def get_quota(profile: ServiceProfile) -> Call:
    """Ask what is left, where the profile names a path for it; the interface shows none (source: ours).

    :param profile: gives the path, as ``paths.quota``.
    :raises ConfigurationError: it names none.
    """
    return list_call(profile, "quota", "get quota")


def read_quota(reply: HttpReply, call: Call, path: str | None) -> tuple[float, str]:
    """The minutes of video that are left, and the name of the field that says so.

    :param reply: of a success.
    :param call: what was asked.
    :param path: of the field, in the reply or in its ``data``; None where the connection names none.
    :raises ConfigurationError: no number of minutes can be read from it.
    :raises UnreadableReplyError: it is not JSON.
    :raises ServiceError: it reports a failure inside a 200.
    """
    body = reply_value(reply, call)
    if found := next(_found(list(_places(body)), path), None):
        return found
    sought = f"no number in its field {path!r}, which the connection names" if path else "no minutes left"
    raise ConfigurationError(
        f"{call}: the answer holds {sought}; its fields: {shown_fields(body)}. Set extra "
        f"reply_fields.quota_minutes of {call.of_connection} to the field that holds the minutes left. "
        "Nothing was sent, and nothing was paid."
    )


def _found(places: list[Mapping[str, Any]], path: str | None) -> Iterator[tuple[float, str]]:
    names = ((path, 1.0),) if path else USUAL_NAMES
    for name, a_minute in names:
        for place in places:
            left = _number(field_of(place, path, name))
            if left is not None and (path or name not in _BARE or _counts_minutes(place)):
                yield left / a_minute, name


def _places(body: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """The objects that may contain it, the innermost first."""
    if isinstance(body, Mapping):
        for name in _PLACES if depth < len(_PLACES) else ():
            yield from _places(body.get(name), depth + 1)
        yield body


def _counts_minutes(place: Mapping[str, Any]) -> bool:
    unit = field_of(place, None, *_UNIT)
    return unit is None or str(unit).strip().lower() in ("min", "mins", "minute", "minutes")


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
