"""Failures are told to XCom, and stop those that would fail alike before they send anything."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException, AirflowSkipException, AirflowTaskTimeout

from airflow_video_creation.operators.base import BaseVideoCreationOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.provider.protocol.errors import (
    AuthenticationError,
    ConfigurationError,
    ExecutionTimeoutError,
    InvalidRequestError,
    JobFailedError,
    RequestRefusedError,
    SpendingStoppedError,
)

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}


class MappedTask:
    """A mapped task of one run: the XComs of all its map indexes, and their tries."""

    def __init__(self) -> None:
        self.xcoms: dict[tuple[str, int], Any] = {}
        self.requests = 0
        self.away = False

    def context(self, map_index: int, max_tries: int = 2) -> Any:
        ti = SimpleNamespace(
            task_id="group.task",
            map_index=map_index,
            max_tries=max_tries,
            try_number=1,
            task=SimpleNamespace(retries=2),
            start_date=datetime.now(UTC),
            xcom_push=lambda key, value: self.push(key, map_index, value),
            xcom_pull=self.pull,
        )
        return {"ti": ti}

    def push(self, key: str, map_index: int, value: Any) -> None:
        if self.away:
            raise ConnectionError
        self.xcoms[key, map_index] = json.loads(json.dumps(value))

    def pull(self, *, task_ids: list[str], key: str) -> list[Any]:
        self.requests += 1
        if self.away:
            raise ConnectionError
        assert task_ids == ["group.task"]
        found = [value for (name, _), value in sorted(self.xcoms.items()) if name == key]
        return found or [None]

    def failure(self, map_index: int) -> Any:
        return self.xcoms["failure", map_index]


@pytest.fixture
def mapped() -> MappedTask:
    return MappedTask()


def create(mapped: MappedTask, map_index: int, max_tries: int = 2, **arguments: Any) -> Any:
    given = {"storyboard": {**STORYBOARD, "videoName": f"v{map_index}"}, **arguments}
    return CreateStoryboardOperator(task_id="task", **given).execute(mapped.context(map_index, max_tries))


def fail_alike(mapped: MappedTask, count: int, kind: type[Exception] = AuthenticationError) -> None:
    for index in range(count):
        with pytest.raises(kind):
            create(mapped, index)


def test_the_fourth_is_not_sent_after_three_tokens_were_refused(emulator: Any, mapped: MappedTask) -> None:
    emulator.admin.add_fault("status", on="storyboard", status=401)
    fail_alike(mapped, 3)

    with pytest.raises(SpendingStoppedError, match="Create storyboard 'v3': not sent, since 3") as stopped:
        create(mapped, 3)
    assert isinstance(stopped.value, AirflowFailException)
    assert {call["name"] for call in emulator.admin.calls(operation="storyboard")} == {"v0", "v1", "v2"}
    assert mapped.failure(3)["kind"] == "SpendingStoppedError"
    assert ("shared_failure", 3) not in mapped.xcoms


def test_after_the_token_is_mended_and_the_tasks_are_cleared_all_are_sent(
    emulator: Any, mapped: MappedTask
) -> None:
    emulator.admin.add_fault("status", on="storyboard", status=401)
    fail_alike(mapped, 3)
    emulator.admin.clear_faults()

    # A clear raises max_tries; the XComs of those that have not started again are still there.
    assert create(mapped, 3, max_tries=3)


def test_a_quota_counts_and_what_is_the_videos_own_does_not(emulator: Any, mapped: MappedTask) -> None:
    emulator.admin.add_fault("status", on="storyboard", status=402)
    fail_alike(mapped, 2, RequestRefusedError)
    emulator.admin.clear_faults()
    emulator.admin.add_fault("status", on="storyboard", status=400)
    for index in (2, 3, 4):
        with pytest.raises(RequestRefusedError):
            create(mapped, index)
    emulator.admin.clear_faults()

    assert create(mapped, 5)
    with pytest.raises(SpendingStoppedError, match="payment"):
        create(mapped, 6, stop_after=2)


def test_it_can_be_switched_off(emulator: Any, mapped: MappedTask) -> None:
    emulator.admin.add_fault("status", on="storyboard", status=401)
    fail_alike(mapped, 3)
    emulator.admin.clear_faults()
    before = mapped.requests

    assert create(mapped, 3, stop_after=None)
    assert mapped.requests == before


def test_it_costs_one_request_a_submission_and_none_where_nothing_is_mapped(
    emulator: Any, mapped: MappedTask
) -> None:
    create(mapped, 0)
    assert mapped.requests == 1
    create(mapped, -1)
    assert mapped.requests == 1


def test_the_task_goes_on_when_xcom_cannot_be_read(emulator: Any, mapped: MappedTask, log: Any) -> None:
    mapped.away = True

    assert create(mapped, 0)
    assert "cannot be read: ConnectionError" in log()


def test_a_failure_that_cannot_be_told_stays_the_failure_that_it_is(
    emulator: Any, mapped: MappedTask, log: Any
) -> None:
    emulator.admin.add_fault("status", on="storyboard", status=401)
    mapped.away = True

    fail_alike(mapped, 1)
    assert "could not be told to XCom: ConnectionError" in log()


@pytest.mark.parametrize("value", [0, -1, 1.5, "3", True])
def test_a_wrong_number_is_refused_while_the_dag_is_parsed(value: Any) -> None:
    with pytest.raises(ConfigurationError, match="stop_after of task 't' must be a whole number"):
        CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD, stop_after=value)


def test_a_render_is_stopped_before_its_storyboard_is_even_read(emulator: Any, mapped: MappedTask) -> None:
    emulator.admin.add_fault("status", on="render", status=401)
    for index in range(3):
        job_id = create(MappedTask(), -1)
        with pytest.raises(AuthenticationError):
            render(job_id, f"v{index}").execute(mapped.context(index))
    before = len(emulator.admin.calls())

    with pytest.raises(SpendingStoppedError, match="Render video 'v3' of storyboard job j-1: not sent"):
        render("j-1", "v3").execute(mapped.context(3))
    assert len(emulator.admin.calls()) == before


def render(storyboard_job_id: str, name: str) -> RenderVideoOperator:
    return RenderVideoOperator(task_id="t", storyboard_job_id=storyboard_job_id, video_name=name)


class Broken(BaseVideoCreationOperator):
    """An operator of somebody else, which knows nothing of XCom."""

    def __init__(self, *, error: BaseException, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.error = error

    def execute(self, context: Any) -> None:
        raise self.error

    def go_on(self, context: Any, event: Any) -> None:
        raise self.error


@pytest.mark.parametrize("resumed", [False, True])
@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (RequestRefusedError("no", status=400, code="bad"), "RequestRefusedError"),
        (KeyError("token=secret"), "KeyError"),
        (AirflowTaskTimeout("Timeout"), "AirflowTaskTimeout"),
        (AirflowSkipException("no news"), None),
    ],
)
def test_every_failure_of_every_operator_is_told(
    mapped: MappedTask, error: BaseException, kind: str | None, resumed: bool
) -> None:
    operator, context = Broken(error=error, task_id="t"), mapped.context(4)
    with pytest.raises(type(error)):
        _ = (
            operator.resume_execution("go_on", {"event": {}}, context)
            if resumed
            else operator.execute(context)
        )

    if kind is None:
        assert mapped.xcoms == {}
        return
    told = mapped.failure(4)
    assert (told["kind"], told["task_id"], told["map_index"]) == (kind, "group.task", 4)
    assert (told["generation"], told["try_number"]) == (2, 1)
    assert "secret" not in told["message"]


@pytest.mark.parametrize(
    "storyboard", [STORYBOARD, json.dumps(STORYBOARD), "videoName: v\nscenes: [{text: t}]"]
)
def test_a_failure_after_a_deferral_names_the_video(
    emulator: Any, mapped: MappedTask, storyboard: Any
) -> None:
    operator = CreateVideoOperator(task_id="t", storyboard=storyboard)
    event = {"version": 1, "job_id": "j", "outcome": "error", "error": "JobFailedError", "message": "m"}
    with pytest.raises(JobFailedError):
        operator.resume_execution("execute_complete", {"event": event}, mapped.context(0))

    assert (mapped.failure(0)["video"], mapped.failure(0)["job_id"]) == ("v", "j")


def test_a_wrong_storyboard_is_told_too(emulator: Any, mapped: MappedTask) -> None:
    with pytest.raises(InvalidRequestError):
        CreateStoryboardOperator(task_id="t", storyboard="no storyboard").execute(mapped.context(0))

    assert mapped.failure(0)["video"] is None


def test_a_try_that_ran_out_of_time_while_deferred_says_so(emulator: Any, mapped: MappedTask) -> None:
    operator = CreateVideoOperator(
        task_id="t", storyboard=STORYBOARD, execution_timeout=timedelta(seconds=30)
    )
    with pytest.raises(ExecutionTimeoutError):
        operator.resume_execution("__fail__", {"error": "Trigger timeout"}, mapped.context(0))

    assert mapped.failure(0)["kind"] == "ExecutionTimeoutError"
