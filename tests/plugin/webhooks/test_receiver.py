"""What a call of the service does in Airflow: it wakes who waits and makes one event, however often it comes."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

import pytest

from airflow_video_creation.provider.webhooks.callback import Callback, called_back_xcom_key
from airflow_video_creation.provider.webhooks.ready_assets import ready_asset

DONE = {"job_id": "j-1", "success": True, "data": {"status": "completed"}}
STEPS = [
    "POST /auth/token",
    "GET state-store/video_creation.submission",
    "GET state-store/video_creation.callback",
    "PUT state-store/video_creation.callback",
    "POST xcomEntries",
    "GET /api/v2/assets",
    "GET state-store/video_creation.callback",
    "DELETE /api/v2/assets/1/queuedEvents",
    "POST /api/v2/assets/events",
    "PUT state-store/video_creation.callback",
]
"""What one call asks of Airflow, one after the other."""
WOKEN = [called_back_xcom_key("j-1")]
FAILED = ready_asset("job_failed", "video_creation_default").uri


@pytest.fixture(autouse=True)
def ended(service: Any) -> None:
    """The job has ended, as the service shows it."""
    service.will(service.job("completed", preview="https://media.example.com/p?signed", videoDuration=17.5))


async def test_a_call_marks_wakes_and_announces(receiver: Any, airflow: Any, now: Any) -> None:
    reply = await receiver.call(airflow.url(), DONE)

    assert (reply.status_code, reply.json()) == (200, {"detail": "thank you"})
    assert await airflow.woken() == WOKEN
    assert await airflow.callback() == Callback(airflow.task.begun_at, "j-1", announced=True, at=now())
    assert await airflow.events() == [
        {
            "job_id": "j-1",
            "kind": "storyboard",
            "state": "completed",
            "video_creation_conn_id": "video_creation_default",
            "duration": 17.5,
            "error_code": None,
            "dag_id": "submits",
            "run_id": airflow.task.run_id,
            "task_id": "storyboard",
            "map_index": -1,
            "from_rest_api": True,
        }
    ]
    task = airflow.task
    path = f"/api/v2/dags/submits/dagRuns/{task.run_id}/taskInstances/storyboard/"
    assert [asked.replace(path, "") for asked in receiver.doors.asked] == STEPS


async def test_a_url_that_was_given_out_before_an_upgrade_is_taken(receiver: Any, airflow: Any) -> None:
    reply = await receiver.call(airflow.url_as_release_0_1_0_made(), DONE)

    assert (reply.status_code, reply.json()) == (200, {"detail": "thank you"})
    assert await airflow.woken() == WOKEN
    assert len(await airflow.events()) == 1


async def test_a_job_whose_urls_have_both_forms_is_told_once(receiver: Any, airflow: Any) -> None:
    for url in (airflow.url_as_release_0_1_0_made(), airflow.url()):
        assert (await receiver.call(url, DONE)).status_code == 200
    assert len(await airflow.events()) == 1


async def test_what_the_payload_says_is_not_believed(receiver: Any, airflow: Any, service: Any) -> None:
    service.will("failed")

    reply = await receiver.call(airflow.url(), {"data": {"status": "completed", "videoDuration": 9}})

    assert reply.status_code == 200
    # No DAG names the asset of failed jobs.
    assert (await airflow.woken(), await airflow.events()) == (WOKEN, [])


async def test_an_asset_with_an_address_like_ours_gets_no_event(
    receiver: Any, airflow: Any, service: Any
) -> None:
    """It would start the DAG of somebody else."""
    listed = await airflow.ask("GET", "/api/v2/assets", params={"uri_pattern": FAILED})
    assert [asset["name"] for asset in listed["assets"]] == ["look-alike"]
    service.will("failed")

    assert (await receiver.call(airflow.url(), DONE)).status_code == 200

    assert await airflow.events() == []


async def test_a_call_completes_an_intent(receiver: Any, airflow: Any, now: Any) -> None:
    """The worker died between the submission and its answer: the task's next try finds the job."""
    await airflow.keep(airflow.intent)

    assert (await receiver.call(airflow.url(), DONE)).status_code == 200

    assert await airflow.callback() == Callback(airflow.task.begun_at, "j-1", announced=True, at=now())


async def test_the_job_of_an_intent_is_named_once(receiver: Any, airflow: Any) -> None:
    await airflow.keep(airflow.intent)
    await receiver.call(airflow.url(), DONE)

    reply = await receiver.call(airflow.url(), {"job_id": "j-2"})

    assert reply.status_code == 409
    assert (await airflow.callback()).job_id == "j-1"


async def test_the_mark_of_an_earlier_submission_names_no_job_of_a_later_one(
    receiver: Any, airflow: Any, now: Any
) -> None:
    """A task that was cleared has submitted again: its new job is another than the one told last time."""
    earlier = airflow.task.begun_at - 3600
    await airflow.keep_callback(Callback(earlier, "j-0", announced=True, at=earlier))
    await airflow.keep(airflow.intent)

    assert (await receiver.call(airflow.url(), DONE)).status_code == 200

    assert await airflow.callback() == Callback(airflow.task.begun_at, "j-1", announced=True, at=now())
    assert len(await airflow.events()) == 1


async def test_a_run_that_is_deleted_while_its_call_is_worked_on_has_no_such_job(
    receiver: Any, airflow: Any, until: Any
) -> None:
    """The service need not come again: 409, not 503."""
    before_it_marks = STEPS.index("PUT state-store/video_creation.callback")
    receiver.doors.hold(after=before_it_marks)
    call = asyncio.create_task(receiver.call(airflow.url(), DONE))
    await until(lambda: len(receiver.doors.asked) > before_it_marks)
    await airflow.ask("DELETE", f"/api/v2/dags/submits/dagRuns/{airflow.task.run_id}")

    receiver.doors.let_through(20)

    assert (await call).status_code == 409
    assert await airflow.events() == []


@pytest.mark.parametrize("kept", ["keep", "keep_as_release_0_1_0_did"])
async def test_a_mapped_task_is_told_by_its_index(receiver: Any, airflow: Any, kept: str) -> None:
    plain = airflow.task
    airflow.task = plain = type(plain)(
        **{**vars(plain), "task_id": "mapped", "map_index": 1, "stage": "render"}
    )
    await getattr(airflow, kept)(airflow.intent.accepted("j-1"))

    assert (await receiver.call(airflow.url(), DONE)).status_code == 200

    assert await airflow.woken() == WOKEN
    assert [event["map_index"] for event in await airflow.events()] == [1]


async def test_a_replayed_call_changes_nothing(receiver: Any, airflow: Any, service: Any) -> None:
    url = airflow.url()
    await receiver.call(url, DONE)
    service.seen.clear()

    assert {(await receiver.call(url, DONE)).status_code for _ in range(20)} == {200}

    assert len(await airflow.events()) == 1
    assert service.seen == []


async def test_of_many_events_none_waits_for_the_next(receiver: Any, airflow: Any) -> None:
    """Airflow gives a run the events until it was queued; so the last event must be the one that queued it."""
    await airflow.ask("PATCH", "/api/v2/dags/renders", json={"is_paused": False})
    for index in (-1, 0, 1):
        airflow.task = replace(airflow.task, task_id="storyboard" if index < 0 else "mapped", map_index=index)
        await airflow.keep(airflow.intent.accepted("j-1"))
        assert (await receiver.call(airflow.url(), DONE)).status_code == 200

    [queued] = (await airflow.ask("GET", "/api/v2/assets/1/queuedEvents"))["queued_events"]
    events = (await airflow.ask("GET", "/api/v2/assets/events?order_by=-timestamp"))["asset_events"]
    assert len(await airflow.events()) == 3
    assert queued["dag_id"] == "renders"
    assert queued["created_at"] >= events[0]["timestamp"]


async def test_of_events_that_are_made_at_once_none_waits_for_the_next(
    receiver: Any, airflow: Any, now: Any
) -> None:
    """As above: between the taking back of what is queued and its event lies no other's taking back."""
    urls = await two_submissions(airflow)

    calls = set(urls)
    while calls:
        replies = {url: receiver.call(url, DONE) for url in calls}
        statuses = dict(zip(replies, await asyncio.gather(*replies.values()), strict=True))
        # A call that Airflow could not take at the same time, as SQLite does not, comes again: from its start.
        calls = {url for url, reply in statuses.items() if reply.status_code == 503}

    steps = {"DELETE /api/v2/assets/1/queuedEvents": "D", "POST /api/v2/assets/events": "P"}
    made = "".join(steps.get(asked, "") for asked in receiver.doors.asked)
    assert re.fullmatch("(D+P){2,}", made), "DELETE and POST by turns, but for a DELETE that was repeated"


async def test_of_two_calls_at_once_one_is_worked_on(receiver: Any, airflow: Any) -> None:
    url = airflow.url()

    replies = await asyncio.gather(*(receiver.call(url, DONE) for _ in range(10)))

    assert sorted(reply.status_code for reply in replies) == [200] + 9 * [503]
    assert len(await airflow.events()) == 1


async def test_more_calls_than_can_be_worked_on_come_again(
    receiver: Any, airflow: Any, now: Any, until: Any
) -> None:
    one, other = await two_submissions(airflow)
    receiver.restart(most_at_work=1)
    receiver.doors.hold(after=0)
    first = asyncio.create_task(receiver.call(one, DONE))
    await until(lambda: receiver.doors.asked)

    second = await receiver.call(other, DONE)

    assert (second.status_code, second.headers["retry-after"]) == (503, "1")
    assert len(receiver.doors.asked) == 1
    receiver.doors.let_through(100)
    assert (await first).status_code == 200
    assert (await receiver.call(other, DONE)).status_code == 200


async def test_a_call_that_takes_too_long_comes_again(receiver: Any, airflow: Any, caplog: Any) -> None:
    """Airflow does not answer; what hangs here would take the place of other calls."""
    receiver.restart(most_at_work=1, work_seconds=0.05)
    receiver.doors.hold(after=0)

    async with asyncio.timeout(20):
        slow = await receiver.call(airflow.url(), DONE)

    assert (slow.status_code, slow.headers["retry-after"]) == (503, "5")
    assert "A webhook call was not finished within" in caplog.text
    receiver.restart(most_at_work=1)
    receiver.doors.let_through(100)
    assert (await receiver.call(airflow.url(), DONE)).status_code == 200


async def two_submissions(airflow: Any) -> list[str]:
    """The URLs of two tasks of a mapped one, which have both submitted."""
    urls = []
    for index in (0, 1):
        airflow.task = replace(airflow.task, task_id="mapped", map_index=index)
        await airflow.keep(airflow.intent.accepted("j-1"))
        urls.append(airflow.url())
    return urls


@pytest.mark.parametrize("done", range(len(STEPS)), ids=lambda done: f"{done} of {len(STEPS)} steps")
async def test_a_call_goes_on_where_one_died(receiver: Any, airflow: Any, now: Any, done: int) -> None:
    url = airflow.url()
    await receiver.dies(url, DONE, after=done)
    receiver.restart()
    at_once = await receiver.call(url, DONE)
    now.seconds += 31

    later = await receiver.call(url, DONE)

    assert at_once.status_code == (
        503 if done > STEPS.index("PUT state-store/video_creation.callback") else 200
    )
    assert later.status_code == 200
    assert await airflow.woken() == WOKEN
    assert len(await airflow.events()) == 1
    assert (await airflow.callback()).announced


async def test_what_airflow_refused_can_be_called_again_at_once(
    receiver: Any, airflow: Any, act_as: Any
) -> None:
    act_as("author")
    refused = await receiver.call(airflow.url(), DONE)
    act_as("receiver")
    receiver.restart()

    again = await receiver.call(airflow.url(), DONE)

    assert (refused.status_code, again.status_code) == (503, 200)
    assert len(await airflow.events()) == 1


@pytest.mark.parametrize("answer", ["in-progress", "404", "503", "401", "hang", "reset", "html"])
async def test_a_job_that_has_not_ended_or_cannot_be_read_is_asked_for_again(
    receiver: Any, airflow: Any, service: Any, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from airflow_video_creation.plugin import service_jobs

    monkeypatch.setattr(service_jobs, "LOOKS", (0.0, 0.01))
    if answer == "hang":
        receiver.restart(work_seconds=2.0)
    service.will(answer)

    reply = await receiver.call(airflow.url(), DONE)

    assert reply.status_code == 503
    assert reply.headers["retry-after"] == "5"
    assert await airflow.is_untouched()


async def test_a_job_that_shows_its_end_a_little_late_is_waited_for(
    receiver: Any, airflow: Any, service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from airflow_video_creation.plugin import service_jobs

    monkeypatch.setattr(service_jobs, "LOOKS", (0.0, 0.01))
    service.will("in-progress", "completed")

    assert (await receiver.call(airflow.url(), DONE)).status_code == 200


@pytest.mark.parametrize(
    ("user", "password", "says"),
    [
        ("", "", "no Airflow connection 'video_creation_airflow_api' with the login"),
        ("receiver", "wrong", "Airflow answered 401 to the login"),
        ("viewer", None, "lacks the right"),
        ("author", None, "lacks the right"),
    ],
)
async def test_without_an_identity_and_its_rights_the_log_says_once_what_is_missing(
    receiver: Any,
    airflow: Any,
    act_as: Any,
    now: Any,
    caplog: Any,
    user: str,
    password: str | None,
    says: str,
) -> None:
    act_as(user, password)

    replies = [await receiver.call(airflow.url(), DONE) for _ in range(3)]

    assert [reply.status_code for reply in replies] == [503] * 3
    assert len([record for record in caplog.records if says in record.getMessage()]) == 1
    assert await airflow.events() == []


async def test_where_airflow_fails_the_log_says_where_the_cause_stands(
    receiver: Any, airflow: Any, caplog: Any
) -> None:
    receiver.doors.fails = lambda asked: asked.startswith("PUT")

    assert (await receiver.call(airflow.url(), DONE)).status_code == 503

    [said] = [text for record in caplog.records if "was not accepted" in (text := record.getMessage())]
    assert "PUT " in said
    assert "was answered 500" in said
    assert said.endswith("the API server's log says why; if the service calls again, it is done then")


async def test_a_corrected_identity_is_taken_at_once(receiver: Any, airflow: Any, act_as: Any) -> None:
    act_as("viewer", None)
    assert (await receiver.call(airflow.url(), DONE)).status_code == 503

    act_as("receiver", None)

    assert (await receiver.call(airflow.url(), DONE)).status_code == 200


REPORTED = {"job_id": "j-1", "success": False, "error": {"error_code": "E7", "error_message": "No such font"}}


async def test_a_failure_without_a_state_is_told_once_it_has_lasted(
    receiver: Any, airflow: Any, service: Any, now: Any
) -> None:
    service.will(service.reply(200, REPORTED))
    url = airflow.url()

    for _ in range(2):
        reply = await receiver.call(url, REPORTED)
        assert (reply.status_code, reply.headers["retry-after"]) == (503, "15")
        assert await airflow.is_untouched()
        now.seconds += 15
    assert (await receiver.call(url, REPORTED)).status_code == 200

    assert await airflow.woken() == WOKEN


async def test_one_odd_reply_makes_no_event(receiver: Any, airflow: Any, service: Any, now: Any) -> None:
    service.will(
        service.reply(200, REPORTED),
        service.reply(503),
        service.reply(200, REPORTED),
        service.reply(200, REPORTED),
    )
    url = airflow.url()

    for _ in range(4):
        assert (await receiver.call(url, REPORTED)).status_code == 503
        now.seconds += 20

    assert await airflow.is_untouched()
