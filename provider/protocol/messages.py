"""What goes over the wire, as plain values: a request, a reply, or a failure to get one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

MIB = 1024 * 1024
MAX_REPLY_BYTES = 2 * MIB
"""A reply larger than this is refused, but for a job's that a worker reads; the interface names no limit (ours).

What is larger would hold the interpreter's lock, and with it a triggerer's event loop, for more than 50 ms, in whatever
thread it is read: measured 40 ms at 2 MiB, 200 ms at 8, 1 s at 32. So a triggerer leaves the large reply of a job to
the worker, which has to read it anyway.
"""


@dataclass(frozen=True)
class HttpRequest:
    """One HTTP request, ready to be sent by any transport.

    :param method: the HTTP method.
    :param url: the whole URL.
    :param headers: header fields; they hold the token, so they are never shown.
    :param body: the bytes of the body, empty for GET.
    :param max_reply_bytes: how much of a success is read.
    """

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(default=b"", repr=False)
    max_reply_bytes: int = MAX_REPLY_BYTES

    def most_bytes(self, status: int) -> int:
        """How many bytes of a reply are read, after it is unpacked; only a success may be a large one.

        :param status: of the reply.
        """
        if 200 <= status < 300:
            return self.max_reply_bytes
        return min(self.max_reply_bytes, MAX_REPLY_BYTES)

    def too_large(self, status: int) -> TransportFailure:
        """What both transports say of a reply beyond the limit.

        :param status: of the reply.
        """
        return TransportFailure(
            "too-large", f"the answer is larger than {in_mib(self.most_bytes(status))}", status
        )


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
    :param status: of a reply that is too large.
    """

    kind: Literal["not-sent", "no-reply", "too-large"]
    reason: str
    status: int | None = None


def in_mib(count: int) -> str:
    """A number of bytes, for messages.

    :param count: of bytes.
    """
    return f"{count / MIB:.4g} MiB"
