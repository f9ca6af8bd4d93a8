"""Where a request meets the connection: what is sent, what is warned of, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import InvalidRequestError
from airflow_video_creation.provider.submission.paid_request import (
    PaidRequest,
    of_aws_connection,
    of_storyboard,
    of_voiceover_track,
)

BASE = "https://video.example.com"
AWS_CONNECTION = {"name": "m", "awsAccountId": "012345678901", "awsRegion": "us-east-2", "enabled": True}
TRACK = {
    "name": "Ada",
    "service": "aws",
    "engine": "neural",
    "language": "en-US",
    "voiceId": "v-1",
    "accent": "american",
    "age": "Adult",
    "gender": "Female",
}


def asked(
    text: str = "Hello", webhook: str | None = None, *, profile: dict[str, Any] | None = None, **fields: Any
) -> PaidRequest[str]:
    service = ServiceProfile(BASE, "secret", **(profile or {}))
    storyboard = {"videoName": "news", "scenes": [{"text": text}], **fields}
    return of_storyboard(service, storyboard, webhook, conn_id="my_conn")


def test_a_number_is_a_number_in_the_bytes_that_are_sent_and_a_text_a_text() -> None:
    voice = {"speed": 100, "amplifyLevel": "0"}
    call = asked(audio={"aiVoiceOver": voice}, videoWidth=1280, videoHeight="720").call
    assert json.loads(call.content or b"") == {
        "videoName": "news",
        "audio": {"aiVoiceOver": voice},
        "scenes": [{"text": "Hello"}],
        "videoWidth": 1280,
        "videoHeight": "720",
    }


def test_empty_texts_are_warned_of_beside_values_out_of_range() -> None:
    request = asked(language="", audio={"aiVoiceOver": {"speed": 300}})
    empty, out_of_range = request.warnings
    assert "not sent: language." in empty
    assert "speed is 300" in out_of_range
    assert "language" not in request.body


def test_empty_texts_of_registrations_are_warned_of() -> None:
    profile = ServiceProfile(BASE, "secret")
    for request in (
        of_aws_connection(profile, {**AWS_CONNECTION, "description": ""}),
        of_voiceover_track(profile, {**TRACK, "description": ""}),
    ):
        assert ["not sent: description." in warning for warning in request.warnings] == [True]


def test_a_known_field_in_extra_fields_is_sent_where_the_connection_allows_it() -> None:
    extra = {"language": ["en", "de"]}
    request = asked(extra_fields=extra, language="en", profile={"override_known_fields": True})
    assert request.body["language"] == ["en", "de"]


def test_a_known_field_in_extra_fields_is_refused_where_nothing_allows_it() -> None:
    profile = ServiceProfile(BASE, "secret")
    with pytest.raises(InvalidRequestError, match="add override_known_fields: true to these extra_fields or"):
        asked(extra_fields={"language": "x"})
    with pytest.raises(InvalidRequestError, match="extra_fields: contains enabled, which the interface has"):
        of_aws_connection(profile, {**AWS_CONNECTION, "extra_fields": {"enabled": 1}})
    with pytest.raises(InvalidRequestError, match="extra_fields: contains age, which the interface has"):
        of_voiceover_track(profile, {**TRACK, "extra_fields": {"age": 30}})


def test_the_tasks_webhook_goes_before_one_in_extra_fields() -> None:
    extra = {"override_known_fields": True, "webhook": "https://elsewhere.example.com/"}
    assert asked(webhook=f"{BASE}/hook", extra_fields=extra).body["webhook"] == f"{BASE}/hook"


@pytest.mark.parametrize(
    ("escape_text", "text", "sent"),
    [
        (True, "AT&amp;T", "AT&amp;T"),
        (True, "AT&T", "AT&T"),
        (False, "AT&amp;T", "AT&T"),
        (False, "AT&T", "AT&T"),
        (False, "<p>AT&amp;T</p>", "<p>AT&amp;T</p>"),
    ],
)
def test_the_connection_says_whether_text_is_escaped(escape_text: bool, text: str, sent: str) -> None:
    request = asked(text, profile={"escape_text": escape_text})
    assert request.body["scenes"] == [{"text": sent}]
    assert not request.warnings


def test_text_that_would_look_like_ssml_stays_escaped_with_a_warning() -> None:
    scenes = [{"text": "&lt;b&gt; &amp; c"}, {"text": "d &amp; e"}, {"backgroundUri": f"{BASE}/a.mp4"}]
    request = asked(scenes=scenes, profile={"escape_text": False})
    assert [scene.get("text") for scene in request.body["scenes"]] == ["&lt;b&gt; &amp; c", "d & e", None]
    assert request.warnings == (
        "scenes[0].text: sent escaped, though the connection says escape_text: false. Without escapes the text would "
        "look like SSML.",
    )
