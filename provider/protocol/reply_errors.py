"""Which error a reply means, by its status and its body.

| status                  | of a GET                   | of a submission                      |
|-------------------------|----------------------------|--------------------------------------|
| 2xx                     | none                       | none                                 |
| 301, 302, 307, 308      | configuration (not acted)  | configuration (not acted)            |
| other 1xx and 3xx       | unreadable                 | ambiguous                            |
| 401                     | authentication             | authentication (not acted)           |
| 403                     | permission                 | permission (not acted)               |
| 404                     | not found                  | not found (not acted)                |
| 429                     | rate limited               | rate limited (not acted)             |
| 408, 5xx                | service failure            | ambiguous                            |
| other 4xx               | refused                    | refused (not acted)                  |
| no connection           | unreachable                | unreachable (not acted)              |
| no or too large a reply | unreachable, unreadable    | ambiguous                            |
"""

from __future__ import annotations

import email.utils
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from .errors import (
    AmbiguousSubmissionError,
    AuthenticationError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    RequestRefusedError,
    ServiceError,
    ServiceFailureError,
    ServiceUnreachableError,
    UnreadableReplyError,
)
from .messages import HttpReply, TransportFailure
from .reply_body import first_text, json_object, layers, quotable

MAX_RETRY_AFTER = 3600.0
"""Seconds; a longer ``Retry-After`` is cut to this (ours)."""
_REQUEST_ID_HEADERS = ("x-request-id", "request-id", "x-amzn-requestid", "x-correlation-id")
_MOVED = (301, 302, 307, 308)


@dataclass(frozen=True)
class _Asked:
    operation: str
    method: str
    path: str
    job_id: str | None

    def __str__(self) -> str:
        about = f" of job {self.job_id}" if self.job_id else ""
        return f"{self.operation}{about} ({self.method} {self.path})"


def error_of(
    reply: HttpReply | TransportFailure,
    *,
    operation: str,
    method: str,
    path: str,
    submission: bool,
    job_id: str | None = None,
    now: float | None = None,
) -> ServiceError | None:
    """The error that a reply means, or None when it is a success.

    :param reply: the reply, or why there is none.
    :param operation: what was being done, for the message.
    :param method: the HTTP method.
    :param path: the path, without host and query.
    :param submission: True when the call may have been acted on and paid for.
    :param job_id: the job that was asked for.
    :param now: epoch seconds, needed to read a ``Retry-After`` that is a date.
    """
    asked = _Asked(operation, method, path, job_id)
    if isinstance(reply, TransportFailure):
        return _transport_error(reply, asked, submission)
    if 200 <= reply.status < 300:
        return None
    body = json_object(reply)
    places = layers(body) if body else []
    details: dict[str, Any] = {
        "operation": operation,
        "method": method,
        "path": path,
        "job_id": job_id,
        "status": reply.status,
        "code": first_text(places, "error_code", "errorCode", "code"),
        "service_message": quotable(
            first_text(places, "message", "error_message", "errorMessage", "error", "detail")
        ),
        "request_id": request_id(reply),
        "field_messages": field_messages(body),
    }
    said = _said(details)
    status = reply.status
    if status in _MOVED:
        target = urlsplit(reply.headers.get("location", ""))
        where = (
            f"{target.scheme}://{target.netloc}{target.path}" if target.netloc else target.path or "nowhere"
        )
        return RequestRefusedError(
            f"{_start(asked)} was answered with a redirect to {where}, which is not followed: "
            "set the connection's host (or extra paths) to the final address.",
            **details,
            not_acted=True,
        )
    if status == 401:
        return AuthenticationError(
            f"{_start(asked)}: the service does not accept the access token or the user id (401){said}. "
            "Check the connection's password, extra user_id and token_prefix.",
            **details,
            not_acted=True,
        )
    if status == 403:
        return PermissionDeniedError(
            f"{_start(asked)}: the service does not allow this call for this user (403){said}. "
            "Ask the service's support for the permission.",
            **details,
            not_acted=True,
        )
    if status == 404:
        hint = (
            "Check the job id, and the connection's host and extra paths."
            if job_id
            else "Check the connection's host and extra paths."
        )
        return NotFoundError(f"{_start(asked)}: not found (404){said}. {hint}", **details, not_acted=True)
    if status == 429:
        return RateLimitedError(
            f"{_start(asked)}: the service asks for fewer requests (429){said}. "
            "Lower extra requests_per_minute, or run fewer tasks at once with an Airflow pool.",
            **details,
            retry_after=retry_after(reply, now),
            not_acted=True,
        )
    if status == 408 or status >= 500 or status < 400:
        if submission:
            return _ambiguous(asked, f"the service answered {status}{said}", details)
        if status < 400:
            return UnreadableReplyError(
                f"{_start(asked)}: the service answered {status}, which this call does not expect. "
                "Check the connection's host and extra paths.",
                **details,
            )
        return ServiceFailureError(
            f"{_start(asked)}: the service failed ({status}){said}. Try again later.",
            **details,
            retry_after=retry_after(reply, now),
        )
    return RequestRefusedError(
        f"{_start(asked)}: the service refused the request ({status}){said}. Correct the request and run it again.",
        **details,
        not_acted=True,
    )


def ambiguous_reply(
    reply: HttpReply, what: str, *, operation: str, method: str, path: str
) -> AmbiguousSubmissionError:
    """The error of a submission that the service accepted with an answer that cannot be read."""
    details = {
        "operation": operation,
        "method": method,
        "path": path,
        "status": reply.status,
        "request_id": request_id(reply),
    }
    return _ambiguous(_Asked(operation, method, path, None), what, details)


def _transport_error(failure: TransportFailure, asked: _Asked, submission: bool) -> ServiceError:
    details: dict[str, Any] = {
        "operation": asked.operation,
        "method": asked.method,
        "path": asked.path,
        "job_id": asked.job_id,
    }
    if failure.kind == "not-sent":
        return ServiceUnreachableError(
            f"{_start(asked)}: the service cannot be reached: {failure.reason}. Check the connection's host, "
            "and that the service is up and reachable from this machine.",
            **details,
            not_acted=True,
        )
    if submission:
        return _ambiguous(asked, failure.reason, details)
    if failure.kind == "too-large":
        return UnreadableReplyError(
            f"{_start(asked)}: {failure.reason}. Check the connection's host.", **details
        )
    return ServiceUnreachableError(
        f"{_start(asked)}: no answer from the service: {failure.reason}. Try again later, or raise extra read_timeout.",
        **details,
    )


def _ambiguous(asked: _Asked, what: str, details: dict[str, Any]) -> AmbiguousSubmissionError:
    return AmbiguousSubmissionError(
        f"{_start(asked)}: {what.rstrip('.')}, so the request may have been accepted, and may be paid for. It was not "
        "sent again. Look at the service for what it made; then clear this task to submit anew.",
        **details,
    )


def _start(asked: _Asked) -> str:
    text = str(asked)
    return text[:1].upper() + text[1:]


def _said(details: dict[str, Any]) -> str:
    parts = [part for part in (details["code"], details["service_message"]) if part]
    fields = "; ".join(f"{path}: {message}" for path, message in details["field_messages"])
    said = ": ".join(dict.fromkeys(parts))
    if fields:
        said = f"{said} [{fields}]" if said else fields
    request = f" (request id {details['request_id']})" if details["request_id"] else ""
    return f", saying: {said.rstrip('.')}{request}" if said else request


def field_messages(body: Mapping[str, Any] | None) -> tuple[tuple[str, str], ...]:
    """The service's messages on single fields, from ``fields: [{name, errors}]``."""
    found = []
    for place in layers(body) if body else []:
        fields = place.get("fields")
        for item in fields if isinstance(fields, list) else []:
            if not isinstance(item, Mapping):
                continue
            errors = item.get("errors", item.get("message", ""))
            words = "; ".join(map(str, errors)) if isinstance(errors, list) else str(errors)
            found.append((str(item.get("name", "?"))[:100], quotable(words) or "is wrong"))
    return tuple(found[:20])


def request_id(reply: HttpReply) -> str | None:
    """The service's identifier of the request, where it sends one."""
    for name in _REQUEST_ID_HEADERS:
        if value := reply.headers.get(name):
            return value[:100]
    return None


def retry_after(reply: HttpReply, now: float | None) -> float | None:
    """Seconds that ``Retry-After`` asks to wait, given in seconds or as a date; None when absent or absurd.

    :param reply: the reply.
    :param now: epoch seconds, needed for a date.
    """
    value = reply.headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - (now or 0.0)
        except (ValueError, TypeError, OverflowError):
            return None
        if now is None:
            return None
    if seconds != seconds:
        return None
    return min(max(seconds, 0.0), MAX_RETRY_AFTER)
