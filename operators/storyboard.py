"""Starts a storyboard job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .base import BaseRequestOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..provider.models import Storyboard
    from ..provider.submission import OnAmbiguous


class CreateStoryboardOperator(BaseRequestOperator):
    """Submits a storyboard and returns its job id (source: the interface, "Create a storyboard").

    A storyboard without templates is checked while the DAG is parsed, any other before it is sent.

    :param storyboard: a model, a dict with wire names, a JSON or YAML text, the name of a .json, .yaml or .yml file
        beside the DAG file, or another task's result.
    :param on_ambiguous: what a retry does when an earlier try may have submitted: ``fail``, or ``resubmit`` and
        perhaps pay twice.
    :param adopt_job_id: a job that was found at the service after a submission in doubt; nothing is sent. Templated.
    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    :return: the job id.
    :raises InvalidRequestError: the storyboard is wrong; nothing was sent.
    :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
    """

    request_field = "storyboard"
    request_model = "Storyboard"
    template_fields: Sequence[str] = ("storyboard", "adopt_job_id", *BaseRequestOperator.template_fields)
    template_fields_renderers = {"storyboard": "json"}  # noqa: RUF012 - Airflow declares it this way

    def __init__(
        self,
        *,
        storyboard: Storyboard | Mapping[str, Any] | XComArg | str,
        on_ambiguous: OnAmbiguous = "fail",
        adopt_job_id: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.storyboard = self.take_request(storyboard)
        self.on_ambiguous: OnAmbiguous = on_ambiguous
        self.adopt_job_id = adopt_job_id

    def execute(self, context: Context) -> str:
        """Submit the storyboard."""
        from ..hooks.airflow_errors import airflow_errors
        from .submit_once import SubmitOnce

        with airflow_errors():
            storyboard = self.hook.checked_storyboard(self.storyboard)
            return SubmitOnce(
                context,
                "create storyboard",
                self.log,
                on_ambiguous=self.on_ambiguous,
                adopt_job_id=self.adopt_job_id,
            ).job(storyboard.to_wire(), lambda: self.hook.create_storyboard(storyboard))
