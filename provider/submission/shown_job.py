"""Which job of a task Airflow's UI shows: what the task pushes to XCom, and the page reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import Any

JOB_KEY = "video_creation.job"
"""The XCom under which it stands (ours)."""
END_OF_TIME = datetime(9999, 12, 31, tzinfo=UTC).timestamp()


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
    """

    job_id: str
    kind: str | None
    video_creation_conn_id: str
    user_id: str | None = None
    storyboard_job_id: str | None = None
    submitted_at: float | None = None
    video_name: str | None = None

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
        texts = {item.name: stored.get(item.name) for item in fields(cls) if item.name != "submitted_at"}
        if any(value is not None and not isinstance(value, str) for value in texts.values()):
            return None
        job_id, conn_id = texts.pop("job_id"), texts.pop("video_creation_conn_id")
        if not job_id or not conn_id:
            return None
        at: Any = stored.get("submitted_at")
        # People may write XComs: what is no time between 1970 and the last year that Python knows is left out.
        is_number = isinstance(at, int | float) and not isinstance(at, bool)
        submitted_at = float(at) if is_number and 0 <= at < END_OF_TIME else None
        return cls(job_id=job_id, video_creation_conn_id=conn_id, submitted_at=submitted_at, **texts)
