"""The asynchronous counterpart of the hook: for the triggerer, which reads and cancels jobs with it, and for any other
call.

Importing this takes long enough to block an event loop; import it in a thread.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ..provider.errors import VideoCreationError
from ..provider.info import DEFAULT_CONNECTION_ID, USER_AGENT
from ..provider.protocol import calls, replies
from ..provider.protocol.any_call import any_call, read_any_reply
from ..provider.protocol.authentication import Token, TokenSource
from ..provider.protocol.exchange import FetchToken, Finished, Read, Result, advance, converse
from ..provider.protocol.messages import MAX_REPLY_BYTES
from ..provider.protocol.retry import Attempts
from .connection import aread_profile
from .tokens.masking import mask_token
from .tokens.sharing import SharedToken
from .transport.aiohttp_transport import open_session, send
from .transport.large_replies import beside_the_loop
from .transport.proxies import proxy_for

if TYPE_CHECKING:
    import aiohttp

    from ..provider.connection.profile import ServiceProfile
    from ..provider.models.job import Job
    from ..provider.protocol.calls import Call
    from ..provider.protocol.messages import HttpReply, HttpRequest, TransportFailure

log = logging.getLogger(__name__)


class VideoCreationAsyncHook:
    """Reads and cancels jobs, and makes any call, through an Airflow connection without ever blocking the event loop.

    Use as ``async with VideoCreationAsyncHook(conn_id) as hook``; it holds one pooled session and one token. No trigger
    may submit with it: a trigger runs again after a restart, and would pay twice.

    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    :param profile: the connection's profile, if it has been read already.
    :param before_token_request: called before each token request, to count requests.
    :param clock: gives epoch seconds.
    :param sleep: waits for a number of seconds before a call is made again.
    """

    def __init__(
        self,
        video_creation_conn_id: str = DEFAULT_CONNECTION_ID,
        user_id: str | None = None,
        *,
        profile: ServiceProfile | None = None,
        before_token_request: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.video_creation_conn_id = video_creation_conn_id
        self.user_id = user_id
        self._profile = profile
        self._before_token_request = before_token_request
        self._clock = clock
        self._sleep = sleep
        self._fetching: asyncio.Task[Token] | None = None
        self._proxies: dict[str, str | None] = {}
        self._session: aiohttp.ClientSession
        self._tokens: TokenSource
        self._shared: SharedToken | None

    async def __aenter__(self) -> Self:
        """Read the connection and open the session.

        :raises ConfigurationError: there is no such connection, or its fields or CA file must be changed.
        """
        if self._profile is None:
            self._profile = await aread_profile(self.video_creation_conn_id)
        self._tokens = TokenSource(self.profile, user_agent=USER_AGENT)
        self._shared = SharedToken.of(self.profile)
        self._session = await open_session(self.profile)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the session."""
        if self._fetching:
            self._fetching.cancel()
        await self._session.close()

    @property
    def profile(self) -> ServiceProfile:
        """The service profile of the connection, as it was read."""
        assert self._profile is not None
        return self._profile

    async def poll_job(self, job_id: str, user_id: str | None = None) -> tuple[Job, str | None]:
        """Read a job once.

        :param job_id: of a storyboard or render job.
        :param user_id: fills the user-id header instead of this hook's.
        :return: the job, and the service's state word when it is not known.
        :raises ConfigurationError: the job id is empty.
        :raises NotFoundError: the service does not know the job.
        :raises JobReplyTooLargeError: a worker must read it: parsing it would stop this loop.
        :raises ServiceError: any other error of the request.
        """
        call = calls.get_job(self.profile, job_id, max_bytes=MAX_REPLY_BYTES)
        return await self._converse(call, partial(replies.read_job, profile=self.profile), user_id)

    async def cancel_job(self, job_id: str) -> bool:
        """Cancel a job, where the connection's extra ``paths`` names ``cancel`` (source: ours).

        :param job_id: of a storyboard or render job.
        :return: False if the connection names no such path; then nothing is sent.
        :raises ServiceError: an error of the request; the job may continue.
        """
        call = calls.cancel_job(self.profile, job_id)
        if call is None:
            return False
        await self._converse(call, replies.read_cancellation)
        return True

    async def acall(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        params: Mapping[str, Any] | None = None,
        paid: bool = False,
    ) -> Any:
        """Make any call of the service, as ``VideoCreationHook.call`` does (source: ours).

        :param method: GET, HEAD, POST, PUT, PATCH or DELETE.
        :param path: below the connection's host.
        :param json: the body: any JSON value; None for no body.
        :param params: added to the query: strings, numbers, true, false and lists of these; None is left out.
        :param paid: whether it makes something that may cost money; not for triggers.
        :return: the JSON of the reply: an object, a list or any other value; None for an empty reply.
        :raises InvalidRequestError: it cannot be sent, or would lead out of the service; nothing was sent.
        :raises AmbiguousSubmissionError: what is paid for may have been accepted; it was not sent again.
        :raises ServiceError: any other error of the request, or a 200 that reports a failure.
        """
        asked = any_call(method, path, body=json, params=params, paid=paid)
        attempts = Attempts(asked, now=self._clock())
        while True:
            try:
                return await self._converse(
                    asked, partial(read_any_reply, profile=self.profile), attempts=attempts
                )
            except VideoCreationError as error:
                jitter = random.random()  # noqa: S311 - spreads attempts, nothing secret
                wait = attempts.seconds_before_next(error, now=self._clock(), jitter=jitter)
                if wait is None:
                    raise
                log.warning("%s Trying again in %.0f s.", error, wait)
            await self._sleep(wait)

    async def _converse(
        self,
        call: Call,
        read: Read[Result],
        user_id: str | None = None,
        attempts: Attempts | None = None,
    ) -> Result:
        """Drive one conversation of ``protocol.exchange`` over aiohttp."""
        conversation = converse(
            call,
            self.profile,
            read,
            user_id=user_id or self.user_id,
            user_agent=USER_AGENT,
            now=self._clock(),
        )
        step = advance(conversation)
        while not isinstance(step, Finished):
            if isinstance(step, FetchToken):
                if attempts and step.refused:
                    attempts.met_refused_token = True
                step = advance(conversation, await self._token(step.refused))
            else:
                answer = await self._send(step)
                step = await beside_the_loop(answer, advance, conversation, answer)
        return step.result

    async def _token(self, refused: Token | None) -> Token:
        """The token to use; polls that need a new one at the same time share one request and its result."""
        token = self._tokens.current(self._clock(), refused=refused)
        if token is not None:
            return token
        if self._fetching is None:
            self._fetching = asyncio.create_task(self._fetch_token(is_refused=refused is not None))
            # Its error is retrieved here, since every poll that waits for it may have been cancelled.
            self._fetching.add_done_callback(lambda fetched: fetched.cancelled() or fetched.exception())
        # A cancelled poll does not take the token from another one.
        return await asyncio.shield(self._fetching)

    async def _send(self, request: HttpRequest) -> HttpReply | TransportFailure:
        origin = "/".join(request.url.split("/", 3)[:3])
        # Reading the environment takes longer than the rest of a poll.
        if origin not in self._proxies:
            self._proxies[origin] = proxy_for(request.url, self.profile)
        return await send(self._session, request, self._proxies[origin])

    async def _fetch_token(self, *, is_refused: bool) -> Token:
        shared = self._shared
        try:
            # After a refusal only a fresh token is worth trying.
            found = await asyncio.to_thread(shared.find, self._clock()) if shared and not is_refused else None
            token = self._tokens.take(found)
            if token is None:
                self._before_token_request()
                reply = await self._send(self._tokens.request())
                token = await beside_the_loop(reply, self._tokens.accept, reply, self._clock())
                if shared:
                    await asyncio.to_thread(shared.leave, token)
            await mask_token(token.value)
            return token
        finally:
            self._fetching = None
