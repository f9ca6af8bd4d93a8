"""Asks a person whether to render the video of a storyboard."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from inspect import signature
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import AirflowSkipException
from airflow.providers.standard.operators.hitl import ApprovalOperator, HITLOperator

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.failure_xcom import telling_failures
from .base.video_creation import BaseVideoCreationOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

DEFAULT_SUBJECT = "Render this video?"
DEFAULT_BODY = "Nothing is rendered before it is approved."

# Before version 1.12.2 of the standard provider, which Airflow 3.1 ships, the argument for the time to answer has
# another name.
_ANSWER_TIMEOUT = (
    "response_timeout" if "response_timeout" in signature(HITLOperator).parameters else "execution_timeout"
)


class ApproveVideoOperator(BaseVideoCreationOperator, ApprovalOperator):
    """Shows a storyboard's preview in Airflow's "Required Actions", and continues when a person approves it.

    Pass the id that it returns to ``RenderVideoOperator``: without approval there is nothing to render. A rejection, or
    no answer in time, skips this task and the tasks after it; in a mapped task group, only those of this video. (From
    Airflow 3.2 on, its own ApprovalOperator does not: in a mapped task group it runs the tasks after a rejection.) The
    wait occupies no worker.

    The preview's link is read from the job when the question is asked. It is shown in the form only, not in logs. The
    log says who answered (source: the interface, "Storyboard job").

    :param storyboard_job_id: a finished storyboard job: its id, or the dict that a waiting operator returned.
        Templated.
    :param subject: the question. Templated.
    :param body: Markdown shown below the preview's link. Templated.
    :param response_timeout: how long to wait for an answer. Default: a day, which is no longer than the preview's link
        lives.
    :param defaults: what counts as the answer when nobody answers, ``Reject`` or ``Approve``. Default: ``Reject``.
    :param video_creation_conn_id: the connection. Templated.
    :param user_id: fills the user-id header instead of the connection's ``user_id``. Templated.
    :param kwargs: other arguments of ApprovalOperator, such as ``assigned_users`` (who may answer) and ``notifiers``
        (who is told).
    :return: the storyboard job's id.
    :raises ConfigurationError: the job is not a storyboard job, or is not finished.
    """

    template_fields: Sequence[str] = (
        "storyboard_job_id",
        "subject",
        "body",
        *BaseVideoCreationOperator.template_fields,
    )

    def __init__(
        self,
        *,
        storyboard_job_id: str | XComArg,
        subject: str = DEFAULT_SUBJECT,
        body: str = DEFAULT_BODY,
        response_timeout: timedelta = timedelta(days=1),
        defaults: str = ApprovalOperator.REJECT,
        **kwargs: Any,
    ) -> None:
        kwargs[_ANSWER_TIMEOUT] = response_timeout
        super().__init__(subject=subject, body=body, defaults=defaults, **kwargs)
        self.storyboard_job_id: Any = storyboard_job_id

    @telling_failures
    def execute(self, context: Context) -> None:
        """Ask."""
        with airflow_errors():
            self.body = f"[Watch the preview](<{self._preview_url()}>)\n\n{self.body}"
        super().execute(context)

    @telling_failures
    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Context) -> Any:
        """Resume after the answer."""
        return super().resume_execution(next_method, next_kwargs, context)

    def execute_complete(self, context: Context, event: dict[str, Any]) -> str:
        """Return the id if it was approved, skip if it was rejected.

        :raises AirflowSkipException: it was rejected, or nobody answered in time.
        """
        from ..provider.models.job import job_id_of

        job_id = job_id_of(self.storyboard_job_id)
        # ApprovalOperator's own way to skip the next tasks does not reach mapped task groups.
        answer = HITLOperator.execute_complete(self, context, event)
        person = answer.get("responded_by_user")
        by = f"by {person['name']}" if person else "because nobody answered in time"
        if answer["chosen_options"] != [self.APPROVE]:
            raise AirflowSkipException(
                f"The video of storyboard job {job_id} was rejected {by}, so it is not rendered."
            )
        self.log.info("The video of storyboard job %s was approved %s", job_id, by)
        return job_id

    def _preview_url(self) -> str:
        from ..provider.models.job import job_id_of, result_of

        url: str = result_of(self.hook.get_job(job_id_of(self.storyboard_job_id)), "preview_url")
        return url
