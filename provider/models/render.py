"""The body of a render request (source: the interface, "Follow-up operations"; its shape: ours)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..protocol.errors import ConfigurationError, InvalidRequestError, Problem
from .job import Job, ended_badly


def render_body(render_settings: Any, webhook: str | None = None) -> dict[str, Any]:
    """The render settings as they are sent: unchanged, plus the webhook.

    :param render_settings: a JSON object from a finished storyboard job.
    :param webhook: callback URL for the job's completion.
    :raises InvalidRequestError: the settings are no object, or empty.
    """
    if not isinstance(render_settings, Mapping) or not render_settings:
        given = "nothing" if not render_settings else type(render_settings).__name__
        message = f"must be the object that a finished storyboard job gave as render_settings, not {given}"
        raise InvalidRequestError("render request", [Problem("render_settings", "", message)])
    return {**render_settings, **({"webhook": webhook} if webhook else {})}


def settings_of(job: Job) -> dict[str, Any]:
    """The render settings of a finished storyboard job.

    :param job: as the service describes it.
    :raises JobFailedError: the storyboard failed.
    :raises JobResultPurgedError: its result is gone.
    :raises ConfigurationError: it has not ended, or is no storyboard.
    """
    if job.state in ("failed", "cleaned"):
        raise ended_badly(job)
    if job.state != "completed":
        raise ConfigurationError(
            f"Storyboard job {job.job_id} is still {job.state}, so it cannot be rendered: "
            "wait for it with VideoJobSensor before RenderVideoOperator."
        )
    if not job.render_settings:
        raise ConfigurationError(
            f"Job {job.job_id} has no render settings: pass the id of a storyboard job, not of a render job."
        )
    return job.render_settings
