"""What came of one of the videos of a task."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from ..errors import (
    AmbiguousSubmissionError,
    JobDeadlinePassedError,
    SpendingStoppedError,
    VideoCreationError,
)
from ..stored_dataclass import thawed
from ..submission.task_try import TaskTry

State = Literal["delivered", "failed", "in-doubt", "skipped", "timed-out"]
STATES: tuple[State, ...] = get_args(State)
MAX_XCOM_BYTES = 300
"""Of one video in the result of its task: two thousand must not exceed 600 kB (ours)."""
MAX_MESSAGE = 1000
"""Characters of an error's message that are kept (ours)."""
MAX_STORED_MESSAGE = 300
"""The same where all records of a task stand together (ours)."""


@dataclass(frozen=True)
class VideoOutcome:
    """One video, as it ended in this try (source: ours).

    :param name: of the video.
    :param state: ``delivered``; ``failed``; ``in-doubt``: it may have been submitted, and was not submitted again;
        ``skipped``: nothing more was sent for it;
        ``timed-out``: its job may go on at the service.
    :param storyboard_job_id: once there is one.
    :param render_job_id: once there is one.
    :param file: where the video was delivered to.
    :param minutes: of video, where the service said so.
    :param error: the class of what went wrong.
    :param message: of it, for people.
    :param cause: what all videos share that fail so, see ``spending.failure.shared_cause``.
    :param retryable: whether a retry of the task may fix it.
    :param metadata: the author's own, for the manifest alone.
    """

    name: str
    state: State
    storyboard_job_id: str | None = None
    render_job_id: str | None = None
    file: str | None = None
    minutes: float | None = None
    error: str | None = None
    message: str | None = None
    cause: str | None = None
    retryable: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_delivered(self) -> bool:
        """Whether the video is delivered."""
        return self.state == "delivered"

    def to_xcom(self) -> dict[str, Any]:
        """The video in the task's result, in at most ``MAX_XCOM_BYTES`` of JSON.

        The message is cut, then job ids are left out, then the name is cut. Part of a path leads nowhere: the file is
        kept whole, even if it is too long.
        """
        told = ("name", "state", "storyboard_job_id", "render_job_id", "file", "minutes", "error", "message")
        known = {name: getattr(self, name) for name in told if getattr(self, name) is not None}
        if self.message and (over := _bytes(known) - MAX_XCOM_BYTES) > 0:
            known["message"] = _cut(self.message, over)
        for name in ("storyboard_job_id", "render_job_id"):
            if _bytes(known) > MAX_XCOM_BYTES:
                known.pop(name, None)
        without_file = {name: value for name, value in known.items() if name != "file"}
        if (over := _bytes(without_file) - MAX_XCOM_BYTES) > 0:
            known["name"] = _cut(self.name, over)
        return known

    def to_manifest(self) -> dict[str, Any]:
        """The video in the manifest: all that is known of it."""
        return {name: value for name, value in asdict(self).items() if name not in ("cause", "retryable")}

    def to_json(self, task_try: TaskTry) -> dict[str, Any]:
        """The outcome as the store keeps it.

        :param task_try: in which it ended so.
        """
        kept = {
            name: value
            for name, value in asdict(self).items()
            if value not in (None, False) and name not in ("name", "metadata")
        }
        # What a person must do about a doubt is at its end.
        at_most = MAX_MESSAGE if self.state == "in-doubt" else MAX_STORED_MESSAGE
        if self.message and len(self.message) > at_most:
            kept["message"] = f"{self.message[: at_most - 3]}..."
        return kept | {"try": task_try.number, "generation": task_try.generation}

    @classmethod
    def from_json(cls, name: str, stored: Any, metadata: Mapping[str, Any]) -> VideoOutcome | None:
        """The outcome in the store; None where there is none that can be understood.

        :param name: of the video.
        :param stored: a JSON value, perhaps of another release.
        :param metadata: of the video, as it is given now.
        """
        if not isinstance(stored, Mapping):
            return None
        found = thawed(cls, {**stored, "name": name, "metadata": metadata})
        return found if found and found.state in STATES else None


def state_of(error: BaseException) -> State:
    """The state of a video that ended with an error.

    :param error: what ended it.
    """
    if isinstance(error, AmbiguousSubmissionError):
        return "in-doubt"
    if isinstance(error, JobDeadlinePassedError):
        return "timed-out"
    return "skipped" if isinstance(error, SpendingStoppedError) else "failed"


def message_of(error: BaseException) -> str:
    """What is said about an error: if it is not ours only its class, since its words may contain anything.

    :param error: what ended a video.
    """
    if isinstance(error, VideoCreationError):
        return str(error)[:MAX_MESSAGE]
    return (
        f"{type(error).__name__}, an error of this provider; the log of the task says more. What was submitted is "
        "recorded, and a retry continues from there."
    )


def _bytes(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace"))


def _cut(text: str, over: int) -> str:
    """A text that takes so many bytes of JSON less, as far as it can."""
    shorter = text
    while shorter and _bytes(text) - _bytes(f"{shorter}...") < over:
        shorter = shorter[: len(shorter) - max(1, (over - _bytes(text) + _bytes(f"{shorter}...")) // 6)]
    return f"{shorter}..." if shorter else "..."
