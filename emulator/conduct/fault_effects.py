"""What a fault does to a call: to its connection, or to the reply, which is held back until all is decided."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from starlette.types import Message, Send

from ..contract.error import error_body
from .connection_control import Connection
from .dialect import HTML_ERROR, Dialect
from .fault import HitFault

DRIPS = 10
JSON_TYPE = (b"content-type", b"application/json")
FOREVER_SECONDS = 86_400.0

Headers = list[tuple[bytes, bytes]]


@dataclass
class Reply:
    """A whole reply, which faults may change before it is sent.

    :param drip_seconds: how long the sending of the body takes
    :param is_cut: whether the connection ends in the middle of the body
    """

    status: int
    headers: Headers
    body: bytes
    drip_seconds: float = 0.0
    is_cut: bool = False

    @classmethod
    def of_error(
        cls, status: int, message: str, dialect: Dialect, headers: dict[str, str] | None = None
    ) -> Reply:
        """Make an error reply.

        :param status: HTTP status
        :param message: for people
        :param dialect: decides the form of the body
        :param headers: to send along
        """
        worded = dialect.error(status, error_body(status, message))
        if isinstance(worded, dict):
            body, kind = json.dumps(worded).encode(), b"application/json"
        else:
            body, kind = (worded or "").encode(), b"text/html"
        more = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
        return cls(status, [(b"content-type", kind), *more], body)

    async def send(self, send: Send, connection: Connection) -> None:
        """Send the reply as the faults have left it.

        :param send: of the request
        :param connection: which a cut reply breaks off
        """
        headers = [header for header in self.headers if header[0] != b"content-length"]
        headers.append((b"content-length", b"%d" % len(self.body)))
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        if self.is_cut:
            half = self.body[: len(self.body) // 2]
            await send({"type": "http.response.body", "body": half, "more_body": True})
            await connection.end()
        if self.drip_seconds:
            size = len(self.body) // DRIPS + 1
            for start in range(0, len(self.body), size):
                await asyncio.sleep(self.drip_seconds / DRIPS)
                drop = self.body[start : start + size]
                await send({"type": "http.response.body", "body": drop, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        else:
            await send({"type": "http.response.body", "body": self.body})


@dataclass
class Capture:
    """Takes the reply of the application in, instead of sending it."""

    status: int = 500
    headers: Headers = field(default_factory=list)
    body: bytearray = field(default_factory=bytearray)

    async def send(self, message: Message) -> None:
        """Stand in for the `send` of a request.

        :param message: see ASGI
        """
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message.get("headers", ()))
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")


async def befall(
    hit: HitFault, reply: Reply | None, dialect: Dialect, connection: Connection, job_id: str | None
) -> Reply | None:
    """Let a fault happen.

    :param hit: the fault
    :param reply: as the service has given it; absent when it has not acted yet
    :param dialect: decides the form of error bodies
    :param connection: of the caller
    :param job_id: the job that is asked for
    :return: the reply to send instead, or None when there is none other
    :raises ConnectionGoneError: when the connection was broken off
    """
    fault = hit.fault
    match fault.kind:
        case "delay":
            await asyncio.sleep(hit.seconds)
        case "reset":
            await connection.reset()
        case "hang":
            await connection.hang(hit.seconds or FOREVER_SECONDS)
        case "status":
            return Reply.of_error(
                fault.status or 503, "The service was told to fail.", dialect, _retry_after(hit)
            )
        case "html":
            status = fault.status or 502
            page = HTML_ERROR.format(status=status).encode()
            return Reply(status, [(b"content-type", b"text/html")], page)
        case "empty":
            return Reply(fault.status or 200, [], b"")
        case "redirect":
            return Reply(fault.status or 302, [(b"location", fault.location.encode())], b"")
        case "reply":
            more = [(name.encode(), value.encode()) for name, value in _retry_after(hit).items()]
            return Reply(fault.status or 200, [JSON_TYPE, *more], _json(fault.body, job_id))
        case "merge" if reply:
            reply.body = _json(
                _merged(json.loads(reply.body or b"{}"), json.loads(_json(fault.body, job_id))), None
            )
        case "malformed" if reply:
            reply.body = reply.body[: max(len(reply.body) // 2, 1)]
        case "drip" if reply:
            reply.drip_seconds = hit.seconds
        case "truncate" if reply:
            reply.is_cut = True
    return None


def _retry_after(hit: HitFault) -> dict[str, str]:
    return {} if hit.fault.seconds is None else {"retry-after": f"{hit.seconds:.0f}"}


def _json(body: Any, job_id: str | None) -> bytes:
    """Write JSON, with the id of the job that is asked for where its texts say `{job_id}`."""
    text = json.dumps(body)
    return (text if job_id is None else text.replace("{job_id}", json.dumps(job_id)[1:-1])).encode()


def _merged(own: Any, patch: Any) -> Any:
    """Merge as RFC 7386 has it."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(own) if isinstance(own, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = _merged(merged.get(name), value)
    return merged
