"""Starts a render job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .base import BaseVideoCreationOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..provider.submission import OnAmbiguous


class RenderVideoOperator(BaseVideoCreationOperator):
    """Submits a render and returns its job id (source: the interface, "Follow-up operations").

    Give one of the two: with ``storyboard_job_id`` the finished storyboard's settings are read again.

    :param storyboard_job_id: a finished storyboard job.
    :param render_settings: what a finished storyboard job gave, or its JSON or YAML text.
    :param on_ambiguous: what a retry does when an earlier try may have submitted: ``fail``, or ``resubmit`` and
        perhaps pay twice.
    :param adopt_job_id: a job that was found at the service after a submission in doubt; nothing is sent. Templated.
    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    :return: the job id of the render.
    :raises ConfigurationError: not exactly one of the two was given, or the storyboard is not finished.
    :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
    """

    template_fields: Sequence[str] = (
        "storyboard_job_id",
        "render_settings",
        "adopt_job_id",
        *BaseVideoCreationOperator.template_fields,
    )
    template_fields_renderers = {"render_settings": "json"}  # noqa: RUF012 - Airflow declares it this way

    def __init__(
        self,
        *,
        storyboard_job_id: str | XComArg | None = None,
        render_settings: Mapping[str, Any] | str | None = None,
        on_ambiguous: OnAmbiguous = "fail",
        adopt_job_id: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.storyboard_job_id: Any = storyboard_job_id
        self.render_settings = render_settings
        self.on_ambiguous: OnAmbiguous = on_ambiguous
        self.adopt_job_id = adopt_job_id
        self._check_that_one_is_given()

    def execute(self, context: Context) -> str:
        """Submit the render."""
        from ..hooks.airflow_errors import airflow_errors
        from .submit_once import SubmitOnce

        self._check_that_one_is_given()
        # The id, not the settings behind it: a retry that finds its job must not depend on the storyboard any more.
        request = {"storyboard_job_id": self.storyboard_job_id, "render_settings": self.render_settings}
        settings: list[Mapping[str, Any] | str] = []
        with airflow_errors():
            return SubmitOnce(
                context,
                "render video",
                self.log,
                on_ambiguous=self.on_ambiguous,
                adopt_job_id=self.adopt_job_id,
            ).job(
                request,
                lambda: self.hook.render_video(settings[0]),
                prepare=lambda: settings.append(self._settings()),
            )

    def _settings(self) -> Mapping[str, Any] | str:
        from ..provider.models.render import settings_of

        if self.render_settings:
            return self.render_settings
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
