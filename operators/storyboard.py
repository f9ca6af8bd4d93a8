"""Starts a storyboard job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .base import BaseRequestOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..provider.models import Storyboard


class CreateStoryboardOperator(BaseRequestOperator):
    """Submits a storyboard and returns its job id (source: the interface, "Create a storyboard").

    A storyboard without templates is checked while the DAG is parsed, any other before it is sent.

    :param storyboard: a model, a dict with wire names, a JSON or YAML text, the name of a .json, .yaml or .yml file
        beside the DAG file, or another task's result.
    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    :return: the job id.
    :raises InvalidRequestError: the storyboard is wrong; nothing was sent.
    :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
    """

    request_field = "storyboard"
    request_model = "Storyboard"
    template_fields: Sequence[str] = ("storyboard", *BaseRequestOperator.template_fields)
    template_fields_renderers = {"storyboard": "json"}  # noqa: RUF012 - Airflow declares it this way

    def __init__(self, *, storyboard: Storyboard | Mapping[str, Any] | XComArg | str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.storyboard = self.take_request(storyboard)

    def execute(self, context: Context) -> str:
        """Submit the storyboard."""
        return self.hook.create_storyboard(self.storyboard)
