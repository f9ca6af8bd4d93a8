"""Lists of the service are read in every form that comparable services use."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import (
    ConfigurationError,
    RateLimitedError,
    RequestRefusedError,
    UnreadableReplyError,
)
from airflow_video_creation.provider.protocol.calls import Call
from airflow_video_creation.provider.protocol.messages import HttpReply
from airflow_video_creation.provider.service_lists.listing import (
    Listed,
    field_of,
    has_more,
    items_of,
    list_call,
    next_cursor,
    read_list,
    reply_value,
    shown_fields,
)

LIST = Call("list voices", "GET", "/v2/voices")
TWO = [{"id": "1"}, {"id": "2"}]


@pytest.mark.parametrize(
    "body",
    [
        TWO,
        {"data": TWO},
        {"items": TWO},
        {"results": TWO},
        {"voices": TWO},
        {"Voices": TWO},
        {"data": {"items": TWO}},
        {"data": {"voices": TWO}},
        {"success": True, "data": {"total": 2, "results": TWO}},
        {"data": None, "items": TWO},
        {"voices": {"data": TWO}},
    ],
)
def test_the_list_is_found_in_every_usual_envelope(body: Any) -> None:
    assert items_of(body, "voices") == TWO


def test_the_plural_name_comes_first() -> None:
    assert items_of({"data": [{"id": "page"}], "voices": TWO}, "voices") == TWO


def test_a_list_of_texts_is_one_of_objects_with_that_name() -> None:
    assert items_of(["Joanna", 7, None, {"name": "Matthew"}], "voices") == [
        {"name": "Joanna"},
        {"name": "Matthew"},
    ]


@pytest.mark.parametrize("body", [{}, {"data": {}}, {"data": "x"}, {"other": TWO}, None, 7])
def test_what_holds_no_list_has_none(body: Any) -> None:
    assert items_of(body, "voices") is None


def test_an_empty_list_is_a_list() -> None:
    assert items_of({"data": []}, "voices") == []


@pytest.mark.parametrize("name", ["minutes_left", "minutesLeft", "MinutesLeft", "minutes-left"])
def test_a_field_is_found_under_its_usual_name_however_that_is_written(name: str) -> None:
    assert field_of({"id": 1, name: 5}, None, "minutes_left") == 5


def test_the_first_usual_name_that_has_a_value_counts() -> None:
    item = {"left": 1, "minutes_left": None, "minutes_remaining": 2}

    assert field_of(item, None, "minutes_left", "minutes_remaining", "left") == 2


def test_the_path_that_the_connection_names_counts_alone() -> None:
    item = {"voice": {"label": "Joanna"}, "name": "n"}

    assert field_of(item, "voice.label", "name") == "Joanna"
    assert field_of(item, "voice.other", "name") is None
    assert field_of(item, "name.first", "name") is None


@pytest.mark.parametrize(
    ("body", "cursor"),
    [
        ({"data": TWO, "next_cursor": "abc"}, "abc"),
        ({"data": TWO, "meta": {"nextCursor": "abc"}}, "abc"),
        ({"data": {"items": TWO, "next": "https://video.example.com/v2/voices?page=2"}}, None),
        ({"data": TWO, "links": {"next": {"href": "/v2/voices?page=2"}}}, "/v2/voices?page=2"),
        ({"data": TWO, "next_page": 2}, "2"),
    ],
)
def test_what_leads_to_the_next_page_is_told(body: Any, cursor: str | None) -> None:
    assert next_cursor(body) == (cursor or "https://video.example.com/v2/voices?page=2")
    assert has_more(body, 2)


@pytest.mark.parametrize(
    "more", [{"has_more": True}, {"total": 3}, {"pagination": {"totalCount": 3}}, {"page": {"hasNext": True}}]
)
def test_a_page_that_only_says_that_there_are_others_is_not_whole(more: dict[str, Any]) -> None:
    assert has_more({"data": TWO, **more}, 2)


@pytest.mark.parametrize(
    "body",
    [TWO, {"data": TWO}, {"data": TWO, "next_cursor": None, "has_more": False, "total": 2, "next": ""}],
)
def test_a_list_that_names_nothing_further_is_whole(body: Any) -> None:
    assert not has_more(body, 2)
    assert next_cursor(body) is None


def test_a_message_names_the_fields_and_no_values() -> None:
    body = {"data": {"plan": "a-secret-plan", "usage": {"minutes": 3}}, "ok": True}

    assert shown_fields(body) == "data.plan, data.usage.minutes, ok"
    assert shown_fields({"data": [{"key": "a-secret"}]}) == "key"
    assert shown_fields([]) == "no field"
    assert shown_fields({str(number): 1 for number in range(30)}).endswith("19, and 10 more")


def test_a_list_that_the_connection_does_not_name_says_what_to_set() -> None:
    profile = ServiceProfile("https://video.example.com", "secret-token", paths={"voices": "/v2/voices"})

    assert list_call(profile, "voices", "list voices") == Call(
        "list voices", "GET", "/v2/voices", settings="the host and extra paths.voices of {connection}"
    )
    with pytest.raises(ConfigurationError, match=r"set extra paths\.quota to the path that your service"):
        list_call(profile, "quota", "get quota")


def test_a_reply_may_be_a_list_or_an_object() -> None:
    assert reply_value(HttpReply(200, {}, b'[{"id": "1"}]'), LIST) == [{"id": "1"}]
    assert reply_value(HttpReply(200, {}, b'{"data": []}'), LIST) == {"data": []}


@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        (
            b"<html>Welcome</html>",
            UnreadableReplyError,
            r"Check the host .*; a proxy may be answering",
        ),
        (b"", UnreadableReplyError, "the answer is not JSON. Check"),
        (b'"Joanna"', UnreadableReplyError, "not a JSON object or list"),
        (b'{"success": false, "message": "too many requests"}', RateLimitedError, "fewer requests"),
        (b'{"success": false, "message": "feature is off"}', RequestRefusedError, "feature is off"),
    ],
)
def test_a_200_that_is_no_list_is_the_error_that_it_tells_of(
    body: bytes, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        reply_value(HttpReply(200, {}, body), LIST)


def test_a_list_comes_with_whether_it_is_whole() -> None:
    assert read_list(HttpReply(200, {}, b'{"voices": [{"id": "1"}]}'), LIST, "voices") == Listed(
        [{"id": "1"}], True
    )
    assert not read_list(HttpReply(200, {}, b'{"data": [], "next": "x"}'), LIST, "voices").is_whole


def test_a_reply_without_a_list_is_told_by_its_names() -> None:
    with pytest.raises(UnreadableReplyError, match=r"holds no list of voices; its fields: greeting\. Check"):
        read_list(HttpReply(200, {}, b'{"greeting": "hello"}'), LIST, "voices")
