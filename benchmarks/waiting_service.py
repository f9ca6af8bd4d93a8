"""The service that all contenders poll: raw HTTP/1.1 over kept-alive connections, in a separate process.

Not run by hand: ``waiting_measured.py`` starts it with the running and the ended answer, and reads its port from its
standard output. Jobs begin on a GET of ``/begin/SECONDS``. A job's number is last in the path, or in a JSON body.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time

NUMBER = re.compile(rb"(\d+)[/}]?$")
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
SPREAD = 1 / 3
"""Jobs take the given seconds, give or take half of this share, evenly spread. So the delays of polls at a fixed
interval are evenly spread too, and do not depend on chance."""
GOLDEN = 0.6180339887


ANY_JOB = b"00000"
"""Placeholder for the number in an answer that names its job."""


def job_id(number: int) -> str:
    """The number, as long as that of any other job."""
    return f"{number:0{len(ANY_JOB)}}"


def job_seconds(number: int, seconds: float) -> float:
    """How long a job runs.

    :param number: of the job.
    :param seconds: that jobs take on average.
    """
    return seconds * (1 + SPREAD * (number * GOLDEN % 1 - 0.5))


class Service:
    """What is counted since the jobs began.

    :param running: the whole reply while a job runs.
    :param ended: the whole reply after that.
    """

    def __init__(self, running: bytes, ended: bytes) -> None:
        self.running = running
        self.ended = ended
        self.begin("0")

    def begin(self, seconds: str) -> bytes:
        """Let all jobs begin now, and count again."""
        self.polls = self.opened = 0
        self.began, self.seconds = time.time(), float(seconds)
        return reply(200, json.dumps({"began": self.began}).encode())

    def answer(self, target: bytes, body: bytes) -> bytes:
        """The reply to a GET of a path, which one of the contenders sends a body with."""
        if target.startswith(b"/begin/"):
            return self.begin(target[7:].decode())
        if target == b"/counts":
            return reply(200, json.dumps({"polls": self.polls, "opened": self.opened}).encode())
        self.polls += 1
        number = NUMBER.search(body or target)
        assert number
        ended = time.time() >= self.began + job_seconds(int(number[1]), self.seconds)
        answer = self.ended if ended else self.running
        return answer.replace(ANY_JOB, job_id(int(number[1])).encode())


class Connection(asyncio.Protocol):
    """One connection."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count it."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.service.opened += 1

    def data_received(self, data: bytes) -> None:
        """Answer every request that is whole."""
        self.unread += data
        while (end := self.unread.find(b"\r\n\r\n") + 4) >= 4:
            head = self.unread[:end]
            length = LENGTH.search(head)
            whole = end + (int(length[1]) if length else 0)
            if len(self.unread) < whole:
                return
            body, self.unread = self.unread[end:whole], self.unread[whole:]
            self.transport.write(self.service.answer(head.split(b" ", 2)[1], body))


def reply(status: int, body: bytes) -> bytes:
    """A whole HTTP reply.

    :param status: of HTTP.
    :param body: JSON.
    """
    head = f"HTTP/1.1 {status} \r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def main() -> None:
    """Serve until killed."""
    running, ended = (reply(status, body.encode()) for status, body in json.loads(sys.argv[1]))
    service = Service(running, ended)
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(service), "127.0.0.1", 0, backlog=4096
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
