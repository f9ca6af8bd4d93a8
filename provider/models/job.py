"""A job of the service, as XCom keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..errors import (
    ConfigurationError,
    JobFailedError,
    JobResultPurgedError,
    UnreadableReplyError,
)
from ..job_states import JobState

ResultField = Literal["preview_url", "render_settings", "video_url"]
_RESULTS: dict[ResultField, tuple[str, str]] = {
    "preview_url": ("preview", "storyboard"),
    "render_settings": ("render settings", "storyboard"),
    "video_url": ("video", "render"),
}
"""What a field is called, and the kind of job that has it."""


class Job(BaseModel):
    """A storyboard or render job (source: the interface, "Storyboard job"; the states and media fields: ours).

    The media URLs are capabilities: they are in XCom and links, never in logs or messages.

    :param job_id: the service's identifier, an opaque text.
    :param state: ``in-progress``, ``completed``, ``failed`` or ``cleaned`` (result purged).
    :param preview_url: where a finished storyboard can be watched.
    :param render_settings: what a finished storyboard gives for rendering, passed on unread.
    :param video_url: the .mp4 of a finished render.
    :param share_url: a page that shows the video, or the video itself.
    :param thumbnail_url: a picture of the video.
    :param audio_url: the video's sound.
    :param srt_url: subtitles (SubRip).
    :param vtt_url: subtitles (WebVTT).
    :param txt_url: the spoken text.
    :param duration: length of the video in seconds.
    :param progress: percent, where the service reports it.
    :param error_code: the service's error code of a failed job; of a completed one, of a warning.
    :param error_message: the service's words on a failed job; on a completed one, a warning.
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

    @property
    def has_ended_badly(self) -> bool:
        """Whether it failed or its result is gone; ``ended_badly`` is the error."""
        return self.state in ("failed", "cleaned")

    def shows_result_of(self, kind: str) -> bool:
        """Whether it shows what a finished job of this kind gives.

        :param kind: ``storyboard`` or ``render``; of any other nothing is asked.
        """
        if kind == "storyboard":
            return bool(self.preview_url) or self.render_settings is not None
        return kind != "render" or bool(self.video_url or self.share_url or self.audio_url)

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
            "Submit the job again, and fetch its result sooner.",
            job_id=job.job_id,
            code=job.error_code,
            service_message=job.error_message,
        )
    said = ": ".join(part for part in (job.error_code, job.error_message) if part).rstrip(".")
    if said:
        why = f", the service says: {said}. Correct what it names and submit the job again."
    else:
        why = ", and the service gives no reason. Look at the job at the service, then submit it again."
    return JobFailedError(
        f"Job {job.job_id} failed{why}",
        job_id=job.job_id,
        code=job.error_code,
        service_message=job.error_message,
    )


def result_of(job: Job, needed: ResultField) -> Any:
    """What a finished job gave; of a render without ``video_url`` the share URL (source: ours).

    :param job: as the service describes it.
    :param needed: the field.
    :raises JobFailedError: the job failed.
    :raises JobResultPurgedError: its result is gone.
    :raises ConfigurationError: it has not ended, or is of the other kind.
    :raises UnreadableReplyError: it is of the right kind, and the service does not show its result.
    """
    if job.has_ended_badly:
        raise ended_badly(job)
    name, kind = _RESULTS[needed]
    if job.state != "completed":
        raise ConfigurationError(
            f"Job {job.job_id} is {job.state} and has no {name} yet: wait for it first, with "
            "wait_for_completion=True or VideoJobSensor."
        )
    result = getattr(job, needed) or (job.share_url if needed == "video_url" else None)
    if not result:
        is_render = bool(job.video_url or job.share_url or job.audio_url)
        is_storyboard = bool(job.preview_url or job.render_settings)
        if kind == "render" and not is_storyboard:
            only = ", only an audio URL" if is_render else ""
            raise UnreadableReplyError(
                f"Render job {job.job_id} is completed, but the service gives no video URL{only}. "
                "Nothing was fetched, and nothing was paid by this task. Look at the job at the service; "
                "when it shows the video, a retry fetches it and pays nothing.",
                job_id=job.job_id,
            )
        if kind == "storyboard" and not is_render:
            raise UnreadableReplyError(
                f"Storyboard job {job.job_id} is completed, but the service gives no {name} of it. "
                "Nothing was sent now. Look at the job at the service; when it shows that, a retry continues, "
                "and nothing is paid for twice.",
                job_id=job.job_id,
            )
        other = "render" if kind == "storyboard" else "storyboard"
        raise ConfigurationError(
            f"Job {job.job_id} has no {name}: it is a {other} job. Pass the id of a finished {kind} job."
        )
    return result
