"""Every form of reply that `Dialect` can word, as a caller gets it."""

from typing import Any

import pytest

from airflow_video_creation.emulator.conduct.dialect import Dialect

STORYBOARD = {
    "job_id": "7",
    "success": True,
    "data": {"status": "completed", "preview": "P", "render_settings": {"x": 1}},
}
RENDER = {
    "job_id": "7",
    "success": True,
    "data": {"status": "completed", "renderProgress": 100, "videoURL": "V", "shareVideoURL": "S"},
}
FAILED = {
    "job_id": "7",
    "success": False,
    "data": {"status": "failed", "error_code": "E", "error_message": "M"},
}


def test_the_default_dialect_changes_nothing() -> None:
    dialect = Dialect()
    assert dialect.submission({"job_id": "7", "success": True}) == {"job_id": "7", "success": True}
    for reply in (STORYBOARD, RENDER, FAILED):
        assert dialect.job(reply) == reply


@pytest.mark.parametrize(
    ("form", "body"),
    [
        ("jobId", {"jobId": "7", "success": True}),
        ("data.job_id", {"success": True, "data": {"job_id": "7"}}),
        ("data.jobId", {"success": True, "data": {"jobId": "7"}}),
    ],
)
def test_places_of_a_job_id(form: Any, body: dict[str, Any]) -> None:
    assert Dialect(job_id=form).submission({"job_id": "7", "success": True}) == body


@pytest.mark.parametrize(
    ("dialect", "reply", "body"),
    [
        (
            Dialect(envelope=False),
            STORYBOARD,
            {"job_id": "7", "status": "completed", "preview": "P", "render_settings": {"x": 1}},
        ),
        (
            Dialect(storyboard_status=False),
            STORYBOARD,
            {"job_id": "7", "success": True, "data": {"preview": "P", "render_settings": {"x": 1}}},
        ),
        (
            Dialect(preview="previewUrl", render_settings="renderParams"),
            STORYBOARD,
            {
                "job_id": "7",
                "success": True,
                "data": {"status": "completed", "previewUrl": "P", "renderParams": {"x": 1}},
            },
        ),
        (
            Dialect(video="url", share="videoShareURL", progress="progress"),
            RENDER,
            {
                "job_id": "7",
                "success": True,
                "data": {"status": "completed", "progress": 100, "url": "V", "videoShareURL": "S"},
            },
        ),
        (
            Dialect(progress="none", state_words={"completed": "DONE"}),
            RENDER,
            {
                "job_id": "7",
                "success": True,
                "data": {"status": "DONE", "videoURL": "V", "shareVideoURL": "S"},
            },
        ),
        (
            Dialect(failure="data", error_code="number"),
            FAILED,
            {"job_id": "7", "success": False, "data": {"error_code": 500, "error_message": "M"}},
        ),
        (
            Dialect(failure="error"),
            FAILED,
            {"job_id": "7", "success": False, "error": {"error_code": "E", "error_message": "M"}},
        ),
    ],
    ids=repr,
)
def test_forms_of_a_job(dialect: Dialect, reply: dict[str, Any], body: dict[str, Any]) -> None:
    assert dialect.job(reply) == body


@pytest.mark.parametrize(
    ("form", "body"),
    [
        ("message", {"message": "no"}),
        ("fields", {"code": "bad_request", "message": "no"}),
        ("error", {"success": False, "error": {"error_code": "bad_request", "error_message": "no"}}),
        ("empty", None),
    ],
)
def test_forms_of_an_error(form: Any, body: Any) -> None:
    assert Dialect(errors=form).error(400, {"code": "bad_request", "message": "no"}) == body


def test_an_error_told_in_a_200_says_that_it_is_one() -> None:
    body = Dialect(unknown_job=200).error(200, {"code": "error", "message": "no"})
    assert body == {"success": False, "error": {"error_code": "error", "error_message": "no"}}


def test_an_error_may_be_a_proxys_page() -> None:
    page = Dialect(errors="html").error(502, {"code": "error", "message": "no"})
    assert isinstance(page, str)
    assert page.startswith("<html>")


@pytest.mark.parametrize(
    ("form", "body"),
    [
        ("seconds", {"access_token": "t", "expires_in": 60}),
        ("absent", {"access_token": "t"}),
        ("absurd", {"access_token": "t", "expires_in": -1}),
    ],
)
def test_forms_of_a_token(form: Any, body: dict[str, Any]) -> None:
    assert Dialect(expires_in=form).token("t", 60) == body


@pytest.mark.parametrize(
    ("prefix", "authorization", "token"),
    [("", "t", "t"), ("Bearer", "Bearer t", "t"), ("Bearer", "t", ""), ("Bearer", "Basic t", "")],
)
def test_prefixes_of_a_token(prefix: str, authorization: str, token: str) -> None:
    assert Dialect(token_prefix=prefix).bare_token(authorization) == token
