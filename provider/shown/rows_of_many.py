"""The videos of a task that makes many: while it is at work from its records, and at its end from its result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..stored_dataclass import length
from ..videos.video_outcome import VideoOutcome
from ..videos.video_shards import INDEX_KEY, OUTCOME, SUBMISSIONS, asked_for, identity
from .advice import LOST, UNTOLD, adopt_line_of_many, advice, failure_of, in_two
from .run_instance import FAILURE_KEY, RESULT_KEY, RunInstance
from .video_row import VideoRow

LEFT = (
    "The task ended before this video was finished.",
    "Its job may continue at the service.\n"
    "A retry, or clearing the task, waits for it and pays for nothing again.",
)
UNSENT = ("The task ended before this video was sent.", "Clear the task to make it.")


def rows_of_many(instance: RunInstance, run_id: str) -> list[VideoRow]:
    """One row for each video that the task is asked for, as far as it has said.

    :param instance: of the task.
    :param run_id: of its run.
    """
    kept = {name: row for row in _kept(instance, run_id) for name in [identity(row.name)]}
    told = {identity(row.name): row for row in _told(instance, run_id)}
    rows = [_together(row, kept.pop(name, None)) for name, row in told.items()]
    rows += _with_those_not_begun(instance, kept) if not told else ()
    failure = failure_of(instance.xcoms.get(FAILURE_KEY))
    if not rows and instance.state == "failed":
        said = advice(failure) if failure else None
        cause = (said.cause, said.todo) if said else (in_two(UNTOLD.message)[0], None)
        rows = [VideoRow(instance.label, "failed", *_where(instance), cause=cause[0], todo=cause[1])]
    return rows


def one_of_many(instance: RunInstance, run_id: str, name: str) -> VideoRow | None:
    """The row of one video; None if its task knows no such video.

    :param instance: of the task, with the part of its store that has the video, or its result.
    :param run_id: of its run.
    :param name: of the video.
    """
    rows = rows_of_many(instance, run_id)
    return next((row for row in rows if identity(row.name) == identity(name)), None)


def _with_those_not_begun(instance: RunInstance, kept: Mapping[str, VideoRow]) -> Iterator[VideoRow]:
    """The rows of the records among those of all videos that are asked for, in the order of the list.

    :param instance: of the task.
    :param kept: the rows of the records, by identity.
    """
    number, names = asked_for(instance.store.get(INDEX_KEY))
    if not names:
        yield from kept.values()
    for name in names:
        if row := kept.get(identity(name)) or _not_begun(instance, name, is_alone=not kept):
            yield row
    more = 0 if names else number - len(kept)
    if more > 0 and (row := _not_begun(instance, f"{more:,} more", is_alone=not kept)):
        yield replace(row, videos=more)


def _not_begun(instance: RunInstance, name: str, *, is_alone: bool) -> VideoRow | None:
    """A video of which nothing is recorded; None where what its task says of itself is all that can be said.

    :param instance: of the task.
    :param name: of the video.
    :param is_alone: whether no video has begun.
    """
    row = VideoRow(name, "not-begun", *_where(instance))
    if not instance.has_ended:
        return row
    cause, todo = UNSENT
    return (
        None
        if is_alone or instance.state != "failed"
        else replace(row, state="failed", cause=cause, todo=todo)
    )


def _where(instance: RunInstance) -> tuple[str, int, str]:
    return instance.task_id, instance.map_index, "many"


def _kept(instance: RunInstance, run_id: str) -> Iterator[VideoRow]:
    """The rows of the records."""
    for key, stored in instance.store.items():
        number = key.removeprefix(f"{INDEX_KEY}.")
        if number == key or not (number.isascii() and number.isdigit()):
            continue
        videos = stored.get("videos") if isinstance(stored, Mapping) else None
        for name, kept in videos.items() if isinstance(videos, Mapping) else ():
            if isinstance(kept, Mapping) and kept:
                yield _kept_row(instance, run_id, str(name), kept, int(number[:9]))


def _kept_row(instance: RunInstance, run_id: str, name: str, kept: Mapping[str, Any], shard: int) -> VideoRow:
    records = _records(kept)
    row = VideoRow(
        name,
        "under-way",
        *_where(instance),
        storyboard_job_id=_job_id(records.get("storyboard")),
        render_job_id=_job_id(records.get("render")),
        shard=shard,
    )
    outcome = VideoOutcome.from_json(name, kept.get(OUTCOME), {})
    if outcome and (instance.has_ended or outcome.is_delivered or _is_of_this_try(kept, instance)):
        return _ended(row, outcome, run_id)
    if not instance.has_ended:
        return row
    doubtful = next((kind for kind, record in records.items() if record.get("state") == "intent"), None)
    if doubtful:
        cause, todo = in_two(LOST.message)
        adopt = adopt_line_of_many(doubtful, name, run_id, instance.map_index)
        return replace(row, state="in-doubt", cause=cause, todo=todo, adopt=adopt)
    cause, todo = LEFT if row.storyboard_job_id else UNSENT
    return replace(row, state="failed", cause=cause, todo=todo)


def _told(instance: RunInstance, run_id: str) -> Iterator[VideoRow]:
    """The rows of the result."""
    result = instance.xcoms.get(RESULT_KEY) if instance.has_ended else None
    for video in result if isinstance(result, list) else ():
        name = video.get("name") if isinstance(video, Mapping) else None
        outcome = VideoOutcome.from_json(name, video, {}) if isinstance(name, str) else None
        if outcome:
            yield _ended(VideoRow(outcome.name, "under-way", *_where(instance)), outcome, run_id)


def _together(told: VideoRow, kept: VideoRow | None) -> VideoRow:
    """What the result says, in the words of the record, which are longer."""
    if kept is None:
        return told
    if kept.state != told.state:
        return replace(told, shard=kept.shard)
    return replace(kept, minutes=told.minutes or kept.minutes, file=kept.file or told.file)


def _ended(row: VideoRow, outcome: VideoOutcome, run_id: str) -> VideoRow:
    cause, todo = in_two(_text(outcome.message) or "") if not outcome.is_delivered else (None, None)
    storyboard = _text(outcome.storyboard_job_id) or row.storyboard_job_id
    row = replace(
        row,
        state=outcome.state,
        minutes=length(outcome.minutes),
        file=_text(outcome.file),
        cause=cause or None,
        todo=todo,
        storyboard_job_id=storyboard,
        render_job_id=_text(outcome.render_job_id) or row.render_job_id,
    )
    if row.state != "in-doubt":
        return row
    kind = "render" if row.storyboard_job_id else "storyboard"
    return replace(row, adopt=adopt_line_of_many(kind, row.name, run_id, row.map_index))


def _is_of_this_try(kept: Mapping[str, Any], instance: RunInstance) -> bool:
    outcome = kept[OUTCOME]
    return (outcome.get("try"), outcome.get("generation")) == (instance.try_number, instance.max_tries)


def _records(kept: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The records of a video by kind of job."""
    stored = kept.get(SUBMISSIONS)
    records = stored.get("records") if isinstance(stored, Mapping) else None
    return {
        str(stage).rpartition(".")[2]: record
        for stage, record in (records.items() if isinstance(records, Mapping) else ())
        if isinstance(record, Mapping)
    }


def _job_id(record: Mapping[str, Any] | None) -> str | None:
    return _text(record.get("job_id")) if record else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
