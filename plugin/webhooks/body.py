"""The body of a webhook call, of which only the name of a job is used."""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect, Request

from ...hooks.transport.large_replies import beside_the_loop
from ...provider.protocol.messages import HttpReply
from ...provider.protocol.reply_body import JOB_ID, first_text, json_object, layers

MAX_BYTES = 1024 * 1024
"""The largest body that is read (ours)."""
READ_SECONDS = 10.0
"""How long a body may take to arrive (ours)."""


class BodyRefusedError(Exception):
    """The body is too large, too slow, or not a JSON object.

    :param status: the HTTP status that says so.
    """

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


async def named_by(request: Request) -> str | None:
    """The id of the job that a call names, where a reply of the service has it too; None for none.

    :param request: whose body has not been read.
    :raises BodyRefusedError: it is too large, too slow or not a JSON object.
    """
    reply = HttpReply(200, {}, await _read(request))
    body = await beside_the_loop(reply, json_object, reply)
    if body is None:
        raise BodyRefusedError(400)
    return first_text(layers(body), *JOB_ID)


async def _read(request: Request) -> bytes:
    body = bytearray()
    try:
        async with asyncio.timeout(READ_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_BYTES:
                    raise BodyRefusedError(413)
    except TimeoutError:
        raise BodyRefusedError(408) from None
    except ClientDisconnect:
        raise BodyRefusedError(400) from None
    return bytes(body)
