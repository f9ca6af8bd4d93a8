"""The minutes that are left are found in every usual form; what cannot be read is said, and is no zero."""

from __future__ import annotations

import json
from typing import Any

import pytest

from airflow_video_creation.provider.errors import ConfigurationError, UnreadableReplyError
from airflow_video_creation.provider.protocol.calls import Call
from airflow_video_creation.provider.protocol.messages import HttpReply
from airflow_video_creation.provider.service_lists.quota import read_quota

QUOTA = Call("get quota", "GET", "/v2/quota")


def left(body: Any, path: str | None = None) -> tuple[float, str]:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return read_quota(HttpReply(200, {}, text), QUOTA, path)


@pytest.mark.parametrize(
    "body",
    [
        {"data": {"minutes_total": 600, "minutes_used": 12.5, "minutes_left": 587.5}},
        {"minutes_left": 587.5},
        {"minutesLeft": "587.5"},
        {"remaining_minutes": " 587.5 "},
        {"quota": {"remainingMinutes": 587.5}},
        {"success": True, "data": {"quota": {"minutes_remaining": 587.5}}},
        {"data": {"minutes": {"total": 600, "left": 587.5}}},
        {"seconds_left": 35250},
        {"remaining": 587.5},
        {"left": 587.5, "unit": "minutes"},
        {"remaining": 5, "data": {"minutes_left": 587.5}},
        {"minutes_left": None, "minutes_remaining": 587.5},
    ],
)
def test_the_minutes_are_found_under_the_usual_names(body: Any) -> None:
    assert left(body)[0] == 587.5


@pytest.mark.parametrize(("given", "minutes"), [(0, 0), ("0", 0), (-3, -3), (1e300, 1e300), (10**30, 1e30)])
def test_nothing_less_than_nothing_and_very_much_are_numbers(given: Any, minutes: float) -> None:
    assert left({"minutes_left": given})[0] == minutes


def test_the_field_that_says_so_is_told() -> None:
    assert left({"data": {"minutesLeft": 3}})[1] == "minutes_left"
    assert left({"data": {"plan": {"rest": 3}}}, "plan.rest") == (3, "plan.rest")


@pytest.mark.parametrize("path", ["account.rest", "data.account.rest"])
def test_the_field_that_the_connection_names_is_found_with_and_without_the_envelope(path: str) -> None:
    assert left({"data": {"account": {"rest": "4"}, "minutes_left": 9}}, path)[0] == 4


@pytest.mark.parametrize(
    "value", [b"NaN", b'"NaN"', b"1e999", b'"inf"', b"null", b"true", b'"many"', b'""', b"[5]", b"{}"]
)
def test_what_is_no_number_is_no_zero(value: bytes) -> None:
    with pytest.raises(ConfigurationError, match="holds no minutes left; its fields: minutes_left"):
        left(b'{"minutes_left": ' + value + b"}")


def test_a_number_of_something_else_is_not_taken_for_minutes() -> None:
    with pytest.raises(ConfigurationError, match="its fields: remaining, unit"):
        left({"remaining": 30, "unit": "credits"})


def test_a_reply_without_minutes_is_told_by_its_names_and_without_its_values() -> None:
    with pytest.raises(ConfigurationError) as error:
        left({"data": {"plan": "a-secret-plan", "credits": 41}})

    assert str(error.value) == (
        "Get quota (GET /v2/quota): the answer holds no minutes left; its fields: data.plan, data.credits. Set extra "
        "reply_fields.quota_minutes of the connection to the field that holds the minutes left. Nothing was sent, and "
        "nothing was paid."
    )


def test_a_named_field_that_is_not_there_is_told() -> None:
    with pytest.raises(
        ConfigurationError, match=r"no number in its field 'plan\.rest', which the connection"
    ):
        left({"minutes_left": 5}, "plan.rest")


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"data": []}'])
def test_an_answer_that_says_nothing_is_no_zero(body: bytes) -> None:
    with pytest.raises(ConfigurationError, match="holds no minutes left"):
        left(body)


def test_a_page_of_a_proxy_may_be_gone_on_the_next_try() -> None:
    with pytest.raises(UnreadableReplyError):
        left(b"<html>")
