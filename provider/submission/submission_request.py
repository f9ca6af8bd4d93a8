"""What a task is asked to submit, before it knows whether it may."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .adoption import NO_ADOPTION, Adoption
from .subject import NO_SUBJECT, Subject


@dataclass(frozen=True)
class SubmissionRequest:
    """One paid submission that a task is asked for (source: ours).

    :param operation: what would be done, for messages, such as ``create storyboard 'my-video'``.
    :param body: what would be sent, without a webhook, to name what differs on a retry.
    :param stage: names its record, in a task that makes several submissions.
    :param kind: of the job; None for a registration.
    :param subject: what would be submitted.
    :param adopt: a job that was found at the service; then nothing is sent.
    :param started_at: epoch seconds from which the deadline of a first submission counts; None: from when it is sent.
    :param video_name: of a render, where the task knows it, to find its job in a list.
    """

    operation: str
    body: Mapping[str, Any] = field(default_factory=dict, repr=False)
    stage: str = ""
    kind: Literal["storyboard", "render"] | None = None
    subject: Subject = NO_SUBJECT
    adopt: Adoption = NO_ADOPTION
    started_at: float | None = None
    video_name: str | None = None


def counted_from(started_at: float | None, *, timeout: float, now: float) -> float | None:
    """From when the deadline counts of what is sent now, in a task whose time began before (source: ours).

    What is paid for only once that time is over gets a time of its own: otherwise it would be given up at its first
    poll.

    :param started_at: epoch seconds at which the task's time began; None where it begins now.
    :param timeout: seconds.
    :param now: epoch seconds.
    :return: None for from when it is sent.
    """
    return started_at if started_at is not None and now < started_at + timeout else None


def of_storyboard(
    video_name: str | None, body: Mapping[str, Any] | None, adopt: Adoption, stage: str = ""
) -> SubmissionRequest:
    """A storyboard job (source: ours).

    :param video_name: of the video, as far as it can be read.
    :param body: what would be sent; None where that is not asked, or wrong.
    :param adopt: a job that was found at the service.
    :param stage: names its record, in a task that makes several submissions.
    """
    of_video = f" {body['videoName']!r}" if body else ""
    return SubmissionRequest(
        f"create storyboard{of_video}",
        body or {},
        stage,
        "storyboard",
        Subject("video", video_name, {"videoName": video_name}),
        adopt,
    )


def of_render(
    storyboard_job_id: str | None,
    adopt: Adoption,
    stage: str = "",
    *,
    started_at: float | None = None,
    video_name: str | None = None,
) -> SubmissionRequest:
    """A render job of a finished storyboard job (source: ours).

    The id is the request, not the settings behind it: a retry must not depend on the storyboard any more.

    :param storyboard_job_id: the storyboard job; None where that is not asked.
    :param adopt: a job that was found at the service.
    :param stage: names its record, in a task that makes several submissions.
    :param started_at: epoch seconds from which the deadline of a first submission counts; None: from when it is sent.
    :param video_name: of the video, where the task knows it.
    """
    body = {"storyboard_job_id": storyboard_job_id}
    if storyboard_job_id is None:
        return SubmissionRequest("render video", body, stage, "render", NO_SUBJECT, adopt, started_at)
    return SubmissionRequest(
        f"render video of storyboard job {storyboard_job_id}",
        body,
        stage,
        "render",
        Subject("storyboard job", storyboard_job_id, body),
        adopt,
        started_at,
        video_name,
    )
