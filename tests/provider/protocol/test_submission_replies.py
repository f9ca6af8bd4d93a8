"""What a submission was answered with: a job id, or the fields of what was made."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import AmbiguousSubmissionError, RequestRefusedError
from airflow_video_creation.provider.protocol.calls import (
    add_voiceover_track,
    create_storyboard,
    render_video,
)
from airflow_video_creation.provider.protocol.replies import read_job_id, read_resource

from .http_replies import reply

PROFILE = ServiceProfile("https://video.example.com", "secret-token")
STORYBOARD = create_storyboard(PROFILE, {})
TRACK = add_voiceover_track(PROFILE, {})
FAILURE = {"success": False, "error": {"error_code": 7, "error_message": "No such font."}}


@pytest.mark.parametrize("status", [200, 201, 202, 299])
@pytest.mark.parametrize(
    "body",
    [
        {"job_id": "j-1"},
        {"jobId": "j-1"},
        {"data": {"job_id": " j-1 "}},
        {"data": {"jobId": "j-1"}, "job_id": None},
        {"job_id": "j-1", "success": False},
    ],
)
def test_every_form_of_a_job_id(body: Any, status: int) -> None:
    assert read_job_id(reply(body, status), STORYBOARD) == "j-1"


def test_a_job_id_is_opaque() -> None:
    assert read_job_id(reply({"job_id": 12345678901234567890}), STORYBOARD) == "12345678901234567890"
    assert read_job_id(reply({"job_id": "../{x}?y=/é "}), STORYBOARD) == "../{x}?y=/é"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html/>",
        b"[]",
        {},
        {"job_id": ""},
        {"job_id": True},
        {"job_id": ["j"]},
        {"data": "j-1"},
        {"job_id": "None"},
        {"job_id": "null"},
        {"job_id": "."},
    ],
)
def test_an_accepted_submission_without_a_job_id_may_have_been_paid_for(body: Any) -> None:
    with pytest.raises(
        AmbiguousSubmissionError,
        match=r"answered 201, and the answer holds no job_id.*may be paid for.*check the host and extra",
    ):
        read_job_id(reply(body, 201), render_video(PROFILE, {}))


@pytest.mark.parametrize("read", [read_job_id, read_resource])
@pytest.mark.parametrize("body", [FAILURE, {"data": {"error": {"message": "7: No such font"}}}])
def test_a_refusal_inside_a_200_is_a_refusal(read: Any, body: Any) -> None:
    with pytest.raises(
        RequestRefusedError, match=r"refused the request \(200\), saying: 7: No such font\. Correct"
    ):
        read(reply(body), STORYBOARD)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"id": 7, "name": "Ada"}, {"id": 7, "name": "Ada"}),
        ({"success": True, "data": {"id": 7}}, {"id": 7}),
        ({"id": 7, "data": "x"}, {"id": 7, "data": "x"}),
        (b"", {}),
        (b" \n", {}),
    ],
)
def test_what_was_made_is_read_without_its_envelope(body: Any, fields: dict[str, Any]) -> None:
    assert read_resource(reply(body), TRACK) == fields


@pytest.mark.parametrize("body", [b"<html/>", b"[1]", b"{"])
def test_what_was_made_and_cannot_be_read_may_exist(body: bytes) -> None:
    with pytest.raises(AmbiguousSubmissionError, match=r"the answer is not a JSON object.*check the host"):
        read_resource(reply(body), TRACK)


@pytest.mark.parametrize(
    "body",
    [{"success": False, "message": "Too many requests"}, {"success": False, "error": "Unauthorized"}],
)
def test_a_refusal_that_is_no_fault_of_the_request_asks_nobody_to_correct_it(body: Any) -> None:
    with pytest.raises(
        RequestRefusedError, match=r"Nothing shows that anything was made.*fix what it names"
    ) as told:
        read_job_id(reply(body), STORYBOARD)
    assert not told.value.not_acted


def test_an_outage_inside_a_200_says_nothing_about_what_was_made() -> None:
    with pytest.raises(AmbiguousSubmissionError):
        read_job_id(reply({"success": False, "error": "Service Unavailable"}), STORYBOARD)
