"""Makes a video of a storyboard in one task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.failure_xcom import telling_failures
from .base.job import BaseJobOperator
from .base.lineage import backgrounds
from .base.request import BaseRequestOperator

__all__ = ["CreateVideoOperator", "video_from_storyboard"]

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..provider.delivery.dataset_name import DatasetName
    from ..provider.models import Storyboard
    from ..provider.models.job import Job
    from ..provider.submission.submission_request import SubmissionRequest
    from .submission.submissions import Submissions
    from .video_group import video_from_storyboard


def __getattr__(name: str) -> Any:
    # Airflow's task_group loads all of @task, which a DAG of CreateVideoOperator may not use.
    if name == "video_from_storyboard":
        from .video_group import video_from_storyboard

        return video_from_storyboard
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class CreateVideoOperator(BaseRequestOperator, BaseJobOperator):
    """Submits a storyboard, waits for it, renders it and waits for the video (source: the interface, both jobs).

    Each stage is recorded: a retry repeats no finished stage, and pays for no stage twice. Airflow below 3.3 keeps no
    record: there a retry fails as in doubt, unless ``[video_creation] record_folder`` is set.

    :param storyboard: a model, a dict with wire names, a JSON or YAML text, the name of a .json, .yaml or .yml file
        beside the DAG file, or another task's result. Templated.
    :param deferrable: wait in the triggerer; default from ``[operators] default_deferrable``.
    :param poll_interval: seconds between polls. Default: on a worker, an interval that grows with the time waited; in
        the triggerer, a schedule that learns from the connection's jobs (docs/measured/polling.md).
    :param timeout: how many seconds to wait for the video, default 2 hours, counted from the task's first try, for both
        jobs together. The job may continue after that. A render that is sent only after this time gets the same time
        again.
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
    :param adopt_storyboard_job_id: a storyboard job that was found at the service after a submission in doubt; no
        storyboard is sent. Templated.
    :param adopt_render_job_id: a render job that was found there; nothing is sent. Templated.
    :param video_creation_conn_id: the connection. Templated.
    :param user_id: fills the user-id header instead of the connection's ``user_id``. Templated.
    :return: the finished render job as a dict (see ``provider.models.job.Job``).
    :raises InvalidRequestError: the storyboard is wrong, or names an unknown voice. Nothing was sent.
    :raises AmbiguousSubmissionError: a submission may have been accepted; it was not sent again.
    :raises JobFailedError: the service says that a job failed; a retry submits a new one for that stage.
    :raises JobError: a job was lost or purged, or the wait timed out.
    """

    request_field = "storyboard"
    request_model = "Storyboard"
    stages = ("storyboard", "render")
    adopt_storyboard_job_id: str | None
    adopt_render_job_id: str | None
    template_fields: Sequence[str] = (
        "storyboard",
        "adopt_storyboard_job_id",
        "adopt_render_job_id",
        *BaseJobOperator.template_fields,
    )
    template_fields_renderers = {"storyboard": "json"}  # noqa: RUF012 - Airflow declares it this way

    def __init__(
        self,
        *,
        storyboard: Storyboard | Mapping[str, Any] | XComArg | str,
        adopt_storyboard_job_id: str | None = None,
        adopt_render_job_id: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.storyboard = self.take_request(storyboard)
        self.take_adoptions(
            adopt_storyboard_job_id=adopt_storyboard_job_id, adopt_render_job_id=adopt_render_job_id
        )
        self.storyboard_job_id: str | None = None

    @telling_failures
    def execute(self, context: Context) -> dict[str, Any]:
        """Make the video, from the storyboard or from where an earlier try got to."""
        from ..provider.submission.decision import Submit

        with airflow_errors():
            submissions, request = self.submissions(context), self._storyboard(context)
            if self._is_rendering(context, submissions, request):
                made = submissions.found("storyboard")
                return self._rendered(context, submissions, (made and made.job_id) or "")
            paid = self.storyboard_request(submissions, request, self.storyboard)
            request = self._storyboard(context, paid.body if paid else None)
            decision = submissions.decide(request, self.hook)
            if isinstance(decision, Submit):
                assert paid, "only a task that has a job comes here with a wrong storyboard"
                self.stop_if_siblings_failed(context, request.operation)
                self.hook.check_speaker(paid.body)
                decision = self.send(context, submissions, request, decision, paid)
            if decision.record.state == "completed":
                return self._rendered(context, submissions, decision.job_id)
            finished = self.wait(context, submissions, decision, "storyboard_complete")
            return self._rendered(context, submissions, finished)

    def storyboard_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        """Render the finished storyboard that the trigger saw, or raise what ended the wait."""
        with airflow_errors():
            submissions = self.submissions(context, is_resumed=True)
            request = self._storyboard(context)
            finished = self.resumed(
                context,
                submissions,
                request,
                event,
                "storyboard_complete",
                needs_result=not self.hook.profile.render_by_id,
            )
            return self._rendered(context, submissions, finished)

    def execute_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        """Read the finished video that the trigger saw, or raise what ended the wait."""
        with airflow_errors():
            submissions = self.submissions(context, is_resumed=True)
            submissions.stop_if_another(self._storyboard(context))
            request = self._rendering(context, submissions)
            return self.resumed(context, submissions, request, event, "execute_complete").to_xcom()

    def datasets_read(self) -> Iterable[DatasetName | None]:
        """The backgrounds of the scenes."""
        return backgrounds(self.storyboard)

    def _is_rendering(
        self, context: Context, submissions: Submissions, storyboard: SubmissionRequest
    ) -> bool:
        """Whether there is a render to wait for; the storyboard's job may be purged by now."""
        # This includes a storyboard whose end is not recorded, because the store was away.
        rendering = self._rendering(context, submissions)
        if not submissions.has_job(rendering):
            return False
        if not submissions.is_adopted(rendering):
            submissions.stop_if_another(storyboard)
        return True

    def _rendered(self, context: Context, submissions: Submissions, storyboard: Job | str) -> dict[str, Any]:
        """Submit the render of a finished storyboard job, or of the one with this id, and wait for it."""
        from ..provider.models.job import result_of
        from ..provider.submission.decision import Submit
        from .submission.job_ending import told_when_purged

        self.storyboard_job_id = storyboard if isinstance(storyboard, str) else storyboard.job_id
        request = self._rendering(context, submissions, self.storyboard_job_id)
        decision = submissions.decide(request, self.hook)
        if isinstance(decision, Submit):
            self.stop_if_siblings_failed(context, request.operation)
            settings = None
            if not isinstance(storyboard, str) and not self.hook.profile.render_by_id:
                settings = result_of(storyboard, "render_settings")
            with told_when_purged(request, self.video_name):
                paid = self.hook.render_request(
                    settings,
                    storyboard_job_id=self.storyboard_job_id,
                    video_name=self.video_name,
                )
            decision = self.send(context, submissions, request, decision, paid)
        return self.wait(context, submissions, decision, "execute_complete").to_xcom()

    def _storyboard(self, context: Context, body: Mapping[str, Any] | None = None) -> SubmissionRequest:
        from ..provider.submission.submission_request import of_storyboard

        adopt = self.adoption("adopt_storyboard_job_id", context)
        return of_storyboard(self.video_name, body, adopt, "storyboard")

    def _rendering(
        self, context: Context, submissions: Submissions, storyboard_job_id: str | None = None
    ) -> SubmissionRequest:
        """The render's submission; its deadline counts from the same moment as the storyboard's, unless that is
        past."""
        from ..provider.submission.adoption import Made
        from ..provider.submission.submission_request import counted_from, of_render

        adopt = self.adoption("adopt_render_job_id", context)
        storyboard = submissions.found_or_none("storyboard")
        if storyboard and storyboard.job_id:
            made = Made("storyboard", "adopt_storyboard_job_id", storyboard.job_id)
            adopt = replace(adopt, made_before=made)
        began_at = storyboard.started_at if storyboard else context["ti"].start_date.timestamp()
        return of_render(
            storyboard_job_id,
            adopt,
            "render",
            started_at=counted_from(began_at, timeout=self.timeout, now=self.clock()),
            video_name=self.video_name,
        )
