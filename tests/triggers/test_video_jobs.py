"""One trigger for all jobs of a task that makes many videos: when it wakes a worker, and what it tells it."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from airflow.models.trigger import Trigger

from airflow_video_creation.provider.waiting.wait_event import ends_of
from airflow_video_creation.triggers.video_job import VideoJobTrigger
from airflow_video_creation.triggers.video_jobs import VideoJobsTrigger

pytestmark = pytest.mark.usefixtures("no_session_stays_open")


class Alarm:
    """The sleep of a trigger whose ``wake_after`` passes when a test says so."""

    WAKE_AFTER = 60.0

    def __init__(self) -> None:
        self.is_set = asyncio.Event()
        self.rings = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        if seconds == self.WAKE_AFTER:
            self.is_set.set()
            await self.rings.wait()
        else:
            await asyncio.sleep(seconds)


@pytest.fixture(autouse=True)
def no_scheduler_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(VideoJobsTrigger, "settle_seconds", 0.0)


@pytest.fixture
async def alarm() -> Alarm:
    return Alarm()


def trigger(*job_ids: str, alarm: Alarm | None = None, **arguments: Any) -> VideoJobsTrigger:
    jobs = [{"job_id": job_id} for job_id in job_ids]
    waiting = VideoJobsTrigger(**{"jobs": jobs, "poll_interval": 0.01, **arguments})
    if alarm:
        waiting.sleep = alarm.sleep  # type: ignore[method-assign]
    return waiting


async def event_of(waiting: VideoJobsTrigger) -> dict[str, Any]:
    async with asyncio.timeout(20):
        [event] = [event async for event in waiting.run()]
    payload: dict[str, Any] = json.loads(json.dumps(event.payload))
    return payload


def outcomes(event: Mapping[str, Any]) -> dict[str, str]:
    return {job_id: end.get("error") or end["outcome"] for job_id, end in ends_of(event).items()}


def path(job_id: str) -> str:
    return f"/api/v1/job/{job_id}"


def polls_of(service: Any, job_id: str) -> int:
    return [seen.path for seen in service.seen].count(path(job_id))


def nothing_is_left() -> bool:
    return asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_wait_that_is_over_at_once_lasts_as_long_as_a_busy_scheduler_needs(
    connect: Any, service: Any, pauses: Any
) -> None:
    connect(service.url)
    service.will("completed")
    waiting = trigger("j-1")
    waiting.settle_seconds = 5.0
    waiting.sleep = pauses.sleep  # type: ignore[method-assign]

    await event_of(waiting)

    assert 5.0 in pauses.asked


async def test_one_event_tells_that_all_have_ended_in_the_order_in_which_they_did(
    connect: Any, service: Any, alarm: Alarm, until: Any, log: Callable[[], str]
) -> None:
    connect(service.url)
    service.will("in-progress")
    waiting = asyncio.create_task(event_of(trigger("j-1", "j-2", "j-3", alarm=alarm)))
    for job_id in ("j-2", "j-3", "j-1"):
        assert not waiting.done()
        service.will("completed", on=path(job_id))
        await until(lambda job_id=job_id: f"Job {job_id}: completed" in log())

    completed = {"version": 1, "outcome": "completed"}
    assert await waiting == {
        "version": 1,
        "ends": [{**completed, "job_id": job_id} for job_id in ("j-2", "j-3", "j-1")],
    }


async def test_the_others_are_waited_for_a_while_after_the_first_end_and_no_longer(
    connect: Any, service: Any, alarm: Alarm, until: Any, log: Callable[[], str]
) -> None:
    connect(service.url)
    service.will("in-progress", on=path("long"))
    service.will("completed", on=path("first"))
    service.will("in-progress", on=path("second"))
    waiting = asyncio.create_task(event_of(trigger("long", "first", "second", alarm=alarm)))

    await alarm.is_set.wait()
    service.will("completed", on=path("second"))
    await until(lambda: "Job second: completed" in log())
    assert not waiting.done()
    alarm.rings.set()

    assert outcomes(await waiting) == {"first": "completed", "second": "completed"}
    assert "2 of 3 jobs have ended" in log()
    assert nothing_is_left()


async def test_no_time_passes_towards_the_wake_up_while_none_has_ended(
    connect: Any, service: Any, alarm: Alarm, until: Any
) -> None:
    connect(service.url)
    service.will("in-progress")
    alarm.rings.set()
    waiting = asyncio.create_task(event_of(trigger("j-1", "j-2", alarm=alarm)))

    await until(lambda: polls_of(service, "j-1") > 2)
    assert not alarm.is_set.is_set()
    service.will("completed", on=path("j-1"))

    assert outcomes(await waiting) == {"j-1": "completed"}


async def test_the_first_end_may_wake_a_worker_at_once(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("in-progress")
    service.will("in-progress", "completed", on=path("j-2"))

    assert outcomes(await event_of(trigger("j-1", "j-2", wake_after=0))) == {"j-2": "completed"}


async def test_each_job_ends_in_its_own_way(connect: Any, service: Any, clock: Any, alarm: Alarm) -> None:
    connect(service.url)
    service.will("completed")
    service.will(service.job("failed", error_message="no such voice"), on=path("failed"))
    service.will("cleaned", on=path("purged"))
    service.will("404", on=path("lost"))
    service.will("in-progress", on=path("late"))
    large = {"scenes": [0] * 150_000}
    service.will(service.job("completed", render_settings=large), on=path("large"))
    names = ["j-1", "failed", "purged", "lost", "late", "large", "j-2"]
    jobs: list[dict[str, Any]] = [{"job_id": name, "submitted_at": clock.now - 120} for name in names]
    jobs[4]["deadline"] = clock.now - 1
    jobs[5]["kind"] = "storyboard"
    waiting = trigger(alarm=alarm, jobs=jobs)
    waiting.clock = clock.time

    event = await event_of(waiting)

    assert outcomes(event) == {
        "j-1": "completed",
        "failed": "JobFailedError",
        "purged": "JobResultPurgedError",
        "lost": "JobLostError",
        "late": "JobDeadlinePassedError",
        "large": "JobReplyTooLargeError",
        "j-2": "completed",
    }
    assert "no such voice" in ends_of(event)["failed"]["message"]
    assert ends_of(event)["large"]["kind"] == "storyboard"


async def test_an_error_of_our_own_ends_one_wait(
    connect: Any, service: Any, alarm: Alarm, log: Callable[[], str]
) -> None:
    connect(service.url)
    service.will("completed")
    no_kind: Any = ["render"]
    jobs = [{"job_id": "bad", "kind": no_kind}, {"job_id": "j-1"}]

    event = await event_of(trigger(alarm=alarm, jobs=jobs))

    assert outcomes(event) == {"bad": "VideoCreationError", "j-1": "completed"}
    assert "error of this provider (TypeError)" in ends_of(event)["bad"]["message"]
    assert "Waiting for job" in log()


async def test_a_poll_interval_that_cannot_be_is_said_of_every_job(connect: Any, service: Any) -> None:
    connect(service.url)

    event = await event_of(trigger("j-1", "j-2", poll_interval=-1))

    assert outcomes(event) == {"j-1": "ConfigurationError", "j-2": "ConfigurationError"}
    assert not service.seen


async def test_a_job_that_is_named_twice_is_waited_for_once(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("completed")

    event = await event_of(trigger("j-1", "j-2", "j-1"))

    assert sorted(end["job_id"] for end in event["ends"]) == ["j-1", "j-2"]
    assert len(service.seen) == 2


@pytest.mark.parametrize("jobs", [[], [{}, {"job_id": ""}, {"kind": "render"}, None]])
async def test_nothing_to_wait_for_wakes_the_worker_at_once(jobs: Any) -> None:
    assert await event_of(trigger(jobs=jobs)) == {"version": 1, "ends": []}


async def test_after_a_restart_in_between_another_triggerer_finds_all_ends(
    connect: Any, service: Any, alarm: Alarm, caplog: pytest.LogCaptureFixture
) -> None:
    connect(service.url)
    service.will("in-progress")
    service.will("completed", on=path("j-1"))
    stored = trigger("j-1", "j-2", alarm=alarm)
    first = asyncio.create_task(event_of(stored))
    await alarm.is_set.wait()

    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert nothing_is_left()

    service.will("completed")
    again = VideoJobsTrigger(**json.loads(json.dumps(stored.serialize()[1])))
    assert outcomes(await event_of(again)) == {"j-1": "completed", "j-2": "completed"}
    assert not [record for record in caplog.records if record.name == "asyncio"]


@pytest.mark.parametrize("answer", ["hang", "in-progress"], ids=["in a request", "between two polls"])
async def test_cancelling_leaves_nothing_running(connect: Any, service: Any, answer: str) -> None:
    connect(service.url)
    service.will(answer)
    waiting = asyncio.create_task(event_of(trigger(*(f"j-{n}" for n in range(20)), poll_interval=60)))
    await asyncio.to_thread(service.asked.wait, 10)

    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting

    assert nothing_is_left()


async def test_another_wait_of_the_connection_goes_on_when_the_event_fires(
    connect: Any, service: Any, until: Any
) -> None:
    connect(service.url)
    service.will("in-progress")
    service.will("completed", on=path("j-1"))
    alone = VideoJobTrigger("alone", poll_interval=0.01)
    other = asyncio.create_task(anext(aiter(alone.run())))  # type: ignore[arg-type]
    await until(lambda: polls_of(service, "alone"))

    assert outcomes(await event_of(trigger("j-1", "j-2", wake_after=0))) == {"j-1": "completed"}

    service.will("completed")
    assert (await other).payload["outcome"] == "completed"


def test_stored_arguments_make_the_same_trigger_again() -> None:
    job = {"job_id": "j-1", "kind": "render", "submitted_at": 5.0, "deadline": 9.0, "webhook": True}
    first = VideoJobsTrigger(
        [job, {"job_id": "j-2"}],
        video_creation_conn_id="other",
        user_id="editor-2",
        poll_interval=5.0,
        wake_after=30.0,
        cancel_on_kill=False,
    )

    path, arguments = first.serialize()
    again = VideoJobsTrigger(**json.loads(json.dumps(arguments)))

    assert path == f"{VideoJobsTrigger.__module__}.{VideoJobsTrigger.__qualname__}"
    assert again.serialize() == first.serialize()
    assert arguments["jobs"] == [job, {"job_id": "j-2"}]


def test_arguments_of_another_release_are_ignored() -> None:
    jobs: list[dict[str, Any]] = [{"job_id": "j-1", "something_new": 1, "kind": None, "webhook": False}]

    assert VideoJobsTrigger(jobs=jobs, something_new=1).jobs == [{"job_id": "j-1"}]


@pytest.mark.parametrize("time", [float("nan"), float("inf"), "soon"])
def test_a_time_that_is_none_is_left_out(time: Any) -> None:
    jobs = [{"job_id": "j-1", "deadline": time, "submitted_at": 0.0}]

    assert VideoJobsTrigger(jobs).jobs == [{"job_id": "j-1", "submitted_at": 0.0}]
    assert VideoJobsTrigger([], wake_after=time).wake_after == 60


def test_two_thousand_jobs_are_less_than_half_a_megabyte_in_the_database() -> None:
    jobs = [
        {
            "job_id": str(uuid.UUID(int=number)),
            "kind": "storyboard",
            "submitted_at": 1795222800.1234567,
            "deadline": 1795230000.1234567,
            "webhook": True,
        }
        for number in range(2000)
    ]

    arguments = VideoJobsTrigger(jobs).serialize()[1]

    # The figure of docs/operate/scale.md; encrypted it is a third more.
    assert round(len(json.dumps(arguments)), -3) == 318_000
    assert len(Trigger.encrypt_kwargs(arguments)) < 450_000


async def test_neither_arguments_nor_event_nor_log_hold_a_secret(
    connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url)
    signed = "https://media.example.com/v.mp4?X-Signature=only-for-you-7"
    service.will("503", service.job("completed", videoURL=signed, render_settings={"a": signed}))

    waiting = trigger("j-1", "j-2")
    told = f"{waiting.serialize()} {await event_of(waiting)} {log()}"

    assert "a-token-that-nobody-may-see" not in told
    assert "only-for-you" not in told


async def test_all_jobs_and_other_triggers_of_the_connection_share_one_token(
    connect: Any, service: Any
) -> None:
    connect(service.url, auth_url=f"{service.url}/token", login="client-1", password="client-secret")
    service.will(service.reply(200, {"access_token": "fetched-1"}), on="/token")
    service.will("in-progress", "completed")

    await asyncio.gather(
        event_of(trigger("j-1", "j-2", "j-3")), anext(aiter(VideoJobTrigger("j-4", poll_interval=0.01).run()))
    )

    assert [seen.path for seen in service.seen].count("/token") == 1
