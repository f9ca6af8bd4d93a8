"""The sensor decides the same in poke, reschedule and deferrable mode."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import (
    AirflowFailException,
    AirflowSensorTimeout,
    AirflowSkipException,
)

from airflow_video_creation.provider.errors import (
    AuthenticationError,
    JobDeadlinePassedError,
    JobFailedError,
    JobLostError,
    JobResultPurgedError,
    PermissionDeniedError,
    VideoCreationError,
)
from airflow_video_creation.sensors.video_job import VideoJobSensor

from ..told_errors import raises_telling

Wait = Callable[..., Any]


def test_the_finished_job_is_returned(connect: Any, service: Any, wait: Wait) -> None:
    connect(service.url)
    service.will(
        "in-progress", "in-progress", service.job("completed", videoURL="https://v.example.com/1.mp4")
    )

    job = wait()

    assert job["job_id"] == "j-1"
    assert job["state"] == "completed"
    assert job["video_url"] == "https://v.example.com/1.mp4"
    assert job["error_message"] is None


def test_a_job_id_that_is_a_number_is_waited_for(connect: Any, service: Any, wait: Wait) -> None:
    connect(service.url)
    service.will("in-progress", "completed")

    assert wait(job_id=42)["job_id"] == "42"
    assert {seen.path for seen in service.seen} == {"/api/v1/job/42"}


def test_the_job_is_asked_for_through_the_sensors_connection_as_its_user(
    connect: Any, service: Any, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect(service.url)
    monkeypatch.setenv("AIRFLOW_CONN_OTHER", os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"])
    monkeypatch.delenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT")
    service.will("in-progress", "in-progress", "completed")

    assert wait(video_creation_conn_id="other", user_id="editor-2")["state"] == "completed"
    assert {seen.headers["x-service-user-id"] for seen in service.seen} == {"editor-2"}


@pytest.mark.usefixtures("sleeping_passes_time")
@pytest.mark.parametrize(
    "fault", ["503", "429", "reset", "hang", "truncated", "malformed", "html", "404", "polishing"]
)
def test_trouble_that_passes_is_borne(connect: Any, service: Any, wait: Wait, fault: str) -> None:
    hangs = fault == "hang"
    connect(service.url, connect_timeout=0.3 if hangs else 10, read_timeout=0.2 if hangs else 30)
    service.will("in-progress", fault, "completed")

    assert wait()["state"] == "completed"


@pytest.mark.parametrize(("state", "kind"), [("failed", JobFailedError), ("cleaned", JobResultPurgedError)])
@pytest.mark.parametrize("before", [[], ["in-progress"]], ids=["at once", "later"])
def test_a_job_that_ends_badly_fails_the_task_without_a_retry(
    connect: Any, service: Any, wait: Wait, before: list[str], state: str, kind: type[VideoCreationError]
) -> None:
    connect(service.url)
    service.will(*before, service.job(state, error_message="no such voice"))

    with pytest.raises(kind, match="j-1") as told:
        wait()
    assert isinstance(told.value, AirflowFailException)


@pytest.mark.usefixtures("fast_clock")
@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("404", JobLostError),
        ("401", AuthenticationError),
        ("403", PermissionDeniedError),
    ],
)
def test_what_lasts_too_long_ends_the_wait(
    connect: Any, service: Any, wait: Wait, fault: str, kind: type[VideoCreationError]
) -> None:
    connect(service.url)
    service.will("in-progress", fault)

    with pytest.raises(kind):
        wait()


@pytest.mark.parametrize("answer", ["in-progress", "503", "hang", "drip", "404"])
def test_a_wait_that_is_out_of_time_is_a_sensors_time_out_with_the_job_id(
    connect: Any, service: Any, wait: Wait, answer: str
) -> None:
    connect(service.url, read_timeout=3600)
    service.will(answer)

    with raises_telling(JobDeadlinePassedError, r"[Jj]ob j-1.* may continue") as told:
        wait(timeout=0.3)
    assert isinstance(told.value, AirflowSensorTimeout)


def test_soft_fail_skips_on_a_time_out(connect: Any, service: Any, wait: Wait) -> None:
    connect(service.url)
    service.will("in-progress")

    with pytest.raises(AirflowSkipException, match=r"timed out: .*[Jj]ob j-1"):
        wait(timeout=0.1, soft_fail=True)


@pytest.mark.parametrize("flag", ["soft_fail", "never_fail"])
def test_airflows_own_time_out_skips_and_names_the_job_too(connect: Any, service: Any, flag: str) -> None:
    connect(service.url)
    service.will("in-progress")
    sensor = VideoJobSensor(task_id="t", job_id="j-1", timeout=0, poke_interval=0.01, **{flag: True})
    # The machine's clock is set back, so only Airflow's own monotonic one sees that the time is over.
    times = iter([2_000_000_000.0])
    sensor.clock = lambda: next(times, 1_999_999_000.0)

    with pytest.raises(AirflowSkipException, match=r"timed out: .*[Jj]ob j-1"):
        sensor.execute({"ti": SimpleNamespace(map_index=-1, xcom_push=lambda key, value: None)})


@pytest.mark.parametrize("answer", ["failed", "cleaned"])
def test_soft_fail_skips_on_nothing_else(connect: Any, service: Any, wait: Wait, answer: str) -> None:
    connect(service.url)
    service.will("in-progress", answer)

    with pytest.raises(VideoCreationError):
        wait(soft_fail=True)


@pytest.mark.parametrize("answer", ["failed", "in-progress"])
def test_never_fail_skips_on_everything(connect: Any, service: Any, wait: Wait, answer: str) -> None:
    connect(service.url)
    service.will("in-progress", answer)

    with pytest.raises(AirflowSkipException):
        wait(timeout=0.1, never_fail=True)


@pytest.mark.parametrize("flag", ["soft_fail", "never_fail"])
def test_neither_flag_hinders_the_wait(connect: Any, service: Any, wait: Wait, flag: str) -> None:
    connect(service.url)
    service.will("in-progress", "in-progress", "completed")

    assert wait(**{flag: True})["state"] == "completed"


def test_no_media_url_is_logged(connect: Any, service: Any, wait: Wait, log: Callable[[], str]) -> None:
    connect(service.url)
    done = service.job("completed", videoURL="https://v.example.com/1.mp4?X-Signature=only-for-you-7")
    service.will("in-progress", done)

    wait()

    assert "Job j-1 is completed" in log()
    assert "only-for-you" not in log()
