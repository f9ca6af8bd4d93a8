"""What the operators have that submit one job, and wait for it if asked to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from ..hooks.airflow.errors import airflow_errors
from .base_job import BaseJobOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ..provider.submission.record import Submission
    from ..provider.submission.subject import Subject
    from ..provider.webhooks.webhook_url import Kind
    from .submit_once import SubmitOnce


class BaseOneJobOperator(BaseJobOperator):
    """The base of the storyboard and the render operator.

    :param wait_for_completion: wait for the job and return it, in one task that a retry resumes.
    :param adopt_job_id: a job that was found at the service after a submission in doubt; nothing is sent. Templated.
    """

    operation: ClassVar[str]
    """What is done, for messages."""
    kind: ClassVar[Kind]
    """Of the job."""
    adopt_job_id: str | None
    adopt_argument = "adopt_job_id"
    """What takes the id in the author's DAG, for messages: a task group has a name of its own for it."""

    def __init__(
        self, *, wait_for_completion: bool = False, adopt_job_id: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.wait_for_completion = wait_for_completion
        self.take_adoptions(adopt_job_id=adopt_job_id)

    def subject(self) -> Subject:
        """What this task submits."""
        raise NotImplementedError

    def execute_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        """Read the finished job that the trigger saw, or raise what ended the wait."""
        with airflow_errors():
            return self.resumed(self._once(context), event).to_xcom()

    def _once(self, context: Context, of: str = "") -> SubmitOnce:
        """The record of the submission.

        :param of: says what is submitted, for messages, such as ``'my-video'``.
        """
        return self.submit_once(
            context,
            f"{self.operation} {of}".rstrip(),
            kind=self.kind,
            subject=self.subject(),
            adopt=replace(self.adoption("adopt_job_id"), argument=self.adopt_argument),
        )

    def _result(self, context: Context, once: SubmitOnce, submission: Submission) -> str | dict[str, Any]:
        """The job's id, or the finished job where the task waits for it."""
        if not self.wait_for_completion:
            self.tell_of_job(context, once, submission, self.kind)
            self._made_job_id = submission.job_id
            return submission.job_id or ""
        return self.wait(context, once, submission, self.kind, "execute_complete").to_xcom()
