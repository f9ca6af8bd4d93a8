"""What is told of failures stops those that would fail alike before they send anything."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.provider.errors import (
    AuthenticationError,
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

    def context(self, map_index: int, max_tries: int = 2, clears: int = 0) -> Any:
        ti = SimpleNamespace(
            run_id="manual__1",
            task_id="group.task",
            map_index=map_index,
            max_tries=max_tries,
            try_number=1,
            task=SimpleNamespace(retries=2),
            start_date=datetime.now(UTC),
            xcom_push=lambda key, value: self.push(key, map_index, value),
            xcom_pull=self.pull,
        )
        return {"ti": ti, "dag_run": SimpleNamespace(clear_number=clears)}

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


def create(mapped: MappedTask, map_index: int, max_tries: int = 2, clears: int = 0, **arguments: Any) -> Any:
    given = {"storyboard": {**STORYBOARD, "videoName": f"v{map_index}"}, **arguments}
    context = mapped.context(map_index, max_tries, clears)
    return CreateStoryboardOperator(task_id="task", **given).execute(context)


def fail_alike(
    mapped: MappedTask, count: int, kind: type[Exception] = AuthenticationError, **of_task: int
) -> None:
    for index in range(count):
        with pytest.raises(kind):
            create(mapped, index, **of_task)


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

    # The XComs of those that have not started again are still there.
    assert create(mapped, 3, max_tries=3, clears=1)


def test_after_a_clear_it_makes_no_difference_how_many_tries_each_had_before(
    emulator: Any, mapped: MappedTask
) -> None:
    emulator.admin.add_fault("status", on="storyboard", status=401)
    fail_alike(mapped, 3, max_tries=5)
    emulator.admin.clear_faults()
    assert create(mapped, 3, max_tries=4, clears=1)

    emulator.admin.add_fault("status", on="storyboard", status=401)
    fail_alike(mapped, 3, max_tries=3, clears=1)
    with pytest.raises(SpendingStoppedError):
        create(mapped, 4, max_tries=6, clears=1)


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
    assert "failed alike: ConnectionError" in log()


def test_a_failure_that_cannot_be_told_stays_the_failure_that_it_is(
    emulator: Any, mapped: MappedTask, log: Any
) -> None:
    emulator.admin.add_fault("status", on="storyboard", status=401)
    mapped.away = True

    fail_alike(mapped, 1)
    assert "could not be written to XCom: ConnectionError" in log()


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
