"""An Airflow connection read as the service's profile, from forms, JSON and URIs."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.connection.profile import DEFAULT_PATHS, ServiceProfile
from airflow_video_creation.provider.errors import ConfigurationError

HOST = "https://video.example.com"


def profile(host: str | None = HOST, password: str | None = "t0ken", **fields: Any) -> ServiceProfile:
    return ServiceProfile.from_connection("my_conn", host=host, password=password, **fields)


def test_host_and_password_are_enough() -> None:
    assert profile() == ServiceProfile(HOST, "t0ken", conn_id=profile().conn_id)
    defaults = profile()
    assert defaults.paths == DEFAULT_PATHS
    assert (defaults.token_request, defaults.user_id_header) == ("json", "X-Service-User-Id")
    assert (defaults.connect_timeout, defaults.read_timeout, defaults.total_timeout) == (10, 30, 70)
    assert (defaults.verify, defaults.proxies) == (True, None)


FULL: dict[str, Any] = {
    "user_id": "ada",
    "auth_url": "https://auth.example.com/token?version=1",
    "token_request": "form",
    "token_prefix": "Bearer",
    "user_id_header": "X-User",
    "paths": {"job": "/v2/jobs/{job_id}?full=1"},
    "state_words": {"Fertig": "completed"},
    "connect_timeout": 1.5,
    "read_timeout": 2,
    "reply_fields": {"job_name": "data.videoName"},
    "idempotency_header": "Idempotency-Key",
    "idempotency_hours": 24,
    "marker_field": "videoDescription",
    "render_by_id": True,
    "escape_text": False,
    "override_known_fields": True,
    "update_method": "PUT",
    "webhook_max_length": 2000,
    "max_reply_mib": 64,
    "share_tokens": False,
    "verify": "/etc/ssl/ours.pem",
    "proxies": {"https": "http://proxy.example.com:3128"},
    "aws_connection_id": "c-1",
    "callback_base_url": "https://airflow.example.com/prefix",
    "webhook_secret": "sixteen letters!",
    "airflow_api_conn_id": "airflow_api",
}


@pytest.mark.parametrize(
    "extra",
    [
        FULL,
        {key: value if isinstance(value, str) else json.dumps(value) for key, value in FULL.items()},
        {key: f" {value} " if isinstance(value, str) else value for key, value in FULL.items()},
    ],
    ids=["values", "texts", "texts with spaces"],
)
def test_every_key_of_the_extra(extra: dict[str, Any]) -> None:
    read = profile(login=" client ", extra=extra)
    assert {key: getattr(read, key) for key in FULL} == {
        **FULL,
        "paths": {**DEFAULT_PATHS, **FULL["paths"]},
        "state_words": {"fertig": "completed"},
    }
    assert (read.client_id, read.secret, read.warnings) == ("client", "t0ken", ())


@pytest.mark.parametrize(
    ("url", "own"),
    [
        (HOST, True),
        (f"{HOST}:443/a", True),
        ("https://VIDEO.example.com/a", True),
        ("http://video.example.com", False),
        (f"{HOST}:8443", False),
        ("https://ada@video.example.com", False),
        ("https://[::1", False),
        ("/a", False),
        ("", False),
    ],
)
def test_which_urls_are_the_services_own(url: str, own: bool) -> None:
    assert profile().is_own(url) == own


@pytest.mark.parametrize("off", [None, "null", "None", False])
def test_a_service_without_users_gets_no_user_id_header(off: Any) -> None:
    assert profile(extra={"user_id_header": off}).user_id_header is None


def test_a_form_that_was_left_empty_turns_no_header_off() -> None:
    assert profile(extra={"user_id_header": None, "token_prefix": None}).user_id_header == "X-Service-User-Id"


@pytest.mark.parametrize("nothing", [None, "", "  "])
def test_what_a_form_leaves_empty_counts_as_absent(nothing: Any) -> None:
    assert profile(login=nothing, extra=dict.fromkeys(FULL, nothing)) == profile()


@pytest.mark.parametrize(
    ("fields", "base_url"),
    [
        ({"host": HOST}, HOST),
        ({"host": f" {HOST}/ "}, HOST),
        ({"host": f"{HOST}/prefix/"}, f"{HOST}/prefix"),
        ({"host": "video.example.com"}, HOST),
        ({"host": "video.example.com/prefix"}, f"{HOST}/prefix"),
        ({"host": "video.example.com", "schema": "https"}, HOST),
        ({"host": "localhost", "schema": "http"}, "http://localhost"),
        ({"host": HOST, "schema": "http"}, HOST),
        ({"host": HOST, "schema": "/a/b/"}, f"{HOST}/a/b"),
        ({"host": "video.example.com", "schema": "a", "port": 8443}, f"{HOST}:8443/a"),
        ({"host": HOST, "port": 8443}, f"{HOST}:8443"),
        ({"host": HOST, "port": 443}, HOST),
        ({"host": "http://localhost", "port": 80}, "http://localhost"),
        ({"host": HOST, "port": 80}, f"{HOST}:80"),
        ({"host": HOST, "port": 0}, HOST),
        ({"host": f"{HOST}:9443", "port": 0}, f"{HOST}:9443"),
        ({"host": f"{HOST}:9443/a", "port": 8443}, f"{HOST}:9443/a"),
        ({"host": "http://[::1]/a", "port": 8123}, "http://[::1]:8123/a"),
        ({"host": "http://127.0.0.1:8123"}, "http://127.0.0.1:8123"),
        ({"host": "http://video.example.com", "extra": {"allow_http": "true"}}, "http://video.example.com"),
    ],
)
def test_the_base_url_in_every_form(fields: dict[str, Any], base_url: str) -> None:
    assert profile(**fields).base_url == base_url


def test_two_ports_that_differ_are_told() -> None:
    (warning,) = profile(host=f"{HOST}:9443", port=443).warnings

    assert "host asks for port 9443, so port 443 is not used" in warning


@pytest.mark.parametrize(
    ("host", "port"),
    [(HOST, 443), (HOST, 8443), (f"{HOST}:9443", 9443), (f"{HOST}:9443", 0), (f"{HOST}:9443", None)],
)
def test_two_ports_that_agree_are_nothing_to_tell(host: str, port: int | None) -> None:
    assert profile(host=host, port=port).warnings == ()


@pytest.mark.parametrize(
    ("value", "verify"),
    [
        (True, True),
        ("True", True),
        (1, True),
        ("yes", True),
        (False, False),
        ("false", False),
        (0, False),
        ("/ca", "/ca"),
    ],
)
def test_verify_is_a_flag_or_a_file(value: Any, verify: bool | str) -> None:
    assert profile(extra={"verify": value}).verify == verify


def test_a_client_secret_may_hold_any_character() -> None:
    extra = {"auth_url": "https://auth.example.com"}
    assert profile(login="ada", password="gr\u00fcn s3cret", extra=extra).secret == "gr\u00fcn s3cret"


@pytest.mark.parametrize(
    ("key", "hint"),
    [("user_ID", "; did you mean 'user_id'?"), ("client_secret", ""), ("colour", ""), ("k" * 500, "")],
)
def test_an_unknown_key_is_ignored_with_a_warning(key: str, hint: str) -> None:
    (warning,) = profile(extra={key: "5ec7e7"}).warnings
    assert warning.startswith("Connection 'my_conn': extra has the unknown key")
    assert warning.endswith(f"which is ignored{hint}")
    assert "5ec7e7" not in warning
    assert len(warning) < 200


def test_a_profile_shows_no_secret() -> None:
    extra = {
        **FULL,
        "auth_url": "https://auth.example.com/?key=5ec7e7",
        "proxies": {"https": "http://ada:5ec7e7@proxy"},
        "webhook_secret": "5ec7e7, and so on",
        "paths": {"job": "/j/{job_id}?key=5ec7e7"},
    }
    assert "5ec7e7" not in repr(profile(login="ada", password="5ec7e7", extra=extra))


def test_webhooks_are_taken_with_both_keys_and_need_no_other() -> None:
    assert not profile().takes_webhooks
    webhooks = profile(
        extra={"callback_base_url": "https://airflow.example.com/a/", "webhook_secret": "sixteen letters!"}
    )
    assert webhooks.takes_webhooks
    assert webhooks.callback_base_url == "https://airflow.example.com/a"
    assert webhooks.airflow_api_conn_id == "video_creation_airflow_api"
    assert "sixteen" not in repr(webhooks)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(10**400),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


@given(
    host=st.none() | st.text() | st.text(":/@[]?#%.ab1 ").map("https://{}".format),
    schema=st.none() | st.text(max_size=8),
    port=st.none() | st.integers(-1, 70_000),
    password=st.none() | st.text(),
    extra=st.dictionaries(st.sampled_from([*FULL, "allow_http"]) | st.text(max_size=5), VALUES, max_size=5),
)
def test_any_connection_is_a_profile_or_one_error(
    host: str | None, schema: str | None, port: int | None, password: str | None, extra: dict[str, Any]
) -> None:
    fields = {"schema": schema, "port": port, "login": "x", "extra": extra}
    with contextlib.suppress(ConfigurationError):
        read = profile(host, password, **fields)
        assert read.is_own(f"{read.base_url}/api")
