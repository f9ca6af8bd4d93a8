"""The replies about jobs, in the form that is the default of `Dialect`. Source: ours."""

from __future__ import annotations

from typing import Any, Literal

from .wire_types import WireModel


class SubmissionReply(WireModel):
    """The reply to a storyboard or render request. Source: the interface, "Create a storyboard"."""

    job_id: str
    success: bool


class JobData(WireModel):
    """What a job yields: a storyboard the first two, a render the others. Source: ours."""

    status: Literal["in-progress", "completed", "failed", "cleaned"]
    preview: str | None = None
    render_settings: dict[str, Any] | None = None
    renderProgress: int | None = None
    videoURL: str | None = None
    shareVideoURL: str | None = None
    thumbnail: str | None = None
    audioURL: str | None = None
    srtFile: str | None = None
    vttFile: str | None = None
    txtFile: str | None = None
    videoDuration: float | None = None
    error_code: str | None = None
    error_message: str | None = None


class JobReply(WireModel):
    """The reply to a poll, and the body of a webhook. Source: ours."""

    job_id: str
    success: bool
    data: JobData
