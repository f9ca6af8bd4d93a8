"""What is refused: nothing changes in Airflow, the service is not asked, and the log does not tell what was called."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from airflow_video_creation.plugin.webhooks import body as webhook_body
from airflow_video_creation.plugin.webhooks import connections as webhook_connections
from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import ConnectionMissingError

DAY = 24 * 3600.0
PROFILE = ServiceProfile.from_connection(
    "c",
    host="https://video.example.com",
    password="a-token",
    extra={"callback_base_url": "https://airflow.example.com", "webhook_secret": "a-secret-of-the-webhooks"},
)
OTHER_SECRET = "the-secret-of-another-connection"
DONE = {"job_id": "j-1", "data": {"status": "completed"}}
NO_WEBHOOK = {"detail": "this is not a valid webhook"}
Forge = Callable[[Callable[..., str], float], str]


def changed(place: int) -> Forge:
    """One character of the token is another."""

    def forge(url_of: Callable[..., str], now: float) -> str:
        base, _, token = url_of().rpartition("/")
        letters = list(token)
        letters[place] = "A" if letters[place] != "A" else "B"
        return f"{base}/{''.join(letters)}"

    return forge


TOKENS: dict[str, Forge] = {
    "a word": lambda url_of, now: "word",
    "no characters of ours": lambda url_of, now: "1%F0%9F%8E%AC.%00.%2E%2E",
    "very long": lambda url_of, now: url_of() + "A" * 50_000,
    "truncated": lambda url_of, now: url_of()[:-5],
    "prolonged": lambda url_of, now: url_of() + "A",
    "of another form": changed(0),
    "an early byte changed": changed(5),
    "a byte of the payload changed": changed(-60),
    "a later byte changed": changed(-46),
    "a byte of the signature changed": changed(-9),
    "the last byte changed": changed(-1),
    "signed with another secret": lambda url_of, now: url_of(secret="x" * 20),
    "signed with another connection's secret": lambda url_of, now: url_of(secret=OTHER_SECRET),
    "of another connection, with this one's secret": lambda url_of, now: url_of(conn_id="other"),
    "of a connection that takes no webhooks": lambda url_of, now: url_of(conn_id="plain"),
    "of no connection": lambda url_of, now: url_of(conn_id="none"),
    "expired": lambda url_of, now: url_of(begun_at=now - 8 * DAY),
    "of the future": lambda url_of, now: url_of(begun_at=now + 600),
    "signed, of another place in Airflow": lambda url_of, now: url_of(dag_id="nothing/../like?this#"),
    "signed, onto the record": lambda url_of, now: url_of(stage="x/../video_creation.submission"),
}
SUBMISSIONS: dict[str, dict[str, Any]] = {
    "of another generation": {"generation": 3},
    "of an earlier submission": {"begun_at": time.time() - 3600},
    "of another run": {"run_id": "manual__other"},
    "of another task": {"task_id": "mapped", "map_index": 0},
    "of another map index": {"map_index": 7},
    "of another stage": {"stage": "render"},
    "of another DAG": {"dag_id": "renders", "task_id": "render"},
    "of no DAG": {"dag_id": "nothing?like=this#"},
    "of another connection that signs for this task": {"conn_id": "other", "secret": OTHER_SECRET},
}
BODIES: dict[str, tuple[bytes, int]] = {
    "nothing": (b"", 400),
    "no JSON": (b"job_id=j-1", 400),
    "a list": (b'["j-1"]', 400),
    "deep JSON": (b'{"a":' * 20_000 + b"1" + b"}" * 20_000, 400),
    "too many values": (b'{"a":[' + b"1," * 200_000 + b"1]}", 400),
    "huge": (b'{"a":"' + b"x" * (1 << 20) + b'"}', 413),
}


@pytest.fixture(autouse=True)
def others(monkeypatch: pytest.MonkeyPatch, service: Any, nothing_to_finalize: None) -> None:
    """The job has ended; there are two more connections."""
    service.will("completed")
    extra = {"callback_base_url": "https://airflow.example.com", "webhook_secret": OTHER_SECRET}
    other = {"conn_type": "video_creation", "host": service.url, "password": "a-token"}
    monkeypatch.setenv("AIRFLOW_CONN_OTHER", json.dumps({**other, "extra": extra}))
    monkeypatch.setenv("AIRFLOW_CONN_PLAIN", json.dumps(other))


@pytest.mark.parametrize("made", ["url", "url_as_release_0_1_0_made"])
@pytest.mark.parametrize("forged", TOKENS.values(), ids=TOKENS)
async def test_a_forged_token(
    receiver: Any, airflow: Any, service: Any, now: Any, caplog: Any, forged: Forge, made: str
) -> None:
    url = forged(getattr(airflow, made), now())

    reply = await receiver.call(url, DONE)

    assert (reply.status_code, reply.json()) == (403, NO_WEBHOOK)
    assert (receiver.doors.asked, service.seen) == ([], [])
    assert await airflow.is_untouched()
    assert len(caplog.records) == 1
    assert url.rpartition("/")[2][:40] not in caplog.text


@pytest.mark.parametrize("other", SUBMISSIONS.values(), ids=SUBMISSIONS)
async def test_a_submission_that_is_not_recorded(
    receiver: Any, airflow: Any, service: Any, other: dict[str, Any]
) -> None:
    reply = await receiver.call(airflow.url(**other), DONE)

    assert (reply.status_code, reply.json()) == (409, {"detail": "the task has no such job"})
    assert service.seen == []
    assert await airflow.is_untouched()


async def test_a_task_that_was_cleared_and_has_submitted_again(
    receiver: Any, airflow: Any, service: Any, now: Any
) -> None:
    url = airflow.url()
    airflow.task = replace(airflow.task, generation=1, begun_at=now())
    await airflow.keep(airflow.intent.accepted("j-2"))

    assert (await receiver.call(url, DONE)).status_code == 409

    assert service.seen == []
    assert await airflow.is_untouched()


@pytest.mark.parametrize("is_intent", [False, True], ids=["submitted", "intent"])
async def test_another_job_or_none(receiver: Any, airflow: Any, is_intent: bool) -> None:
    if is_intent:
        await airflow.keep(airflow.intent)

    reply = await receiver.call(airflow.url(), {} if is_intent else {"data": {"jobId": "j-9"}})

    assert reply.status_code == 409
    assert await airflow.is_untouched()


@pytest.mark.parametrize(("content", "status"), BODIES.values(), ids=BODIES)
async def test_a_body_that_is_none(
    receiver: Any, airflow: Any, service: Any, content: bytes, status: int
) -> None:
    reply = await receiver.call(airflow.url(), content=content)

    assert reply.status_code == status
    assert (receiver.doors.asked, service.seen) == ([], [])
    assert await airflow.is_untouched()


async def test_a_body_without_an_end(receiver: Any, airflow: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook_body, "READ_SECONDS", 0.05)

    async def drip() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0.01)

    reply = await receiver.call(airflow.url(), content=_Endless(drip))

    assert reply.status_code == 408
    assert receiver.doors.asked == []


async def test_a_flood_fills_neither_the_log_nor_asks_for_connections(
    receiver: Any, airflow: Any, now: Any, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_connections, "MAX_UNKNOWN", 20)
    known = [airflow.url(begun_at=now() - 8 * DAY) for _ in range(100)]
    unknown = [airflow.url(conn_id=f"none-{number}") for number in range(100)]

    replies = [(await receiver.call(url, DONE)).status_code for url in known + unknown]

    # Whether a hundred-and-first connection is there, nobody looks; the true one is found all the same.
    assert (replies.count(403), replies.count(503)) == (120, 80)
    assert len(caplog.records) == 3
    assert (await receiver.call(airflow.url(), DONE)).status_code == 200


async def test_the_id_of_a_job_is_no_line_of_the_log(
    receiver: Any, airflow: Any, service: Any, caplog: Any
) -> None:
    await airflow.keep(airflow.intent.accepted("j-1\n[error] another line" + "x" * 50_000))
    service.will("404")

    assert (await receiver.call(airflow.url(), {})).status_code == 503

    [said] = [record.getMessage() for record in caplog.records]
    assert said.startswith("A webhook call's job cannot be read: ")
    assert "\n" not in said
    assert len(said) <= 1000


async def test_a_few_forged_calls_shut_out_no_connection_that_nobody_asked_for_yet(
    receiver: Any, airflow: Any
) -> None:
    """An API server has just started: nothing tells it which connections are there."""
    for number in range(100):
        await receiver.call(airflow.url(conn_id=f"none-{number}"), DONE)

    assert (await receiver.call(airflow.url(), DONE)).status_code == 200


async def test_a_connection_that_is_away_costs_no_look_up_a_call() -> None:
    """Deleted, or Airflow's database is away: nobody can tell, so true calls are asked to come again."""
    seconds, looked_up, is_there = [0.0], [], [True]

    async def read(conn_id: str) -> ServiceProfile:
        looked_up.append(conn_id)
        if not is_there[0]:
            raise ConnectionMissingError("gone")
        return PROFILE

    connections = webhook_connections.WebhookConnections(read, lambda: seconds[0])
    assert await connections.profile("c") is PROFILE
    is_there[0] = False
    seconds[0] = 31.0
    for _ in range(100):
        with pytest.raises(webhook_connections.ConnectionAwayError):
            await connections.profile("c")
    is_there[0] = True
    seconds[0] = 37.0

    assert await connections.profile("c") is PROFILE
    assert len(looked_up) == 3


async def test_a_secret_that_is_replaced_takes_effect_within_half_a_minute(
    receiver: Any, airflow: Any, connect: Callable[..., None], service: Any, now: Any
) -> None:
    url = airflow.url()
    assert (await receiver.call(url, DONE)).status_code == 200
    connect(service.url, callback_base_url="https://airflow.example.com", webhook_secret="y" * 20)
    now.seconds += 31

    assert (await receiver.call(url, DONE)).status_code == 403


async def test_the_log_says_after_a_minute_how_many_there_were(receiver: Any, now: Any, caplog: Any) -> None:
    for seconds in (0, 1, 1, 59):
        now.seconds += seconds
        await receiver.call("https://airflow.example.com/word", DONE)
    assert [" (2 more such calls" in record.getMessage() for record in caplog.records] == [False, True]


@pytest.mark.parametrize("method", ["GET", "PUT", "HEAD"])
async def test_only_post_is_taken(receiver: Any, airflow: Any, method: str) -> None:
    reply = await receiver.call(airflow.url(), DONE, method=method)

    assert reply.status_code == 405
    assert await airflow.is_untouched()


class _Endless:
    """A body that a client sends for as long as it is read."""

    def __init__(self, chunks: Callable[[], AsyncIterator[bytes]]) -> None:
        self._chunks = chunks

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._chunks()
