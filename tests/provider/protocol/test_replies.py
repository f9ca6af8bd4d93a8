"""How a success is read: the table of ``replies`` row by row, and every form that is understood (ours)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from airflow_video_creation.provider.models import Job
from airflow_video_creation.provider.protocol import replies
from airflow_video_creation.provider.protocol.calls import (
    add_voiceover_track,
    create_storyboard,
    get_job,
)
from airflow_video_creation.provider.protocol.errors import (
    NotFoundError,
    ServiceError,
    UnreadableReplyError,
)
from airflow_video_creation.provider.protocol.messages import HttpReply
from airflow_video_creation.provider.protocol.profile import ServiceProfile
from airflow_video_creation.provider.protocol.replies import read_job

PROFILE = ServiceProfile("https://video.example.com", "secret-token", state_words={"fertig": "completed"})
GET = get_job(PROFILE, "j-1")
STORYBOARD = create_storyboard(PROFILE, {})
TRACK = add_voiceover_track(PROFILE, {})


def reply(body: Any, status: int = 200) -> HttpReply:
    return HttpReply(status, {}, body if isinstance(body, bytes) else json.dumps(body).encode())


def job(body: Any) -> Job:
    return read_job(reply(body), GET, PROFILE)[0]


FAILURE = {"success": False, "error": {"error_code": 7, "error_message": "No such font."}}
UNKNOWN_JOB = {"success": False, "error": {"message": "Job j-1 not found"}}
RESULT = {"preview": "https://p.example/1", "render_settings": {"a": 1}}
ROWS: dict[tuple[str, str], list[Any]] = {
    ("failed", "anything"): [
        {"data": {"status": "failed", "error_code": "E", "error_message": "Broken"}},
        {"status": "FAILED", "success": True, **RESULT},
    ],
    ("cleaned", "anything"): [{"data": {"status": "cleaned"}}, {"status": "Cleaned", **FAILURE}],
    ("in-progress", "anything"): [
        {"data": {"status": "in-progress", "progress": 5}},
        {"status": "IN_PROGRESS", **FAILURE},
        {"data": {"status": "In Progress", **RESULT}},
    ],
    ("completed", "failure"): [{"data": {"status": "completed"}, **FAILURE}],
    ("completed", "anything else"): [
        {"job_id": "j-1", "success": True, "data": {"status": "completed", **RESULT}},
        {"status": "Completed"},
        {"status": "fertig"},
        {"data": {"status": "FERTIG", "error_code": 0}},
    ],
    ("not a known one", "failure, and that the job is unknown"): [{"status": "error", **UNKNOWN_JOB}],
    ("not a known one", "failure"): [{"status": "error", **FAILURE}],
    ("not a known one", "anything else"): [
        {"data": {"status": "queued"}},
        {"status": "ok", **RESULT},
        {"status": "error", "error_code": 7},
    ],
    ("none", "that the job is unknown, and no result"): [
        UNKNOWN_JOB,
        {"message": "Job not found"},
        {"code": 404, "message": "There is nothing here"},
        {"error": {"code": "JOB_NOT_FOUND"}},
    ],
    ("none", "failure"): [
        FAILURE,
        {"success": False},
        {"success": False, "data": {"error_code": "E", "error_message": "Font not found"}},
        {"error": "boom", **RESULT},
    ],
    ("none", "a preview, render settings or a video"): [
        RESULT,
        {"job_id": "j-1", "success": True, "data": RESULT},
        {"data": {"previewUrl": "https://p.example/1"}},
        {"data": {"renderParams": {}}},
        {"videoURL": "https://v.example/1", "error_code": 0},
    ],
    ("none", "an error code"): [{"data": {"error_code": 5, "error_message": "Broken"}}, {"errorCode": "E"}],
    ("none", "anything else"): [
        {},
        {"data": {}},
        {"data": [1]},
        {"status": 200, "message": "Please wait"},
        {"status": " ", "preview": "", "render_settings": "text", "url": None},
    ],
}
ERRORS: dict[str, type[ServiceError]] = {
    "NotFoundError": NotFoundError,
    "UnreadableReplyError": UnreadableReplyError,
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


@pytest.mark.parametrize(
    "words",
    [
        "not found",
        "Resource not found.",
        "Job not found",
        "Job j-1 was not found",
        "The job with id 'j-1' does not exist.",
        "The requested job could not be found",
        "Error: No such job: j-1",
        "Unknown job id j-1",
        "Cannot find job j-1",
        "Invalid job id",
        "Job is unknown",
    ],
)
def test_these_words_say_that_the_job_is_unknown(words: str) -> None:
    with pytest.raises(NotFoundError, match="does not know this job, saying: "):
        job({"success": False, "error_message": words})


@pytest.mark.parametrize(
    "words",
    [
        "Font not found",
        "The font for this job was not found",
        "Job failed: background not found",
        "Job j-1 failed because the speaker is unknown",
        "The voice of scene 3 does not exist",
    ],
)
def test_these_words_say_why_a_job_failed(words: str) -> None:
    failed = job({"success": False, "error_message": words})
    assert (failed.state, failed.error_message) == ("failed", words)


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


def test_errors_are_told_of_jobs_that_failed_only() -> None:
    data = {"error_code": 0, "error_message": "No error"}
    assert job({"status": "completed", **data}).error_message is None
    failed = job({"status": "failed", "data": {"error_code": 7, "error_message": "No such\nfont"}})
    assert (failed.error_code, failed.error_message) == ("7", "No such font")


@pytest.mark.parametrize(
    "body", [b"", b"<html>Sign in</html>", b"[]", b"null", b'"j-1"', b'{"data"', b"\xff\xfe\xfa"]
)
def test_what_is_no_job_at_all(body: bytes) -> None:
    with pytest.raises(UnreadableReplyError, match="a proxy may be answering in the service's place"):
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
        b'{"status": "completed", "a": [0' + b",0" * 150_000 + b"]}",
        b'{"status": "completed", "a": [' + b",".join([b"[[[[[]]]]]"] * 30_000) + b"]}",
    ],
)
def test_a_body_without_measure_is_unreadable(body: bytes) -> None:
    with pytest.raises(
        UnreadableReplyError, match=r"no JSON object, or one of more than 150000 values\. Check"
    ):
        job(body)
