"""The JSON of a reply, made safe for whatever reads it, and where in it fields may stand."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from .messages import HttpReply

MAX_DEPTH = 100
"""A reply whose lists and objects are nested more deeply is taken for unreadable (ours)."""
MAX_VALUES = 150_000
"""A reply that holds more values is taken for unreadable: its reading would stop a triggerer, see MAX_REPLY_BYTES."""


def json_object(reply: HttpReply) -> dict[str, Any] | None:
    """The reply's JSON object, or None when the body is something else, or without measure.

    All of it can be stored and sent again: numbers that JSON does not have are read as null, and
    halves of surrogate pairs as question marks.

    :param reply: whose body is read.
    """
    # Counted by what stands before or between values, before any of them is made.
    if sum(map(reply.body.count, (b",", b"[", b"{"))) > MAX_VALUES:
        return None
    try:
        value = _sendable(json.loads(reply.body, parse_int=_integer))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _integer(digits: str) -> int:
    """What ``json`` does by itself, in C: here other threads get their turn between two long numbers."""
    return int(digits)


def _sendable(value: Any, depth: int = 0) -> Any:
    if depth > MAX_DEPTH:
        raise ValueError("nested too deeply")
    match value:
        case str():
            return value.encode(errors="replace").decode()
        case float() if not math.isfinite(value):
            return None
        case list():
            return [_sendable(item, depth + 1) for item in value]
        case dict():
            return {_sendable(name): _sendable(item, depth + 1) for name, item in value.items()}
    return value


def layers(body: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Where fields may stand: inside ``data``, inside ``error``, and beside them.

    :param body: of a reply, None when it has none.
    """
    if body is None:
        return []
    data, error = body.get("data"), body.get("error")
    error_in_data = data.get("error") if isinstance(data, Mapping) else None
    return [place for place in (data, error, error_in_data, body) if isinstance(place, Mapping)]


def first_text(places: list[Mapping[str, Any]], *names: str) -> str | None:
    """The first text or number found under one of the names.

    :param places: where to look, the first first.
    :param names: the field's names, the first first.
    """
    for place in places:
        for name in names:
            value = place.get(name)
            if isinstance(value, str) and value.strip():
                return value.strip()
            if isinstance(value, int | float) and not isinstance(value, bool):
                return str(value)
    return None
