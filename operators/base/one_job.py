"""The base of the operators that submit one job, and wait for it if asked to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...hooks.airflow.errors import airflow_errors
from .job import BaseJobOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ...provider.submission.adoption import Adoption
    from ...provider.submission.submission_request import SubmissionRequest
    from ..submission.paid_job import PaidJob
    from ..submission.submissions import Submissions


class BaseOneJobOperator(BaseJobOperator):
    """The base of the storyboard and the render operator.

    :param wait_for_completion: wait for the job and return it, in one task that a retry resumes.
    :param adopt_job_id: a job that was found at the service after a submission in doubt; nothing is sent. Templated.
    """

    adopt_job_id: str | None
    adopt_argument = "adopt_job_id"
    """The argument that takes the id in the author's DAG, for messages: a task group has another name for it."""

    def __init__(
        self, *, wait_for_completion: bool = False, adopt_job_id: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.wait_for_completion = wait_for_completion
        self.take_adoptions(adopt_job_id=adopt_job_id)

    def request(self, context: Context, body: Mapping[str, Any] | None = None) -> SubmissionRequest:
        """What this task is asked to submit.

        :param context: the task's context.
        :param body: what would be sent; None where that is not asked.
        """
        raise NotImplementedError

    def execute_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        """Read the finished job that the trigger saw, or raise what ended the wait."""
        with airflow_errors():
            submissions = self.submissions(context, is_resumed=True)
            request = self.request(context)
            return self.resumed(context, submissions, request, event, "execute_complete").to_xcom()

    def adopted(self, context: Context) -> Adoption:
        """The job that ``adopt_job_id`` names, under the name that the author of the DAG knows.

        :param context: the task's context.
        """
        return replace(self.adoption("adopt_job_id", context), argument=self.adopt_argument)

    def result(self, context: Context, submissions: Submissions, job: PaidJob) -> str | dict[str, Any]:
        """The job's id, or the finished job where the task waits for it.

        :param context: the task's context.
        :param submissions: the task's submissions.
        :param job: this task's job.
        """
        if not self.wait_for_completion:
            self.tell_of_job(context, job)
            self._made_job_id = job.job_id
            return job.job_id
        return self.wait(context, submissions, job, "execute_complete").to_xcom()
