"""A connection as a URI or as JSON, as Airflow itself takes it apart, says the same."""

from __future__ import annotations

import json

import pytest
from airflow.models.connection import Connection

from airflow_video_creation.provider.connection.profile import ServiceProfile

PATHS = '{"job": "/v2/jobs/{job_id}"}'
EXTRA = "user_id=ada&read_timeout=5&verify=false&paths=%7B%22job%22%3A%20%22%2Fv2%2Fjobs%2F%7Bjob_id%7D%22%7D"
AS_JSON = {
    "conn_type": "video_creation",
    "host": "https://video.example.com:8443/prefix",
    "password": "t0k/en@:",
    "extra": {"user_id": "ada", "read_timeout": 5, "verify": False, "paths": {"job": "/v2/jobs/{job_id}"}},
}


def read(connection: Connection) -> ServiceProfile:
    return ServiceProfile.from_connection(
        "c",
        host=connection.host,
        schema=connection.schema,
        port=connection.port,
        login=connection.login,
        password=connection.password,
        extra=connection.extra_dejson,
    )


@pytest.mark.parametrize(
    "uri",
    [
        f"video-creation://https://:t0k%2Fen%40%3A@video.example.com:8443/prefix?{EXTRA}",
        f"video-creation://:t0k%2Fen%40%3A@video.example.com:8443/prefix?{EXTRA}",
        f"video-creation://:t0k%2Fen%40%3A@https%3A%2F%2Fvideo.example.com%2Fprefix:8443/?{EXTRA}",
        f"video-creation://:t0k%2Fen%40%3A@video.example.com%2Fprefix:8443/https?{EXTRA}",
        Connection.from_json(json.dumps(AS_JSON)).get_uri(),
    ],
)
def test_every_form_is_the_same_profile(uri: str) -> None:
    assert read(Connection(uri=uri)) == read(Connection.from_json(json.dumps(AS_JSON)))
    assert read(Connection(uri=uri)).base_url == "https://video.example.com:8443/prefix"
