"""The calls on what is registered: where they go, what they send, and how their answers are read."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import (
    ConfigurationError,
    NotFoundError,
    RequestRefusedError,
    ServiceError,
    UnreadableReplyError,
)
from airflow_video_creation.provider.protocol.messages import HttpReply, TransportFailure
from airflow_video_creation.provider.protocol.reply_errors import require_success
from airflow_video_creation.provider.protocol.retry import seconds_before_repeat
from airflow_video_creation.provider.registrations.calls import (
    one_call,
    read_answer,
    read_registered,
    read_whole,
    with_enabled,
)
from airflow_video_creation.provider.registrations.kind import AWS_CONNECTION, VOICEOVER_TRACK
from airflow_video_creation.provider.service_lists.listing import Listed

from ..protocol.http_replies import reply

PATHS = {"aws_connection": "/connections/{connection_id}", "voiceover_track": "/voices?id={track_id}"}
PROFILE = ServiceProfile("https://video.example.com", "secret", paths=PATHS)
DELETE = one_call(PROFILE, AWS_CONNECTION, "delete", "DELETE", "c-9")


def test_an_id_is_quoted_and_not_read() -> None:
    assert one_call(PROFILE, AWS_CONNECTION, "delete", "DELETE", "a/../b").path == "/connections/a%2F..%2Fb"
    assert one_call(PROFILE, VOICEOVER_TRACK, "delete", "DELETE", 5).path == "/voices?id=5"
    assert str(DELETE) == "Delete AWS connection (DELETE /connections/c-9)"


@pytest.mark.parametrize("registered_id", [None, "", " ", ".", "..", "None"])
def test_what_leads_to_another_path_is_no_id(registered_id: Any) -> None:
    with pytest.raises(
        ConfigurationError, match=r"cannot be the id .* pass the connectionId.* Nothing was sent"
    ):
        one_call(PROFILE, AWS_CONNECTION, "delete", "DELETE", registered_id)


def test_a_path_that_the_connection_does_not_name_is_told() -> None:
    with pytest.raises(
        ConfigurationError, match=r"set extra paths\.voiceover_track to its path, with \{track_id\}"
    ):
        one_call(ServiceProfile("https://x.example", "s"), VOICEOVER_TRACK, "delete", "DELETE", 5)


@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE"])
@pytest.mark.parametrize(
    "answer",
    [TransportFailure("no-reply", "late"), HttpReply(503, {}, b""), HttpReply(500, {}, b"")],
    ids=["no reply", "503", "500"],
)
def test_made_twice_it_does_no_more_than_once_so_it_is_repeated(method: str, answer: Any) -> None:
    call = one_call(PROFILE, AWS_CONNECTION, "change", method, "c-9", {"enabled": False})

    with pytest.raises(ServiceError) as failed:
        require_success(answer, call)

    assert seconds_before_repeat(call, failed.value, attempt=1, elapsed=0.0, jitter=1.0) == 1.0


@pytest.mark.parametrize(
    "body",
    [
        [{"id": 1}],
        {"data": [{"id": 1}]},
        {"connections": [{"id": 1}]},
        {"awsConnections": [{"id": 1}]},
        {"data": {"aws_connections": [{"id": 1}]}},
    ],
)
def test_a_list_in_every_usual_form(body: Any) -> None:
    assert read_registered(reply(body), DELETE, AWS_CONNECTION) == Listed([{"id": 1}], is_whole=True)


def test_a_list_says_whether_there_is_more() -> None:
    body = {"data": [{"id": 1}], "next_cursor": "x"}
    assert read_registered(reply(body), DELETE, VOICEOVER_TRACK) == Listed([{"id": 1}], is_whole=False)


@pytest.mark.parametrize("body", [{"message": "hello"}, b"<html/>"])
def test_an_answer_without_a_list_is_unreadable_and_not_an_empty_list(body: Any) -> None:
    with pytest.raises(UnreadableReplyError):
        read_registered(reply(body), DELETE, AWS_CONNECTION)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (b"", {}),
        (b"[]", {}),
        ({"success": True}, {"success": True}),
        ({"data": {"enabled": False}}, {"enabled": False}),
    ],
)
def test_what_a_call_is_answered_with(body: Any, fields: dict[str, Any]) -> None:
    assert read_answer(reply(body), DELETE) == fields


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"success": False, "error": {"error_code": "in_use"}}, RequestRefusedError),
        ({"success": False, "error": {"error_code": 404}}, NotFoundError),
        (b"<html>Log in</html>", UnreadableReplyError),
    ],
)
def test_a_failure_inside_a_200_is_no_success(body: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_answer(reply(body), DELETE)


def test_a_put_sends_the_whole_connection_but_what_only_the_service_says() -> None:
    read = {
        "connectionId": "c-9",
        "version": 3,
        "name": "media",
        "awsRegion": "us-east-2",
        "note": "n",
        "enabled": True,
    }

    assert with_enabled(read, False) == {
        "name": "media",
        "awsRegion": "us-east-2",
        "note": "n",
        "enabled": False,
    }


@pytest.mark.parametrize("body", [b"", {"success": True}, {"data": []}])
def test_what_is_no_connection_is_never_sent_in_place_of_one(body: Any) -> None:
    with pytest.raises(UnreadableReplyError):
        read_whole(reply(body), DELETE)
