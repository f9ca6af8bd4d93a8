"""The DAGs of the system tests: one task ``work`` in each, and all differences in a run's configuration."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from airflow.sdk import DAG
from kill_points import FOLDER, KilledOnce

from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.sensors.video_job import VideoJobSensor

CONNECTION = "{{ dag_run.conf.connection }}"
NIGHT = 200
VIDEOS = 6


class KilledStoryboard(KilledOnce, CreateStoryboardOperator):
    """A storyboard whose task is killed at the run's moment."""


class KilledVideo(KilledOnce, CreateVideoOperator):
    """A video whose task is killed at the run's moment."""


class KilledVideos(KilledOnce, CreateVideosOperator):
    """Many videos, whose task is killed at the run's moment; it leaves its waits to the triggerer soon."""

    leave_after = 1.0


def storyboard(name: str = "{{ run_id }}") -> dict[str, Any]:
    """A storyboard that is known at the service by its run."""
    return {"videoName": name, "scenes": [{"text": "A tree in the wind."}]}


def dag(dag_id: str, retries: int = 2, retry_seconds: float = 1) -> DAG:
    """A DAG that only a test starts."""
    defaults = {
        "retries": retries,
        "retry_delay": timedelta(seconds=retry_seconds),
        "video_creation_conn_id": CONNECTION,
        "poll_interval": 1.0,
        "timeout": 1800.0,
    }
    return DAG(dag_id, schedule=None, start_date=datetime(2026, 1, 1), default_args=defaults)


WAITING: dict[str, Any] = {"task_id": "work", "wait_for_completion": True}

with dag("storyboard"):
    KilledStoryboard(**WAITING, deferrable=True, storyboard=storyboard())

with dag("storyboard_no_retries", retries=0):
    KilledStoryboard(**WAITING, deferrable=True, storyboard=storyboard())

with dag("storyboard_on_worker"):
    KilledStoryboard(**WAITING, deferrable=False, storyboard=storyboard())

with dag("storyboard_on_worker_no_retries", retries=0):
    KilledStoryboard(**WAITING, deferrable=False, storyboard=storyboard())

with dag("submission_only"):
    KilledStoryboard(task_id="work", storyboard=storyboard())

with dag("video"):
    KilledVideo(task_id="work", deferrable=True, storyboard=storyboard())

with dag("sensor"):
    submitted = CreateStoryboardOperator(task_id="submit", storyboard=storyboard())
    VideoJobSensor(task_id="work", job_id=submitted.output, deferrable=True)

with dag("night"):
    names = [f"{{{{ run_id }}}} {number}" for number in range(NIGHT)]
    KilledStoryboard.partial(**WAITING, deferrable=True).expand(
        storyboard=[storyboard(name) for name in names]
    )


def videos(deferrable: bool, **arguments: Any) -> None:
    """Six videos in one task, submitted one after the other, so that a kill always meets the same."""
    KilledVideos(
        task_id="work",
        deferrable=deferrable,
        destination=f"{FOLDER}/{{{{ run_id }}}}/",
        wake_after=1.0,
        **{
            "storyboards": [storyboard(f"{{{{ run_id }}}} {number}") for number in range(VIDEOS)],
            "max_active": 1,
            **arguments,
        },
    )


with dag("videos_together"):
    videos(deferrable=True, max_active=VIDEOS)

with dag("videos_on_worker"):
    videos(deferrable=False)

# The retry must not begin before the replaced try has said what it knows.
with dag("videos_replaced", retry_seconds=20):
    videos(deferrable=False)

with dag("videos_moved_list"):
    moved = (FOLDER / "videos-moved-list.moved").exists()
    videos(
        deferrable=False,
        storyboards=[
            storyboard(f"{{{{ run_id }}}} {number}") for number in ((5, 6, 1) if moved else range(VIDEOS))
        ],
    )

# The retry must not begin before the replaced try has said what it knows.
with dag("replaced", retry_seconds=20):
    KilledStoryboard(task_id="work", storyboard=storyboard())

with dag("moved_list"):
    in_order = ["{{ run_id }} Alpha", "{{ run_id }} Beta"]
    # Each try reads this file again: its list is another one once the test has said so.
    has_moved = (FOLDER / "moved-list.moved").exists()
    KilledStoryboard.partial(**WAITING, deferrable=True).expand(
        storyboard=[storyboard(name) for name in (reversed(in_order) if has_moved else in_order)]
    )
