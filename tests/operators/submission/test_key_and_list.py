"""Where the service takes keys and lists its jobs: the list is looked at first, and then it is sent under its key."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.provider.errors import AmbiguousSubmissionError

from .deaths import Killed


@pytest.mark.parametrize("status", ["400", "409", "422", "429"])
def test_a_refusal_of_the_second_send_proves_nothing_though_the_list_shows_none_yet(
    world: Any, task: Any, storyboard: Any, status: str
) -> None:
    service = world("key", "list")
    service.has("Another", ago=3600.0)
    service.shown_after = 1500.0
    service.will = ["loses the answer", *["503"] * 5, *[status] * 100]
    with pytest.raises(AmbiguousSubmissionError) as doubt:
        storyboard(service, task)
    assert not isinstance(doubt.value, AirflowFailException)
    assert task.record()["state"] == "intent"
    service.will = []
    task.retry()
    assert storyboard(service, task) == "j-1"
    assert service.own == ["j-1"]
    assert len({key for key, _ in service.seen}) == 1


def test_a_list_alone_lets_a_refusal_be_a_refusal(world: Any, task: Any, storyboard: Any) -> None:
    service = world("list")
    service.will = ["drops it", "422"]
    with pytest.raises(Exception, match="no"):
        storyboard(service, task)
    assert task.record()["state"] == "refused"


def dies(service: Any, task: Any, storyboard: Any, die: Any, *, accepted: bool = True) -> None:
    """In doubt: the request was accepted, or never left."""
    service.has("Another", ago=3600.0)
    die(service, task, 2, after=accepted)
    with pytest.raises(Killed):
        storyboard(service, task)
    die(service, task, -1)
    task.retry()


def test_a_job_that_the_list_shows_is_resumed_whether_or_not_the_key_is_known_still(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("key", "list")
    dies(service, task, storyboard, die)
    service.forgets_the_keys()
    service.clock.now += 300
    assert storyboard(service, task) == "j-1"
    assert len(service.seen) == 1


def test_a_job_that_the_list_does_not_show_is_asked_for_under_the_same_key(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("key", "list")
    dies(service, task, storyboard, die)
    service.shown_after = 1500.0
    assert storyboard(service, task) == "j-1"
    assert service.own == ["j-1"]
    assert len({key for key, _ in service.seen}) == 1


@pytest.mark.parametrize("unclear", ["away", "two of the name"])
def test_a_list_that_settles_nothing_leaves_it_to_the_key(
    world: Any, task: Any, storyboard: Any, die: Any, unclear: str
) -> None:
    service = world("key", "list")
    dies(service, task, storyboard, die)
    if unclear == "away":
        service.list_status = 503
    else:
        service.has("Night")
    assert storyboard(service, task) == "j-1"
    assert service.own == ["j-1"]


@pytest.mark.parametrize(("hours", "is_sent"), [(0.05, False), (6, True), (24, True)])
def test_the_connection_tells_how_long_the_service_remembers_a_key(
    world: Any, task: Any, storyboard: Any, die: Any, hours: float, is_sent: bool
) -> None:
    service = world("key", idempotency_hours=hours)
    dies(service, task, storyboard, die)
    service.clock.now += 240
    if is_sent:
        assert storyboard(service, task) == "j-1"
    else:
        with pytest.raises(AmbiguousSubmissionError):
            storyboard(service, task)
        assert len(service.seen) == 1
