"""How a success is read: the table of ``replies`` row by row, and every form that is understood (ours)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import (
    AuthenticationError,
    JobReplyTooLargeError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    ReportedFailureError,
    ServiceError,
    ServiceFailureError,
    UnreadableReplyError,
)
from airflow_video_creation.provider.models import Job
from airflow_video_creation.provider.protocol import calls, replies
from airflow_video_creation.provider.protocol.calls import (
    add_voiceover_track,
    create_storyboard,
    get_job,
)
from airflow_video_creation.provider.protocol.messages import MAX_REPLY_BYTES
from airflow_video_creation.provider.protocol.replies import read_job

from .http_replies import reply

PROFILE = ServiceProfile("https://video.example.com", "secret-token", state_words={"fertig": "completed"})
GET = get_job(PROFILE, "j-1")
STORYBOARD = create_storyboard(PROFILE, {})
TRACK = add_voiceover_track(PROFILE, {})


def job(body: Any) -> Job:
    return read_job(reply(body), GET, PROFILE)[0]


FAILURE = {"success": False, "error": {"error_code": 7, "error_message": "No such font."}}
UNKNOWN_JOB = {"success": False, "error": {"message": "Job j-1 not found"}}
RESULT = {"preview": "https://p.example/1", "render_settings": {"a": 1}}
ROWS: dict[tuple[str, str], list[Any]] = {
    ("any", "names another job id than the one asked for"): [
        {"job_id": "j-2", "status": "completed", "videoURL": "https://v.example/2"},
        {"job_id": "j-1", "data": {"jobId": "j-2", "status": "failed"}},
        {"job_id": 2, "status": "in-progress"},
        {"jobId": "J-1", "status": "completed"},
    ],
    ("in-progress", "anything"): [
        {"data": {"status": "in-progress", "progress": 5}},
        {"status": "IN_PROGRESS", **FAILURE},
        {"data": {"status": "In Progress", **RESULT}},
        {"data": {"status": "in-progress", "error": {"code": None, "message": None}}},
    ],
    ("completed", "anything; errors are warnings"): [
        {"job_id": "j-1", "success": True, "data": {"status": "completed", **RESULT}},
        {"status": "Completed"},
        {"status": "fertig"},
        {"data": {"status": "FERTIG", "error_code": 0}},
        {"data": {"status": "completed"}, **FAILURE},
        {"status": "completed", "videoURL": "https://v.example/1", "error": {"code": 0, "message": "OK"}},
        {"status": "completed", "videoURL": "https://v.example/1", "errors": [{"message": "No sound"}]},
        {"status": "success", "state": "completed", "videoURL": "https://v.example/1"},
        {"data": {"status": "OK", "state": "completed"}},
    ],
    ("failed", "anything, but a call's own failure"): [
        {"data": {"status": "failed", "error_code": "E", "error_message": "Broken"}},
        {"status": "FAILED", "success": True, **RESULT},
        {"job_id": "j-1", "status": "failed", "error": "Too many requests"},
        {"data": {"status": "failed"}, "error": "Too many requests"},
        {"status": "ok", "jobStatus": "failed"},
        {"status": "failed"},
    ],
    ("cleaned", "anything"): [{"data": {"status": "cleaned"}}, {"status": "Cleaned", **FAILURE}],
    ("none", "a result"): [
        RESULT,
        {"job_id": "j-1", "success": True, "data": RESULT},
        {"data": {"previewUrl": "https://p.example/1"}},
        {"data": {"renderParams": {}}},
        {"videoURL": "https://v.example/1", "error_code": 0},
        {"shareVideoURL": "https://v.example/1"},
        {"audioURL": "https://v.example/1", "progress": 100},
        {"error": "boom", **RESULT},
        {"error": "boom", "videoURL": "https://v.example/1"},
        {"url": "https://v.example/1"},
        {"thumbnail": "https://v.example/1"},
        {"status": "success", "videoURL": "https://v.example/1"},
        {"status": "success", "data": {"videoURL": "https://v.example/1"}},
        {"status": 200, "data": RESULT},
    ],
    ("none", "no failure, and a progress below 100 %"): [
        {"data": {"renderProgress": 40}},
        {"data": {"progress": 40, "thumbnail": "https://t.example/1"}},
        {"progress": "99%", "error": None},
        {"status": "ok", "data": {"progress": 0, "error": {"code": None, "message": None}}},
    ],
    ("not a known one", "no failure"): [
        {"data": {"status": "queued"}},
        {"data": {"status": "processing", "error": {"code": None, "message": None}}},
        {"status": "processing", "error_code": 0, "error": "none"},
        {"status": "paused", **RESULT},
    ],
    ("none or unknown", "words or codes for a job that is not known"): [
        UNKNOWN_JOB,
        {"status": "error", **UNKNOWN_JOB},
        {"message": "Job not found"},
        {"code": 404, "message": "There is nothing here"},
        {"error": {"code": "JOB_NOT_FOUND"}},
        {"success": False, "data": {"error_code": "5000", "error_message": "JOB_NOT_FOUND"}},
        {"errorType": "JobNotFoundException"},
        {"status": 404},
        {"success": False, "data": {"error_code": "JOB_NOT_FOUND", "url": "/api/v1/job/j-1"}},
        {"status": "failed", "code": "JOB_NOT_FOUND"},
    ],
    ("none or unknown", "words for a job that is not ready"): [
        {"success": False, "message": "Job is still processing"},
        {"error_code": "NOT_READY", "error_message": "render pending"},
        {"success": False, "message": "Video not ready"},
        {"status": 200, "message": "Please wait"},
    ],
    ("none or unknown", "words or codes for a rate limit"): [
        {"success": False, "error": {"error_code": "RATE_LIMITED"}},
        {"__type": "ThrottlingException", "message": None},
        {"message": "Too many requests"},
        {"status": 429, "error": "slow"},
        {"status": "error", "errors": ["Rate limit exceeded"]},
        {"code": 429, "message": "Too many requests", "url": "https://docs.example/limits"},
        {"status": "failed", "message": "Rate limit exceeded"},
    ],
    ("none or unknown", "words or codes for a token that is not accepted"): [
        {"success": False, "message": "Unauthorized: token expired"},
        {"error": {"code": 401}},
        {"errors": [{"extensions": {"code": "UNAUTHENTICATED"}}]},
    ],
    ("none or unknown", "words or codes for a call that is not allowed"): [
        {"success": False, "message": "Forbidden"},
        {"statusCode": 403},
    ],
    ("none or unknown", "words or codes for a service that is away"): [
        {"error": "Service Temporarily Unavailable"},
        {"status": 500, "message": "Something went wrong"},
        {"status": "503"},
        {"success": False, "error": {"error_code": "INTERNAL_SERVER_ERROR"}},
        {"errors": [{"status": "503", "title": "Service Unavailable"}]},
        {"status": "Failed", "statusCode": 503, "message": "Service Unavailable"},
    ],
    ("none or unknown", "any other failure, or an error code"): [
        FAILURE,
        {"success": False},
        {"success": "false", "data": None},
        {"success": False, "data": {"error_code": "E", "error_message": "Font not found"}},
        {"status": "error", **FAILURE},
        {"status": "error", "error_code": 7},
        {"data": {"error_code": 5, "error_message": "Broken"}},
        {"errorCode": "E"},
        {"data": {"progress": 40}, "error": "boom"},
        {"error": {"message": "字体"}},
        {"status": 400, "message": "Bad request"},
        {"error": {"code": 500, "message": "Scene 3: font missing"}},
        {"success": False, "error_message": "Rendering failed: internal error"},
        {"error": {"url": "https://docs.example/errors/7", "message": "Broken"}},
    ],
    ("none", "anything else"): [
        {},
        {"data": {}},
        {"data": [1]},
        {"job_id": "j-1"},
        {"status": 200, "message": "Hello"},
        {"status": "success", "data": {}},
        {"progress": 100},
        {"status": " ", "preview": "", "render_settings": "text", "url": None},
    ],
}
ERRORS: dict[str, type[ServiceError]] = {
    kind.__name__: kind
    for kind in (
        AuthenticationError,
        NotFoundError,
        PermissionDeniedError,
        RateLimitedError,
        ReportedFailureError,
        ServiceFailureError,
        UnreadableReplyError,
    )
}
TABLE = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (replies.__doc__ or "").splitlines()
    if line.startswith("|")
][2:]


def test_the_table_is_whole() -> None:
    assert [(word, says) for word, says, _ in TABLE] == list(ROWS)


@pytest.mark.parametrize(
    ("word", "body", "outcome"),
    [
        pytest.param(word, body, outcome, id=f"{word}-{says}-{index}")
        for word, says, outcome in TABLE
        for index, body in enumerate(ROWS[word, says])
    ],
)
def test_each_row(word: str, body: Any, outcome: str) -> None:
    if outcome in ERRORS:
        with pytest.raises(ERRORS[outcome], match=r"Get job j-1 \(GET /api/v1/job/j-1\)") as caught:
            job(body)
        assert (caught.value.job_id, caught.value.status) == ("j-1", 200)
        return
    found, unknown = read_job(reply(body), GET, PROFILE)
    state, _, told = outcome.partition(", ")
    assert (found.state, bool(unknown)) == (state, bool(told))


def test_an_unknown_word_is_given_back_as_the_service_wrote_it() -> None:
    assert read_job(reply({"status": " Queued "}), GET, PROFILE)[1] == "Queued"
    assert len(read_job(reply({"status": "x" * 1000}), GET, PROFILE)[1] or "") == 60


FIELDS: dict[str, tuple[str, ...]] = {
    "preview_url": ("preview", "previewUrl", "preview_url"),
    "video_url": ("videoURL", "video_url", "videoUrl", "url"),
    "share_url": ("shareVideoURL", "videoShareURL"),
    "thumbnail_url": ("thumbnail",),
    "audio_url": ("audioURL",),
    "srt_url": ("srtFile",),
    "vtt_url": ("vttFile",),
    "txt_url": ("txtFile",),
}
"""Ours: our name -> the service's names."""


@pytest.mark.parametrize("envelope", [lambda data: data, lambda data: {"job_id": "j-1", "data": data}])
@pytest.mark.parametrize(
    ("ours", "theirs"), [(ours, name) for ours, names in FIELDS.items() for name in names]
)
def test_every_name_of_a_url(ours: str, theirs: str, envelope: Any) -> None:
    read = job(envelope({"status": "completed", theirs: "https://m.example/x?sig=1"}))
    assert getattr(read, ours) == "https://m.example/x?sig=1"


@pytest.mark.parametrize("name", ["render_settings", "renderParams", "renderSettings"])
def test_every_name_of_the_render_settings(name: str) -> None:
    settings = {"scenes": [{"a": None, "b": "é", "c": [1, 2.5]}]}
    assert job({"data": {"status": "completed", name: settings}}).render_settings == settings


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (12.5, 12.5),
        ("12.5", 12.5),
        ("45%", 45.0),
        ("soon", None),
        (True, None),
        (None, None),
        ("inf", None),
        (10**400, None),
    ],
)
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("duration", "videoDuration"), ("progress", "renderProgress"), ("progress", "progress")],
)
def test_numbers_may_be_texts(ours: str, theirs: str, value: Any, number: float | None) -> None:
    assert getattr(job({"data": {"status": "in-progress", theirs: value}}), ours) == number


def test_an_error_of_a_completed_job_is_kept_as_a_warning() -> None:
    data = {"error_code": 0, "error_message": "No error"}
    assert job({"status": "completed", **data}).error_message is None
    warned = job({"status": "completed", "error": {"code": 12, "message": "No music"}})
    assert (warned.error_code, warned.error_message) == ("12", "No music")
    failed = job({"status": "failed", "data": {"error_code": 7, "error_message": "No such\nfont"}})
    assert (failed.error_code, failed.error_message) == ("7", "No such font")


@pytest.mark.parametrize(
    "body", [b"", b"<html>Sign in</html>", b"[]", b"null", b'"j-1"', b'{"data"', b"\xff\xfe\xfa"]
)
def test_what_is_no_job_at_all(body: bytes) -> None:
    with pytest.raises(UnreadableReplyError, match="a proxy may be answering instead of the service"):
        job(body)


def test_what_json_cannot_hold_is_read_as_null_or_a_question_mark() -> None:
    body = b'{"status": "completed", "render_settings": {"a": NaN, "b": 1e999, "c": "x\\ud800y"}, "preview": "\\udfff"}'
    read = job(body)
    assert read.render_settings == {"a": None, "b": None, "c": "x?y"}
    assert read.preview_url == "?"


@pytest.mark.usefixtures("nothing_to_finalize")
@pytest.mark.parametrize(
    "body",
    [
        b'{"a":' * 200 + b"1" + b"}" * 200,
        b'{"a":' * 50_000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
)
def test_a_body_without_measure_is_unreadable(body: bytes) -> None:
    with pytest.raises(UnreadableReplyError, match=r"not a JSON object, or is nested too deeply\. Check"):
        job(body)


MANY = [
    pytest.param(b'{"status": "completed", "a": [0' + b",0" * 150_000 + b"]}", id="in one list"),
    pytest.param(
        b'{"status": "completed", "a": [' + b",".join([b"[[[[[]]]]]"] * 30_000) + b"]}", id="in many"
    ),
]


@pytest.mark.parametrize("body", MANY)
def test_more_values_than_a_triggerer_reads_are_left_to_a_worker(body: bytes) -> None:
    in_triggerer = calls.get_job(PROFILE, "j-1", max_bytes=MAX_REPLY_BYTES)

    with pytest.raises(JobReplyTooLargeError, match="the answer holds more than 150000 values"):
        read_job(reply(body), in_triggerer, PROFILE)


@pytest.mark.parametrize("body", MANY)
def test_a_larger_limit_on_bytes_allows_more_values(body: bytes) -> None:
    assert job(body).state == "completed"


@pytest.mark.parametrize("body", [{"job_id": PROFILE.secret}, {"status": PROFILE.secret}])
def test_a_secret_that_the_service_sends_back_is_told_to_nobody(body: dict[str, Any]) -> None:
    answer = replace(reply(body), secrets=(PROFILE.secret,))
    try:
        told = str(read_job(answer, GET, PROFILE))
    except UnreadableReplyError as error:
        told = str(error)
    assert PROFILE.secret not in told
