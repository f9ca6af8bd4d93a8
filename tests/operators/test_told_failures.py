"""However a task of ours fails, it tells XCom how, once: siblings stop by it, and the summary names the cause."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import (
    DAG,
    AirflowException,
    AirflowSkipException,
    AirflowTaskTimeout,
    TaskDeferred,
)
from airflow.sdk import task

from airflow_video_creation.hooks.airflow.failure_xcom import telling_failures
from airflow_video_creation.operators.approval import ApproveVideoOperator
from airflow_video_creation.operators.articles import FetchArticlesOperator
from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.base.video_creation import BaseVideoCreationOperator
from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.plan import PlanVideosOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.operators.voiceover import AddVoiceoverTrackOperator
from airflow_video_creation.provider.errors import (
    ExecutionTimeoutError,
    JobFailedError,
    RequestRefusedError,
)
from airflow_video_creation.provider.info import get_provider_info
from airflow_video_creation.sensors.video_job import VideoJobSensor

try:
    from airflow.sdk.exceptions import AirflowRescheduleException
except ImportError:  # below Airflow 3.2
    from airflow.exceptions import AirflowRescheduleException

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}
FAILED = {"version": 1, "job_id": "j", "outcome": "error", "error": "JobFailedError", "message": "m"}


class Ti:
    """A running task instance that keeps all that is pushed."""

    dag_id, run_id, task_id, map_index, max_tries, try_number = "d", "r", "group.task", 4, 2, 1
    task = SimpleNamespace(retries=2)
    start_date = datetime.now(UTC)

    def __init__(self) -> None:
        self.pushed: list[tuple[str, Any]] = []

    def xcom_push(self, key: str, value: Any) -> None:
        self.pushed.append((key, value))

    def xcom_pull(self, **_: Any) -> list[Any]:
        return [None]

    @property
    def failures(self) -> list[Any]:
        return [value for key, value in self.pushed if key == "failure"]

    @property
    def kinds(self) -> list[str]:
        return [value["kind"] for value in self.failures]


@pytest.fixture
def ti() -> Ti:
    return Ti()


def decorated() -> Any:
    @task.storyboard
    def write() -> Any:
        return "no storyboard"

    with DAG("d"):
        return write().operator


NOWHERE: dict[str, Any] = {"task_id": "t", "video_creation_conn_id": "nowhere"}
FAILING: dict[str, Callable[[], Any]] = {
    "ApproveVideoOperator": lambda: ApproveVideoOperator(storyboard_job_id="j", **NOWHERE),
    "FetchArticlesOperator": lambda: FetchArticlesOperator(task_id="t", urls=[5]),
    "RegisterAwsConnectionOperator": lambda: RegisterAwsConnectionOperator(connection="x", **NOWHERE),
    "DownloadVideoOperator": lambda: DownloadVideoOperator(job_id="j", destination="/v/", **NOWHERE),
    "PlanVideosOperator": lambda: PlanVideosOperator(task_id="t", storyboards="no list"),
    "RenderVideoOperator": lambda: RenderVideoOperator(storyboard_job_id="j", **NOWHERE),
    "CreateStoryboardOperator": lambda: CreateStoryboardOperator(storyboard=STORYBOARD, **NOWHERE),
    "@task.storyboard": decorated,
    "CreateVideoOperator": lambda: CreateVideoOperator(storyboard=STORYBOARD, **NOWHERE),
    "CreateVideosOperator": lambda: CreateVideosOperator(
        storyboards=[STORYBOARD], destination="/v/", **NOWHERE
    ),
    "AddVoiceoverTrackOperator": lambda: AddVoiceoverTrackOperator(track="x", **NOWHERE),
    "VideoJobSensor": lambda: VideoJobSensor(job_id="j", **NOWHERE),
}


@pytest.mark.parametrize("make", FAILING.values(), ids=FAILING)
def test_every_operator_tells_once_how_it_fails(ti: Ti, make: Callable[[], Any]) -> None:
    with pytest.raises(AirflowException) as raised:
        make().execute({"ti": ti})

    assert ti.kinds == [type(raised.value).__name__]


def test_no_operator_that_calls_the_service_is_missing_above() -> None:
    modules = {name for group in get_provider_info()["operators"] for name in group["python-modules"]}
    ours = {
        name
        for module in modules
        for name, kind in inspect.getmembers(import_module(module), inspect.isclass)
        if issubclass(kind, BaseVideoCreationOperator) and kind.__module__ == module
    }
    assert ours
    assert ours <= FAILING.keys()


@pytest.mark.parametrize("kind", [CreateVideoOperator, CreateStoryboardOperator])
@pytest.mark.parametrize(
    "storyboard", [STORYBOARD, "videoName: v\nscenes: [{text: t}]"], ids=["dict", "text"]
)
def test_a_failure_after_a_deferral_names_the_video(
    emulator: Any, ti: Ti, kind: Any, storyboard: Any
) -> None:
    operator = kind(task_id="t", storyboard=storyboard)
    with pytest.raises(JobFailedError):
        operator.resume_execution("execute_complete", {"event": FAILED}, {"ti": ti})

    [told] = ti.failures
    assert (told["kind"], told["video"], told["job_id"]) == ("JobFailedError", "v", "j")


def test_so_does_a_sensor(ti: Ti) -> None:
    with pytest.raises(JobFailedError):
        VideoJobSensor(task_id="t", job_id="j").resume_execution(
            "execute_complete", {"event": FAILED}, {"ti": ti}
        )

    assert ti.kinds == ["JobFailedError"]


@pytest.mark.parametrize("kind", [CreateVideoOperator, CreateStoryboardOperator])
def test_a_try_that_ran_out_of_time_while_deferred_says_so(emulator: Any, ti: Ti, kind: Any) -> None:
    operator = kind(task_id="t", storyboard=STORYBOARD, execution_timeout=timedelta(seconds=30))
    with pytest.raises(ExecutionTimeoutError):
        operator.resume_execution("__fail__", {"error": "Trigger timeout"}, {"ti": ti})

    assert ti.kinds == ["ExecutionTimeoutError"]


def test_an_answer_that_cannot_be_read_is_told(ti: Ti) -> None:
    operator = ApproveVideoOperator(task_id="t", storyboard_job_id="j")
    event = {"error": "no", "error_type": "unknown"}
    with pytest.raises(Exception, match="no"):
        operator.resume_execution("execute_complete", {"event": event}, {"ti": ti})

    assert len(ti.failures) == 1


class Sayings:
    """An operator that ends as it is told."""

    log = logging.getLogger(__name__)

    def __init__(self, error: BaseException) -> None:
        self.error = error

    @telling_failures
    def execute(self, context: Any) -> None:
        raise self.error


@pytest.mark.parametrize(
    "error",
    [
        RequestRefusedError("no", status=400, code="bad"),
        KeyError("token=secret"),
        AirflowTaskTimeout("Timeout"),
    ],
)
def test_what_is_told_says_whose_failure_it_is_and_holds_no_secret(ti: Ti, error: BaseException) -> None:
    with pytest.raises(type(error)):
        Sayings(error).execute({"ti": ti})

    [told] = ti.failures
    assert (told["kind"], told["task_id"], told["map_index"]) == (type(error).__name__, "group.task", 4)
    assert "secret" not in told["message"]


@pytest.mark.parametrize(
    "ending",
    [
        AirflowSkipException("no news"),
        AirflowRescheduleException(datetime.now(UTC)),
        TaskDeferred(trigger=None, method_name="go_on"),
    ],
    ids=["skipped", "rescheduled", "deferred"],
)
def test_what_is_no_failure_is_not_told(ti: Ti, ending: BaseException) -> None:
    with pytest.raises(type(ending)):
        Sayings(ending).execute({"ti": ti})

    assert ti.pushed == []
