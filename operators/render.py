"""Starts a render job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .base import BaseVideoCreationOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg


class RenderVideoOperator(BaseVideoCreationOperator):
    """Submits a render and returns its job id (source: the interface, "Follow-up operations").

    Give one of the two: with ``storyboard_job_id`` the finished storyboard's settings are read again.

    :param storyboard_job_id: a finished storyboard job.
    :param render_settings: what a finished storyboard job gave, or its JSON or YAML text.
    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    :return: the job id of the render.
    :raises ConfigurationError: not exactly one of the two was given, or the storyboard is not finished.
    :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
    """

    template_fields: Sequence[str] = (
        "storyboard_job_id",
        "render_settings",
        *BaseVideoCreationOperator.template_fields,
    )
    template_fields_renderers = {"render_settings": "json"}  # noqa: RUF012 - Airflow declares it this way

    def __init__(
        self,
        *,
        storyboard_job_id: str | XComArg | None = None,
        render_settings: Mapping[str, Any] | str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.storyboard_job_id: Any = storyboard_job_id
        self.render_settings = render_settings
        self._check_that_one_is_given()

    def execute(self, context: Context) -> str:
        """Submit the render."""
        return self.hook.render_video(self._settings())

    def _settings(self) -> Mapping[str, Any] | str:
        from ..hooks.airflow_errors import airflow_errors
        from ..provider.models.render import settings_of

        self._check_that_one_is_given()
        if self.render_settings:
            return self.render_settings
        with airflow_errors():
            return settings_of(self.hook.get_job(self.storyboard_job_id or ""))

    def _check_that_one_is_given(self) -> None:
        if bool(self.storyboard_job_id) != bool(self.render_settings):
            return
        from ..hooks.airflow_errors import airflow_errors
        from ..provider.protocol.errors import ConfigurationError

        given = "both were" if self.storyboard_job_id else "neither was"
        with airflow_errors():
            raise ConfigurationError(
                f"Task {self.task_id!r} needs one of storyboard_job_id= and render_settings=; {given} given."
            )
