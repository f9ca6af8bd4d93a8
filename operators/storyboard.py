"""Starts a storyboard job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..provider.submission import Adoption
from .base import BaseRequestOperator
from .base_job import BaseJobOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..provider.models import Storyboard
    from .submit_once import SubmitOnce


class CreateStoryboardOperator(BaseRequestOperator, BaseJobOperator):
    """Submits a storyboard, and waits for its preview if asked to (source: the interface, "Create a storyboard").

    A storyboard without templates is checked while the DAG is parsed, any other before it is sent.

    :param storyboard: a model, a dict with wire names, a JSON or YAML text, the name of a .json, .yaml or .yml file
        beside the DAG file, or another task's result.
    :param wait_for_completion: wait for the job and return it, in one task that a retry resumes.
    :param deferrable: wait in the triggerer; default from ``[operators] default_deferrable``.
    :param poll_interval: seconds between polls; absent: on a worker a schedule that grows with the time waited, in the
        triggerer one that learns from the jobs of the connection (docs/polling.md).
    :param timeout: seconds until the wait is over, default 2 hours, counted from the task's first try; the job may
        go on.
    :param on_ambiguous: what a retry does when an earlier try may have submitted: ``fail``, or ``resubmit`` and
        perhaps pay twice.
    :param adopt_job_id: a job that was found at the service after a submission in doubt; nothing is sent. Templated.
    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    :return: the job id; with ``wait_for_completion`` the finished job as a dict, see ``provider.models.job.Job``.
    :raises InvalidRequestError: the storyboard is wrong; nothing was sent.
    :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
    :raises JobFailedError: the service says that the job failed; a retry submits a new one.
    :raises JobError: the job was lost or purged, or the time is over.
    """

    request_field = "storyboard"
    request_model = "Storyboard"
    template_fields: Sequence[str] = ("storyboard", "adopt_job_id", *BaseRequestOperator.template_fields)
    template_fields_renderers = {"storyboard": "json"}  # noqa: RUF012 - Airflow declares it this way

    def __init__(
        self,
        *,
        storyboard: Storyboard | Mapping[str, Any] | XComArg | str,
        wait_for_completion: bool = False,
        adopt_job_id: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.storyboard = self.take_request(storyboard)
        self.wait_for_completion = wait_for_completion
        self.adopt_job_id = adopt_job_id

    def execute(self, context: Context) -> str | dict[str, Any]:
        """Submit the storyboard, and wait for it if asked to."""
        from ..hooks.airflow_errors import airflow_errors

        with airflow_errors():
            storyboard = self.storyboard_to_send(self.storyboard, self._once(context))
            once = self._once(context, f"create storyboard {storyboard.video_name!r}" if storyboard else "")
            submission = once.job(
                storyboard.to_wire() if storyboard else {},
                lambda: self.hook.create_storyboard(storyboard or self.storyboard),
            )
            if not self.wait_for_completion:
                return submission.job_id or ""
            return self.wait(context, once, submission, "storyboard", "execute_complete").to_xcom()

    def execute_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        """Read the finished job that the trigger saw, or raise what ended the wait."""
        from ..hooks.airflow_errors import airflow_errors

        with airflow_errors():
            return self.resumed(self._once(context), event).to_xcom()

    def _once(self, context: Context, operation: str = "create storyboard") -> SubmitOnce:
        return self.submit_once(context, operation, adopt=Adoption(self.adopt_job_id, "adopt_job_id"))
