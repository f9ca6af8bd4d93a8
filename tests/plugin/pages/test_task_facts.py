"""What the page about a task says of each state of the task and its job."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from airflow_video_creation.plugin.pages.shown_task import ShownTask
from airflow_video_creation.plugin.pages.task_facts import TaskFacts, unread, with_job, without_job
from airflow_video_creation.provider.models.job import Job
from airflow_video_creation.provider.shown.video_row import VideoRow
from airflow_video_creation.provider.submission.shown_job import ShownJob

PREVIEW, VIDEO = "https://media.example.com/p?sig", "https://media.example.com/v.mp4?sig"


def task(state: str | None = "deferred", *, is_ours: bool = True, kind: str | None = "render") -> ShownTask:
    shown = ShownJob("j-2", kind, "conn", storyboard_job_id="j-1", submitted_at=0.0) if kind else None
    return ShownTask(state, 2, 3, "2026-11-21T19:00:05.123+01:00", is_ours, shown)


def test_a_render_under_way_shows_the_preview_and_its_progress() -> None:
    page = with_job(
        task(),
        Job(job_id="j-2", state="in-progress", progress=41.7),
        Job(
            job_id="j-1",
            state="completed",
            preview_url=PREVIEW,
            render_settings={"video": {"scenes": [1, 2, 3]}},
        ),
    )
    assert (page.preview_url, page.video_url, page.refreshes) == (PREVIEW, None, True)
    assert page.facts == (
        ("Job state", "in-progress, 42 %"),
        ("Scenes", "3"),
        ("Job id", "j-2"),
        ("Storyboard job id", "j-1"),
        ("Connection", "conn"),
        ("Submitted", "1970-01-01 00:00:00 UTC"),
        ("Task state", "deferred"),
        ("Try", "2 of 3"),
    )


def test_a_finished_render_shows_the_video_alone() -> None:
    page = with_job(
        task("success"), Job(job_id="j-2", state="completed", video_url=VIDEO, preview_url=PREVIEW)
    )
    assert (page.preview_url, page.video_url, page.refreshes, page.notes) == (None, VIDEO, False, ())
    assert ("Task ended", "2026-11-21 18:00:05 UTC") in page.facts


@pytest.mark.parametrize(
    ("page", "note", "refreshes"),
    [
        (without_job(task("running", is_ours=False, kind=None)), "has not made a video yet", True),
        (without_job(task("success", is_ours=False, kind=None)), "does not make a video", False),
        (without_job(task(None, kind=None)), "not submitted a job yet", True),
        (without_job(task("up_for_retry", kind=None)), "not submitted a job yet", True),
        (without_job(task("failed", kind=None)), "ended without a job", False),
        (unread(task(), "The service is away."), "The service is away.", True),
        (
            with_job(task("failed"), Job(job_id="j-2", state="cleaned")),
            "has been removed by the service",
            False,
        ),
        (
            with_job(task("success"), Job(job_id="j-2", state="completed")),
            "nothing to watch",
            False,
        ),
    ],
)
def test_what_is_missing_is_said(page: TaskFacts, note: str, refreshes: bool) -> None:
    assert note in " ".join(page.notes)
    assert page.refreshes is refreshes


def test_the_tasks_state_is_followed_after_the_jobs_end() -> None:
    done = Job(job_id="j-2", state="completed", video_url=VIDEO)
    assert with_job(task("deferred"), done).refreshes
    assert not with_job(task("success"), done).refreshes


def test_what_a_failed_task_told_stays_true_when_the_service_forgets_its_job() -> None:
    row = VideoRow("tide", "failed", "t", cause="No such font.", todo="Correct it, then clear the task.")
    failed = replace(task("failed"), row=row)
    for page in (
        without_job(replace(failed, job=None)),
        with_job(failed, Job(job_id="j-2", state="failed", error_message="other words")),
        unread(failed, "The service does not know job j-2."),
    ):
        assert page.told == ("No such font.", "Correct it, then clear the task.")
        assert (page.notes, page.problem) == ((), True)


def test_media_urls_stand_in_no_repr() -> None:
    done: dict[str, Any] = {"state": "completed", "video_url": VIDEO, "thumbnail_url": PREVIEW}
    assert "sig" not in repr(with_job(task(), Job(job_id="j-2", **done)))


def test_the_page_is_loaded_anew_when_more_than_the_facts_change() -> None:
    early = with_job(task(), Job(job_id="j-2", state="in-progress", progress=1))
    later = with_job(task(), Job(job_id="j-2", state="in-progress", progress=2))
    done = with_job(task(), Job(job_id="j-2", state="completed", video_url=VIDEO))
    assert early.shows == later.shows != done.shows
