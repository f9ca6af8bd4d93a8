"""What the page about a task says: sans-IO, from the task, its job, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal
from urllib.parse import urlsplit

from ...provider.models.job import Job, ended_badly
from ...provider.shown.listing import Line, Listing
from .shown_task import ShownTask

Media = Literal["preview", "video", "poster"]
CONNECTION_UNKNOWN = (
    "An XCom of this task names a job. Airflow does not show which connection the task used, so the service was not "
    "asked. Airflow keeps that for the latest runs only: see the option num_dag_runs_to_retain_rendered_fields."
)


@dataclass(frozen=True)
class TaskFacts:
    """What the page shows.

    :param title: the video's name, or what the page is about.
    :param facts: names and values, in their order.
    :param notes: sentences about what is missing or went wrong.
    :param told: sentences of the task's own about what went wrong, and what to do.
    :param problem: whether notes and sentences report an error.
    :param preview_url: of the player; None without.
    :param video_url: of the video; None without.
    :param poster_url: a picture of the video; None without.
    :param refreshes: whether it may change later.
    :param may_come: whether a preview or a video that is missing may still be made.
    :param asks: whether a person is asked, in a form of Airflow's.
    :param lists: of a plan or a summary: each list with its title and its lines.
    """

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    problem: bool = False
    preview_url: str | None = field(default=None, repr=False)
    video_url: str | None = field(default=None, repr=False)
    poster_url: str | None = field(default=None, repr=False)
    refreshes: bool = False
    may_come: bool = False
    asks: bool = False
    lists: tuple[tuple[str, tuple[Line, ...]], ...] = ()

    @property
    def shows(self) -> str:
        """Changes when more than the facts change, so that the page must be loaded again."""
        media = [kind for kind, url in (("preview", self.preview_url), ("video", self.video_url)) if url]
        return " ".join([*media, *self.notes, *self.told, str(self.refreshes)])


def without_job(task: ShownTask) -> TaskFacts:
    """The page of a task that has not named a job.

    :param task: the task.
    """
    if task.listing:
        return _listed(task, task.listing)
    if task.names_job:
        return _page(task, "No video", _row_facts(task), (CONNECTION_UNKNOWN,))
    if _told(task):
        return _page(task, _title(task), _row_facts(task))
    if not task.is_ours:
        note = "This task does not make a video." if task.has_ended else "This task has not made a video yet."
        return TaskFacts("No video", notes=(note,), refreshes=not task.has_ended, may_come=not task.has_ended)
    if task.has_ended:
        note = "This task ended without a job at the service. Its log says why."
        return _page(task, "No job", _task_facts(task), (note,))
    note = "This task has not submitted a job yet. This page shows the job as soon as there is one."
    return _page(task, "No job yet", _task_facts(task), (note,))


def unread(task: ShownTask, why: str) -> TaskFacts:
    """The page of a job that the service does not show.

    :param task: the task.
    :param why: what happened, and what to do.
    """
    # What the task has told stays true when the service forgets the job.
    notes = () if _told(task) else (why,)
    return replace(_page(task, _title(task), _facts(task, None, None), notes), problem=True, refreshes=True)


def with_job(task: ShownTask, job: Job, storyboard: Job | None = None) -> TaskFacts:
    """The page of a job.

    :param task: the task.
    :param job: as the service describes it.
    :param storyboard: of a render, the finished job behind it, where its preview is to be shown.
    """
    notes: list[str] = []
    if job.has_ended_badly and not _told(task):
        notes.append(str(ended_badly(job)))
        if job.state == "failed":
            notes.append("A retry of this task, or clearing it, submits and pays for a new job.")
    video_url = media_url(job, "video")
    preview_url = media_url(job, "preview") or (media_url(storyboard, "preview") if storyboard else None)
    if job.state == "completed" and not (video_url or preview_url):
        notes.append("The job is completed, but the service gives nothing to watch.")
    elif job.state == "in-progress":
        made = "The preview" if task.job and task.job.kind == "storyboard" else "The video"
        notes.append(f"{made} is being made. It will appear here when it is ready.")
    page = _page(task, _title(task), _facts(task, job, storyboard), notes)
    return replace(
        page,
        problem=page.problem or job.has_ended_badly,
        preview_url=None if video_url else preview_url,
        video_url=video_url,
        poster_url=_web(job.thumbnail_url),
        refreshes=page.refreshes or job.state == "in-progress",
        may_come=job.state == "in-progress",
    )


def _page(
    task: ShownTask, title: str, facts: Iterable[tuple[str, str]], notes: Iterable[str] = ()
) -> TaskFacts:
    """A page without a player, which is looked at again while the task has not ended."""
    asks = task.row is not None and task.row.state == "waiting"
    asked = (
        ["Someone must decide whether this video is rendered. Nothing is rendered before that."]
        if asks
        else []
    )
    told = _told(task)
    return TaskFacts(
        title,
        tuple(facts),
        (*asked, *notes),
        told,
        problem=bool(told) and task.state != "up_for_retry",
        refreshes=not task.has_ended,
        may_come=not task.has_ended,
        asks=asks,
    )


def _told(task: ShownTask) -> tuple[str, ...]:
    row = task.row
    return tuple(said for said in (row.cause, row.todo) if said) if row else ()


def _listed(task: ShownTask, listing: Listing) -> TaskFacts:
    facts = _page(task, listing.headline, _task_facts(task))
    return replace(facts, lists=listing.lists)


def media_url(job: Job, media: Media) -> str | None:
    """Where the preview, the video or its picture of a finished job is; None for what a browser should not be led to.

    :param job: as the service describes it.
    :param media: which of them.
    """
    if job.state != "completed":
        return None
    urls = {"preview": job.preview_url, "video": job.video_url, "poster": job.thumbnail_url}
    return _web(urls[media])


def _web(url: str | None) -> str | None:
    try:
        parts = urlsplit(url or "")
        return url if parts.scheme in ("http", "https") and parts.hostname else None
    except ValueError:
        return None


def _title(task: ShownTask) -> str:
    if task.job and task.job.video_name:
        return task.job.video_name
    if task.row:
        return task.row.name
    return {"storyboard": "Preview", "render": "Video"}.get((task.job and task.job.kind) or "", "Video job")


def _facts(task: ShownTask, job: Job | None, storyboard: Job | None) -> Iterator[tuple[str, str]]:
    if job:
        progress = (
            f", {job.progress:.0f} %" if job.progress is not None and job.state == "in-progress" else ""
        )
        yield "Job state", f"{job.state}{progress}"
        if job.duration is not None:
            yield "Duration", f"{job.duration:.1f} s"
        if scenes := _scenes(job) or (_scenes(storyboard) if storyboard else None):
            yield "Scenes", str(scenes)
    if task.job:
        yield "Job id", task.job.job_id
        if task.job.storyboard_job_id:
            yield "Storyboard job id", task.job.storyboard_job_id
        yield "Connection", task.job.video_creation_conn_id
        if task.job.submitted_at is not None:
            yield "Submitted", _time(datetime.fromtimestamp(task.job.submitted_at, UTC))
    yield from _row_facts(task)


def _row_facts(task: ShownTask) -> Iterator[tuple[str, str]]:
    """Where the file is, and the line that settles a doubt."""
    if task.row and task.row.file:
        yield "File", task.row.file
    if task.size is not None:
        yield "Size", f"{task.size / 1e6:.1f} MB" if task.size >= 1e5 else f"{task.size:,} bytes"
    if task.row and task.row.adopt:
        yield "Line for the DAG", task.row.adopt
    yield from _task_facts(task)


def _task_facts(task: ShownTask) -> Iterator[tuple[str, str]]:
    if task.has_ended and task.ended_at:
        yield "Task ended", _time(datetime.fromisoformat(task.ended_at).astimezone(UTC))
    yield "Task state", (task.state or "not scheduled").replace("_", " ")
    if task.try_number:
        yield "Try", f"{task.try_number} of {max(task.max_tries, task.try_number)}"


def _scenes(job: Job) -> int | None:
    """How many scenes the render settings name, whose form is the service's own."""
    settings = job.render_settings or {}
    nested = [value for value in settings.values() if isinstance(value, Mapping)]
    found = [level["scenes"] for level in (settings, *nested) if isinstance(level.get("scenes"), list)]
    return len(found[0]) if found else None


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"
