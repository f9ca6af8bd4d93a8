"""A job has one event, which DAGs pay for: whatever failed before, and whatever a deployment has set."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from airflow_video_creation.provider.webhooks.callback import Callback

DONE = {"job_id": "j-1", "success": True, "data": {"status": "completed"}}


@pytest.fixture(autouse=True)
def ended(service: Any) -> None:
    """The job has ended, as the service shows it."""
    service.will(service.job("completed", preview="https://media.example.com/p?signed"))


async def test_two_failures_long_apart(receiver: Any, airflow: Any, now: Any) -> None:
    """The event was made; that it was, could not be stored, and at the second call no event could be looked for."""
    url = airflow.url()
    receiver.doors.fails = lambda asked: (
        asked.startswith("PUT") and str(receiver.doors.asked).count("PUT") > 1
    )
    replies = [await receiver.call(url, DONE)]
    now.seconds += 600
    receiver.doors.fails = lambda asked: asked == "GET /api/v2/assets"
    replies.append(await receiver.call(url, DONE))
    now.seconds += 10
    receiver.doors.fails = lambda asked: False
    replies.append(await receiver.call(url, DONE))

    assert [reply.status_code for reply in replies] == [503, 503, 200]
    assert len(await airflow.events()) == 1


async def test_an_airflow_that_gives_short_pages(
    receiver: Any, airflow: Any, now: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(8):
        other = {"asset_id": 1, "extra": {"job_id": f"other-{number}"}}
        await airflow.ask("POST", "/api/v2/assets/events", json=other)
    url = airflow.url()
    receiver.doors.fails = lambda asked: (
        asked.startswith("PUT") and str(receiver.doors.asked).count("PUT") > 1
    )
    assert (await receiver.call(url, DONE)).status_code == 503
    receiver.doors.fails = lambda asked: False
    now.seconds += 31

    with monkeypatch.context() as deployment:
        deployment.setenv("AIRFLOW__API__MAXIMUM_PAGE_LIMIT", "5")
        assert (await receiver.call(url, DONE)).status_code == 200

    assert len(await airflow.events()) == 1


async def test_a_mark_of_a_clock_that_was_wrong(receiver: Any, airflow: Any, now: Any) -> None:
    """Whoever made it cannot be waited for: that would last until its date."""
    await airflow.keep_callback(Callback(airflow.task.begun_at, "j-1", announced=False, at=now() + 24 * 3600))

    assert (await receiver.call(airflow.url(), DONE)).status_code == 200
    assert len(await airflow.events()) == 1


READS = 3
"""Requests to Airflow before a call changes something: login, record, callback."""


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 6, 7])
async def test_two_processes_of_which_neither_knew_of_the_other_when_it_began(
    receiver: Any, airflow: Any, until: Any, steps: int
) -> None:
    """One gets so many steps further before the other goes the whole way.

    After 4 and 5 the event is all but made: a process that stood still there for longer than SETTLE_SECONDS would make
    a second one.
    """
    url = airflow.url()
    processes = [receiver, receiver.second_process()]
    for process in processes:
        process.doors.hold(after=READS)
    calls = [asyncio.create_task(process.call(url, DONE)) for process in processes]
    await until(lambda: all(len(process.doors.asked) > READS for process in processes))
    processes[0].doors.let_through(steps)
    await until(lambda: len(receiver.doors.asked) > READS + steps or calls[0].done())
    replies = []
    for process, call in reversed(list(zip(processes, calls, strict=True))):
        process.doors.let_through(20)
        replies.append((await call).status_code)

    assert 200 in replies
    assert len(await airflow.events()) == 1
