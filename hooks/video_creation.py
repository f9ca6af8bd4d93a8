"""The hook: an Airflow connection as a client of the service."""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from ..provider.errors import (
    NotFoundError,
    ReportedFailureError,
    RequestRefusedError,
    ServiceError,
    VideoCreationError,
)
from ..provider.info import CONNECTION_FIELDS, FIELD_BEHAVIOUR
from .airflow.errors import airflow_errors
from .registrations import BaseRegistrationsHook
from .service_lists.quota_and_voices import BaseQuotaAndVoicesHook

if TYPE_CHECKING:
    from ..provider.models import AwsConnection, Job, Storyboard, VoiceoverTrack
    from ..provider.protocol.exchange import Result
    from ..provider.submission.doubt.listed_jobs import JobPage
    from ..provider.submission.paid_request import PaidRequest
    from .transport.service_client import WhileWaiting


class VideoCreationHook(BaseQuotaAndVoicesHook, BaseRegistrationsHook):
    """Talks to the text-to-video service through an Airflow connection.

    Every method raises our errors (``provider.errors``) as Airflow exceptions of the same class:
    AirflowFailException where a retry cannot help, AirflowException where it may.

    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    :param clock: gives epoch seconds.
    :param sleep: waits for a number of seconds.
    """

    def get_ready(self) -> None:
        """Do now what ``submit`` would otherwise do before it sends: open the session, and fetch a token if one is
        needed.

        What fails here is tried again, and reported, when the request is sent (source: ours).
        """
        with airflow_errors():
            self._client.get_ready()

    def submit(self, request: PaidRequest[Result], *, while_waiting: WhileWaiting = nullcontext) -> Result:
        """Send a request that is paid for, once; only what cannot have been accepted is sent again (source: ours).

        If the service accepts an identity for a submission, a request that may have been accepted is also sent again,
        with the same identity: the service makes it once.

        :param request: from ``storyboard_request`` or a similar method.
        :param while_waiting: see ``service_client.WhileWaiting``.
        :return: the job id; for a registration, the reply's fields.
        :raises ConfigurationError: the connection cannot be used.
        :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
        :raises ServiceError: any other error of the request.
        """
        for warning in request.warnings:
            self.log.warning("%s", warning)
        if self.profile.idempotency_header and not request.call.key:
            request = request.with_key(secrets.token_hex(16))
        with airflow_errors():
            result = self._client.make(request.call, request.read, while_waiting=while_waiting)
        self.log.info("%s %s", request.accepted, request.id_in(result))
        return result

    def create_storyboard(
        self, storyboard: Storyboard | Mapping[str, Any] | str, webhook: str | None = None
    ) -> str:
        """Start a storyboard job and return its job id (source: the interface, "Create a storyboard").

        :param storyboard: a model, a dict with wire names, or a JSON or YAML text.
        :param webhook: callback URL for the job's completion, instead of the storyboard's own.
        :return: the job id.
        :raises ConfigurationError: the connection cannot be used.
        :raises InvalidRequestError: the storyboard is wrong, or names an unknown voice. Nothing was sent.
        :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
        :raises ServiceError: any other error of the request.
        """
        request = self.storyboard_request(storyboard, webhook)
        self.check_speaker(request.body)
        return self.submit(request)

    def storyboard_request(
        self, storyboard: Storyboard | Mapping[str, Any] | str, webhook: str | None = None
    ) -> PaidRequest[str]:
        """A checked storyboard as ``submit`` sends it, with the connection's defaults (source: ours).

        :param storyboard: a model, a dict with wire names, or a JSON or YAML text.
        :param webhook: callback URL for the job's completion, instead of the storyboard's own.
        :return: the request; nothing is sent.
        :raises InvalidRequestError: the storyboard is wrong.
        :raises ConfigurationError: there is no such connection, or its fields must be changed.
        """
        from ..provider.submission import paid_request

        with airflow_errors():
            return paid_request.of_storyboard(
                self.profile, storyboard, webhook, conn_id=self.video_creation_conn_id
            )

    def render_video(
        self,
        render_settings: Mapping[str, Any] | str | None = None,
        webhook: str | None = None,
        *,
        storyboard_job_id: str | None = None,
        video_name: str | None = None,
    ) -> str:
        """Start a render job and return its job id (source: the interface, "Follow-up operations").

        :param render_settings: as in ``render_request``.
        :param webhook: callback URL for the job's completion.
        :param storyboard_job_id: as in ``render_request``.
        :param video_name: names the video in the log.
        :return: the job id.
        :raises ConfigurationError: the connection cannot be used, or renders by the job id that is not given; or the
            storyboard is not finished.
        :raises InvalidRequestError: the settings are not an object, or are empty.
        :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
        :raises ServiceError: any other error of the request.
        """
        request = self.render_request(
            render_settings, webhook, storyboard_job_id=storyboard_job_id, video_name=video_name
        )
        return self.submit(request)

    def render_request(
        self,
        render_settings: Mapping[str, Any] | str | None = None,
        webhook: str | None = None,
        *,
        storyboard_job_id: str | None = None,
        video_name: str | None = None,
    ) -> PaidRequest[str]:
        """A checked render as ``submit`` sends it (source: ours).

        Give the settings, or the storyboard job: its settings are then read, unless the connection's extra
        ``render_by_id`` says that the service takes the id.

        :param render_settings: the render settings of a finished storyboard job, or their JSON or YAML text, sent
            unchanged.
        :param webhook: callback URL for the job's completion.
        :param storyboard_job_id: a finished storyboard job.
        :param video_name: names the video in the log.
        :return: the request; nothing is sent.
        :raises InvalidRequestError: the settings are not an object, or are empty.
        :raises ConfigurationError: there is no such connection, or its fields must be changed; it renders by the job
            id, which is not given; or the storyboard is not finished.
        :raises ServiceError: the storyboard cannot be read.
        """
        from ..provider.models.job import result_of
        from ..provider.submission import paid_request

        with airflow_errors():
            if storyboard_job_id and not render_settings and not self.profile.render_by_id:
                render_settings = result_of(self.get_job(storyboard_job_id), "render_settings")
            return paid_request.of_render(
                self.profile,
                render_settings,
                webhook,
                storyboard_job_id=storyboard_job_id,
                video_name=video_name,
            )

    def register_aws_connection(self, connection: AwsConnection | Mapping[str, Any] | str) -> dict[str, Any]:
        """Register a connection to private media (source: the interface, "Register an AWS connection").

        :param connection: a model, a dict with wire names, or a JSON or YAML text.
        :return: the reply's fields, among them ``connectionId``.
        :raises ConfigurationError: the connection cannot be used.
        :raises InvalidRequestError: the request is wrong; nothing was sent.
        :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
        :raises ServiceError: any other error of the request.
        """
        return self.submit(self.aws_connection_request(connection))

    def aws_connection_request(
        self, connection: AwsConnection | Mapping[str, Any] | str
    ) -> PaidRequest[dict[str, Any]]:
        """A checked AWS connection as ``submit`` sends it (source: ours).

        :param connection: a model, a dict with wire names, or a JSON or YAML text.
        :return: the request; nothing is sent.
        :raises InvalidRequestError: the request is wrong.
        :raises ConfigurationError: there is no such connection, or its fields must be changed.
        """
        from ..provider.submission import paid_request

        with airflow_errors():
            return paid_request.of_aws_connection(self.profile, connection)

    def add_voiceover_track(self, track: VoiceoverTrack | Mapping[str, Any] | str) -> dict[str, Any]:
        """Add a voice to the service's library (source: the interface, "Add a voiceover track").

        :param track: a model, a dict with wire names, or a JSON or YAML text.
        :return: the reply's fields, among them ``id``.
        :raises ConfigurationError: the connection cannot be used.
        :raises InvalidRequestError: the request is wrong; nothing was sent.
        :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
        :raises ServiceError: any other error of the request.
        """
        return self.submit(self.voiceover_track_request(track))

    def voiceover_track_request(
        self, track: VoiceoverTrack | Mapping[str, Any] | str
    ) -> PaidRequest[dict[str, Any]]:
        """A checked voiceover track as ``submit`` sends it (source: ours).

        :param track: a model, a dict with wire names, or a JSON or YAML text.
        :return: the request; nothing is sent.
        :raises InvalidRequestError: the request is wrong.
        :raises ConfigurationError: there is no such connection, or its fields must be changed.
        """
        from ..provider.submission import paid_request

        with airflow_errors():
            return paid_request.of_voiceover_track(self.profile, track)

    def get_job(self, job_id: str) -> Job:
        """Read a job (source: the interface, "Follow-up operations").

        :param job_id: of a storyboard or render job.
        :return: the job, with its state, and its result once it is completed.
        :raises ConfigurationError: the job id is empty, or the connection cannot be used.
        :raises NotFoundError: the service does not know the job.
        :raises ReportedFailureError: a 200 reports a failure without a state; a wait finds out whether it lasts.
        :raises ServiceError: any other error of the request.
        """
        with airflow_errors():
            job, unknown = self.poll_job(job_id, repeat_on=(VideoCreationError,))
        if unknown:
            self.log.warning("Job %s is in the state %r, which this provider does not know", job_id, unknown)
        return job

    def poll_job(
        self, job_id: str, *, repeat_on: tuple[type[VideoCreationError], ...] = (), until: float = math.inf
    ) -> tuple[Job, str | None]:
        """Read a job, for a wait that has a schedule of its own (source: ours).

        :param job_id: of a storyboard or render job.
        :param repeat_on: the errors after which it is read again here, if ``protocol.retry`` allows it.
        :param until: epoch seconds by which this ends, whatever the service does.
        :return: the job, and the service's state word when it is not known.
        :raises VideoCreationError: our own errors, not yet Airflow's.
        """
        from ..provider.protocol import calls, replies

        call = calls.get_job(self.profile, str(job_id))
        read = partial(replies.read_job, profile=self.profile)
        return self._client.make(call, read, repeat_on=repeat_on, until=until)

    def list_jobs(self, path: str | None = None) -> JobPage:
        """Read one page of the service's list of jobs, which the connection's extra ``paths`` must name (source: ours).

        :param path: the path of a further page; None for the first.
        :return: what the page says about each job.
        :raises ConfigurationError: the connection names no such path, or cannot be used.
        :raises ServiceError: an error of the request.
        """
        from ..provider.submission.doubt.listed_jobs import list_jobs, read_page

        with airflow_errors():
            call = list_jobs(self.profile, path)
            return self._client.make(call, partial(read_page, profile=self.profile))

    def cancel_job(self, job_id: str, *, until: float = math.inf) -> bool:
        """Cancel a job, where the connection's extra ``paths`` names ``cancel`` (source: ours).

        :param job_id: of a storyboard or render job.
        :param until: epoch seconds by which this ends, whatever the service does.
        :return: False if the connection names no such path; then nothing is sent.
        :raises ServiceError: an error of the request; the job may continue.
        """
        from ..provider.protocol import calls, replies

        call = calls.cancel_job(self.profile, str(job_id))
        if call is None:
            return False
        with airflow_errors():
            self._client.make(call, replies.read_cancellation, until=until)
        return True

    @classmethod
    def get_connection_form_widgets(cls) -> dict[str, Any]:
        """The fields of the connection's form on Airflow 3.1; newer ones read them from the provider info.

        Source: Airflow's BaseHook.

        :return: a field for each that the extra takes.
        """
        from wtforms import PasswordField, StringField
        from wtforms.validators import Optional, any_of

        widgets = {}
        for name, field in CONNECTION_FIELDS.items():
            schema = field["schema"]
            kind = PasswordField if schema.get("format") == "password" else StringField
            allowed = [any_of(schema["enum"])] if "enum" in schema else []
            widgets[name] = kind(
                field["label"], validators=[Optional(), *allowed], description=field["description"]
            )
        return widgets

    @classmethod
    def get_ui_field_behaviour(cls) -> dict[str, Any]:
        """How the connection's form shows Airflow's own fields on Airflow 3.1 (source: Airflow's BaseHook).

        :return: what is hidden, labels and placeholders.
        """
        return {name.replace("-", "_"): value for name, value in FIELD_BEHAVIOUR.items()}

    def test_connection(self) -> tuple[bool, str]:
        """Prove base URL and credentials by asking for a job that cannot exist; nothing is created.

        :return: whether it works, and what to change if it does not; names the address that was tested.
        """
        warnings: tuple[str, ...] = ()
        try:
            address, warnings = self.profile.base_url, self.profile.warnings
            problem = self._asked_for_a_job()
        except VideoCreationError as error:
            works, message = False, str(error)
        else:
            works = problem is None
            message = (
                f"{address} accepts the credentials. The test created nothing."
                if works
                else f"Tested {address}. {problem}"
            )
        # The Test button gives the connection a random id, which would mean nothing to anybody.
        said = "\n".join([message, *warnings])
        named = repr(self.video_creation_conn_id)
        said = said.replace(f"Connection {named}", "The connection")
        return works, said.replace(f"of connection {named}", "of the connection")

    def _asked_for_a_job(self) -> str | None:
        """What the answer shows to be wrong; None if the service accepts us, and knows no such job."""
        from ..provider.spending.failure import PAYMENT_REQUIRED

        try:
            self.poll_job("airflow-connection-test")
        except (NotFoundError, ReportedFailureError, RequestRefusedError) as error:
            if error.status == PAYMENT_REQUIRED:
                return str(error)
            if error.service_message is None and error.code is None:
                return f"{error} It gave no reason, so it may be another server."
        except ServiceError as error:
            return str(error)
        return None
