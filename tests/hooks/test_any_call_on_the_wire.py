"""What both transports send of any call, and what they make of its reply: the same."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.hooks.video_creation_async import VideoCreationAsyncHook
from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    AuthenticationError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RequestRefusedError,
    ServiceError,
    ServiceFailureError,
    ServiceUnreachableError,
    UnreadableReplyError,
)

AnyCall = Callable[..., Any]


@pytest.fixture(params=["requests", "aiohttp"])
def call(request: Any, connect: Any, service: Any, clock: Any) -> AnyCall:
    """A call of the service through one of the hooks, which never really sleeps."""

    async def sleep(seconds: float) -> None:
        clock.sleep(seconds)

    async def by_aiohttp(*args: Any, **options: Any) -> Any:
        async with VideoCreationAsyncHook(clock=clock.time, sleep=sleep) as hook:
            return await hook.acall(*args, **options)

    # Only where no answer comes is it soon given up: on a busy machine any other may be late.
    hangs = "hang" in request.node.callspec.params.values()
    connect(f"{service.url}/base", connect_timeout=0.3 if hangs else 10, read_timeout=0.3 if hangs else 30)
    if request.param == "requests":
        return VideoCreationHook(clock=clock.time, sleep=clock.sleep).call
    return lambda *args, **options: asyncio.run(by_aiohttp(*args, **options))


@pytest.mark.parametrize(
    "value", [{"data": [{"id": "Matthew"}]}, [], [1, None], "text", 5, False, None], ids=repr
)
def test_any_json_comes_back(call: AnyCall, service: Any, value: Any) -> None:
    service.will(service.reply(200, json.dumps(value).encode()))

    assert call("GET", "/voices") == value
    [seen] = service.seen
    assert (seen.method, seen.path) == ("GET", "/base/voices")
    assert seen.headers["authorization"] == "a-token-that-nobody-may-see"
    assert seen.headers["x-service-user-id"] == "user-7"


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
def test_each_method_is_sent_and_an_empty_reply_is_nothing(call: AnyCall, service: Any, method: str) -> None:
    service.will(service.reply(200))

    assert call(method.lower(), "/voices/v-1") is None
    [seen] = service.seen
    assert (seen.method, seen.path, seen.body) == (method, "/base/voices/v-1", b"")


@pytest.mark.parametrize("body", [{"name": "é"}, {}, [], "text", 0])
def test_any_json_is_sent(call: AnyCall, service: Any, body: Any) -> None:
    service.will(service.reply(200, {"id": 1}))

    call("POST", "/voices", json=body)

    [seen] = service.seen
    assert json.loads(seen.body) == body
    assert seen.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    "path", ["/a b", "/é", "/a%2Fb", "/100%", "/a%25b", "/a%252Fb", "/a:b@c;d,e+f", "/a//b", "/~a", "/x%7Ey"]
)
def test_a_path_arrives_as_it_was_meant(call: AnyCall, service: Any, path: str) -> None:
    service.will(service.reply(200))

    call("GET", path)

    [seen] = service.seen
    assert unquote(seen.path) == f"/base{unquote(path)}"
    assert seen.path.count("/") == path.count("/") + 1


def test_a_query_arrives_as_it_was_meant(call: AnyCall, service: Any) -> None:
    service.will(service.reply(200))
    params = {"q": "a b&c=d/é+?#%2F", "tags": ["x", None, "y"], "all": True, "left_out": None, "n": 1.5}

    call("GET", "/jobs?from=a%2Bb", params=params)

    [seen] = service.seen
    path, _, query = seen.path.partition("?")
    assert path == "/base/jobs"
    assert parse_qsl(query) == [
        ("from", "a+b"),
        ("q", "a b&c=d/é+?#%2F"),
        ("tags", "x"),
        ("tags", "y"),
        ("all", "true"),
        ("n", "1.5"),
    ]


@pytest.mark.parametrize(
    "path",
    ["/../x", "/%2e%2e/x", "/.%2e/x", "/%252e%252e/x", "//evil.example.com", "/a\r\nX: y", "/a\\..\\x"],
)
def test_what_would_lead_out_of_the_service_is_not_sent(call: AnyCall, service: Any, path: str) -> None:
    with pytest.raises(InvalidRequestError, match="nothing was sent"):
        call("GET", path)
    assert not service.seen


@pytest.mark.parametrize("fault", ["503", "reset", "truncated", "html", "malformed", "429"])
def test_a_read_is_repeated(call: AnyCall, service: Any, fault: str) -> None:
    service.will(fault, service.reply(200, []))

    assert call("GET", "/voices") == []
    assert len(service.seen) == 2


def test_a_read_that_keeps_failing_ends_in_half_a_minute(call: AnyCall, service: Any, clock: Any) -> None:
    service.will("503")

    with pytest.raises(ServiceFailureError):
        call("GET", "/voices")

    assert 10 < sum(clock.slept) <= 30


IN_DOUBT = [
    ("503", ServiceFailureError),
    ("reset", ServiceUnreachableError),
    ("hang", ServiceUnreachableError),
    ("truncated", ServiceUnreachableError),
    ("html", UnreadableReplyError),
    ("malformed", UnreadableReplyError),
]


@pytest.mark.parametrize(("fault", "kind"), IN_DOUBT)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_a_change_is_sent_once(
    call: AnyCall, service: Any, method: str, fault: str, kind: type[ServiceError]
) -> None:
    service.will(fault)

    with pytest.raises(kind, match="may still have carried it out") as told:
        call(method, "/voices/v-1")

    assert service.asked.wait(10)
    assert len(service.seen) == 1
    assert "paid" not in str(told.value)


@pytest.mark.parametrize("fault", [fault for fault, _ in IN_DOUBT])
@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_what_is_paid_for_is_sent_once(call: AnyCall, service: Any, method: str, fault: str) -> None:
    service.will(fault)

    with pytest.raises(AmbiguousSubmissionError, match=r"may be paid for\. It was not sent again"):
        call(method, "/things", json={}, paid=True)

    assert service.asked.wait(10)
    assert len(service.seen) == 1


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("400", RequestRefusedError),
        ("401", AuthenticationError),
        ("403", PermissionDeniedError),
        ("404", NotFoundError),
    ],
)
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_refusal_is_said_in_the_services_words(
    call: AnyCall, service: Any, method: str, fault: str, kind: type[ServiceError]
) -> None:
    service.will(fault)

    with pytest.raises(kind, match="saying: the service's own words") as told:
        call(method, "/voices")

    assert len(service.seen) == 1
    assert "a-token-that-nobody-may-see" not in str(told.value)


def test_a_refused_token_is_replaced_once(call: AnyCall, connect: Any, service: Any) -> None:
    connect(
        f"{service.url}/base", auth_url=f"{service.url}/token", login="client-1", password="client-secret"
    )
    tokens = (service.reply(200, {"access_token": f"fetched-{n}"}) for n in (1, 2, 3))
    service.will(*tokens, on="/token")
    service.will("401", service.reply(200, {"id": 1}), on="/base/things")

    assert call("POST", "/things", json={}, paid=True) == {"id": 1}
    asked = [seen.headers["authorization"] for seen in service.seen if seen.path == "/base/things"]
    assert asked == ["fetched-1", "fetched-2"]


def test_a_large_list_comes_back_whole(call: AnyCall, service: Any) -> None:
    voices = [{"id": f"voice-{number}"} for number in range(20_000)]
    service.will(service.reply(200, voices))

    assert call("GET", "/voices") == voices
