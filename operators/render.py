"""Starts a render job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.failure_xcom import telling_failures
from ..provider.errors import ConfigurationError, InvalidRequestError
from .base.lineage import at_service
from .base.one_job import BaseOneJobOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..provider.delivery.dataset_name import DatasetName
    from ..provider.submission.submission_request import SubmissionRequest


class RenderVideoOperator(BaseOneJobOperator):
    """Submits a render, and waits for its video if asked to (source: the interface, "Follow-up operations").

    Give either ``storyboard_job_id`` or ``render_settings``. With ``storyboard_job_id`` the finished storyboard's
    settings are read again, unless the service renders by the id (the connection's extra ``render_by_id``).

    :param storyboard_job_id: a finished storyboard job: its id, or the dict that a waiting operator returned.
        Templated.
    :param render_settings: the render settings of a finished storyboard job, or their JSON or YAML text. Templated.
    :param video_name: the video's name, for messages and as ``task.video_name`` in a ``map_index_template``. Templated.
    :param wait_for_completion: wait for the job and return it, in one task that a retry resumes.
    :param deferrable: wait in the triggerer; default from ``[operators] default_deferrable``.
    :param poll_interval: seconds between polls. Default: on a worker, an interval that grows with the time waited; in
        the triggerer, a schedule that learns from the connection's jobs (docs/measured/polling.md).
    :param timeout: how many seconds to wait, default 2 hours, counted from the task's first try. The job may continue
        after that.
    :param on_ambiguous: what a retry does when an earlier try may have submitted the job: ``fail``, or ``resubmit`` and
        perhaps pay twice.
    :param stop_after: in a mapped task, stop sending once this many others of the run have failed for a cause that they
        all share, such as a rejected token or a used-up quota (docs/recipes/spending.md). None: never stop.
    :param cancel_on_kill: cancel the job when a person stops the task, when Airflow stops its worker, and when the task
        fails permanently while the job may continue. Needs ``cancel`` in the connection's extra ``paths``. A worker
        that is shut down counts as stopped: the first retry then finds a cancelled job, and the next one pays for a new
        job (docs/operate/cancelling-a-job.md). Default: only when a person stops the task while it waits in the
        triggerer. False: never.
    :param cancel_on_timeout: cancel the job when ``timeout`` is over, or the last try's ``execution_timeout``.
    :param adopt_job_id: a job that was found at the service after a submission in doubt; nothing is sent. Templated.
    :param video_creation_conn_id: the connection. Templated.
    :param user_id: fills the user-id header instead of the connection's ``user_id``. Templated.
    :return: the job id; with ``wait_for_completion``, the finished job as a dict (see ``provider.models.job.Job``).
    :raises ConfigurationError: both or neither of the two were given; the storyboard is not finished; or the connection
        renders by the storyboard's job id and settings were given.
    :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
    :raises JobFailedError: the service says that the job failed; a retry submits a new one.
    :raises JobError: the job was lost or purged, or the wait timed out.
    """

    template_fields: Sequence[str] = (
        "storyboard_job_id",
        "render_settings",
        "video_name",
        "adopt_job_id",
        *BaseOneJobOperator.template_fields,
    )
    template_fields_renderers = {"render_settings": "json"}  # noqa: RUF012 - Airflow declares it this way

    def __init__(
        self,
        *,
        storyboard_job_id: str | XComArg | None = None,
        render_settings: Mapping[str, Any] | str | None = None,
        video_name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.storyboard_job_id: Any = storyboard_job_id
        self.render_settings = render_settings
        self.video_name = video_name
        self._check_that_one_is_given()

    @telling_failures
    def execute(self, context: Context) -> str | dict[str, Any]:
        """Submit the render, and wait for it if asked to."""
        from ..provider.models.job import job_id_of
        from ..provider.submission.decision import Submit

        self._check_that_one_is_given()
        if self.storyboard_job_id:
            self.storyboard_job_id = job_id_of(self.storyboard_job_id)
        with airflow_errors():
            submissions, request = self.submissions(context), self.request(context)
            decision = submissions.decide(request, self.hook)
            if isinstance(decision, Submit):
                self.stop_if_siblings_failed(context, request.operation)
                paid = self.hook.render_request(
                    self.render_settings,
                    storyboard_job_id=self.storyboard_job_id,
                    video_name=self.video_name,
                )
                decision = self.send(context, submissions, request, decision, paid)
            return self.result(context, submissions, decision)

    def request(self, context: Context, body: Mapping[str, Any] | None = None) -> SubmissionRequest:
        """The storyboard job; with settings alone the video's name, or a digest of the settings.

        The id, not the settings behind it: a retry that finds its job must no longer depend on the storyboard.

        :param context: the task's context.
        :param body: not asked.
        """
        from ..provider.submission.request_digests import digest_of
        from ..provider.submission.subject import Subject
        from ..provider.submission.submission_request import SubmissionRequest

        body = self._body()
        if job_id := body["storyboard_job_id"]:
            subject = Subject("storyboard job", job_id, {"storyboard_job_id": job_id})
        elif self.video_name:
            subject = Subject("video", str(self.video_name), body)
        else:
            subject = Subject("render of settings", digest_of(body["render_settings"]), body)
        of_video = f" {self.video_name!r}" if self.video_name else ""
        of_storyboard = f" of storyboard job {job_id}" if job_id else ""
        return SubmissionRequest(
            f"render video{of_video}{of_storyboard}",
            body,
            kind="render",
            subject=subject,
            adopt=self.adopted(context),
            video_name=self.video_name,
        )

    def datasets_read(self) -> Iterable[DatasetName | None]:
        """The storyboard job, where the task names it."""
        return [at_service(self.hook, self.storyboard_job_id)]

    def _body(self) -> dict[str, Any]:
        """What tells this render apart. Settings given as text are parsed, so that their layout does not matter."""
        from ..provider.models.job import job_id_of
        from ..provider.models.render import parsed_settings

        job_id = job_id_of(self.storyboard_job_id) if self.storyboard_job_id else self.storyboard_job_id
        try:
            settings = parsed_settings(self.render_settings)
        except InvalidRequestError:
            settings = self.render_settings
        return {"storyboard_job_id": job_id, "render_settings": settings}

    def _check_that_one_is_given(self) -> None:
        if bool(self.storyboard_job_id) != bool(self.render_settings):
            return
        given = "both were" if self.storyboard_job_id else "neither was"
        with airflow_errors():
            raise ConfigurationError(
                f"Task {self.task_id!r} needs either storyboard_job_id= or render_settings=; {given} given."
            )
