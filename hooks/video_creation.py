"""The hook: an Airflow connection as a client of the service."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import BaseHook, mask_secret

from ..provider.info import CONNECTION_TYPE, DEFAULT_CONNECTION_ID, USER_AGENT
from ..provider.protocol.errors import VideoCreationError
from .airflow_errors import airflow_errors

if TYPE_CHECKING:
    import requests

    from ..provider.models import AwsConnection, Job, Storyboard, VoiceoverTrack
    from ..provider.protocol.authentication import Token, TokenSource
    from ..provider.protocol.calls import Call
    from ..provider.protocol.messages import HttpReply, HttpRequest, TransportFailure
    from ..provider.protocol.profile import ServiceProfile


class VideoCreationHook(BaseHook):
    """Talks to the text-to-video service through an Airflow connection.

    Every method raises our errors (``provider.protocol.errors``) as Airflow exceptions of the same class:
    AirflowFailException where a retry cannot help, AirflowException where it may.

    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    """

    conn_name_attr = "video_creation_conn_id"
    default_conn_name = DEFAULT_CONNECTION_ID
    conn_type = CONNECTION_TYPE
    hook_name = "Video Creation"

    def __init__(
        self,
        video_creation_conn_id: str = DEFAULT_CONNECTION_ID,
        user_id: str | None = None,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__()
        self.video_creation_conn_id = video_creation_conn_id
        self.user_id = user_id
        self._clock = clock
        self._sleep = sleep
        self._session: requests.Session | None = None

    @cached_property
    def profile(self) -> ServiceProfile:
        """The service profile of the connection, read once.

        :raises ConfigurationError: there is no such connection, or its fields must be changed.
        """
        from .connection import read_profile

        with airflow_errors():
            profile = read_profile(self.video_creation_conn_id, type(self))
        for warning in profile.warnings:
            self.log.warning("%s", warning)
        return profile

    def get_conn(self) -> requests.Session:
        """The requests session, with the connection's proxies and TLS settings but without a token."""
        from .requests_transport import open_session

        if self._session is None:
            self._session = open_session(self.profile)
        return self._session

    def create_storyboard(self, storyboard: Storyboard | Mapping[str, Any] | str) -> str:
        """Start a storyboard job and return its job id (source: the interface, "Create a storyboard").

        :param storyboard: a model, a dict with wire names, or a JSON text.
        :raises InvalidRequestError: the storyboard is wrong; nothing was sent.
        :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
        :raises ServiceError: everything else that can go wrong on the way.
        """
        from ..provider.models import Storyboard
        from ..provider.models.private_media import with_connection
        from ..provider.protocol import calls, replies

        with airflow_errors():
            request, warnings = with_connection(
                Storyboard.read(storyboard), self.profile.aws_connection_id, self.video_creation_conn_id
            )
            for warning in warnings:
                self.log.warning("%s", warning)
            call = calls.create_storyboard(self.profile, request.to_wire())
            job_id = replies.read_job_id(self._call(call), call)
        self.log.info("Storyboard %r was accepted as job %s", request.video_name, job_id)
        return job_id

    def render_video(self, render_settings: Mapping[str, Any], webhook: str | None = None) -> str:
        """Start a render job and return its job id (source: the interface, "Follow-up operations").

        :param render_settings: what a finished storyboard job gave, sent on unchanged.
        :param webhook: callback URL for the job's completion.
        :raises InvalidRequestError: the settings are no object, or empty.
        :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
        :raises ServiceError: everything else that can go wrong on the way.
        """
        from ..provider.models.render import render_body
        from ..provider.protocol import calls, replies

        with airflow_errors():
            call = calls.render_video(self.profile, render_body(render_settings, webhook))
            job_id = replies.read_job_id(self._call(call), call)
        self.log.info("Render was accepted as job %s", job_id)
        return job_id

    def get_job(self, job_id: str) -> Job:
        """Read a job (source: the interface, "Follow-up operations").

        :param job_id: of a storyboard or render job.
        :raises NotFoundError: the service does not know the job.
        :raises ServiceError: everything else that can go wrong on the way.
        """
        with airflow_errors():
            job, unknown = self.poll_job(job_id, repeat=True)
        if unknown:
            self.log.warning("Job %s is in the state %r, which is not known here", job_id, unknown)
        return job

    def poll_job(
        self, job_id: str, *, repeat: bool = False, limit: float | None = None
    ) -> tuple[Job, str | None]:
        """Read a job once, for a wait that has a schedule of its own (source: ours).

        :param job_id: of a storyboard or render job.
        :param repeat: whether a failed read is made again here.
        :param limit: seconds that the read may take.
        :return: the job, and the service's state word when it is not known.
        :raises VideoCreationError: our own errors, not yet Airflow's.
        """
        from ..provider.protocol import calls, replies

        call = calls.get_job(self.profile, job_id)
        return replies.read_job(self._call(call, repeat=repeat, limit=limit), call, self.profile)

    def register_aws_connection(self, connection: AwsConnection | Mapping[str, Any] | str) -> dict[str, Any]:
        """Register a connection to private media (source: the interface, "Register an AWS connection").

        :param connection: a model, a dict with wire names, or a JSON text.
        :return: the reply's fields, among them ``connectionId``.
        :raises InvalidRequestError: the request is wrong; nothing was sent.
        :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
        :raises ServiceError: everything else that can go wrong on the way.
        """
        from ..provider.models import AwsConnection
        from ..provider.protocol import calls, replies

        with airflow_errors():
            request = AwsConnection.read(connection)
            call = calls.register_aws_connection(self.profile, request.to_wire())
            registered = replies.read_resource(self._call(call), call)
        self.log.info("AWS connection %r was registered as %s", request.name, registered.get("connectionId"))
        return registered

    def add_voiceover_track(self, track: VoiceoverTrack | Mapping[str, Any] | str) -> dict[str, Any]:
        """Add a voice to the service's library (source: the interface, "Add a voiceover track").

        :param track: a model, a dict with wire names, or a JSON text.
        :return: the reply's fields, among them ``id``.
        :raises InvalidRequestError: the request is wrong; nothing was sent.
        :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
        :raises ServiceError: everything else that can go wrong on the way.
        """
        from ..provider.models import VoiceoverTrack
        from ..provider.protocol import calls, replies

        with airflow_errors():
            request = VoiceoverTrack.read(track)
            call = calls.add_voiceover_track(self.profile, request.to_wire())
            added = replies.read_resource(self._call(call), call)
        self.log.info("Voiceover track %r was added as %s", request.name, added.get("id"))
        return added

    def test_connection(self) -> tuple[bool, str]:
        """Prove base URL and credentials by asking for a job that cannot exist; nothing is created.

        :return: whether it works, and what to change when it does not.
        """
        from ..provider.protocol import calls
        from ..provider.protocol.errors import NotFoundError, RequestRefusedError

        try:
            call = calls.get_job(self.profile, "airflow-connection-test")
            self._call(call, repeat=False)
        except (NotFoundError, RequestRefusedError) as error:
            if error.service_message is None and error.code is None:
                return False, (
                    f"The server at {self.profile.base_url} answers {error.status} without the service's own words: "
                    "host (the base URL) or extra paths are probably wrong."
                )
        except VideoCreationError as error:
            return False, str(error)
        return True, f"The service at {self.profile.base_url} accepts the credentials."

    @cached_property
    def _tokens(self) -> TokenSource:
        from ..provider.protocol.authentication import TokenSource

        return TokenSource(self.profile, user_agent=USER_AGENT)

    def _call(self, call: Call, *, repeat: bool = True, limit: float | None = None) -> HttpReply:
        """Make a call, again where ``protocol.retry`` allows it."""
        from ..provider.protocol.retry import seconds_before_repeat

        started = self._clock()
        attempt = 1
        while True:
            try:
                return self._converse(call, limit)
            except VideoCreationError as error:
                elapsed = self._clock() - started
                jitter = random.random()  # noqa: S311 - spreads attempts, nothing secret
                wait = seconds_before_repeat(call, error, attempt=attempt, elapsed=elapsed, jitter=jitter)
                if wait is None or not repeat:
                    raise
                self.log.warning("%s Trying again in %.0f s.", error, wait)
            self._sleep(wait)
            attempt += 1

    def _converse(self, call: Call, limit: float | None) -> HttpReply:
        """Drive one conversation of ``protocol.exchange`` over requests."""
        from ..provider.protocol.exchange import FetchToken, converse

        conversation = converse(
            call, self.profile, user_id=self.user_id, user_agent=USER_AGENT, now=self._clock()
        )
        step = next(conversation)
        while True:
            try:
                if isinstance(step, FetchToken):
                    step = conversation.send(self._token(step.refused, limit))
                else:
                    step = conversation.send(self._send(step, limit))
            except StopIteration as end:
                reply: HttpReply = end.value
                return reply

    def _token(self, refused: Token | None, limit: float | None) -> Token:
        token = self._tokens.current(self._clock(), refused=refused)
        if token is None:
            token = self._tokens.accept(self._send(self._tokens.request(), limit), self._clock())
            mask_secret(token.value)
        return token

    def _send(self, request: HttpRequest, limit: float | None) -> HttpReply | TransportFailure:
        from .requests_transport import send

        reply = send(self.get_conn(), request, self.profile, limit=limit)
        if getattr(reply, "kind", None) == "no-reply":
            self._session = None
        return reply
