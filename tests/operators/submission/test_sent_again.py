"""Where the service takes the identity of a submission, a retry sends it again and is paid for once."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.voiceover import AddVoiceoverTrackOperator
from airflow_video_creation.provider.errors import AmbiguousSubmissionError, RequestRefusedError

from ...sample_requests import AWS_CONNECTION, VOICEOVER_TRACK
from ...told_errors import raises_telling
from .conftest import STORYBOARD
from .deaths import BASE, Killed

CALLBACKS = {"callback_base_url": "https://airflow.example.com", "webhook_secret": "sixteen letters!"}


@pytest.mark.parametrize("after", [False, True], ids=["before it has an effect", "after it"])
@pytest.mark.parametrize("touch", range(4))
@pytest.mark.parametrize("extra", [{}, CALLBACKS], ids=["polling", "webhook"])
def test_a_worker_may_die_at_any_moment(
    world: Any, task: Any, storyboard: Any, die: Any, touch: int, after: bool, extra: Any
) -> None:
    service = world("key", **extra)
    die(service, task, touch, after=after)
    with pytest.raises(Killed):
        storyboard(service, task)
    task.retry()
    made = storyboard(service, task)

    assert service.own == [made]


@pytest.mark.parametrize("second", range(5))
def test_the_worker_that_sends_it_again_may_die_too(
    world: Any, task: Any, storyboard: Any, die: Any, second: int
) -> None:
    service = world("key")
    for touch in (2, second):
        die(service, task, touch, after=True)
        with pytest.raises(Killed):
            storyboard(service, task)
        task.retry()
    die(service, task, -1)

    made = storyboard(service, task)
    assert service.own == [made]


def keys(service: Any) -> list[str]:
    return [key for key, _ in service.seen]


def test_every_send_of_one_submission_carries_one_key(world: Any, task: Any, storyboard: Any) -> None:
    service = world("key")
    service.will = ["503", "loses the answer", "fails after it", "429", "is not reached"]

    assert storyboard(service, task) == "j-0"
    assert service.own == ["j-0"]
    assert len(service.seen) > 1
    assert len(set(keys(service))) == 1
    assert len(keys(service)[0]) == 32


def test_another_submission_carries_another_key(
    world: Any, task: Any, make_task: Any, storyboard: Any
) -> None:
    service = world("key")
    storyboard(service, task)
    task.clear()
    storyboard(service, task)
    storyboard(service, make_task(map_index=3))
    assert len(set(keys(service))) == 3


@pytest.mark.parametrize("ended", [{"state": "failed"}, {"state": "refused", "job_id": None}])
def test_after_a_failed_job_or_a_refusal_the_key_is_another(
    world: Any, task: Any, storyboard: Any, ended: Any
) -> None:
    """Else the service would answer with the old job."""
    service = world("key")
    storyboard(service, task)
    task.set_record("", task.record() | ended)
    task.retry()
    assert storyboard(service, task) == "j-1"
    assert len(set(keys(service))) == 2


def test_a_call_of_the_hook_alone_has_a_key_of_its_own(world: Any) -> None:
    service = world("key")
    service.will = ["loses the answer"]
    hook = VideoCreationHook(clock=service.clock, sleep=service.clock.sleep)
    assert hook.create_storyboard(STORYBOARD) == "j-0"
    assert hook.render_video({"scenes": 1}) == "j-1"
    first, again, other = keys(service)
    assert first == again != other


@pytest.mark.parametrize(
    ("operator", "path", "id_field"),
    [
        (
            RegisterAwsConnectionOperator(task_id="t", connection=AWS_CONNECTION),
            "awsconnections",
            "connectionId",
        ),
        (AddVoiceoverTrackOperator(task_id="t", track=VOICEOVER_TRACK), "voiceovers/tracks", "id"),
    ],
)
def test_a_registration_is_sent_again_too(
    connect: Any, requests_mock: Any, task: Any, operator: Any, path: str, id_field: str
) -> None:
    connect(idempotency_header="Idempotency-Key")
    seen: list[str] = []

    def answered(request: Any, context: Any) -> Any:
        seen.append(request.headers["Idempotency-Key"])
        if len(seen) == 1:
            raise Killed
        return {id_field: "x-1"}

    requests_mock.post(f"{BASE}/serviceapis/v1/{path}", json=answered)
    with pytest.raises(Killed):
        operator.execute(task.context())
    task.retry()

    assert operator.execute(task.context()) == {id_field: "x-1"}
    assert seen[0] == seen[1]


def dies_in_doubt(service: Any, task: Any, storyboard: Any, die: Any) -> None:
    """The request was accepted, and the worker is gone."""
    die(service, task, 2, after=True)
    with pytest.raises(Killed):
        storyboard(service, task)
    assert service.own == ["j-0"]
    die(service, task, -1)
    task.retry()


def test_another_body_is_not_sent_under_the_key(world: Any, task: Any, storyboard: Any, die: Any) -> None:
    service = world("key")
    dies_in_doubt(service, task, storyboard, die)

    with pytest.raises(
        AmbiguousSubmissionError, match=r"has changed since then \(videoDescription\)"
    ) as doubt:
        storyboard(service, task, storyboard={**STORYBOARD, "videoDescription": "made at 10:42"})

    assert isinstance(doubt.value, AirflowFailException)
    assert len(service.seen) == 1


def test_a_moved_list_sends_nothing_under_the_key_of_another_video(
    world: Any, mapped: Any, storyboard: Any, die: Any
) -> None:
    service = world("key")
    dies_in_doubt(service, mapped, storyboard, die)
    with raises_telling(AmbiguousSubmissionError, "which was for video 'Night'"):
        storyboard(service, mapped, storyboard={**STORYBOARD, "videoName": "Day"})
    assert len(service.seen) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"host": "https://other.example.com"},
        {"idempotency_header": "Other-Key"},
        {"idempotency_header": None},
    ],
    ids=["another service", "another header", "no header"],
)
def test_another_connection_leaves_it_in_doubt(
    world: Any, task: Any, storyboard: Any, die: Any, connect: Any, changed: Any
) -> None:
    service = world("key")
    dies_in_doubt(service, task, storyboard, die)
    connect(**{"idempotency_header": "Idempotency-Key"} | changed)
    with raises_telling(AmbiguousSubmissionError, "ended before it knew the answer"):
        storyboard(service, task)
    assert len(service.seen) == 1


def test_another_user_leaves_it_in_doubt(world: Any, task: Any, storyboard: Any, die: Any) -> None:
    service = world("key")
    dies_in_doubt(service, task, storyboard, die)
    with pytest.raises(AmbiguousSubmissionError):
        storyboard(service, task, user_id="another")
    assert len(service.seen) == 1


@pytest.mark.parametrize("age", [7 * 3600, 3 * 86400])
def test_a_key_that_the_service_may_have_forgotten_is_not_relied_on(
    world: Any, task: Any, storyboard: Any, die: Any, age: float
) -> None:
    service = world("key")
    dies_in_doubt(service, task, storyboard, die)
    service.clock.now += age
    with pytest.raises(AmbiguousSubmissionError):
        storyboard(service, task)
    assert len(service.seen) == 1


def test_the_record_of_an_older_release_is_in_doubt_as_before(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("key", "list")
    dies_in_doubt(service, task, storyboard, die)
    del task.record()["identity"]
    with pytest.raises(AmbiguousSubmissionError):
        storyboard(service, task)
    assert len(service.seen) == 1


@pytest.mark.parametrize("status", ["400", "401", "403", "409", "422", "429"])
def test_what_a_second_send_is_refused_with_says_nothing_of_the_first(
    world: Any, task: Any, storyboard: Any, die: Any, status: str
) -> None:
    service = world("key")
    dies_in_doubt(service, task, storyboard, die)
    service.will = [status] * 100
    with raises_telling(AmbiguousSubmissionError, "may be paid for"):
        storyboard(service, task)
    assert task.record()["state"] == "intent"
    service.will = []
    task.retry()
    assert storyboard(service, task) == "j-0"
    assert service.own == ["j-0"]


@pytest.mark.parametrize("status", ["400", "422", "429"])
def test_a_refusal_after_a_lost_answer_in_one_try_proves_nothing(
    world: Any, task: Any, storyboard: Any, status: str
) -> None:
    service = world("key")
    service.will = ["loses the answer", *[status] * 100]
    with pytest.raises(
        AmbiguousSubmissionError, match="A retry of this task sends the same request again"
    ) as doubt:
        storyboard(service, task)
    assert not isinstance(doubt.value, AirflowFailException)
    assert task.record()["state"] == "intent"
    service.will = []
    task.retry()
    assert storyboard(service, task) == "j-0"
    assert service.own == ["j-0"]


def test_whoever_dies_in_the_pause_after_a_lost_answer_leaves_the_doubt_and_the_key(
    world: Any, task: Any, storyboard: Any
) -> None:
    service = world("key")
    service.will = ["loses the answer"]
    sleep = service.clock.sleep

    def die(seconds: float) -> None:
        service.clock.sleep = sleep
        raise Killed

    service.clock.sleep = die
    with pytest.raises(Killed):
        storyboard(service, task)
    task.retry()
    assert storyboard(service, task) == "j-0"
    assert service.own == ["j-0"]


def test_a_store_that_is_away_as_it_is_sent_again_keeps_the_key(
    world: Any, task: Any, storyboard: Any, die: Any
) -> None:
    service = world("key")
    dies_in_doubt(service, task, storyboard, die)
    task.store.refuse = [True]
    with pytest.raises(Exception, match="nothing was sent now"):
        storyboard(service, task)
    task.retry()
    assert storyboard(service, task) == "j-0"
    assert service.own == ["j-0"]


def test_a_first_refusal_is_a_refusal(world: Any, task: Any, storyboard: Any) -> None:
    service = world("key")
    service.will = ["409"]
    with pytest.raises(RequestRefusedError):
        storyboard(service, task)
    assert task.record()["state"] == "refused"


def test_without_a_store_nothing_is_sent_again(world: Any, make_task: Any, storyboard: Any) -> None:
    service, task = world("key"), make_task(store=False)
    storyboard(service, task)
    task.retry()
    with pytest.raises(AmbiguousSubmissionError):
        storyboard(service, task)
    assert len(service.seen) == 1


def test_a_service_that_takes_no_key_is_sent_none(
    world: Any, task: Any, storyboard: Any, requests_mock: Any
) -> None:
    service = world()
    storyboard(service, task)
    assert not [name for name in requests_mock.last_request.headers if "key" in name.lower()]
