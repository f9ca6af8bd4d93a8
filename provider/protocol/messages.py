"""What goes over the wire, as plain values: a request, a reply, or a failure to get one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

MAX_REPLY_BYTES = 2 * 1024 * 1024
"""A reply larger than this is refused; the interface names no limit (ours).

The settings of a video of three hours, with the time of every word, are smaller. What is larger would hold
the interpreter's lock, and with it a triggerer's event loop, for more than 50 ms, in whatever thread it is read.
"""


@dataclass(frozen=True)
class HttpRequest:
    """One HTTP request, ready to be sent by any transport.

    :param method: the HTTP method.
    :param url: the whole URL.
    :param headers: header fields; they hold the token, so they are never shown.
    :param body: the bytes of the body, empty for GET.
    """

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class HttpReply:
    """One whole HTTP reply.

    :param status: the HTTP status.
    :param headers: header fields, to be found by their names in lower case.
    :param body: the bytes of the body.
    :param secrets: what the request proved itself with; hidden where a message quotes the reply.
    """

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class TransportFailure:
    """No whole reply came.

    :param kind: ``not-sent`` when the service cannot have seen the request, ``no-reply`` when it may
        have, ``too-large`` when the reply exceeded the limit.
    :param reason: what happened, without credentials.
    """

    kind: Literal["not-sent", "no-reply", "too-large"]
    reason: str


TOO_LARGE = TransportFailure("too-large", f"the answer is larger than {MAX_REPLY_BYTES >> 20} MiB")
"""What both transports say of a reply beyond the limit."""
