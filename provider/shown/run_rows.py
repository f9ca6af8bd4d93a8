"""From the task instances of a run to its videos: storyboard, render and download of one video are one row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..spending.failure import Failure
from ..stored_dataclass import length
from ..submission.adoption import Made
from ..submission.record import Submission
from ..submission.shown_job import JOB_KEY, ShownJob
from ..submission.stored_records import RECORD_KEY, RECORDS_KEY, record_json
from .advice import LOST, STOPPED_BEFORE, UNTOLD, adopt_line, advice, failure_of
from .dag_task import DagTask, Role
from .left_out_rows import left_out_rows
from .rows_of_many import rows_of_many
from .run_instance import (
    ASKING,
    DELIVERY_KEY,
    FAILURE_KEY,
    NOT_BEGUN,
    RESULT_KEY,
    VIDEO_NAME_KEY,
    RunInstance,
)
from .video_row import VideoRow

_BEGIN: tuple[Role, ...] = ("storyboard", "video")
"""Each instance of these begins a video."""
_QUESTION: Role = "approval"
_SKIPPED = ("skipped", "removed")


def run_rows(tasks: Sequence[DagTask], instances: Iterable[RunInstance], run_id: str) -> list[VideoRow]:
    """One row for each video of a run (source: ours).

    :param tasks: of the DAG that choose videos or work on them, each behind those that it depends on.
    :param instances: of these tasks.
    :param run_id: of the run.
    """
    by_task: dict[str, list[RunInstance]] = {}
    for instance in instances:
        by_task.setdefault(instance.task_id, []).append(instance)
    joined = _Joined()
    rows: list[VideoRow] = []
    for task in tasks:
        for instance in sorted(by_task.get(task.task_id, ()), key=lambda instance: instance.map_index):
            if task.role == "choice":
                rows += left_out_rows(instance)
            elif task.role == "many":
                rows += rows_of_many(instance, run_id)
            elif not _stands_for_no_video(task, instance):
                joined.take_in(_Part(task, instance))
    return [*(_row(video, run_id) for video in joined.videos), *rows]


def _stands_for_no_video(task: DagTask, instance: RunInstance) -> bool:
    """Whether it is not known how many videos an instance makes.

    A mapped task has one without a map index until its list is known, and keeps it where the list is empty.
    """
    is_one = instance.map_index >= 0 or bool(instance.xcoms) or instance.state == "failed"
    return instance.state == "removed" or (task.is_mapped and not is_one)


@dataclass
class _Part:
    """What one task instance does for one video."""

    task: DagTask
    instance: RunInstance
    job: ShownJob | None = None
    failure: Failure | None = None

    def __post_init__(self) -> None:
        self.job = ShownJob.from_json(self.instance.xcoms.get(JOB_KEY))
        self.failure = failure_of(self.instance.xcoms.get(FAILURE_KEY))

    @property
    def state(self) -> str | None:
        return self.instance.state

    def records(self) -> dict[str, Submission]:
        """The records of its submissions in the generation that is now, by kind of job."""
        store = self.instance.store
        one, several = store.get(RECORD_KEY), store.get(RECORDS_KEY)
        stored = {"render" if self.task.role == "render" else "storyboard": one} if one is not None else {}
        if several is not None:
            stored = {stage: record_json(several, stage) for stage in ("storyboard", "render")}
        found = {kind: Submission.from_json(value, self.instance.max_tries) for kind, value in stored.items()}
        return {
            kind: record
            for kind, record in found.items()
            if record and record.generation == self.instance.max_tries
        }


@dataclass
class _Video:
    """The parts of one video, in the order of their tasks."""

    parts: list[_Part] = field(default_factory=list)

    def has(self, role: Role) -> bool:
        return any(part.task.role == role for part in self.parts)

    def is_of(self, job_id: str) -> bool:
        return any(part.job and part.job.job_id == job_id for part in self.parts)


class _Joined:
    """Puts together what belongs to one video."""

    def __init__(self) -> None:
        self.videos: list[_Video] = []
        self._of_job: dict[str, _Video] = {}
        self._of_instance: dict[tuple[str, int], _Video] = {}

    def take_in(self, part: _Part) -> None:
        video = None if part.task.role in _BEGIN else self._belongs_to(part)
        if video is None:
            # A question before any video is there is about none of them. What is skipped without a map index, with
            # nothing before it, is most likely mapped over an empty list: of a group Airflow's API does not tell.
            if part.task.role == _QUESTION or (part.state == "skipped" and part.instance.map_index < 0):
                return
            video = _Video()
            self.videos.append(video)
        elif part.task.role == "render" and video.has("render"):
            # One storyboard, rendered twice: two videos.
            video = _Video(
                [earlier for earlier in video.parts if earlier.task.role in ("storyboard", "approval")]
            )
            self.videos.append(video)
        video.parts.append(part)
        self._of_instance[part.task.task_id, part.instance.map_index] = video
        if part.job:
            self._of_job[part.job.job_id] = video

    def _belongs_to(self, part: _Part) -> _Video | None:
        """The video of the job that the part names, else of its place: an adopted job may be another video's too."""
        near = self._by_place(part)
        if part.job is None:
            return near
        known = part.job.storyboard_job_id if part.task.role == "render" else part.job.job_id
        if known is None or (near and near.is_of(known)):
            return near
        return self._of_job.get(known) or near

    def _by_place(self, part: _Part) -> _Video | None:
        """The one video that the nearest tasks before work on at the same map index."""
        index = part.instance.map_index
        near = {
            id(video): video
            for task_id in part.task.before
            if (video := self._of_instance.get((task_id, index)))
        }
        return next(iter(near.values())) if len(near) == 1 else None


def _row(video: _Video, run_id: str) -> VideoRow:
    shown = _shown_part(video)
    row = VideoRow(
        _name(video),
        "under-way",
        shown.instance.task_id,
        shown.instance.map_index,
        shown.task.role,
        minutes=_minutes(video),
        file=_file(video),
        storyboard_job_id=_job_of(video, "storyboard"),
        render_job_id=_job_of(video, "render"),
    )
    return _with_state(row, video, shown, run_id)


def _shown_part(video: _Video) -> _Part:
    """The part that decides the state: the first that failed, else the first that is not done, else the last."""
    failed = (part for part in video.parts if part.state == "failed")
    undone = (part for part in video.parts if part.state != "success")
    return next(failed, None) or next(undone, None) or video.parts[-1]


def _with_state(row: VideoRow, video: _Video, shown: _Part, run_id: str) -> VideoRow:
    state = shown.state
    if state == "success":
        return replace(row, state="delivered" if row.file or shown.task.role == "download" else "made")
    if state in _SKIPPED:
        return replace(row, state="skipped")
    if state in ("failed", "upstream_failed"):
        return _failed(row, shown, run_id)
    if shown.task.role == _QUESTION and state in ASKING:
        return replace(row, state="waiting")
    if shown is video.parts[0] and state in NOT_BEGUN and not shown.job:
        return replace(row, state="not-begun")
    if state == "up_for_retry" and shown.failure:
        return replace(row, cause=advice(shown.failure).cause, todo="Airflow will retry it by itself.")
    return row


def _failed(row: VideoRow, shown: _Part, run_id: str) -> VideoRow:
    if shown.state == "upstream_failed":
        failure = STOPPED_BEFORE
    else:
        records = shown.records()
        is_lost = any(record.state == "intent" for record in records.values())
        failure = shown.failure or (LOST if is_lost else UNTOLD)
    said = advice(failure)
    row = replace(row, state=said.state, cause=said.cause, todo=said.todo)
    return replace(row, adopt=_adopt(failure, shown, run_id)) if said.state == "in-doubt" else row


def _adopt(failure: Failure, shown: _Part, run_id: str) -> str:
    """The line that adopts the job in doubt."""
    task_id, role = shown.instance.task_id, shown.task.role
    made = None
    if role == "video":
        storyboard = shown.job.job_id if shown.job and shown.job.kind == "storyboard" else None
        made = Made("storyboard", "adopt_storyboard_job_id", storyboard) if storyboard else None
        argument = "adopt_render_job_id" if storyboard else "adopt_storyboard_job_id"
    elif task_id.endswith((".create_storyboard", ".render_video")):
        # Those of the group video_from_storyboard, which has an argument for each.
        argument = f"adopt_{'render' if role == 'render' else 'storyboard'}_job_id"
    else:
        argument = "adopt_job_id"
    return adopt_line(failure.message, argument, run_id, shown.instance.map_index, made)


def _name(video: _Video) -> str:
    told = [part.job.video_name for part in video.parts if part.job and part.job.video_name]
    told += [part.failure.video for part in video.parts if part.failure and part.failure.video]
    for part in video.parts:
        name = part.instance.xcoms.get(VIDEO_NAME_KEY)
        told += [name] if isinstance(name, str) and name else []
        shown = part.instance.name
        told += [shown] if shown and not shown.isdigit() else []
    return told[0] if told else video.parts[0].instance.label


def _job_of(video: _Video, kind: str) -> str | None:
    for part in reversed(video.parts):
        if part.job is None:
            continue
        if part.job.kind == kind:
            return part.job.job_id
        if kind == "storyboard" and part.job.storyboard_job_id:
            return part.job.storyboard_job_id
    return None


def _minutes(video: _Video) -> float | None:
    for part in reversed(video.parts):
        keys = [DELIVERY_KEY] if part.task.role == "download" else []
        keys += [RESULT_KEY] if part.task.role in ("render", "video", "watch") else []
        for key in keys:
            told = part.instance.xcoms.get(key)
            seconds = length(told.get("duration")) if isinstance(told, Mapping) else None
            if seconds is not None:
                return round(seconds / 60, 3)
    return None


def _file(video: _Video) -> str | None:
    for part in reversed(video.parts):
        told: Any = part.instance.xcoms.get(DELIVERY_KEY) if part.task.role == "download" else None
        path = told.get("path") if isinstance(told, Mapping) else None
        if isinstance(path, str) and path:
            return path
    return None
