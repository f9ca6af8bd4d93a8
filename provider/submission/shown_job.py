"""Which job of a task Airflow's UI shows: what the task pushes to XCom, and the page reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ..stored_dataclass import is_time, thawed_strictly

VERSION = 1
JOB_KEY = "video_creation.job"
"""The XCom under which it stands (ours)."""


@dataclass(frozen=True)
class ShownJob:
    """A job as its task knows it, without any URL or credential (source: ours).

    :param job_id: the service's identifier.
    :param kind: ``storyboard`` or ``render``; None where the task does not know.
    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's.
    :param storyboard_job_id: of a render, the storyboard job behind it, where the task knows it.
    :param submitted_at: epoch seconds; None for a job of another task.
    :param video_name: the video's name, where the task knows it.
    :param version: of this form.
    """

    job_id: str
    kind: str | None
    video_creation_conn_id: str
    user_id: str | None = None
    storyboard_job_id: str | None = None
    submitted_at: float | None = None
    video_name: str | None = None
    version: int = VERSION

    def to_json(self) -> dict[str, Any]:
        """What is pushed."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @classmethod
    def from_json(cls, stored: Any) -> ShownJob | None:
        """What was pushed; None for what no task of ours pushes.

        :param stored: a JSON value, perhaps of another release: unknown keys are ignored.
        """
        if not isinstance(stored, Mapping):
            return None
        at: Any = stored.get("submitted_at")
        # People may write XComs: what is no time between 1970 and the last year that Python knows is left out.
        found = thawed_strictly(cls, {"kind": None, **stored, "submitted_at": at if is_time(at) else None})
        return found if found and found.job_id and found.video_creation_conn_id else None
