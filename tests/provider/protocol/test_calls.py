"""The calls of the interface: method, path, headers and body."""

from __future__ import annotations

import json

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
