"""The JSON of a reply, made safe for whatever reads it, and where its fields may be."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from .messages import MAX_REPLY_BYTES, HttpReply

MAX_DEPTH = 100
"""A reply whose lists and objects are nested more deeply is taken for unreadable (ours)."""
MAX_VALUES = 150_000
"""A reply that holds more values is taken for unreadable: reading it would stop a triggerer, see MAX_REPLY_BYTES.
Where a larger reply may be read, it may hold more values in the same measure."""
MAX_PREAMBLE = 1024
"""How many bytes are looked at for the beginning of an HTML page (ours)."""
JOB_ID = ("job_id", "jobId", "jobID")
"""Where the service names a job, in a reply as in a callback (ours)."""


def most_values(reply_bytes: int) -> int:
    """How many values a reply may hold that may be so large.

    :param reply_bytes: how large it may be.
    """
    return MAX_VALUES * max(reply_bytes, MAX_REPLY_BYTES) // MAX_REPLY_BYTES


def holds_more_values(reply: HttpReply, most: int) -> bool:
    """Whether a reply holds more values, counted by the characters before or between them, before any is made.

    :param reply: whose body is looked at.
    :param most: how many it may hold.
    """
    return sum(map(reply.body.count, (b",", b"[", b"{"))) > most


def json_object(reply: HttpReply, most: int = MAX_VALUES) -> dict[str, Any] | None:
    """The reply's JSON object, or None when the body is something else, or without measure.

    :param reply: whose body is read.
    :param most: how many values it may hold.
    """
    try:
        value = json_value(reply, most)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def json_value(reply: HttpReply, most: int = MAX_VALUES) -> Any:
    """The reply's JSON of whatever kind.

    All of it can be stored and sent again: numbers that JSON does not have are read as null, and
    halves of surrogate pairs as question marks.

    :param reply: whose body is read.
    :param most: how many values it may hold.
    :raises ValueError: the body is something else, or without measure; says which.
    """
    if holds_more_values(reply, most):
        raise ValueError(f"holds more than {most:,} values")
    try:
        text = reply.body.decode(json.detect_encoding(reply.body), "surrogatepass")
        value = _DECODER.decode(text)
        # Most replies plainly contain nothing unusual.
        if not text.isascii() or "\\u" in text or text.count("[") + text.count("{") > MAX_DEPTH:
            value = _sendable(value)
    except (ValueError, RecursionError):
        raise ValueError("is an HTML page" if is_html(reply) else "is not JSON") from None
    return value


def is_html(reply: HttpReply) -> bool:
    """Whether the body is a page for a person, as proxies and gateways send it.

    :param reply: whose body is looked at.
    """
    start = reply.body[:MAX_PREAMBLE].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    named = reply.headers.get("content-type", "").strip().lower().startswith("text/html")
    return start.startswith((b"<!doctype html", b"<html")) or (named and start.startswith(b"<"))


def _integer(digits: str) -> int:
    """What ``json`` does by itself, in C: here other threads get their turn between two long numbers."""
    return int(digits)


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_finite, parse_constant=lambda _: None)


def _sendable(value: Any, depth: int = 0) -> Any:
    if depth > MAX_DEPTH:
        raise ValueError("nested too deeply")
    match value:
        case str():
            # Most are ASCII, and a copy of each would double what a large reply takes.
            return value if value.isascii() else value.encode(errors="replace").decode()
        case list():
            return [_sendable(item, depth + 1) for item in value]
        case dict():
            return {_sendable(name): _sendable(item, depth + 1) for name, item in value.items()}
    return value


def layers(body: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Where fields may be: inside ``data``, inside ``error``, and beside them.

    :param body: of a reply, None when it has none.
    """
    if body is None:
        return []
    data, error = body.get("data"), body.get("error")
    error_in_data = data.get("error") if isinstance(data, dict) else None
    return [place for place in (data, error, error_in_data, body) if isinstance(place, dict)]


def first_text(places: list[Mapping[str, Any]], *names: str) -> str | None:
    """The first text or number found under one of the names.

    :param places: where to look, the first first.
    :param names: the field's names, the first first.
    """
    for place in places:
        for name in names:
            value = place.get(name)
            if value is None:
                continue
            if isinstance(value, str) and value.strip():
                return value.strip()
            if isinstance(value, int | float) and not isinstance(value, bool):
                return str(value)
    return None
