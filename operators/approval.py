"""Asks a person whether the video of a storyboard is to be rendered."""

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

# Before version 1.12.2 of the standard provider, which Airflow 3.1 ships, the time for an answer has another name.
_ANSWER_TIMEOUT = (
    "response_timeout" if "response_timeout" in signature(HITLOperator).parameters else "execution_timeout"
)


class ApproveVideoOperator(BaseVideoCreationOperator, ApprovalOperator):
    """Shows a person a storyboard's preview in Airflow's "Required Actions", and goes on when it is approved.

    The id that it returns is what ``RenderVideoOperator`` takes: without a yes there is nothing to render. A no, or no
    answer in time, skips this task and what follows it, in a mapped task group that of this video only. (Airflow's own
    ApprovalOperator does not do that from 3.2 on: in a mapped task group it lets what follows a no run.) The wait holds
    no worker.

    The preview's link is read from the job when the question is asked. It stands in the form only, not in logs. Who
    has answered is in the log (source: the interface, "Storyboard job").

    :param storyboard_job_id: a finished storyboard job: its id, or the dict that an operator which waits returned.
        Templated.
    :param subject: the question. Templated.
    :param body: Markdown that stands below the preview's link. Templated.
    :param response_timeout: how long to wait for an answer; default: a day, no longer than the preview's link lives.
    :param defaults: what no answer means, ``Reject`` or ``Approve``; default: ``Reject``.
    :param video_creation_conn_id: the connection. Templated.
    :param user_id: fills the user-id header instead of the connection's ``user_id``. Templated.
    :param kwargs: of ApprovalOperator, such as ``assigned_users`` (who may answer) and ``notifiers`` (who is told).
    :return: the storyboard job's id.
    :raises ConfigurationError: the job is no storyboard job, or is not finished.
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
        """Go on after the answer."""
        return super().resume_execution(next_method, next_kwargs, context)

    def execute_complete(self, context: Context, event: dict[str, Any]) -> str:
        """Go on with a yes, skip with a no.

        :raises AirflowSkipException: it was rejected, or nobody answered in time.
        """
        from ..provider.models.job import job_id_of

        job_id = job_id_of(self.storyboard_job_id)
        # Not ApprovalOperator's, which skips what follows in a way that does not reach mapped task groups.
        answer = HITLOperator.execute_complete(self, context, event)
        person = answer.get("responded_by_user")
        by = f"by {person['name']}" if person else "by no answer in time"
        if answer["chosen_options"] != [self.APPROVE]:
            raise AirflowSkipException(
                f"The video of storyboard job {job_id} was rejected {by}: it is not rendered."
            )
        self.log.info("The video of storyboard job %s was approved %s", job_id, by)
        return job_id

    def _preview_url(self) -> str:
        from ..provider.models.job import job_id_of, result_of

        url: str = result_of(self.hook.get_job(job_id_of(self.storyboard_job_id)), "preview_url")
        return url
