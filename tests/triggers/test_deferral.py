"""How a task hands its waits over to the triggerer."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import BaseOperator, TaskDeferred

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.waiting.job_wait import JobWait
from airflow_video_creation.provider.waiting.schedule import PollSchedule
from airflow_video_creation.triggers.deferral import defer_until_some_ended
from airflow_video_creation.triggers.video_jobs import VideoJobsTrigger

WEBHOOKS = {"callback_base_url": "https://airflow.example.com", "webhook_secret": "sixteen-characters"}


class MakesMany(BaseOperator):  # type: ignore[misc]
    """A task that waits for many jobs."""

    video_creation_conn_id = "video_creation_default"
    user_id = "editor-2"

    @staticmethod
    def clock() -> float:
        return 1000.0

    @property
    def hook(self) -> VideoCreationHook:
        return VideoCreationHook(self.video_creation_conn_id)


def deferred(*waits: JobWait, **arguments: Any) -> TaskDeferred:
    with pytest.raises(TaskDeferred) as stopped:
        defer_until_some_ended(
            MakesMany(task_id="make"),
            waits,
            **{"then": "go_on", "timeout": None, "poll_interval": 5.0, "wake_after": 30.0, **arguments},
        )
    return stopped.value


def test_all_jobs_are_handed_over_to_one_trigger(connect: Any) -> None:
    connect(**WEBHOOKS)
    storyboard = JobWait(
        "s-1", 990.0, deadline=8000.0, submitted_at=900.0, schedule=PollSchedule(5.0), kind="storyboard"
    )
    render = JobWait("r-1", 995.0, schedule=PollSchedule(5.0), kind="render")

    stopped = deferred(
        storyboard, render, webhooks={"s-1"}, timeout=timedelta(minutes=5), cancel_on_kill=False
    )

    assert isinstance(stopped.trigger, VideoJobsTrigger)
    assert (stopped.method_name, stopped.timeout) == ("go_on", timedelta(minutes=5))
    assert stopped.trigger.serialize()[1] == {
        "jobs": [
            {
                "job_id": "s-1",
                "kind": "storyboard",
                "submitted_at": 900.0,
                "deadline": 8000.0,
                "webhook": True,
            },
            {"job_id": "r-1", "kind": "render", "submitted_at": 995.0},
        ],
        "video_creation_conn_id": "video_creation_default",
        "user_id": "editor-2",
        "poll_interval": 5.0,
        "wake_after": 30.0,
        "cancel_on_kill": False,
        "version": 1,
    }


def test_no_callback_is_expected_where_the_connection_takes_none(connect: Any) -> None:
    connect()

    [job] = deferred(JobWait("j-1", 990.0), webhooks={"j-1"}).trigger.serialize()[1]["jobs"]

    assert "webhook" not in job


def test_a_task_without_jobs_is_woken_at_once() -> None:
    assert deferred().trigger.serialize()[1]["jobs"] == []
