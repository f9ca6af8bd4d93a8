"""The calls of the interface: method, path, headers and body."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.protocol import calls

PROFILE = ServiceProfile("https://video.example.com", "token")


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (calls.create_storyboard, "/api/v1/video/storyboard"),
        (calls.render_video, "/api/v1/video/render"),
        (calls.register_aws_connection, "/serviceapis/v1/awsconnections"),
        (calls.add_voiceover_track, "/serviceapis/v1/voiceovers/tracks"),
    ],
)
def test_a_submission_is_a_post_to_the_path_of_the_interface(make: type, path: str) -> None:
    call = make(PROFILE, {"a": "é"})
    assert (call.method, call.path, call.submission, call.job_id) == ("POST", path, True, None)
    request = call.request(PROFILE, token="t", user_id="u", user_agent="a")
    assert request.url == f"https://video.example.com{path}"
    assert json.loads(request.body) == {"a": "é"}


@pytest.mark.parametrize(
    ("job_id", "path"),
    [
        ("j-1", "/api/v1/job/j-1"),
        ("a/../b?c=d#e", "/api/v1/job/a%2F..%2Fb%3Fc%3Dd%23e"),
        ("é ", "/api/v1/job/%C3%A9%20"),
        ("{job_id}", "/api/v1/job/%7Bjob_id%7D"),
        ("\ud800", "/api/v1/job/%3F"),
    ],
)
def test_a_job_id_is_quoted_and_not_read(job_id: str, path: str) -> None:
    call = calls.get_job(PROFILE, job_id)
    assert (call.method, call.path, call.submission, call.job_id) == ("GET", path, False, job_id)


@pytest.mark.parametrize("job_id", ["", " ", ".", "..", "None", " None "])
def test_what_leads_to_another_path_is_no_job_id(job_id: str) -> None:
    with pytest.raises(
        ConfigurationError, match="cannot be the id of a job: pass what a storyboard or render task"
    ):
        calls.get_job(PROFILE, job_id)


@pytest.mark.parametrize(
    ("job_id", "path", "put_to"),
    [
        ("s-1", "/api/v1/video/render", "/api/v1/video/render/s-1"),
        ("a/../b?c", "/api/v1/video/render", "/api/v1/video/render/a%2F..%2Fb%3Fc"),
        ("s-1", "/render/", "/render/s-1"),
        ("s-1", "/render?key=1", "/render/s-1?key=1"),
    ],
)
def test_a_render_by_the_storyboards_job_id_is_a_submission(job_id: str, path: str, put_to: str) -> None:
    profile = replace(PROFILE, paths={"render": path})
    call = calls.render_storyboard(profile, job_id, {})
    request = call.request(profile, token="t", user_id="u", user_agent="a")
    assert (call.method, call.path, call.submission) == ("PUT", put_to, True)
    assert (request.method, request.body) == ("PUT", b"{}")


@pytest.mark.parametrize("job_id", ["", "..", "None"])
def test_nothing_else_is_cancelled_than_a_job(job_id: str) -> None:
    profile = replace(PROFILE, paths={"cancel": "/jobs/{job_id}/cancel"})
    with pytest.raises(ConfigurationError, match="cannot be the id of a job"):
        calls.cancel_job(profile, job_id)


@pytest.mark.parametrize("job_id", ["", "..", "None"])
def test_no_render_goes_to_the_path_of_all_renders(job_id: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot be the id of a job"):
        calls.render_storyboard(PROFILE, job_id, {})


@pytest.mark.parametrize(("max_bytes", "limit"), [(None, 32 << 20), (2 << 20, 2 << 20), (64 << 20, 32 << 20)])
def test_a_job_may_be_answered_with_as_much_as_the_connection_allows(
    max_bytes: int | None, limit: int
) -> None:
    call = calls.get_job(PROFILE, "j-1", max_bytes=max_bytes)
    assert call.request(PROFILE, token="t", user_id="u", user_agent="a").max_reply_bytes == limit


def test_every_other_answer_is_small() -> None:
    request = calls.create_storyboard(PROFILE, {}).request(PROFILE, token="t", user_id="u", user_agent="a")
    assert request.max_reply_bytes == 2 << 20


def test_the_connection_may_name_other_paths_and_headers() -> None:
    profile = ServiceProfile(
        "https://video.example.com/v2",
        "token",
        token_prefix="Bearer",
        user_id_header="X-User",
        paths={"job": "/status?id={job_id}&key=5ec7e7"},
    )
    call = calls.get_job(profile, "j 1")
    request = call.request(profile, token="t", user_id="u", user_agent="a")
    assert request.url == "https://video.example.com/v2/status?id=j%201&key=5ec7e7"
    assert (request.headers["Authorization"], request.headers["X-User"]) == ("Bearer t", "u")
    assert str(call) == "Get job j 1 (GET /status)"
