"""A task instance of a run, with what it left behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..spending.run_task import task_label

FAILURE_KEY, DELIVERY_KEY, RESULT_KEY, VIDEO_NAME_KEY = "failure", "delivery", "return_value", "video_name"
"""The XComs, beside the one of the job, in which tasks of ours report the result of a video (ours)."""
UNFINISHED = frozenset(
    {
        *("scheduled", "queued", "running", "deferred", "restarting"),
        *("up_for_retry", "up_for_reschedule", "awaiting_input"),
    }
)
"""States of a task that may still change (source: Airflow); None as well."""
ASKING = frozenset({"deferred", "awaiting_input"})
"""States of a task that waits for a person's answer: before and after it runs (source: Airflow)."""
NOT_BEGUN = frozenset({None, "scheduled", "queued"})
"""States of a task that does nothing yet."""


@dataclass(frozen=True)
class RunInstance:
    """A task instance, as Airflow keeps it.

    :param task_id: of the task.
    :param map_index: of a mapped task; -1 of any other.
    :param state: Airflow's word; None before the task is scheduled.
    :param try_number: of the latest try, from 1.
    :param max_tries: changes with each clear, and tells generations of the task apart.
    :param name: what Airflow shows instead of the map index; None for none.
    :param xcoms: what it pushed, by key.
    :param store: what its task state store has, by key.
    """

    task_id: str
    map_index: int = -1
    state: str | None = None
    try_number: int = 0
    max_tries: int = 0
    name: str | None = None
    xcoms: Mapping[str, Any] = field(default_factory=dict)
    store: Mapping[str, Any] = field(default_factory=dict)

    @property
    def has_ended(self) -> bool:
        """Whether it stays as it is until somebody clears it."""
        return has_ended(self.state)

    @property
    def label(self) -> str:
        """For a person."""
        return task_label(self.task_id, self.map_index)


def has_ended(state: str | None) -> bool:
    """Whether a task in such a state stays as it is until somebody clears it.

    :param state: Airflow's word; None before the task is scheduled.
    """
    return state is not None and state not in UNFINISHED
