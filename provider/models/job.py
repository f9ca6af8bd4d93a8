"""A job of the service, as it stands in XCom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from ..protocol.errors import JobFailedError, JobResultPurgedError

JobState = Literal["in-progress", "completed", "failed", "cleaned"]
STATES: tuple[JobState, ...] = get_args(JobState)


class Job(BaseModel):
    """A storyboard or render job (source: the interface, "Storyboard job"; the states and media fields: ours).

    The media URLs are capabilities: they stand in XCom and links, never in logs or messages.

    :param job_id: the service's identifier, an opaque text.
    :param state: ``in-progress``, ``completed``, ``failed`` or ``cleaned`` (result purged).
    :param preview_url: where a finished storyboard can be watched.
    :param render_settings: what a finished storyboard gives for rendering, passed on unread.
    :param video_url: the .mp4 of a finished render.
    :param share_url: a page that shows the video.
    :param thumbnail_url: a picture of the video.
    :param audio_url: the video's sound.
    :param srt_url: subtitles (SubRip).
    :param vtt_url: subtitles (WebVTT).
    :param txt_url: the spoken text.
    :param duration: length of the video in seconds.
    :param progress: percent, where the service reports it.
    :param error_code: the service's error code of a failed job.
    :param error_message: the service's words on a failed job.
    """

    model_config = ConfigDict(frozen=True)

    job_id: str
    state: JobState
    preview_url: str | None = Field(default=None, repr=False)
    render_settings: dict[str, Any] | None = Field(default=None, repr=False)
    video_url: str | None = Field(default=None, repr=False)
    share_url: str | None = Field(default=None, repr=False)
    thumbnail_url: str | None = Field(default=None, repr=False)
    audio_url: str | None = Field(default=None, repr=False)
    srt_url: str | None = Field(default=None, repr=False)
    vtt_url: str | None = Field(default=None, repr=False)
    txt_url: str | None = Field(default=None, repr=False)
    duration: float | None = None
    progress: float | None = None
    error_code: str | None = None
    error_message: str | None = None

    def to_xcom(self) -> dict[str, Any]:
        """The dict that operators return, with every key of this class."""
        return {name: getattr(self, name) for name in type(self).model_fields}


def job_id_of(given: Any) -> str:
    """The id of a job that is named by its id, or by the dict that a waiting operator returned (source: ours).

    :param given: an operator's argument.
    """
    return str(given["job_id"] if isinstance(given, Mapping) and "job_id" in given else given)


def ended_badly(job: Job) -> JobFailedError | JobResultPurgedError:
    """The error of a job whose state is ``failed`` or ``cleaned`` (source: ours).

    :param job: as the service describes it.
    """
    if job.state == "cleaned":
        return JobResultPurgedError(
            f"The result of job {job.job_id} has been removed by the service (state cleaned). "
            "Submit the job again, and fetch results sooner after they are made.",
            job_id=job.job_id,
            code=job.error_code,
            service_message=job.error_message,
        )
    said = ": ".join(part for part in (job.error_code, job.error_message) if part).rstrip(".")
    reason = f", the service says: {said}" if said else " without a reason"
    return JobFailedError(
        f"Job {job.job_id} failed{reason}. Correct what it names and submit the job again.",
        job_id=job.job_id,
        code=job.error_code,
        service_message=job.error_message,
    )
