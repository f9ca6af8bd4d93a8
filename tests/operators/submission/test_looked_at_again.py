"""What the service's list cannot tell now, it may tell a retry."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.hooks.records.left_record import LeftRecord
from airflow_video_creation.provider.errors import AmbiguousSubmissionError
from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.stored_records import record_key
from airflow_video_creation.provider.webhooks.callback import Callback, callback_key

from .conftest import STORYBOARD
from .deaths import BASE, Killed


def is_retried(doubt: Any) -> bool:
    return not isinstance(doubt.value, AirflowFailException)


@pytest.mark.parametrize(("status", "retried"), [(503, True), (403, False)])
def test_the_try_that_lost_the_answer_lets_retries_look_where_the_list_is_away(
    world: Any, task: Any, storyboard: Any, status: int, retried: bool
) -> None:
    service = world("list")
    service.will, service.list_status = ["loses the answer"], status
    with pytest.raises(AmbiguousSubmissionError, match="list of jobs could not be read") as doubt:
        storyboard(service, task)
    assert is_retried(doubt) is retried
    assert ("A retry of this task checks again" in str(doubt.value)) is retried
    service.list_status = 200
    task.retry()
    assert storyboard(service, task) == "j-0"


def dies(service: Any, task: Any, storyboard: Any, die: Any, *, accepted: bool = True) -> None:
    """In doubt: the request was accepted, or never left."""
    die(service, task, 2, after=accepted)
    with pytest.raises(Killed):
        storyboard(service, task)
    die(service, task, -1)
    task.retry()


def test_a_body_that_reads_differently_is_looked_for_again_where_the_list_is_away(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("key", "list")
    dies(service, task, storyboard, die)
    service.list_status = 503
    changed = {**STORYBOARD, "videoDescription": "made at 10:42"}
    with pytest.raises(AmbiguousSubmissionError, match="has changed since then") as doubt:
        storyboard(service, task, storyboard=changed)
    assert is_retried(doubt)


def test_a_job_whose_kind_is_not_known_yet_is_looked_for_again(
    world: Any, task: Any, storyboard: Any, die: Any, requests_mock: Any
) -> None:
    service = world("list")
    dies(service, task, storyboard, die)
    service.jobs[0]["kind"] = None
    requests_mock.get(f"{BASE}/api/v1/job/j-0", json={"data": {"status": "in-progress"}})
    with pytest.raises(AmbiguousSubmissionError, match="may be it, or not: j-0") as doubt:
        storyboard(service, task)
    assert is_retried(doubt)
    done = {"data": {"status": "completed", "preview": "https://p"}}
    requests_mock.get(f"{BASE}/api/v1/job/j-0", json=done)
    assert storyboard(service, task) == "j-0"


def test_a_list_of_slow_pages_without_an_end_is_given_up(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("list")
    dies(service, task, storyboard, die, accepted=False)
    for _ in range(100):
        service.has("Another")
    service.page_size, service.page_takes = 1, 50.0
    began = service.clock.now
    with pytest.raises(AmbiguousSubmissionError, match="does not reach back"):
        storyboard(service, task)
    assert service.clock.now - began <= 200


def test_a_job_of_another_content_is_a_persons_to_judge(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("list")
    dies(service, task, storyboard, die)
    service.jobs[0]["videoDescription"] = "something else"
    with pytest.raises(AmbiguousSubmissionError, match="may be it, or not: j-0") as doubt:
        storyboard(service, task)
    assert not is_retried(doubt)


def test_whoever_says_resubmit_has_retries_look_before_that(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("list")
    dies(service, task, storyboard, die)
    service.list_status = 503
    with pytest.raises(AmbiguousSubmissionError) as doubt:
        storyboard(service, task, on_ambiguous="resubmit")
    assert is_retried(doubt)
    service.list_status = 200
    task.retry()
    assert storyboard(service, task, on_ambiguous="resubmit") == "j-0"
    assert len(service.seen) == 1


def test_the_last_try_resubmits_as_it_is_told(world: Any, task: Any, storyboard: Any, die: Any) -> None:
    service = world("list")
    dies(service, task, storyboard, die)
    service.list_status = 503
    task.retry()
    assert storyboard(service, task, on_ambiguous="resubmit") == "j-1"


def test_a_callback_that_comes_while_it_looks_is_taken(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("list")
    service.has("Another", ago=3600.0)
    service.shown_after = 1500.0
    dies(service, task, storyboard, die)
    sleep = service.clock.sleep

    def called_back(seconds: float) -> None:
        told = Callback(task.record()["begun_at"], "j-1", True, service.clock.now)
        task.store.values[callback_key()] = told.to_json()
        sleep(seconds)

    service.clock.sleep = called_back
    assert storyboard(service, task) == "j-1"
    assert service.own == ["j-1"]


def test_a_record_that_is_left_while_the_same_try_looks_is_taken_and_deleted(
    world: Any, task: Any, storyboard: Any, variables: dict[str, str]
) -> None:
    service = world("list")
    service.has("Another", ago=3600.0)
    service.shown_after = 1500.0
    service.will = ["loses the answer"]
    sleep = service.clock.sleep

    def left(seconds: float) -> None:
        record = Submission.from_json(task.record(), 0)
        if record and record.state == "intent":
            LeftRecord(task.ti, record_key()).leave(record.accepted("j-1").to_json())
        sleep(seconds)

    service.clock.sleep = left
    assert storyboard(service, task) == "j-1"
    assert service.own == ["j-1"]
    assert not variables
