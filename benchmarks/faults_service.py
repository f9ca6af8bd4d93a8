"""A local service that misbehaves on demand, in any peer's dialect.

It answers any path, over kept-alive connections, with ``running``, ``completed``,
``polishing`` (bodies of the dialect), ``slow``, ``huge``, ``truncated``, ``malformed``, ``drip`` (what is
done to the body of ``running``), ``reset``, ``hang``, ``html``, ``429 with Retry-After`` or a bare status.
"""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from faults_table import HANG, RETRY_AFTER, SLOW

Bodies = Mapping[str, tuple[int, bytes]]
HUGE = 9_000_000


@dataclass(frozen=True)
class Seen:
    """A request: how it was answered, and when it came (monotonic seconds)."""

    answer: str
    at: float = field(default_factory=time.monotonic)


class FaultyService:
    """Serves on a free local port, in a separate thread, until ``stop()``.

    :param bodies: the dialect: status and body of ``running``, ``completed`` and ``polishing``.
    :param tls: serves TLS when given.
    """

    def __init__(self, bodies: Bodies, tls: ssl.SSLContext | None = None) -> None:
        self.seen: list[Seen] = []
        self._bodies = {**bodies, "huge": _huge(*bodies["running"])}
        self._answers: list[str] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls), self._loop
        ).result(10)
        self.port: int = server.sockets[0].getsockname()[1]

    def play(self, answers: tuple[str, ...]) -> None:
        """Give these answers from now on, and forget earlier requests."""
        self._answers, self.seen = list(answers), []

    def stop(self) -> None:
        """Stop serving; connections that are open are dropped."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                _, _, length = head.partition("content-length: ")
                await reader.readexactly(int(length.partition("\r\n")[0] or 0))
                answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
                self.seen.append(Seen(answer))
                if not await self._send(answer, reader, writer):
                    return
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _send(self, answer: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False when the connection is to be closed."""
        status, body = self._bodies.get(answer, self._bodies["running"])
        kind, retry_after, missing = "application/json", "", 0
        match answer:
            case "reset":
                no_linger = struct.pack("ii", 1, 0)
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, no_linger)
                writer.transport.abort()
                return False
            case "hang":
                await _hung_up(reader, HANG)
                return False
            case "slow":
                await asyncio.sleep(SLOW)
            case "truncated" | "drip":
                missing = 1000
            case "malformed":
                body = body[: len(body) // 2]
            case "html":
                status, body, kind = 200, b"<html><body>Welcome</body></html>", "text/html"
            case "429 with Retry-After":
                status, body, retry_after = 429, b"{}", f"retry-after: {RETRY_AFTER}\r\n"
            case _ if answer.isdigit():
                status, body = int(answer), b'{"message": "the service\'s own words"}'
        writer.write(
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: {kind}\r\n{retry_after}"
            f"content-length: {len(body) + missing}\r\n\r\n".encode()
            + body
        )
        await writer.drain()
        if answer == "drip":
            until = time.monotonic() + HANG
            while time.monotonic() < until and not await _hung_up(reader, 0.1):
                writer.write(b" ")
        return missing == 0


async def _hung_up(reader: asyncio.StreamReader, within: float) -> bool:
    try:
        await asyncio.wait_for(reader.read(1), within)
    except TimeoutError:
        return False
    return True


def _huge(status: int, body: bytes) -> tuple[int, bytes]:
    line = {"text": "a line of text that is spoken", "at": 12.5, "words": 8}
    lines = [line] * (HUGE // len(json.dumps(line)))
    return status, json.dumps({**json.loads(body or b"{}"), "lines": lines}).encode()
