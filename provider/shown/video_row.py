"""One video of a run in a list: its state, and what a person must know about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

RowState = Literal[
    "failed",
    "in-doubt",
    "waiting",
    "timed-out",
    "left-out",
    "under-way",
    "not-begun",
    "skipped",
    "made",
    "delivered",
]
ROW_STATES: tuple[RowState, ...] = get_args(RowState)
"""What needs a person first (ours)."""
_KEYS: Mapping[str, str] = {
    "n": "name",
    "s": "state",
    "t": "task",
    "i": "map_index",
    "p": "step",
    "m": "minutes",
    "f": "file",
    "c": "cause",
    "d": "todo",
    "a": "adopt",
    "b": "storyboard_job_id",
    "r": "render_job_id",
    "h": "shard",
    "v": "videos",
}


@dataclass(frozen=True)
class VideoRow:
    """A video (source: ours).

    :param name: of the video.
    :param state: ``waiting`` for a person; ``made``: finished at the service, and nothing in the DAG delivers it;
        ``left-out``: by a plan or a fetch of articles, before it was sent; ``skipped``: nothing more was sent for it;
        the others say it themselves.
    :param task: that decides its state.
    :param map_index: of that task.
    :param step: what that task does, see ``dag_task.Role``.
    :param minutes: of video, where the service said so.
    :param file: where it was delivered to.
    :param cause: the first sentence of what went wrong.
    :param todo: the others: what to do.
    :param adopt: the line that adopts a job which may have been made.
    :param storyboard_job_id: once there is one.
    :param render_job_id: once there is one.
    :param shard: of a task that makes many: where its store has the video.
    :param videos: how many it stands for, where their names are not known; None for one.
    """

    name: str
    state: RowState
    task: str
    map_index: int = -1
    step: str | None = None
    minutes: float | None = None
    file: str | None = None
    cause: str | None = None
    todo: str | None = None
    adopt: str | None = None
    storyboard_job_id: str | None = None
    render_job_id: str | None = None
    shard: int | None = None
    videos: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The row by small keys, for thousands of them go to a browser every few seconds."""
        values = {key: getattr(self, name) for key, name in _KEYS.items()}
        return {key: value for key, value in values.items() if value is not None}


def counted(rows: Iterable[VideoRow]) -> dict[str, Any]:
    """How many videos stand how, and how long they are.

    Paid is what was rendered, delivered or not: ``minutes`` of all rows that have some.

    :param rows: of a run or of a task.
    """
    rows = list(rows)
    states: Counter[RowState] = Counter()
    for row in rows:
        states[row.state] += row.videos or 1
    made = [row.minutes or 0.0 for row in rows if row.state in ("delivered", "made")]
    return {
        "total": states.total(),
        "states": {state: states[state] for state in ROW_STATES if states[state]},
        "minutes": round(sum(made), 2),
        "paid": round(sum(row.minutes or 0.0 for row in rows), 2),
    }
