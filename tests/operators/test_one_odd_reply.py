"""One odd reply between good ones pays for nothing again: only the state ``failed`` says that a job failed."""

from __future__ import annotations

import time
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from airflow_video_creation.operators.video import CreateVideoOperator

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}
REPLIES: list[dict[str, Any]] = [
    {
        "job_id": "{job_id}",
        "success": False,
        "data": {"error_code": "5000", "error_message": "JOB_NOT_FOUND"},
    },
    {"success": False, "error": {"error_code": "RATE_LIMITED"}},
    {"success": False, "message": "Unauthorized: token expired"},
    {"error": "Service Temporarily Unavailable"},
    {"status": 500, "message": "Internal Server Error"},
    {"success": False, "errorType": "ThrottlingException"},
    {"success": False, "error": {"code": "JobNotFoundException"}},
    {"data": {"status": "processing", "progress": 40, "error": {"code": None, "message": None}}},
    {"job_id": "{job_id}", "status": "processing", "error_code": 0},
    {"job_id": "{job_id}", "status": "processing", "error": "none"},
    {"job_id": "another-1", "data": {"status": "completed", "videoURL": "https://v.example/1"}},
    {"job_id": "another-1", "data": {"status": "failed"}},
    {"success": False, "error": {"error_code": "E7", "error_message": "Something else"}},
    {"success": False},
    {"status": "error", "message": "Something else"},
    {},
]
MERGED: list[dict[str, Any]] = [
    {"error": {"code": 0, "message": "OK"}},
    {"success": False, "data": {"error": ["No music was found", "A scene is long"]}},
    {"data": {"error_code": "W1", "error_message": "No music was found"}},
]
"""What stands in every reply beside the job as it is."""


def video(deferrable: bool = False, **arguments: Any) -> CreateVideoOperator:
    return CreateVideoOperator(
        task_id="t", storyboard=STORYBOARD, poll_interval=0.05, deferrable=deferrable, **arguments
    )


def paid(emulator: Any) -> list[str]:
    return sorted(job["kind"] for job in emulator.admin.jobs())


@pytest.mark.parametrize("nth", [1, 2], ids=["storyboard", "render"])
@pytest.mark.parametrize("reply", REPLIES, ids=str)
def test_a_reply_that_comes_once(
    emulator: Any, task: Any, run: Any, deferrable: bool, reply: dict[str, Any], nth: int
) -> None:
    emulator.admin.change(job_polls=2)
    emulator.admin.add_fault("reply", on="job", body=reply, seconds=0, per_job=True, nth=[nth])

    assert run(video, task, deferrable)["video_url"]

    assert paid(emulator) == ["render", "storyboard"]
    assert [task.record(stage)["state"] for stage in ("storyboard", "render")] == ["completed", "completed"]


@pytest.mark.parametrize("warning", MERGED, ids=str)
def test_a_warning_beside_every_result(
    emulator: Any, task: Any, run: Any, deferrable: bool, warning: dict[str, Any]
) -> None:
    emulator.admin.add_fault("merge", on="job", body=warning)

    assert run(video, task, deferrable)["video_url"]

    assert paid(emulator) == ["render", "storyboard"]


WORDS = st.sampled_from(
    [
        *("completed", "in-progress", "cleaned", "processing", "error", "ok", "none", "FAILED_TO_START"),
        *("Job not found", "RATE_LIMITED", "Unauthorized", "Service Unavailable", "Font not found", "E7"),
        *(0, 1, 7, 40, 100, 200, 401, 404, 429, 500, True, False, None, "", "https://m.example/x.mp4"),
    ]
)
NAMES = st.sampled_from(
    [
        *("success", "status", "state", "jobStatus", "data", "error", "errors", "code", "error_code"),
        *("message", "error_message", "detail", "progress", "preview", "render_settings", "videoURL"),
        *("thumbnail", "url", "job_id"),
    ]
)
BODIES = st.dictionaries(
    NAMES,
    st.recursive(
        WORDS | st.text(max_size=12),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
        max_leaves=8,
    ),
    max_size=6,
)


def says_failed(body: Any) -> bool:
    """Whether a state anywhere in a body is ``failed``."""
    if isinstance(body, list):
        return any(map(says_failed, body))
    if not isinstance(body, dict):
        return False
    states = (body.get(name) for name in ("status", "state", "jobStatus", "job_status"))
    return any(str(state).strip().lower() == "failed" for state in states) or any(
        map(says_failed, body.values())
    )


OUTAGE = {"success": False, "message": "Database connection lost"}


def tries(emulator: Any, task: Any, *, pause: float, count: int = 4) -> list[str]:
    """Run a task with retries, and say how each try ended."""
    ends = []
    slept = 0.0
    for _ in range(count):
        operator = FastVideo(task_id="t", storyboard=STORYBOARD, slept=slept)
        try:
            operator.execute(task.context())
        except AirflowException as error:
            ends.append(f"{type(error).__name__}: {error}")
        else:
            ends.append("success")
            break
        slept = operator.slept + pause
        task.retry()
    return ends


def test_an_outage_that_tells_of_no_state_pays_for_nothing_again(emulator: Any, task: Any) -> None:
    """Three tries meet it, a few seconds apart, and the fourth comes after it."""
    emulator.admin.add_fault("reply", on="job", body=OUTAGE, nth=list(range(1, 40)))

    ends = tries(emulator, task, pause=3)

    assert paid(emulator) == ["render", "storyboard"]
    assert ends[-1] == "success"
    assert ends[0].startswith("JobFailedError")
    assert "A retry of this task reads the same job again, and sends nothing." in ends[0]


def test_a_failure_that_is_reported_for_ten_minutes_is_one(emulator: Any, task: Any) -> None:
    emulator.admin.add_fault("reply", on="job", body=OUTAGE)

    ends = tries(emulator, task, pause=300)

    assert [end.partition(":")[0] for end in ends] == ["JobFailedError"] * 4
    assert "A retry or a clear of this task submits and pays for a new one." in ends[2]
    assert paid(emulator) == ["storyboard", "storyboard"]


class FastVideo(CreateVideoOperator):
    """An operator for which time passes when it sleeps."""

    def __init__(self, slept: float = 0.0, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.slept = slept
        self.clock = lambda: time.time() + self.slept
        self.sleep = self._sleep
        from airflow_video_creation.hooks.video_creation import VideoCreationHook

        self.hook = VideoCreationHook(clock=self.clock, sleep=self._sleep)

    def _sleep(self, seconds: float) -> None:
        self.slept += seconds


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=BODIES.filter(lambda body: not says_failed(body)), nth=st.sampled_from([1, 2, 3, 4]))
def test_any_reply_without_the_state_failed(
    emulator: Any, make_task: Any, body: dict[str, Any], nth: int
) -> None:
    emulator.admin.reset()
    emulator.admin.change(job_polls=2)
    emulator.admin.add_fault("reply", on="job", body=body, nth=[nth])
    task = make_task()
    for _ in range(3):
        try:
            FastVideo(task_id="t", storyboard=STORYBOARD).execute(task.context())
        except AirflowFailException:
            break
        except AirflowException:
            task.retry()
        else:
            break

    assert paid(emulator) in (["storyboard"], ["render", "storyboard"])
