"""The trigger in a real event loop, against a bad service: what it tolerates, and which event ends the wait."""

from __future__ import annotations

import asyncio
import gc
import json
import time
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.triggers.video_job import VideoJobTrigger


def trigger(**arguments: Any) -> VideoJobTrigger:
    return VideoJobTrigger(
        **{"job_id": "j-1", "poll_interval": 0.01, "deadline": time.time() + 3600, **arguments}
    )


async def event_of(waiting: VideoJobTrigger) -> dict[str, Any]:
    async with asyncio.timeout(20):
        [event] = [event async for event in waiting.run()]
    payload: dict[str, Any] = event.payload
    return payload


@pytest.mark.parametrize("fault", ["503", "500", "429", "reset", "hang", "drip", "truncated"])
async def test_trouble_that_passes_is_borne(
    connect: Any, service: Any, clock: Any, fault: str, log: Callable[[], str]
) -> None:
    connect(
        service.url, **({"connect_timeout": 0.2, "read_timeout": 0.1} if fault in ("hang", "drip") else {})
    )
    service.will("in-progress", fault, fault, "in-progress", "completed")

    event = await event_of(on(clock, deadline=clock.now + 3600))

    assert event == {"version": 1, "job_id": "j-1", "outcome": "completed"}
    assert len(service.seen) >= 5
    assert "Still waiting for job j-1." in log()


@pytest.mark.parametrize("fault", ["401", "403", "404", "html", "html 404", "malformed"])
async def test_what_may_be_a_mistake_is_borne_for_a_while(connect: Any, service: Any, fault: str) -> None:
    connect(service.url)
    service.will(fault, fault, "completed")

    assert (await event_of(trigger()))["outcome"] == "completed"


@pytest.mark.usefixtures("fast_clock")
@pytest.mark.parametrize(
    ("fault", "error", "advice"),
    [
        ("401", "AuthenticationError", "password"),
        ("403", "PermissionDeniedError", "403"),
        ("404", "JobLostError", "does not mean that the job failed"),
        ("html 404", "JobLostError", "host"),
        ("html", "UnreadableReplyError", "host"),
        ("malformed", "UnreadableReplyError", "host"),
    ],
)
async def test_what_stays_a_mistake_ends_the_wait_and_says_what_to_change(
    connect: Any, service: Any, fault: str, error: str, advice: str
) -> None:
    connect(service.url)
    service.will(fault)

    event = await event_of(trigger())

    assert event["error"] == error
    assert advice in event["message"]


@pytest.mark.parametrize(
    ("state", "error", "message"),
    [("failed", "JobFailedError", "no such voice"), ("cleaned", "JobResultPurgedError", "removed")],
)
async def test_a_job_that_ends_badly_ends_the_wait(
    connect: Any, service: Any, state: str, error: str, message: str
) -> None:
    connect(service.url)
    service.will("in-progress", service.job(state, error_code="E7", error_message="no such voice"))

    event = await event_of(trigger())

    assert (event["outcome"], event["error"]) == ("error", error)
    assert message in event["message"]


async def test_an_unknown_state_word_is_told_once_and_waited_out(
    connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url)
    service.will("polishing", "polishing", "completed")

    assert (await event_of(trigger()))["outcome"] == "completed"
    assert log().count("'polishing', which is not known here") == 1


async def test_the_connection_can_name_the_services_own_state_words(connect: Any, service: Any) -> None:
    connect(service.url, state_words={"Polished": "completed"})
    service.will("POLISHED")

    assert (await event_of(trigger()))["outcome"] == "completed"


def on(clock: Any, **arguments: Any) -> VideoJobTrigger:
    """A trigger whose time passes only while it sleeps."""

    async def sleep(seconds: float) -> None:
        clock.sleep(seconds)

    waiting = trigger(**arguments)
    waiting.clock, waiting.sleep = clock.time, sleep
    return waiting


async def test_retry_after_is_kept(connect: Any, service: Any, clock: Any) -> None:
    connect(service.url)
    service.will(service.reply(429, {}, retry_after="120"), "completed")

    await event_of(on(clock, deadline=None))

    assert clock.slept == [120]


async def test_a_job_that_ends_after_the_last_regular_poll_is_seen(
    connect: Any, service: Any, clock: Any
) -> None:
    connect(service.url)
    service.will("in-progress", "completed")

    event = await event_of(on(clock, deadline=clock.now + 10, poll_interval=60))

    assert event["outcome"] == "completed"
    assert clock.slept == [9]


async def test_after_the_last_look_the_deadline_ends_the_wait(connect: Any, service: Any, clock: Any) -> None:
    connect(service.url)
    service.will("in-progress")

    event = await event_of(on(clock, deadline=clock.now + 10, poll_interval=60))

    assert event["error"] == "JobDeadlinePassedError"
    assert clock.slept == [9, 1]
    assert len(service.seen) == 2


async def test_a_restart_of_the_triggerer_does_not_give_an_unknown_job_more_time(
    connect: Any, service: Any, clock: Any
) -> None:
    connect(service.url)
    service.will("404")

    event = await event_of(on(clock, deadline=None, submitted_at=clock.now - 61))

    assert event["error"] == "JobLostError"
    assert not clock.slept


async def test_a_refused_token_is_replaced_once(connect: Any, service: Any) -> None:
    connect(service.url, auth_url=f"{service.url}/token", login="client-1", password="client-secret")
    service.will(*(service.reply(200, {"access_token": f"fetched-{n}"}) for n in (1, 2)), on="/token")
    service.will("401", "completed")

    assert (await event_of(trigger()))["outcome"] == "completed"
    assert service.seen[-1].headers["authorization"] == "fetched-2"


@pytest.mark.parametrize("answer", ["in-progress", "503", "hang", "drip", "reset"])
async def test_the_deadline_holds_whatever_the_service_does(connect: Any, service: Any, answer: str) -> None:
    connect(service.url, read_timeout=3600)
    service.will(answer)

    event = await event_of(trigger(deadline=time.time() + 0.3))

    assert event["error"] == "JobDeadlinePassedError"
    assert "j-1" in event["message"]
    assert "may continue" in event["message"]


async def test_a_job_that_ended_while_no_triggerer_ran_is_seen_after_the_deadline(
    connect: Any, service: Any
) -> None:
    connect(service.url)
    service.will("completed")

    assert (await event_of(trigger(deadline=time.time() - 1)))["outcome"] == "completed"


@pytest.mark.parametrize("answer", ["in-progress", "hang"])
async def test_a_deadline_that_is_over_allows_one_look(connect: Any, service: Any, answer: str) -> None:
    connect(service.url)
    service.will(answer)

    event = await event_of(trigger(deadline=time.time() - 1))

    assert event["error"] == "JobDeadlinePassedError"
    assert len(service.seen) == 1


async def test_a_refused_connection_is_waited_out_until_the_deadline(
    connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url)
    service.stop_listening()

    event = await event_of(trigger(deadline=time.time() + 0.2))

    assert event["error"] == "JobDeadlinePassedError"
    refused = f"connection refused by 127.0.0.1:{service.port}"
    assert refused in log()
    assert refused in event["message"].partition("The last poll failed: ")[2]


async def test_a_missing_connection_is_borne_for_a_minute(clock: Any) -> None:
    event = await event_of(on(clock, video_creation_conn_id="nowhere"))

    assert event["error"] == "ConnectionMissingError"
    assert "no Airflow connection 'nowhere'" in event["message"]
    assert 60 <= sum(clock.slept) <= 70


async def test_a_connection_that_comes_back_ends_no_wait(connect: Any, service: Any, clock: Any) -> None:
    service.will("completed")
    waiting = on(clock, deadline=None)

    async def sleep(seconds: float) -> None:
        connect(service.url)
        clock.sleep(seconds)

    waiting.sleep = sleep
    assert (await event_of(waiting))["outcome"] == "completed"


async def test_a_ca_file_that_cannot_be_read_ends_the_wait_at_once(connect: Any, service: Any) -> None:
    connect(service.url, verify="/no/such/ca.pem")

    event = await event_of(trigger())

    assert event["error"] == "ConfigurationError"
    assert "/no/such/ca.pem" in event["message"]


@pytest.mark.parametrize("answer", ["hang", "in-progress"], ids=["in a request", "between two polls"])
async def test_cancelling_closes_the_session(connect: Any, service: Any, answer: str) -> None:
    connect(service.url)
    service.will(answer)

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ResourceWarning)
        task = asyncio.create_task(event_of(trigger(poll_interval=60)))
        await asyncio.to_thread(service.asked.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        del task
        gc.collect()

    assert not [str(warning.message) for warning in told if "client session" in str(warning.message)]


def test_stored_arguments_make_the_same_trigger_again() -> None:
    first = trigger(user_id="editor-2", kind="render", submitted_at=5.0, video_creation_conn_id="other")

    path, arguments = first.serialize()
    again = VideoJobTrigger(**json.loads(json.dumps(arguments)))

    assert path == f"{VideoJobTrigger.__module__}.{VideoJobTrigger.__qualname__}"
    assert again.serialize() == first.serialize()


def test_arguments_of_another_release_are_ignored() -> None:
    assert VideoJobTrigger(job_id="j-1", something_new=1).job_id == "j-1"


async def test_neither_arguments_nor_event_nor_log_hold_a_secret(
    connect: Any, service: Any, log: Callable[[], str]
) -> None:
    connect(service.url)
    signed = "https://media.example.com/v.mp4?X-Signature=only-for-you-7"
    service.will("503", service.job("completed", videoURL=signed, render_settings={"a": signed}))

    waiting = trigger()
    told = f"{waiting.serialize()} {await event_of(waiting)} {log()}"

    assert "a-token-that-nobody-may-see" not in told
    assert "only-for-you" not in told
