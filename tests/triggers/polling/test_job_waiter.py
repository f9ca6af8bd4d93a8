"""All waits of a connection in one event loop share a session, a token and a schedule, and nothing else."""

from __future__ import annotations

import asyncio
import random
import time
from contextvars import ContextVar
from typing import Any

import pytest

from airflow_video_creation.provider.waiting.job_wait import JobWait
from airflow_video_creation.provider.waiting.schedule import PollSchedule
from airflow_video_creation.triggers.polling.job_waiter import JobWaiter
from airflow_video_creation.triggers.video_job import VideoJobTrigger

pytestmark = pytest.mark.usefixtures("no_session_stays_open")

OF_TRIGGER: ContextVar[str] = ContextVar("of_trigger", default="no trigger")
"""As Airflow tells the log of one trigger from another's."""
CREDENTIALS = {"login": "client-1", "password": "client-secret"}


def trigger(job_id: str = "j-1", **arguments: Any) -> VideoJobTrigger:
    return VideoJobTrigger(
        **{"job_id": job_id, "poll_interval": 0.02, "deadline": time.time() + 3600, **arguments}
    )


async def outcome_of(waiting: VideoJobTrigger) -> str:
    [event] = [event async for event in waiting.run()]
    return str(event.payload.get("error") or event.payload["outcome"])


async def outcomes(*triggers: VideoJobTrigger) -> list[str]:
    async with asyncio.timeout(60):
        return await asyncio.gather(*map(outcome_of, triggers))


def path(job_id: str) -> str:
    return f"/api/v1/job/{job_id}"


async def test_an_expired_token_is_asked_for_once_however_many_wait(connect: Any, service: Any) -> None:
    connect(service.url, auth_url=f"{service.url}/token", **CREDENTIALS)
    service.will(service.reply(200, {"access_token": "fetched-1"}), on="/token")
    service.will("completed")

    assert set(await outcomes(*(trigger(f"j-{n}") for n in range(1000)))) == {"completed"}
    assert [seen.path for seen in service.seen].count("/token") == 1


async def test_a_token_that_is_refused_is_replaced_once_for_all(connect: Any, service: Any) -> None:
    connect(service.url, auth_url=f"{service.url}/token", **CREDENTIALS)
    service.will(*(service.reply(200, {"access_token": f"fetched-{n}"}) for n in (1, 2, 3)), on="/token")
    service.will(*["401"] * 20, "completed")

    assert set(await outcomes(*(trigger(f"j-{n}") for n in range(20)))) == {"completed"}
    assert [seen.path for seen in service.seen].count("/token") == 2


@pytest.mark.parametrize("bad", ["html", "403", "hang", "failed", "reset"])
async def test_one_bad_job_disturbs_no_other(connect: Any, service: Any, bad: str) -> None:
    connect(service.url)
    service.will(bad, on=path("bad"))
    service.will("in-progress", "completed")

    found = await outcomes(
        trigger("bad", deadline=time.time() + 1.5), *(trigger(f"j-{n}") for n in range(20))
    )

    assert found[0] != "completed"
    assert set(found[1:]) == {"completed"}


async def test_an_error_of_our_own_ends_one_wait(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("in-progress", "completed")
    no_text: Any = 2

    good, bad = await asyncio.gather(
        outcome_of(trigger("j-1")), outcome_of(trigger(no_text)), return_exceptions=True
    )

    assert good == "completed"
    assert isinstance(bad, TypeError)


async def test_waits_of_several_users_each_poll_as_their_own(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("completed")

    await outcomes(trigger("j-1", user_id="ann"), trigger("j-2", user_id="bob"), trigger("j-3"))

    asked = {seen.path: seen.headers["x-service-user-id"] for seen in service.seen}
    assert (asked[path("j-1")], asked[path("j-2")]) == ("ann", "bob")
    assert asked[path("j-3")] not in ("ann", "bob")


async def test_a_service_that_takes_no_user_id_is_sent_none(connect: Any, service: Any) -> None:
    connect(service.url, user_id="", user_id_header=None)
    service.will("in-progress", "completed")

    assert await outcomes(trigger("j-1"), trigger("j-2", user_id="ann")) == ["completed"] * 2

    assert not [name for seen in service.seen for name in seen.headers if "user-id" in name]


async def test_each_wait_logs_in_the_context_of_its_own_trigger(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("completed")
    told: dict[str, list[str]] = {"j-1": [], "j-2": []}

    class Log:
        def tell(self, message: str) -> None:
            told[OF_TRIGGER.get()].append(message)

        warn = tell

    async def wait(job_id: str) -> None:
        OF_TRIGGER.set(job_id)
        service.will("polishing", "completed", on=path(job_id))
        wait = JobWait(job_id, started_at=time.time(), schedule=PollSchedule(0.02))
        await JobWaiter.here("video_creation_default").wait(wait, None, Log())

    async with asyncio.timeout(30):
        await asyncio.gather(wait("j-1"), wait("j-2"))

    for job_id, (polishing, ended) in told.items():
        assert polishing.startswith(f"Job {job_id} is in the state 'polishing'")
        assert ended.startswith(f"Job {job_id}: completed after ")


@pytest.mark.parametrize("seed", range(5))
async def test_cancelling_at_any_moment_leaves_the_others_alone(
    connect: Any, service: Any, seed: int
) -> None:
    connect(service.url, auth_url=f"{service.url}/token", **CREDENTIALS)
    service.will(service.reply(200, {"access_token": "t"}), on="/token")
    service.will("in-progress")
    for n in range(0, 40, 2):
        service.will("in-progress", "503", "in-progress", "completed", on=path(f"j-{n}"))
    chance = random.Random(seed)

    async with asyncio.timeout(60):
        waits = [asyncio.create_task(outcome_of(trigger(f"j-{n}"))) for n in range(40)]
        for wait in chance.sample(waits[1::2], 20):
            for _ in range(chance.randrange(30)):
                await asyncio.sleep(0)
            wait.cancel()
        assert set(await asyncio.gather(*waits[::2])) == {"completed"}
        assert all(
            isinstance(end, asyncio.CancelledError)
            for end in await asyncio.gather(*waits[1::2], return_exceptions=True)
        )


async def test_a_waiter_that_all_have_left_is_replaced(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("completed")

    first = JobWaiter.here("video_creation_default")
    await outcomes(trigger())
    assert JobWaiter.here("video_creation_default") is not first
    assert await outcomes(trigger("j-2")) == ["completed"]


def test_two_event_loops_have_a_waiter_each(connect: Any, service: Any) -> None:
    connect(service.url)
    service.will("completed")

    assert [asyncio.run(outcomes(trigger(f"j-{n}"))) for n in range(2)] == [["completed"], ["completed"]]


async def test_an_edited_connection_is_taken_up_while_waits_go_on(
    connect: Any, service: Any, fast_clock: None
) -> None:
    connect(service.url, password="old")
    service.will("reset")
    waiting = asyncio.create_task(outcome_of(trigger(deadline=None)))
    await asyncio.to_thread(service.asked.wait, 10)

    connect(service.url, password="new")

    def polled_with_the_new_token() -> None:
        while service.seen[-1].headers["authorization"] != "new":
            service.asked.clear()
            service.asked.wait(10)

    async with asyncio.timeout(30):
        await asyncio.to_thread(polled_with_the_new_token)
        service.will("completed")
        assert await waiting == "completed"


async def test_a_connection_that_is_gone_meanwhile_ends_no_wait(
    connect: Any, service: Any, fast_clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect(service.url)
    service.will("reset", "reset", "reset", "completed")
    waiting = asyncio.create_task(outcome_of(trigger(deadline=None)))
    await asyncio.to_thread(service.asked.wait, 10)
    monkeypatch.delenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT")

    async with asyncio.timeout(30):
        assert await waiting == "completed"


async def test_an_airflow_that_is_slow_to_give_the_connection_holds_no_event_past_the_deadline(
    connect: Any, service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect(service.url)
    reading = asyncio.Event()

    async def never(conn_id: str) -> None:
        reading.set()
        await asyncio.Event().wait()

    monkeypatch.setattr("airflow_video_creation.triggers.polling.live_connection.aread_profile", never)

    async with asyncio.timeout(15):
        assert await outcome_of(trigger(deadline=time.time() - 60)) == "JobDeadlinePassedError"
    assert reading.is_set()
