"""What a reply says about itself beside its result: codes, words, messages on fields, how long to wait."""

from __future__ import annotations

import email.utils
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Self

from .messages import HttpReply
from .quoting import quotable
from .reply_body import first_text, json_object, layers

MAX_RETRY_AFTER = 3600.0
"""Seconds; a longer ``Retry-After`` is cut to this (ours)."""
MAX_FIELD_MESSAGES = 20
"""How many messages on single fields an error carries (ours)."""
_REQUEST_ID_HEADERS = ("x-request-id", "request-id", "x-amzn-requestid", "x-correlation-id")


@dataclass(frozen=True)
class ReplyDetails:
    """The service's own account of a reply, in words fit for messages.

    Source: ours; the interface leaves the forms of error bodies open.

    :param status: the HTTP status.
    :param code: the service's error code.
    :param message: the service's words.
    :param request_id: the service's identifier of the request.
    :param field_messages: the service's messages on single fields, as (path, message).
    :param says_failure: whether the body says that it failed: ``success: false``, or an ``error``.
    """

    status: int
    code: str | None
    message: str | None
    request_id: str | None
    field_messages: tuple[tuple[str, str], ...]
    says_failure: bool

    @classmethod
    def of(cls, reply: HttpReply, body: Mapping[str, Any] | None = None) -> Self:
        """Read them from a reply of any kind.

        :param reply: JSON, HTML, or nothing.
        :param body: its JSON object, where it has been read already.
        """
        places = layers(json_object(reply) if body is None else body)
        header = next((reply.headers[name] for name in _REQUEST_ID_HEADERS if reply.headers.get(name)), None)
        return cls(
            status=reply.status,
            code=quotable(first_text(places, "error_code", "errorCode", "code"), reply.secrets),
            message=quotable(
                first_text(places, "error_message", "errorMessage", "message", "error", "detail"),
                reply.secrets,
            ),
            request_id=quotable(header, reply.secrets),
            field_messages=_field_messages(places, reply.secrets),
            says_failure=any(place.get("success") is False or place.get("error") for place in places),
        )

    @property
    def said(self) -> str:
        """The end of a sentence that quotes the service; empty when it said nothing."""
        words = ": ".join(dict.fromkeys(part for part in (self.code, self.message) if part))
        fields = "; ".join(f"{path}: {message}" for path, message in self.field_messages)
        words = f"{words} [{fields}]" if words and fields else words or fields
        request = f" (request id {self.request_id})" if self.request_id else ""
        return f", saying: {words.rstrip('.')}{request}" if words else request


def _field_messages(places: list[Mapping[str, Any]], secrets: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """From ``fields: [{name, errors}]``."""
    found = []
    for place in places:
        fields = place.get("fields")
        for item in fields[:MAX_FIELD_MESSAGES] if isinstance(fields, list) else []:
            if isinstance(item, Mapping):
                errors = item.get("errors", item.get("message", ""))
                words = "; ".join(map(str, errors)) if isinstance(errors, list) else str(errors)
                name = quotable(str(item.get("name", "")), secrets) or "?"
                found.append((name, quotable(words, secrets) or "is wrong"))
    return tuple(found[:MAX_FIELD_MESSAGES])


def retry_after(reply: HttpReply, now: float | None) -> float | None:
    """Seconds that ``Retry-After`` asks to wait, given in seconds or as a date; None when it says nothing.

    :param reply: the reply.
    :param now: epoch seconds, needed for a date.
    """
    value = reply.headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        seconds = math.nan if now is None else _epoch_seconds(value) - now
    return None if math.isnan(seconds) else max(seconds, 0.0)


def _epoch_seconds(date: str) -> float:
    try:
        parsed = email.utils.parsedate_to_datetime(date)
        return parsed.replace(tzinfo=parsed.tzinfo or UTC).timestamp()
    except (ValueError, OverflowError):
        return math.nan
