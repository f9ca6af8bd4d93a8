"""One call as a conversation: who asks for what, how often, and to whom the token goes."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import (
    AuthenticationError,
    ConfigurationError,
    RequestRefusedError,
    ServiceError,
    ServiceUnreachableError,
)
from airflow_video_creation.provider.protocol import calls
from airflow_video_creation.provider.protocol.authentication import Token
from airflow_video_creation.provider.protocol.calls import Call
from airflow_video_creation.provider.protocol.exchange import Conversation, FetchToken, Step, converse
from airflow_video_creation.provider.protocol.messages import HttpReply, HttpRequest, TransportFailure

STATIC = ServiceProfile("https://video.example.com/base", "static-token", user_id="ada")
FETCHING = ServiceProfile(
    "https://video.example.com/base", "client-secret", user_id="ada", auth_url="https://auth.example.com/"
)
GET = calls.get_job(STATIC, "j-1")
POST = calls.create_storyboard(STATIC, {"videoName": "x"})
FIRST, SECOND = Token("first"), Token("second")
OK = HttpReply(200, {}, b"{}")
NO = HttpReply(401, {}, b"")


def whole(reply: HttpReply, call: Call) -> HttpReply:
    return reply


def talk(
    call: Call, profile: ServiceProfile = STATIC, user_id: str | None = None, read: Any = whole
) -> Conversation[Any]:
    return converse(call, profile, read, user_id=user_id, user_agent="provider/1", now=1e9)


def moved(location: str, status: int = 302) -> HttpReply:
    return HttpReply(status, {"location": location}, b"")


def requests_of(call: Call, profile: ServiceProfile, answers: list[Any]) -> tuple[list[Step], Any]:
    """All steps of a conversation in which these answers are given, and its end."""
    conversation = talk(call, profile)
    steps = [next(conversation)]
    try:
        for answer in answers:
            steps.append(conversation.send(answer))
    except StopIteration as end:
        return steps, end.value
    except ServiceError as error:
        return steps, error
    raise AssertionError(f"more answers are needed after {steps}")


def test_a_call_is_a_token_a_request_and_a_reply() -> None:
    steps, end = requests_of(POST, STATIC, [FIRST, OK])
    assert steps[0] == FetchToken()
    request = steps[1]
    assert isinstance(request, HttpRequest)
    assert (request.method, request.url) == ("POST", "https://video.example.com/base/api/v1/video/storyboard")
    assert request.headers == {
        "Authorization": "first",
        "X-Service-User-Id": "ada",
        "Accept": "application/json",
        "Content-Type": "application/json",
        "User-Agent": "provider/1",
    }
    assert request.body == b'{"videoName": "x"}'
    assert end == HttpReply(200, {}, b"{}", secrets=("first", "static-token"))


def test_a_poll_has_no_body() -> None:
    steps, _ = requests_of(GET, STATIC, [FIRST, OK])
    request = steps[1]
    assert isinstance(request, HttpRequest)
    assert request.body == b""
    assert "Content-Type" not in request.headers


@pytest.mark.parametrize("call", [GET, POST])
def test_after_a_401_one_fresh_token_is_tried(call: Call) -> None:
    steps, end = requests_of(call, FETCHING, [FIRST, NO, SECOND, OK])
    assert steps[2] == FetchToken(refused=FIRST)
    assert isinstance(steps[3], HttpRequest)
    assert steps[3].headers["Authorization"] == "second"
    assert end.status == 200


@pytest.mark.parametrize("call", [GET, POST])
def test_after_two_401_it_is_an_error(call: Call) -> None:
    steps, end = requests_of(call, FETCHING, [FIRST, NO, SECOND, NO])
    assert len(steps) == 4
    assert type(end) is AuthenticationError


@pytest.mark.parametrize("call", [GET, POST])
def test_a_given_token_is_tried_once(call: Call) -> None:
    steps, end = requests_of(call, STATIC, [FIRST, NO])
    assert len(steps) == 2
    assert type(end) is AuthenticationError


def test_no_other_failure_asks_for_a_token() -> None:
    for answer in (HttpReply(403, {}, b""), HttpReply(500, {}, b""), TransportFailure("no-reply", "late")):
        steps, end = requests_of(GET, FETCHING, [FIRST, answer])
        assert len(steps) == 2
        assert isinstance(end, ServiceError)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("/elsewhere?a=b", "https://video.example.com/elsewhere?a=b"),
        ("elsewhere", "https://video.example.com/base/api/v1/job/elsewhere"),
        ("https://VIDEO.example.com:443/elsewhere", "https://VIDEO.example.com:443/elsewhere"),
    ],
)
def test_a_poll_follows_a_redirect_to_the_services_own_host(status: int, location: str, url: str) -> None:
    steps, end = requests_of(GET, STATIC, [FIRST, moved(location, status), OK])
    assert isinstance(steps[2], HttpRequest)
    assert (steps[2].method, steps[2].url) == ("GET", url)
    assert steps[2].headers["Authorization"] == "first"
    assert end.status == 200


@pytest.mark.parametrize(
    "location",
    [
        "https://other.example.com/x",
        "//other.example.com/x",
        "http://video.example.com/x",
        "https://video.example.com:8443/x",
        "https://video.example.com@other.example.com/x",
        "https://ada:pw@video.example.com/x",
        "https://video.example.com.other.example/x",
        "https://video.example.com\\@other.example.com/x",
        "http://[::1",
        "ftp://video.example.com/x",
        "",
    ],
)
def test_the_token_goes_to_no_other_host(location: str) -> None:
    steps, end = requests_of(GET, STATIC, [FIRST, moved(location)])
    assert len(steps) == 2
    assert type(end) is RequestRefusedError
    assert "set the host and extra paths of the connection to the final address" in str(end)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_submission_follows_no_redirect(status: int) -> None:
    steps, end = requests_of(POST, STATIC, [FIRST, moved("/elsewhere", status)])
    assert len(steps) == 2
    assert type(end) is RequestRefusedError


def test_redirects_come_to_an_end() -> None:
    steps, end = requests_of(GET, STATIC, [FIRST, *(moved(f"/{number}") for number in range(4))])
    assert len(steps) == 5
    assert type(end) is RequestRefusedError


def test_a_401_after_a_redirect_still_gets_its_fresh_token() -> None:
    steps, end = requests_of(GET, FETCHING, [FIRST, moved("/x"), NO, SECOND, OK])
    assert isinstance(steps[4], HttpRequest)
    assert steps[4].url == "https://video.example.com/base/api/v1/job/j-1"
    assert end.status == 200


def test_no_connection_is_told_as_such() -> None:
    _, end = requests_of(POST, STATIC, [FIRST, TransportFailure("not-sent", "connection refused by h")])
    assert type(end) is ServiceUnreachableError
    assert "connection refused by h" in str(end)


@pytest.mark.parametrize(
    ("own", "sent"), [(None, "ada"), ("", "ada"), ("grace", "grace"), (" grace ", "grace")]
)
def test_a_task_may_name_its_own_user(own: str | None, sent: str) -> None:
    conversation = talk(GET, user_id=own)
    next(conversation)
    request = conversation.send(FIRST)
    assert isinstance(request, HttpRequest)
    assert request.headers["X-Service-User-Id"] == sent


@pytest.mark.parametrize(
    ("user_id", "message"),
    [
        (None, "Create storyboard: there is no user id to send. Set extra user_id"),
        ("  ", "Create storyboard: there is no user id to send"),
        ("a\nb", "contains characters that a header cannot carry. Correct extra user_id"),
        ("adé", "contains characters that a header cannot carry"),
    ],
)
def test_without_a_user_id_nothing_is_asked(user_id: str | None, message: str) -> None:
    nobody = ServiceProfile("https://video.example.com", "static-token")
    with pytest.raises(ConfigurationError, match=message):
        next(talk(POST, nobody, user_id))


def test_no_request_or_reply_shows_what_is_secret() -> None:
    steps, end = requests_of(
        POST, STATIC, [Token("t0ken"), HttpReply(200, {"set-cookie": "t0ken"}, b"t0ken")]
    )
    assert "t0ken" not in f"{steps!r}{end!r}{POST!r}"


def test_what_a_200_says_of_the_token_sends_no_submission_again() -> None:
    def read(reply: HttpReply, call: Call) -> None:
        raise AuthenticationError("the token is refused, inside a 200", not_acted=False)

    conversation = talk(POST, FETCHING, read=read)
    assert next(conversation) == FetchToken()
    assert isinstance(conversation.send(FIRST), HttpRequest)
    with pytest.raises(AuthenticationError, match="inside a 200"):
        conversation.send(OK)
