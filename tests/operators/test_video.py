"""The operator that makes a video in one task, through two jobs."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    JobFailedError,
    JobResultPurgedError,
)
from airflow_video_creation.provider.waiting.time_limits import DEFAULT_TIMEOUT

from ..told_errors import raises_telling, told

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}


def video(deferrable: bool = False, **arguments: Any) -> CreateVideoOperator:
    given = {"storyboard": STORYBOARD, "poll_interval": 0.05, **arguments}
    return CreateVideoOperator(task_id="t", deferrable=deferrable, **given)


def test_a_storyboard_becomes_a_video_in_one_task(
    emulator: Any, task: Any, deferrable: bool, run: Any, submissions: Any
) -> None:
    job = run(video, task, deferrable)

    assert job["video_url"]
    assert (submissions(), submissions("render")) == (1, 1)
    assert [task.record(stage)["state"] for stage in ("storyboard", "render")] == [
        "completed",
        "completed",
    ]


def test_the_log_names_the_video_of_both_jobs(emulator: Any, task: Any, run: Any, log: Any) -> None:
    run(video, task)

    assert "Storyboard 'v' was accepted as job" in log()
    assert "Render of 'v' was accepted as job" in log()


def test_a_retry_repeats_no_finished_stage(
    emulator: Any, task: Any, deferrable: bool, run: Any, submissions: Any
) -> None:
    emulator.admin.add_fault("fail", on="render", nth=(1,))
    with pytest.raises(JobFailedError):
        run(video, task, deferrable)
    task.retry()

    assert run(video, task, deferrable)["video_url"]
    assert (submissions(), submissions("render")) == (1, 2)


def test_a_retry_while_rendering_needs_the_storyboard_no_more(emulator: Any, task: Any, run: Any) -> None:
    job = run(video, task)
    preview = task.record("storyboard")["job_id"]
    emulator.admin.set_job_state(preview, "cleaned")
    task.retry()

    assert run(video, task)["job_id"] == job["job_id"]


def test_a_storyboard_that_is_purged_before_its_render_is_made_again_by_a_clear(
    emulator: Any, task: Any, run: Any, submissions: Any
) -> None:
    emulator.admin.add_fault("fail", on="render", nth=(1,))
    with pytest.raises(JobFailedError):
        run(video, task)
    emulator.admin.set_job_state(task.record("storyboard")["job_id"], "cleaned")
    task.retry()
    with raises_telling(JobResultPurgedError, "Clear the task to submit and pay for a new one"):
        run(video, task)
    task.clear()

    assert run(video, task)["video_url"]
    assert (submissions(), submissions("render")) == (2, 2)


@pytest.mark.parametrize("state", ["submitted", "completed"])
def test_a_render_that_is_recorded_is_gone_on_from_though_the_storyboards_end_is_not(
    emulator: Any, task: Any, run: Any, submissions: Any, state: str
) -> None:
    """The store was away as the storyboard ended, and the worker died while it rendered."""
    job = run(video, task)
    task.record("storyboard")["state"] = "submitted"
    task.record("render")["state"] = state
    emulator.admin.set_job_state(task.record("storyboard")["job_id"], "cleaned")
    task.retry()

    assert run(video, task)["job_id"] == job["job_id"]
    assert (submissions(), submissions("render")) == (1, 1)


def test_both_stages_share_one_deadline(emulator: Any, task: Any, run: Any) -> None:
    run(video, task)
    started = {task.record(stage)["started_at"] for stage in ("storyboard", "render")}
    assert len(started) == 1


def test_a_render_that_is_sent_only_once_the_tasks_time_is_over_gets_time_of_its_own(
    emulator: Any, task: Any, deferrable: bool, run: Any, submissions: Any
) -> None:
    """It is paid for: who gave it up after one look would pay for nothing."""
    run(video, task)
    task.forget("render")
    task.record("storyboard")["started_at"] -= DEFAULT_TIMEOUT + 60
    emulator.admin.change(job_polls=3)
    task.retry()

    assert run(video, task, deferrable)["video_url"]
    assert (submissions(), submissions("render")) == (1, 2)


def test_a_render_in_doubt_names_what_adopts_it(emulator: Any, task: Any, run: Any, submissions: Any) -> None:
    emulator.admin.add_fault("reset", on="render", when="after")
    with raises_telling(AmbiguousSubmissionError, r"as adopt_render_job_id=.*\.get\(run_id\) }}\" and clear"):
        run(video, task)
    emulator.admin.clear_faults()
    [found] = [job["job_id"] for job in emulator.admin.jobs() if job["kind"] == "render"]
    task.clear()

    assert run(video, task, adopt_render_job_id=found)["job_id"] == found
    assert (submissions(), submissions("render")) == (1, 1)


def test_without_a_store_the_deferred_stages_still_pay_once(
    emulator: Any, make_task: Any, run: Any, submissions: Any
) -> None:
    task = make_task(store=False)

    assert run(video, task, True)["video_url"]
    assert (submissions(), submissions("render")) == (1, 1)


def test_a_video_whose_adopted_render_failed_is_made_anew_by_a_retry(
    emulator: Any, task: Any, make_task: Any, run: Any
) -> None:
    emulator.admin.add_fault("fail", on="render", nth=(1,))
    with pytest.raises(JobFailedError):
        run(video, make_task())
    [failed] = [job["job_id"] for job in emulator.admin.jobs() if job["kind"] == "render"]
    with pytest.raises(JobFailedError):
        run(video, task, adopt_render_job_id=failed)
    task.retry()

    assert run(video, task, adopt_render_job_id=failed)["video_url"]


def test_a_render_in_doubt_says_how_to_keep_the_storyboard(
    emulator: Any, task: Any, run: Any, submissions: Any
) -> None:
    """Its reader pastes the line, clears the task, and pays for the render only."""
    emulator.admin.add_fault("reset", on="render", nth=(1,))
    with pytest.raises(AmbiguousSubmissionError) as doubt:
        run(video, task)
    storyboard = task.record("storyboard")["job_id"]
    line = f"adopt_storyboard_job_id=\"{{{{ {{'manual__1': '{storyboard}'}}.get(run_id) }}}}\""

    assert f"If it is not, put {line} into the DAG and clear this task" in told(doubt.value)
    assert "without that line the storyboard is paid for again, too" in told(doubt.value)

    task.clear()
    assert run(video, task, adopt_storyboard_job_id=storyboard)["video_url"]
    assert (len(emulator.admin.jobs()), submissions("render")) == (2, 1)
