"""Tokens: one that is given, or one that is fetched, kept, and renewed before its end."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import (
    AuthenticationError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    RequestRefusedError,
    ServiceFailureError,
    ServiceUnreachableError,
    UnreadableReplyError,
)
from airflow_video_creation.provider.protocol.authentication import Token, TokenSource
from airflow_video_creation.provider.protocol.messages import TransportFailure

from .http_replies import reply

SECRET = "client s3cret & é"
NOW = 1_800_000_000.0


def source(**fields: Any) -> TokenSource:
    profile = ServiceProfile(
        "https://video.example.com",
        SECRET,
        client_id="ada",
        auth_url="https://auth.example.com/token",
        **fields,
    )
    return TokenSource(profile, user_agent="provider/1")


def test_a_given_token_is_used_for_ever() -> None:
    given = TokenSource(ServiceProfile("https://video.example.com", "static"), user_agent="provider/1")
    for now in (-1e12, 0.0, 1e12):
        assert given.current(now) == Token("static")


def test_no_token_is_there_before_one_was_fetched() -> None:
    assert source().current(NOW) is None


def test_a_token_is_asked_for_in_json() -> None:
    request = source().request()
    assert (request.method, request.url) == ("POST", "https://auth.example.com/token")
    assert request.headers["Content-Type"] == "application/json"
    assert request.headers["User-Agent"] == "provider/1"
    assert json.loads(request.body) == {"client_id": "ada", "client_secret": SECRET}
    assert "Authorization" not in request.headers


def test_a_token_is_asked_for_as_oauth2_client_credentials() -> None:
    request = source(token_request="form").request()
    assert request.headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert parse_qs(request.body.decode()) == {
        "grant_type": ["client_credentials"],
        "client_id": ["ada"],
        "client_secret": [SECRET],
    }


@pytest.mark.parametrize(
    "body",
    [
        {"access_token": "t-1", "expires_in": 600},
        {"access_token": " t-1\n", "expires_in": "600"},
        {"success": True, "data": {"access_token": "t-1", "expires_in": 600.0}},
    ],
)
def test_every_form_of_a_token_reply(body: Any) -> None:
    fetched = source()
    token = fetched.accept(reply(body), NOW)
    assert token == Token("t-1", NOW + 540)
    assert fetched.current(NOW) is token


@pytest.mark.parametrize(
    ("expires_in", "kept_for"),
    [
        (600, 540),
        ("600", 540),
        (100_000, 99_940),
        (1, 0.9),
        (30 * 24 * 3600, 30 * 24 * 3600 - 60),
        (None, 3540),
        (0, 3540),
        (-5, 3540),
        (0.5, 3540),
        (30 * 24 * 3600 + 1, 3540),
        (10**400, 3540),
        ("1e999", 3540),
        ("nan", 3540),
        ("soon", 3540),
        (True, 3540),
        ([600], 3540),
    ],
)
def test_a_token_is_kept_until_shortly_before_its_end(expires_in: object, kept_for: float) -> None:
    fetched = source()
    token = fetched.accept(reply({"access_token": "t-1", "expires_in": expires_in}), NOW)
    assert fetched.current(NOW + kept_for - 0.01) is token
    assert fetched.current(NOW + kept_for) is None


def test_a_clock_that_jumps_costs_at_most_one_request_too_many() -> None:
    fetched = source()
    token = fetched.accept(reply({"access_token": "t-1"}), NOW)
    assert fetched.current(NOW - 1e6) is token
    assert fetched.current(NOW + 1e6) is None


def test_a_refused_token_is_not_given_again_but_its_successor_is() -> None:
    fetched = source()
    old = fetched.accept(reply({"access_token": "t-1"}), NOW)
    assert fetched.current(NOW, refused=old) is None
    new = fetched.accept(reply({"access_token": "t-1"}), NOW)
    assert fetched.current(NOW, refused=old) is new


def test_a_refused_token_is_not_taken_from_elsewhere() -> None:
    fetched = source()
    old = fetched.accept(reply({"access_token": "t-1"}), NOW)
    fetched.current(NOW, refused=old)
    assert fetched.take(Token("t-1", NOW + 60)) is None
    assert fetched.take(Token("t-2", NOW + 60)) == Token("t-2", NOW + 60)


ANSWERS = [
    (
        reply({"message": "no"}, 401),
        AuthenticationError,
        "refused the client id and secret (401), saying: no. Check",
    ),
    (reply({"code": "invalid_client"}, 400), AuthenticationError, "(400), saying: invalid_client. Check"),
    (reply(b"", 403), AuthenticationError, "(403). Check the login (client id), password"),
    (
        reply(b"<html>Blocked</html>", 403),
        PermissionDeniedError,
        "a proxy or gateway does not let this call through (403): its answer is an HTML page. Check extra auth_url",
    ),
    (reply(b"", 404), NotFoundError, "not found (404). Check extra auth_url of the connection."),
    (
        reply(b"", 302, location="/login"),
        RequestRefusedError,
        "redirect (302) to /login, which is not followed: set extra auth_url",
    ),
    (reply(b"", 429), RateLimitedError, "fewer requests"),
    (reply(b"", 500), ServiceFailureError, "the service failed (500)"),
    (
        TransportFailure("not-sent", "refused"),
        ServiceUnreachableError,
        "cannot be reached: refused. Check extra auth_url",
    ),
    (TransportFailure("no-reply", "late"), ServiceUnreachableError, "no answer from the service: late"),
    (TransportFailure("too-large", "huge"), UnreadableReplyError, "huge. Check extra auth_url"),
    (reply(b"<html/>"), UnreadableReplyError, "contains no usable access_token. Check that extra auth_url"),
    (reply({"access_token": ""}), UnreadableReplyError, "contains no usable access_token"),
    (reply({"access_token": {"a": 1}}), UnreadableReplyError, "contains no usable access_token"),
    (reply({"access_token": "t\r\nX-Evil: 1"}), UnreadableReplyError, "contains no usable access_token"),
    (reply({"access_token": "t\u00e9"}), UnreadableReplyError, "contains no usable access_token"),
    (reply(b"", 204), UnreadableReplyError, "contains no usable access_token"),
]


@pytest.mark.parametrize(("answer", "error", "message"), ANSWERS)
def test_without_a_token_nothing_was_done(answer: Any, error: type[Exception], message: str) -> None:
    fetched = source()
    with pytest.raises(error) as caught:
        fetched.accept(answer, NOW)
    assert type(caught.value) is error
    assert str(caught.value).startswith("Fetch token (POST auth_url)")
    assert message in str(caught.value)
    assert caught.value.not_acted  # type: ignore[attr-defined]
    assert fetched.current(NOW) is None


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 429, 500])
def test_an_echoed_secret_is_not_told(status: int) -> None:
    echo = {
        "code": SECRET,
        "message": f"wrong client_secret {SECRET}!",
        "fields": [{"name": SECRET, "errors": [SECRET]}],
    }
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whichever it is
        source().accept(reply(echo, status, **{"x-request-id": SECRET}), NOW)
    assert "s3cret" not in f"{caught.value}{vars(caught.value)}"


def test_neither_token_nor_source_shows_a_secret() -> None:
    fetched = source()
    token = fetched.accept(reply({"access_token": "t0ken"}), NOW)
    assert "t0ken" not in f"{token!r}{fetched!r}"
    assert "s3cret" not in f"{fetched.request()!r}"
