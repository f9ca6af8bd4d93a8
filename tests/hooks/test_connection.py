"""An Airflow connection becomes a service profile, the same on the worker and in the triggerer."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from airflow_video_creation.hooks.connection import aread_profile, read_profile
from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import ConfigurationError

VARIABLE = "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"


def read_in_triggerer(conn_id: str) -> ServiceProfile:
    return asyncio.run(aread_profile(conn_id))


@pytest.fixture(params=[read_profile, read_in_triggerer], ids=["worker", "triggerer"])
def read(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_fields_and_extra_are_read(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {"conn_type": "video_creation", "host": "video.example.com/v", "schema": "https", "port": 8443}
    extra = {"user_id": "u-1", "read_timeout": "5", "state_words": {"DONE": "completed"}}
    monkeypatch.setenv(VARIABLE, json.dumps({**fields, "password": "secret-token", "extra": extra}))

    profile = read("video_creation_default")

    assert profile.base_url == "https://video.example.com:8443/v"
    assert (profile.secret, profile.user_id, profile.read_timeout) == ("secret-token", "u-1", 5.0)
    assert "secret-token" not in repr(profile)


def test_a_connection_may_be_a_uri(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "video-creation://:secret-token@video.example.com/https?user_id=u-1")

    assert read("video_creation_default").base_url == "https://video.example.com"


@pytest.mark.parametrize("extra", ["", "{}", " { } "])
def test_extra_may_be_empty(read: Any, monkeypatch: pytest.MonkeyPatch, extra: str) -> None:
    fields = {"conn_type": "video_creation", "host": "https://video.example.com", "password": "secret-token"}
    monkeypatch.setenv(VARIABLE, json.dumps({**fields, "extra": extra}))

    assert read("video_creation_default").user_id is None


@pytest.mark.parametrize(
    ("defined", "has"),
    [
        (
            '{"conn_type": "http", "host": "https://db.example.com", "password": "x-word"}',
            "has the type 'http'",
        ),
        ("postgres://me:x-word@db.example.com/night", "has the type 'postgres'"),
        ('{"host": "https://db.example.com", "password": "x-word"}', "has no type"),
    ],
)
def test_a_connection_of_another_type_is_refused(
    read: Any, monkeypatch: pytest.MonkeyPatch, defined: str, has: str
) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_WAREHOUSE", defined)

    with pytest.raises(ConfigurationError) as refused:
        read("warehouse")

    assert f"Connection 'warehouse' {has}, but must have the type 'video_creation'" in str(refused.value)
    assert "Nothing was sent." in str(refused.value)
    assert "x-word" not in str(refused.value)


def test_a_missing_connection_is_said_with_how_to_make_it(read: Any) -> None:
    with pytest.raises(
        ConfigurationError,
        match=r"no Airflow connection 'nowhere': (?s:.*)\n    airflow connections add nowhere",
    ):
        read("nowhere")


def test_an_extra_that_is_no_json_is_said_without_showing_it(
    read: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = {"conn_type": "video_creation", "host": "https://video.example.com", "password": "secret-token"}
    monkeypatch.setenv(VARIABLE, json.dumps({**fields, "extra": '{"webhook_secret": "hush'}))

    # Before 3.2 Airflow does not hand out such a connection.
    with pytest.raises(ConfigurationError, match=r"its extra is not a JSON object|no Airflow conn") as told:
        read("video_creation_default")
    assert "hush" not in str(told.value)


def test_wrong_fields_are_named_together(read: Any, connect: Any) -> None:
    connect(host="ftp://video.example.com", read_timeout="soon", token_request="xml")

    with pytest.raises(ConfigurationError, match=r"read_timeout.*token_request|token_request.*read_timeout"):
        read("video_creation_default")
