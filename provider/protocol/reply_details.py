"""What a reply says about itself beside its result: codes, words, messages on fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from ..failure_words import is_no_error, plain
from ..quoting import quotable
from .messages import HttpReply
from .reply_body import json_object, layers

MAX_RETRY_AFTER = 3600.0
"""Seconds; a longer ``Retry-After`` is cut to this (ours)."""
MAX_FIELD_MESSAGES = 20
"""How many messages on single fields an error carries (ours)."""
MAX_WORDS = 30
"""How many codes and messages of one reply are looked at (ours)."""
CODES = ("error_code", "errorCode", "code", "errorType", "__type")
MESSAGES = ("error_message", "errorMessage", "message", "error", "detail", "reason", "errors")
_OF_ERRORS = ("title", "Code", "Message", "faultstring")
"""Names that report an error only inside one."""
_STATUSES = ("status", "statusCode", "status_code", "httpStatus")
_FAILED_CALL = frozenset({"error", "errored", "fail", "failure"})
"""Words for how a call went; they say nothing of a job."""
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
    :param says_failure: whether the body says that something failed: ``success: false``, an ``error``, or a status such
        as 500 or ``error``. Null, 0, an empty value, "none" and "ok" are no errors.
    :param words: all codes and messages of the body.
    :param statuses: numbers in the body that are meant as an HTTP status.
    """

    status: int
    code: str | None
    message: str | None
    request_id: str | None
    field_messages: tuple[tuple[str, str], ...]
    says_failure: bool
    words: tuple[str, ...] = field(default=(), repr=False)
    statuses: tuple[int, ...] = ()

    @classmethod
    def of(cls, reply: HttpReply, body: Mapping[str, Any] | None = None) -> Self:
        """Read them from a reply of any kind.

        :param reply: JSON, HTML, or nothing.
        :param body: its JSON object, where it has been read already.
        """
        places = layers(json_object(reply) if body is None else body)
        header = next((reply.headers[name] for name in _REQUEST_ID_HEADERS if reply.headers.get(name)), None)
        statuses = tuple(_statuses(places))
        codes = [text for place in places for text in _texts(place, CODES)]
        messages = [text for place in places for text in _texts(place, MESSAGES)]
        told = [quotable(text, reply.secrets) for text in (*codes, *messages)[:MAX_WORDS]]
        return cls(
            status=reply.status,
            code=quotable(codes[0], reply.secrets) if codes else None,
            message=quotable(messages[0], reply.secrets) if messages else None,
            request_id=quotable(header, reply.secrets),
            field_messages=_field_messages(places, reply.secrets),
            says_failure=any(map(_says_failure, places)) or any(400 <= status < 600 for status in statuses),
            words=tuple(text for text in told if text),
            statuses=statuses,
        )

    @property
    def said(self) -> str:
        """The end of a sentence that quotes the service; empty when it said nothing."""
        words = ": ".join(dict.fromkeys(part for part in (self.code, self.message) if part))
        fields = "; ".join(f"{path}: {message}" for path, message in self.field_messages)
        words = f"{words} [{fields}]" if words and fields else words or fields
        request = f" (request id {self.request_id})" if self.request_id else ""
        return f", saying: {words.rstrip('.')}{request}" if words else request


def _texts(place: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    """The texts and numbers under some names, those in lists too, but for what says that there is no error."""
    for name in names:
        for item in _items(place.get(name)):
            if isinstance(item, str | int | float) and not isinstance(item, bool) and not is_no_error(item):
                yield str(item).strip()
    for error in _errors(place):
        yield from _texts(error, (*names, *_OF_ERRORS))


def _errors(place: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The objects that report errors: the values of ``error`` and ``errors``, and their ``extensions``."""
    for name in ("error", "errors"):
        for item in _items(place.get(name)):
            if isinstance(item, Mapping):
                yield item
                if isinstance(more := item.get("extensions"), Mapping):
                    yield more


def _items(value: Any) -> list[Any]:
    return value[:MAX_WORDS] if isinstance(value, list) else [value]


def _says_failure(place: Mapping[str, Any]) -> bool:
    success = place.get("success")
    if success is False or (isinstance(success, str) and plain(success) == "false"):
        return True
    return any(_is_error(place.get(name)) for name in ("error", "errors")) or any(
        isinstance(word := place.get(name), str) and plain(word) in _FAILED_CALL
        for name in ("status", "state")
    )


def _is_error(value: Any) -> bool:
    """Whether the value of an ``error`` reports one."""
    if isinstance(value, Mapping):
        codes = [value[name] for name in CODES if value.get(name) is not None]
        if codes:
            return not all(map(is_no_error, codes))
        messages = [value[name] for name in MESSAGES if name in value]
        return any(map(_is_error, messages or value.values()))
    if isinstance(value, list):
        return any(map(_is_error, value))
    return not is_no_error(value)


def _statuses(places: list[Mapping[str, Any]]) -> Iterator[int]:
    errors = [error for place in places for error in _errors(place)]
    for place in (*places, *errors):
        for name in _STATUSES:
            value = place.get(name)
            if isinstance(value, str) and len(value) == 3 and value.isascii() and value.isdigit():
                value = int(value)
            if type(value) is int and 100 <= value < 600:
                yield value


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
