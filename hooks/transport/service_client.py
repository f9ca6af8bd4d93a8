"""Drives the calls of ``provider.protocol`` over requests: one session, one token, and repeats where they are safe."""

from __future__ import annotations

import logging
import math
import random
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

import requests

from ...provider.connection.profile import ServiceProfile
from ...provider.errors import ServiceError, VideoCreationError
from ...provider.info import USER_AGENT
from ...provider.protocol.authentication import Token, TokenSource
from ...provider.protocol.calls import Call
from ...provider.protocol.exchange import FetchToken, Finished, Read, Result, advance, converse
from ...provider.protocol.messages import HttpReply, HttpRequest, TransportFailure
from ...provider.protocol.retry import Attempts, still_in_doubt
from ..tokens.masking import mask_in_task
from ..tokens.sharing import SharedToken
from .requests_transport import open_session, send

WhileWaiting = Callable[[], AbstractContextManager[None]]
"""Entered while no request of a call is under way: in the pause before it is made again, and while its token is
fetched. If leaving it raises, the call is not made."""


class ServiceClient:
    """Makes the calls of one connection, possibly from several threads at the same time.

    :param profile: of the connection.
    :param user_id: fills the user-id header instead of the profile's.
    :param clock: gives epoch seconds.
    :param sleep: waits for a number of seconds.
    :param log: the task's log.
    """

    def __init__(
        self,
        profile: ServiceProfile,
        user_id: str | None,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
        log: logging.Logger | Any,
    ) -> None:
        self._profile = profile
        self._user_id = user_id
        self._clock = clock
        self._sleep = sleep
        self._log = log
        self._tokens = TokenSource(profile, user_agent=USER_AGENT)
        self._shared = SharedToken.of(profile)
        self._fetching_token = threading.Lock()
        self._opening_session = threading.Lock()
        self._session: requests.Session | None = None

    @property
    def session(self) -> requests.Session:
        """The open session; a new one after a request whose thread may still be reading from the last.

        :raises ConfigurationError: the CA file cannot be used.
        """
        with self._opening_session:
            if self._session is None:
                self._session = open_session(self._profile)
            return self._session

    def get_ready(self) -> None:
        """Open the session, and fetch the token if one is needed; what fails is tried again by ``make``.

        :raises ConfigurationError: the CA file cannot be used.
        """
        _ = self.session
        with suppress(ServiceError):
            self._token(None, math.inf, nullcontext)

    def make(
        self,
        call: Call,
        read: Read[Result],
        *,
        repeat_on: tuple[type[VideoCreationError], ...] = (VideoCreationError,),
        until: float = math.inf,
        while_waiting: WhileWaiting = nullcontext,
    ) -> Result:
        """Make a call and read its reply, again where ``protocol.retry`` allows it (source: ours).

        :param call: what is asked.
        :param read: makes the result from the reply of a success.
        :param repeat_on: the errors after which it may be made again.
        :param until: epoch seconds by which this ends, whatever the service does.
        :param while_waiting: see ``WhileWaiting``.
        :raises VideoCreationError: our own errors, not yet Airflow's.
        """
        attempts = Attempts(call, now=self._clock())
        while True:
            try:
                return self._converse(call, read, attempts, until, while_waiting)
            except repeat_on as error:
                now = self._clock()
                jitter = random.random()  # noqa: S311 - spreads attempts, nothing secret
                wait = attempts.seconds_before_next(error, now=now, jitter=jitter)
                if wait is None or now + wait >= until:
                    if attempts.were_in_doubt:
                        raise still_in_doubt(error) from error
                    raise
                self._log.warning("%s Trying again in %.0f s.", error, wait)
            if attempts.are_in_doubt:
                # Something may be under way: a process that dies in the pause leaves the doubt as it is.
                while_waiting = nullcontext
            with while_waiting():
                self._sleep(wait)

    def _converse(
        self, call: Call, read: Read[Result], attempts: Attempts, until: float, while_waiting: WhileWaiting
    ) -> Result:
        """Drive one conversation of ``protocol.exchange``."""
        conversation = converse(
            call, self._profile, read, user_id=self._user_id, user_agent=USER_AGENT, now=self._clock()
        )
        step = advance(conversation)
        while not isinstance(step, Finished):
            if isinstance(step, FetchToken):
                if step.refused:
                    attempts.met_refused_token = True
                step = advance(conversation, self._token(step.refused, until, while_waiting))
            else:
                step = advance(conversation, self._send(step, until))
        return step.result

    def _token(self, refused: Token | None, until: float, while_waiting: WhileWaiting) -> Token:
        """The token to use; if several threads need a new one at the same time, the first fetches it for all."""
        token = self._tokens.current(self._clock())
        if token is not None and token is not refused:
            return token
        # The thread with the lock never waits for Airflow, which may itself be waiting for a thread without it.
        with while_waiting():
            token = self._fetched_token(refused, until)
        mask_in_task(token.value)
        return token

    def _fetched_token(self, refused: Token | None, until: float) -> Token:
        limit = min(max(until - self._clock(), 0.0), self._profile.total_timeout)
        if not self._fetching_token.acquire(timeout=limit):
            late = TransportFailure("no-reply", f"other calls of this task waited for it for {limit:.3g} s")
            return self._tokens.accept(late, self._clock())
        try:
            token = self._tokens.current(self._clock(), refused=refused)
            if token is None and self._shared and refused is None:
                # After a refusal only a fresh token is worth trying.
                token = self._tokens.take(self._shared.find(self._clock()))
            if token is None:
                token = self._tokens.accept(self._send(self._tokens.request(), until), self._clock())
                if self._shared:
                    self._shared.leave(token)
            return token
        finally:
            self._fetching_token.release()

    def _send(self, request: HttpRequest, until: float) -> HttpReply | TransportFailure:
        session = self.session
        reply = send(session, request, self._profile, limit=max(until - self._clock(), 0.0))
        if isinstance(reply, TransportFailure):
            with self._opening_session:
                # Another thread may have opened a new one, or still use this one.
                if self._session is session:
                    self._session = None
        return reply
