"""A sensor's job whose answer is too large for the triggerer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred

from airflow_video_creation.provider.errors import JobReplyTooLargeError
from airflow_video_creation.provider.waiting.wait_event import unread_event
from airflow_video_creation.sensors.video_job import VideoJobSensor

from ..told_errors import raises_telling
from .conftest import context

SCENES = [{"text": "a scene " * 1000}] * 400
"""About 3 MiB."""


def test_it_is_returned_whole_in_every_mode(connect: Any, service: Any, wait: Callable[..., Any]) -> None:
    connect(service.url)
    service.will("in-progress", service.job("completed", render_settings={"scenes": SCENES}))

    assert wait()["render_settings"] == {"scenes": SCENES}


def test_beyond_the_limit_every_mode_names_the_key(
    connect: Any, service: Any, wait: Callable[..., Any]
) -> None:
    connect(service.url, max_reply_mib=1)
    service.will("in-progress", service.job("completed", render_settings={"scenes": SCENES}))

    with raises_telling(JobReplyTooLargeError, r"larger than 1 MiB.*max_reply_mib"):
        wait()


def test_a_job_that_runs_all_the_same_is_waited_for_in_the_triggerer_again(
    connect: Any, service: Any
) -> None:
    connect(service.url)
    service.will(service.job("in-progress", echo=SCENES))
    deadline = time.time() + 3600
    unread = JobReplyTooLargeError("the answer is larger than 2 MiB", job_id="j-1")
    event = unread_event(
        "j-1", unread, deadline=deadline, submitted_at=1e9, kind=None, poll_interval=0.01, webhook=False
    )

    with pytest.raises(TaskDeferred) as deferred:
        VideoJobSensor(task_id="wait", job_id="j-1", deferrable=True).resume_execution(
            "execute_complete", {"event": event}, context()
        )

    trigger = deferred.value.trigger
    assert (trigger.deadline, trigger.submitted_at, trigger.poll_interval) == (deadline, 1e9, 60)
    assert not trigger.cancel_on_kill
