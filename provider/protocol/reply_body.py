"""The JSON of a reply, and the service's own words made fit for messages."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from .messages import HttpReply

MAX_QUOTED = 300
"""How many characters of the service's words a message holds (ours)."""

_QUERY_OF_URL = re.compile(r"(https?://[^\s\"'<>?#]+)[?#][^\s\"'<>]*", re.IGNORECASE)
_LIKE_A_TOKEN = re.compile(r"\b(?:Bearer\s+)\S+|\beyJ[\w-]{8,}\.[\w-]+\.?[\w-]*", re.IGNORECASE)


def json_object(reply: HttpReply) -> dict[str, Any] | None:
    """The reply's JSON object, or None when the body is something else."""
    try:
        value = json.loads(reply.body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def layers(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Where fields may stand: inside ``data``, inside ``error``, and beside them."""
    inner = [body[key] for key in ("data", "error") if isinstance(body.get(key), Mapping)]
    if isinstance(body.get("data"), Mapping) and isinstance(body["data"].get("error"), Mapping):
        inner.append(body["data"]["error"])
    return [*inner, body]


def first_text(places: list[Mapping[str, Any]], *names: str) -> str | None:
    """The first text or number found under one of the names."""
    for place in places:
        for name in names:
            value = place.get(name)
            if isinstance(value, str) and value.strip():
                return value.strip()
            if isinstance(value, int | float) and not isinstance(value, bool):
                return str(value)
    return None


def quotable(text: str | None) -> str | None:
    """The service's words without what must not be logged: signed URLs' queries and tokens.

    :param text: what the service wrote.
    :return: at most MAX_QUOTED characters on one line, None for nothing.
    """
    if not text:
        return None
    one_line = " ".join(text.split())
    one_line = _LIKE_A_TOKEN.sub("***", _QUERY_OF_URL.sub(r"\1?***", one_line))
    return one_line if len(one_line) <= MAX_QUOTED else f"{one_line[: MAX_QUOTED - 1]}…"
