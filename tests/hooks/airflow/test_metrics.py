"""What an operator of Airflow sees in the metrics of the provider, through Airflow's own stats."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.hooks.airflow.metrics import ConnectionMetrics, count_submission
from airflow_video_creation.hooks.job_poll import poll
from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.errors import JobFailedError
from airflow_video_creation.provider.waiting.job_wait import JobWait
from airflow_video_creation.triggers.video_job import VideoJobTrigger

from ...told_metrics import Told, told

__all__ = ["told"]
CONN = {"video_creation_conn_id": "video_creation_default"}


def wait(**arguments: Any) -> JobWait:
    return JobWait("j-1", started_at=0.0, kind="render", **arguments)


def test_a_worker_tells_of_its_polls_and_of_the_jobs_end(
    connect: Any, service: Any, told: Told, clock: Any
) -> None:
    connect(service.url)
    service.will("in-progress", "429", service.job("completed", videoURL="https://v"))
    hook, waiting = VideoCreationHook(), wait()
    for _ in range(3):
        found = poll(hook, waiting, clock.time, hook.log)
        clock.sleep(10)

    assert found
    assert len(told.of("polls")) == 3
    assert told.of("rate_limited") == [(1, CONN | {"kind": "render"})]
    assert told.of("jobs_ended") == [(1, CONN | {"kind": "render", "state": "completed"})]
    # The last poll that found it running was 20 s before.
    assert told.of("detection_delay") == [(10_000.0, CONN | {"kind": "render", "found_by": "poll"})]


@pytest.mark.parametrize(
    ("answer", "state"), [("failed", "failed"), ("cleaned", "cleaned"), ("400", "error"), ("404", "lost")]
)
def test_a_wait_that_ends_badly_is_told_apart(
    connect: Any, service: Any, told: Told, clock: Any, answer: str, state: str
) -> None:
    connect(service.url)
    service.will(answer)
    hook = VideoCreationHook()
    with pytest.raises(Exception, match=r"\w"):
        poll(hook, wait(submitted_at=0.0), clock.time, hook.log)

    assert told.of("jobs_ended") == [(1, CONN | {"kind": "render", "state": state})]
    assert not told.of("detection_delay")


@pytest.mark.usefixtures("sleeping_passes_time")
async def test_the_triggerer_tells_of_polls_waits_and_ends(connect: Any, service: Any, told: Told) -> None:
    connect(service.url)
    service.will("in-progress", "429", "in-progress", "failed")
    trigger = VideoJobTrigger("j-1", poll_interval=0.01, kind="storyboard")
    [event] = [event async for event in trigger.run()]

    assert event.payload["error"] == JobFailedError.__name__
    assert sum(value for value, _ in told.of("polls")) == 4
    assert sum(value for value, _ in told.of("rate_limited")) == 1
    assert told.of("jobs_ended") == [(1, CONN | {"kind": "storyboard", "state": "failed"})]
    assert [value for value, _ in told.of("waits")] == [1, 0]
    assert told.of("budget_left")[0][0] > 0
    [(delay, tags)] = told.of("detection_delay")
    assert delay > 0
    assert tags["found_by"] == "poll"


def test_counts_of_ten_seconds_are_told_at_once(told: Told) -> None:
    metrics = ConnectionMetrics("video_creation_default")
    for _ in range(1000):
        metrics.count_later("polls", "render")
    metrics.count_later("polls", "")
    assert not told.metrics
    metrics.flush(100.0, waits=3)

    assert told.of("polls") == [(1000, CONN | {"kind": "render"}), (1, CONN | {"kind": "unknown"})]
    assert told.of("waits") == [(3, CONN)]
    assert metrics.flush_at == 110.0
    metrics.flush(110.0)
    assert len(told.of("polls")) == 2


@pytest.mark.parametrize(("attached", "how"), [(True, "attached"), (False, "submitted")])
def test_submissions_and_re_attachments_are_told_apart(told: Told, attached: bool, how: str) -> None:
    count_submission("video_creation_default", "render", attached=attached)
    assert told.of("submissions") == [(1, CONN | {"kind": "render", "how": how})]
