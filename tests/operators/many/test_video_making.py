"""The way of one of many videos, and what is told of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.provider.errors import VideosFailedError
from airflow_video_creation.provider.waiting.time_limits import DEFAULT_TIMEOUT

from ...told_metrics import Told, told

__all__ = ["told"]


class Impatient(CreateVideosOperator):
    """Leaves its waits to the triggerer at once."""

    leave_after = 0.0


@pytest.fixture
def videos(tmp_path: Path) -> Any:
    """Makes the operator of two videos: ``videos(deferrable, **arguments)``."""

    def make(deferrable: bool = False, **arguments: Any) -> CreateVideosOperator:
        given = {
            "storyboards": [{"videoName": name, "scenes": [{"text": "t"}]} for name in "ab"],
            "destination": f"{tmp_path}/",
            "poll_interval": 0.05,
            "wake_after": 0.2,
            **arguments,
        }
        return Impatient(task_id="t", deferrable=deferrable, **given)

    return make


def kept_of(task: Any, name: str) -> dict[str, Any]:
    """What is recorded of a video."""
    [kept] = [
        value["videos"][name] for value in task.store.values.values() if name in value.get("videos", ())
    ]
    return kept  # type: ignore[no-any-return]


def dies_before_the_render(task: Any, name: str) -> str:
    """What a worker leaves that died once the storyboard was made: nothing of the render; the storyboard's job."""
    kept = kept_of(task, name)
    records = kept["submissions"]["records"]
    [render] = [stage for stage in records if stage.endswith("render")]
    del records[render], kept["outcome"]
    [storyboard] = records.values()
    return str(storyboard["job_id"])


def test_a_job_is_counted_once_a_try_however_often_a_worker_goes_on(
    emulator: Any, task: Any, run: Any, videos: Any, told: Told
) -> None:
    run(videos, task, deferrable=True)

    assert Counter(tags["how"] for _, tags in told.of("submissions")) == {"submitted": 4}


@pytest.mark.parametrize("is_read", [True, False], ids=["awaited again", "needed for the render"])
def test_of_a_video_whose_result_is_purged_the_task_says_how_it_is_made_again(
    emulator: Any, task: Any, run: Any, videos: Any, submissions: Any, is_read: bool
) -> None:
    """Neither a retry nor a clear of the task mends it."""
    run(videos, task)
    emulator.admin.set_job_state(dies_before_the_render(task, "b"), "cleaned")
    if is_read:
        [storyboard] = kept_of(task, "b")["submissions"]["records"].values()
        storyboard["state"] = "submitted"
    task.retry()
    with pytest.raises(VideosFailedError):
        run(videos, task)

    [message] = [row["message"] for row in task.pushed["return_value"] if row["name"] == "b"]
    assert message.startswith("Video 'b': The result of job")
    assert kept_of(task, "b")["outcome"]["message"].endswith(
        "Neither a retry nor a clear does that by itself. To pay for a new one, name the video in make_again= before "
        "you clear the task."
    )
    task.clear()
    assert {row["state"] for row in run(videos, task, make_again=["b"])} == {"delivered"}
    assert (submissions(), submissions("render")) == (3, 3)


def test_a_video_that_is_purged_before_it_is_delivered(
    emulator: Any, task: Any, run: Any, videos: Any
) -> None:
    [row, _] = run(videos, task)
    del kept_of(task, "a")["outcome"]
    emulator.admin.set_job_state(row["render_job_id"], "cleaned")
    task.retry()
    with pytest.raises(VideosFailedError):
        run(videos, task)

    assert "name the video in make_again=" in kept_of(task, "a")["outcome"]["message"]


def test_a_render_that_is_sent_only_once_the_videos_time_is_over_gets_time_of_its_own(
    emulator: Any, task: Any, run: Any, deferrable: bool, videos: Any, submissions: Any
) -> None:
    """It is paid for: who gave it up after one look would pay for nothing."""
    run(videos, task)
    dies_before_the_render(task, "b")
    [storyboard] = kept_of(task, "b")["submissions"]["records"].values()
    storyboard["started_at"] -= DEFAULT_TIMEOUT + 60
    emulator.admin.change(job_polls=3)
    task.retry()

    assert {row["state"] for row in run(videos, task, deferrable)} == {"delivered"}
    assert (submissions(), submissions("render")) == (2, 3)
