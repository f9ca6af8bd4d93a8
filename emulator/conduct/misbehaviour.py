"""Between the network and the operations: counts calls, limits their rate, and lets faults befall them."""

from __future__ import annotations

import json
from typing import cast

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..contract.operation_paths import operation_of
from .call_log import Call
from .conduct import Conduct
from .connection_control import Connection, ConnectionGoneError
from .fault import HitFault
from .fault_effects import Capture, Reply, befall
from .rate_limit import retry_after

MAX_BODY_BYTES = 4 * 1024 * 1024
_NAMED_THINGS = ("aws_connections", "aws_connection", "voiceover_tracks")
"""Operations whose body names a connection or a track, not a video."""


class Misbehaviour:
    """ASGI middleware.

    :param app: the application, whose `state.service` has the conduct
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; what is no operation passes untouched.

        :param scope: see ASGI
        :param receive: see ASGI
        :param send: see ASGI
        """
        operation = operation_of(scope["method"], scope["path"]) if scope["type"] == "http" else None
        if operation is None:
            await self._app(scope, receive, send)
            return
        service = scope["app"].state.service
        conduct = cast(Conduct, service.conduct)
        connection = Connection(scope["state"]["transport"], receive)
        body = await _read(receive)
        name, job_id = _identity(operation, scope["path"], body)
        if operation == "render_by_id" and (job := service.store.job(scope["path"].rpartition("/")[2])):
            name = job.video_name
        call = conduct.calls.begin(operation, scope["method"], scope["path"], name, job_id)
        scope["state"]["call"] = call
        if job_id and conduct.faults.names_videos and (job := service.store.job(job_id)):
            name = job.video_name
        hits = conduct.faults.for_call(operation, scope["path"], name, job_id)
        call.faults = [hit.fault.kind for hit in hits]
        try:
            reply = await self._answer(scope, send, body, call, conduct, hits, connection)
            if reply:
                call.status = reply.status
                await reply.send(send, connection)
        except ConnectionGoneError:
            call.status = None

    async def _answer(
        self,
        scope: Scope,
        send: Send,
        body: bytes | None,
        call: Call,
        conduct: Conduct,
        hits: list[HitFault],
        connection: Connection,
    ) -> Reply | None:
        """Return the reply to send, or None when the application has sent its own."""
        dialect, resets = conduct.behaviour.dialect, conduct.resets
        wait = conduct.bucket.take() if conduct.bucket and call.operation != "media" else 0.0
        if wait:
            headers = retry_after(wait, conduct.behaviour.retry_after)
            return Reply.of_error(429, "Too many requests: try again later.", dialect, headers)
        for hit in hits:
            if not hit.fault.needs_reply and (
                reply := await befall(hit, None, dialect, connection, call.job_id)
            ):
                return reply
        if conduct.resets != resets:
            return Reply.of_error(503, "All was forgotten while this call was held up.", dialect)
        if body is None:
            return Reply.of_error(413, f"The body is larger than {MAX_BODY_BYTES} bytes.", dialect)
        call.acted = True
        late_hits = [hit for hit in hits if hit.fault.needs_reply]
        receive = _replay(body, connection.receive)
        if not late_hits:

            async def send_and_note(message: Message) -> None:
                if message["type"] == "http.response.start":
                    call.status = message["status"]
                await send(message)

            await self._app(scope, receive, send_and_note)
            return None
        capture = Capture()
        await self._app(scope, receive, capture.send)
        reply = Reply(capture.status, capture.headers, bytes(capture.body))
        for hit in late_hits:
            reply = await befall(hit, reply, dialect, connection, call.job_id) or reply
        return reply


async def _read(receive: Receive) -> bytes | None:
    """Read the body of a request; None when it is too large."""
    body = bytearray()
    more = True
    while more:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MAX_BODY_BYTES:
            return None
        more = message.get("more_body", False)
    return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Give the application the body that was already read, then the rest."""
    waiting = [body]

    async def replay() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return replay


def _identity(operation: str, path: str, body: bytes | None) -> tuple[str | None, str | None]:
    """Say whose call it is: the name of what is submitted, and the id of the job that is asked for."""
    if operation == "job":
        return None, path.rpartition("/")[2]
    if operation == "cancel":
        return None, path.split("/")[-2]
    if operation == "media":
        return None, path.split("/")[2]
    try:
        fields = json.loads(body or b"")
        holder = fields["storyboard"] if operation == "render" else fields
        name = holder["name" if operation in _NAMED_THINGS else "videoName"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None, None
    return (name if isinstance(name, str) else None), None
