"""The asynchronous counterpart of the hook, for the triggerer: it reads jobs and cancels them, and submits nothing.

Importing this takes long enough to block an event loop; import it in a thread.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ..provider.info import DEFAULT_CONNECTION_ID, USER_AGENT
from ..provider.protocol import calls, replies
from ..provider.protocol.authentication import Token, TokenSource
from ..provider.protocol.exchange import FetchToken, converse
from .aiohttp_transport import open_session, send
from .connection import aread_profile

if TYPE_CHECKING:
    import aiohttp

    from ..provider.models.job import Job
    from ..provider.protocol.calls import Call
    from ..provider.protocol.messages import HttpReply
    from ..provider.protocol.profile import ServiceProfile


class VideoCreationAsyncHook:
    """Reads and cancels jobs through an Airflow connection without ever blocking the event loop.

    Use as ``async with VideoCreationAsyncHook(conn_id) as hook``; it holds one pooled session and one
    token. It never submits: a trigger runs again after a restart, and a submission would be paid twice.

    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    """

    profile: ServiceProfile

    def __init__(
        self,
        video_creation_conn_id: str = DEFAULT_CONNECTION_ID,
        user_id: str | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.video_creation_conn_id = video_creation_conn_id
        self.user_id = user_id
        self._clock = clock
        self._token_lock = asyncio.Lock()
        self._session: aiohttp.ClientSession
        self._tokens: TokenSource

    async def __aenter__(self) -> Self:
        """Read the connection and open the session.

        :raises ConfigurationError: there is no such connection, or its fields or CA file must be changed.
        """
        self.profile = await aread_profile(self.video_creation_conn_id)
        self._tokens = TokenSource(self.profile, user_agent=USER_AGENT)
        self._session = await open_session(self.profile)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the session."""
        await self._session.close()

    async def poll_job(self, job_id: str) -> tuple[Job, str | None]:
        """Read a job once.

        :param job_id: of a storyboard or render job.
        :return: the job, and the service's state word when it is not known.
        :raises ConfigurationError: the job id is empty.
        :raises NotFoundError: the service does not know the job.
        :raises ServiceError: everything else that can go wrong on the way.
        """
        call = calls.get_job(self.profile, job_id)
        return replies.read_job(await self._converse(call), call, self.profile)

    async def cancel_job(self, job_id: str) -> bool:
        """Cancel a job, where the connection's extra ``paths`` names ``cancel`` (source: ours).

        :param job_id: of a storyboard or render job.
        :return: False when the connection names no such path; then nothing is sent.
        :raises ServiceError: what can go wrong on the way; the job may go on.
        """
        call = calls.cancel_job(self.profile, job_id)
        if call is None:
            return False
        replies.read_cancellation(await self._converse(call), call)
        return True

    async def _converse(self, call: Call) -> HttpReply:
        """Drive one conversation of ``protocol.exchange`` over aiohttp."""
        conversation = converse(
            call, self.profile, user_id=self.user_id, user_agent=USER_AGENT, now=self._clock()
        )
        step = next(conversation)
        while True:
            try:
                if isinstance(step, FetchToken):
                    step = conversation.send(await self._token(step.refused))
                else:
                    step = conversation.send(await send(self._session, step, self.profile))
            except StopIteration as end:
                reply: HttpReply = end.value
                return reply

    async def _token(self, refused: Token | None) -> Token:
        async with self._token_lock:
            token = self._tokens.current(self._clock(), refused=refused)
            if token is None:
                reply = await send(self._session, self._tokens.request(), self.profile)
                token = self._tokens.accept(reply, self._clock())
                await _mask(token.value)
        return token


async def _mask(secret: str) -> None:
    try:
        from airflow.sdk.log import amask_secret
    except ImportError:
        from airflow.providers.common.compat.sdk import mask_secret

        await asyncio.to_thread(mask_secret, secret)
    else:
        await amask_secret(secret)
