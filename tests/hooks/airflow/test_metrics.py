"""What an operator of Airflow sees in the metrics of the provider, through Airflow's own stats."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any
from unittest.mock import MagicMock

import pytest
from airflow.providers.common.compat.sdk import Stats

from airflow_video_creation.hooks.airflow.metrics import ConnectionMetrics, count_submission, triggerer_stats
from airflow_video_creation.hooks.job_poll import poll
from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.errors import JobFailedError
from airflow_video_creation.provider.waiting.job_wait import JobWait
from airflow_video_creation.triggers.video_job import VideoJobTrigger

AIRFLOW = tuple(int(part) for part in version("apache-airflow-core").split(".")[:2])
CONN = {"video_creation_conn_id": "video_creation_default"}


class Told:
    """Stands where statsd would."""

    def __init__(self) -> None:
        self.metrics: list[tuple[str, float, dict[str, str]]] = []

    def incr(self, stat: str, count: int = 1, *, tags: dict[str, str]) -> None:
        self.metrics.append((stat, count, tags))

    def gauge(self, stat: str, value: float, *, tags: dict[str, str]) -> None:
        self.metrics.append((stat, value, tags))

    timing = gauge

    def of(self, name: str) -> list[tuple[float, dict[str, str]]]:
        return [(value, tags) for stat, value, tags in self.metrics if stat == f"video_creation.{name}"]


def make_ready(stats: Any, make: Callable[[], Any]) -> None:
    """Say where metrics go, as Airflow does when it starts; 3.1, 3.2 and 3.3 have each a way of their own."""
    if AIRFLOW < (3, 2):
        stats.instance, stats._instance_pid = make(), os.getpid()
    else:
        stats.initialize(factory=make, **({} if AIRFLOW < (3, 3) else {"export_legacy_names": False}))


@pytest.fixture
def told() -> Iterator[Told]:
    """What goes to Airflow's stats, in a worker and in the triggerer."""
    backend = Told()
    both = {id(stats): stats for stats in (Stats, triggerer_stats())}.values()
    for stats in both:
        make_ready(stats, lambda: backend)
    yield backend
    for stats in both:
        make_ready(stats, MagicMock)


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
