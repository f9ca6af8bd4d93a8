"""Starts a storyboard job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.failure_xcom import telling_failures
from ..hooks.airflow.links import PreviewLink
from .base.lineage import backgrounds
from .base.one_job import BaseOneJobOperator
from .base.request import BaseRequestOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..provider.delivery.dataset_name import DatasetName
    from ..provider.models import Storyboard
    from ..provider.submission.submission_request import SubmissionRequest

VIDEO_NAME_KEY = "video_name"
"""The XCom key under which the task pushes the video's name, for the tasks after it."""


class CreateStoryboardOperator(BaseRequestOperator, BaseOneJobOperator):
    """Submits a storyboard, and waits for its preview if asked to (source: the interface, "Create a storyboard").

    A storyboard without templates is checked while the DAG is parsed; one with templates, before it is sent. The XCom
    ``video_name`` holds the video's name for the tasks after it.

    :param storyboard: a model, a dict with wire names, a JSON or YAML text, the name of a .json, .yaml or .yml file
        beside the DAG file, or another task's result. Templated.
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
    :raises InvalidRequestError: the storyboard is wrong, or names an unknown voice. Nothing was sent.
    :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
    :raises JobFailedError: the service says that the job failed; a retry submits a new one.
    :raises JobError: the job was lost or purged, or the wait timed out.
    """

    request_field = "storyboard"
    request_model = "Storyboard"
    operator_extra_links = (PreviewLink(),)
    template_fields: Sequence[str] = ("storyboard", "adopt_job_id", *BaseRequestOperator.template_fields)
    template_fields_renderers = {"storyboard": "json"}  # noqa: RUF012 - Airflow declares it this way

    def __init__(
        self,
        *,
        storyboard: Storyboard | Mapping[str, Any] | XComArg | str,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.storyboard = self.take_request(storyboard)

    @telling_failures
    def execute(self, context: Context) -> str | dict[str, Any]:
        """Submit the storyboard, and wait for it if asked to."""
        return self.submit(context)

    def submit(self, context: Context) -> str | dict[str, Any]:
        """What ``execute`` does, for a subclass that makes the storyboard first.

        :param context: the task's context.
        :return: as ``execute``.
        """
        from ..provider.submission.decision import Submit

        self._push_name(context.get("ti"))
        with airflow_errors():
            submissions, request = self.submissions(context), self.request(context)
            paid = self.storyboard_request(submissions, request, self.storyboard)
            request = self.request(context, paid.body if paid else None)
            decision = submissions.decide(request, self.hook)
            if isinstance(decision, Submit):
                assert paid, "only a task that has a job comes here with a wrong storyboard"
                self.stop_if_siblings_failed(context, request.operation)
                self.hook.check_speaker(paid.body)
                decision = self.send(context, submissions, request, decision, paid)
            return self.result(context, submissions, decision)

    def request(self, context: Context, body: Mapping[str, Any] | None = None) -> SubmissionRequest:
        """The video's storyboard.

        :param context: the task's context.
        :param body: what would be sent; None where that is not asked.
        """
        from ..provider.submission.submission_request import of_storyboard

        return of_storyboard(self.video_name, body, self.adopted(context))

    def datasets_read(self) -> Iterable[DatasetName | None]:
        """The backgrounds of the scenes."""
        return backgrounds(self.storyboard)

    def _push_name(self, ti: Any) -> None:
        """A label only: without it the video is still made."""
        if ti is None or not (name := self.video_name):
            return
        try:
            ti.xcom_push(key=VIDEO_NAME_KEY, value=name)
        except Exception as error:
            self.log.warning("The video's name could not be written to XCom: %s", type(error).__name__)
