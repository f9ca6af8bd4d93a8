"""The tab of a task says what the task itself has told: why it failed, what it asks, where its file is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from airflow_video_creation.provider.shown.run_instance import DELIVERY_KEY, FAILURE_KEY, RESULT_KEY
from airflow_video_creation.provider.spending.failure import Failure
from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.shown_job import JOB_KEY, ShownJob
from airflow_video_creation.provider.submission.stored_records import RECORD_KEY

STORYBOARD = ["storyboard", "adopt_job_id"]
CONN = "video_creation_default"
FAILED = (
    "Job s-1 failed, the service says: NO_FONT: No such font. Correct what it names and submit the job again."
)
Get = Callable[..., Awaitable[httpx.Response]]


def job(job_id: str, kind: str) -> dict[str, Any]:
    return {JOB_KEY: ShownJob(job_id, kind, CONN, video_name="tide-mill").to_json()}


@pytest.fixture
def page(ask: Any, steps: Any) -> Get:
    """Asks for the tab of a task."""

    async def of(task_id: str) -> httpx.Response:
        return await ask(f"/tasks/steps/{steps.run_id.replace('+', '%2B')}/{task_id}/-1")

    return of


async def test_a_failed_task_says_what_it_told_and_not_that_the_service_forgot(
    page: Get, steps: Any, service: Any
) -> None:
    failure = Failure("JobFailedError", FAILED).to_json()
    steps.has(
        "preview", -1, "failed", {**job("s-1", "storyboard"), FAILURE_KEY: failure}, rendered=STORYBOARD
    )
    service.will("404")
    text = (await page("preview")).text
    assert "NO_FONT: No such font." in text
    assert "Correct what it names and submit the job again." in text
    assert "does not know" not in text
    assert 'class="note told problem"' in text


async def test_each_sentence_of_a_message_is_a_line_of_the_page(page: Get, steps: Any) -> None:
    said = "The token is not accepted.\nCorrect it.\nNothing was paid."
    failure = Failure("AuthenticationError", said.replace("\n", " ")).to_json()
    steps.has("preview", -1, "failed", {FAILURE_KEY: failure}, rendered=STORYBOARD)
    first, others = said.split("\n", maxsplit=1)
    assert (
        f"<span>{first}</span><span>{others.replace(chr(39), '&#39;')}</span>" in (await page("preview")).text
    )


async def test_a_task_that_failed_before_it_had_a_job_says_why(page: Get, steps: Any, service: Any) -> None:
    failure = Failure(
        "AuthenticationError", "The token is not accepted. Correct it in the connection."
    ).to_json()
    steps.has("preview", -1, "failed", {FAILURE_KEY: failure}, rendered=STORYBOARD)
    text = (await page("preview")).text
    assert "The token is not accepted." in text
    assert "Its log says why" not in text
    assert not service.seen


@pytest.mark.usefixtures("state_store")
async def test_a_worker_lost_in_the_middle_of_a_submission_is_told_with_the_line(
    page: Get, steps: Any
) -> None:
    intent = Submission(0, "intent", 1.0, 1.0).to_json()
    steps.has("preview", -1, "failed", store={RECORD_KEY: intent}, rendered=STORYBOARD)
    text = (await page("preview")).text
    assert "The worker was lost while it submitted" in text
    assert "adopt_job_id=" in text


async def test_who_is_asked_sees_the_preview_and_is_led_to_the_form(
    page: Get, steps: Any, service: Any
) -> None:
    steps.has("preview", -1, "success", job("s-1", "storyboard"), rendered=STORYBOARD)
    steps.has("approve", -1, "deferred", rendered=["subject", "body"])
    preview = "https://media.example.com/preview?signature=s3cr3t"
    service.will(service.job("completed", preview=preview), on="/api/v1/job/s-1")
    text = (await page("approve")).text
    assert f'<iframe title="Preview" src="{preview}"' in text
    assert "Someone must decide whether this video is rendered." in text
    task = f"dags/steps/{{}}/{quote(steps.run_id, safe='')}/{{}}/approve"
    assert f'data-form="{task.format("runs", "tasks")}/required_actions"' in text
    assert f'data-question="/api/v2/{task.format("dagRuns", "taskInstances")}/-1/hitlDetails"' in text


async def test_a_download_says_where_the_file_is(page: Get, steps: Any, service: Any) -> None:
    delivered = {"path": "/videos/tide-mill.mp4", "size": 12_300_000, "duration": 90}
    steps.has(
        "download",
        -1,
        "success",
        {**job("r-1", "render"), DELIVERY_KEY: delivered},
        rendered=["job_id", "destination"],
    )
    service.will("404")
    text = (await page("download")).text
    assert "<dt>File</dt><dd>/videos/tide-mill.mp4</dd>" in text
    assert "<dt>Size</dt><dd>12.3 MB</dd>" in text


async def test_a_plan_says_what_is_to_be_made_and_why_others_are_not(page: Get, steps: Any) -> None:
    estimate = {"videos": 1, "minutes": 1.5, "dry_run": False, "each": [{"video": "tide", "minutes": 1.5}]}
    left_out = [{"video": "<b>mill</b>", "reason": "more than max_videos=1."}]
    steps.has("plan", -1, "success", {"estimate": estimate, "left_out": left_out})
    text = (await page("plan")).text
    assert "1 of 2 videos are planned, about 1.5 minutes (an estimate)." in text
    assert "<h2>Left out (1)</h2>" in text
    assert "<strong>&lt;b&gt;mill&lt;/b&gt;</strong> more than max_videos=1." in text


async def test_a_summary_says_what_came_of_the_run(page: Get, steps: Any) -> None:
    result = {
        "headline": "1 of 2 videos were made.",
        "videos": [
            {"video": "tide", "minutes": 1.5, "place": "/videos/tide.mp4", "share_url": "https://x/s3cr3t"}
        ],
        "failures": [{"video": "mill", "task": "render", "message": "No such font."}],
        "left_out": [],
    }
    steps.has("summarize", -1, "success", {RESULT_KEY: result})
    text = (await page("summarize")).text
    assert "1 of 2 videos were made." in text
    assert "<strong>mill</strong> render: No such font." in text
    assert "<strong>tide</strong> 1.5 minutes, /videos/tide.mp4" in text
    assert "s3cr3t" not in text
