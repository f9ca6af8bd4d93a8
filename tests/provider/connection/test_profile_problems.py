"""What is wrong with a connection: every field that must be changed, in one message that holds no secret."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import ConfigurationError


def wrong(**fields: Any) -> str:
    connection = {"host": "https://video.example.com", "password": "t0ken", **fields}
    with pytest.raises(ConfigurationError) as caught:
        ServiceProfile.from_connection("my_conn", **connection)
    return str(caught.value)


WEBHOOKS = {"callback_base_url": "https://airflow.example.com", "webhook_secret": "sixteen letters!"}


@pytest.mark.usefixtures("nothing_to_finalize")
@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"host": None}, "host is empty: it must hold the service's base URL (https://...)"),
        ({"host": "ftp://h"}, "host must be an http(s) URL with a host name, not 'ftp://h'"),
        ({"host": "https://", "port": 8443}, "host must be an http(s) URL with a host name, not 'https:'"),
        ({"host": "https://[::1", "port": 8443}, "host is not a URL with a valid host and port"),
        ({"host": "https:///a"}, "host must be an http(s) URL with a host name, not 'https:///a'"),
        ({"host": "https://h h"}, "host must be an http(s) URL with a host name"),
        ({"host": "https://[::1"}, "host is not a URL with a valid host and port"),
        ({"host": "https://h:99999"}, "host is not a URL with a valid host and port"),
        (
            {"host": "https://ada:pw@h"},
            "host must not hold credentials: login and password have their own fields",
        ),
        ({"host": "https://h?a=b"}, "host must not contain ? or #"),
        ({"host": "https://h#a"}, "host must not contain ? or #"),
        (
            {"host": "http://h"},
            "host is not https, so the token would travel in clear text: use https, or set extra",
        ),
        ({"password": None}, "password is empty: it must hold the access token"),
        ({"password": " "}, "password is empty: it must hold the access token"),
        ({"password": "a\nb"}, "password contains characters that a header cannot carry"),
        ({"password": "é"}, "password contains characters that a header cannot carry"),
        (
            {"extra": {"auth_url": "https://a"}},
            "login is empty: with extra auth_url it must hold the client id",
        ),
        (
            {"extra": {"auth_url": "https://a"}, "password": ""},
            "password is empty: it must hold the client secret",
        ),
        ({"extra": {"auth_url": "http://a"}}, "extra auth_url is not https"),
        ({"extra": {"auth_url": "/token"}}, "extra auth_url must be an http(s) URL with a host name"),
        ({"extra": {"auth_url": "https://a#b"}}, "extra auth_url must not contain #"),
        ({"extra": {"user_id": {"a": 1}}}, "extra user_id must be text, such as me@example.com, not"),
        ({"extra": {"user_id": "adé"}}, "extra user_id must be plain printable text"),
        (
            {"extra": {"token_prefix": "a\nb"}},
            "extra token_prefix must be plain printable text",
        ),
        (
            {"extra": {"user_id_header": "X User"}},
            "extra user_id_header must be the name of a header, such as X-User-Id, or null for none, not 'X User'",
        ),
        ({"extra": {"token_request": "xml"}}, "extra token_request must be one of json, form, not 'xml'"),
        (
            {"extra": {"connect_timeout": "soon"}},
            "extra connect_timeout must be a number from 0.1 to 3600, such as 10, not 'soon'",
        ),
        (
            {"extra": {"connect_timeout": True}},
            "extra connect_timeout must be a number from 0.1 to 3600, such as 10, not 'True'",
        ),
        (
            {"extra": {"read_timeout": 0}},
            "extra read_timeout must be a number from 0.1 to 3600, such as 30, not '0'",
        ),
        ({"extra": {"read_timeout": 10**400}}, "extra read_timeout must be a number from 0.1 to 3600"),
        ({"extra": {"read_timeout": "nan"}}, "extra read_timeout must be a number from 0.1 to 3600"),
        ({"extra": {"read_timeout": [1]}}, "extra read_timeout must be a number from 0.1 to 3600"),
        ({"extra": {"allow_http": "perhaps"}}, "extra allow_http must be true or false, not 'perhaps'"),
        ({"extra": {"verify": ["/ca"]}}, "extra verify must be text, not"),
        (
            {"extra": {"proxies": "http://proxy"}},
            "extra proxies must be a JSON object whose values are text",
        ),
        (
            {"extra": {"proxies": {"https": 3128}}},
            "extra proxies must be a JSON object whose values are text",
        ),
        ({"extra": {"paths": "[" * 5000}}, "extra paths must be a JSON object whose values are text"),
        (
            {"extra": {"paths": {"fonts": "/x"}}},
            "extra paths has the unknown key 'fonts'; the known keys are storyboard, job,",
        ),
        ({"extra": {"paths": {"render": "x"}}}, "extra paths.render must begin with a slash"),
        (
            {"extra": {"paths": {"render": "/x y"}}},
            "extra paths.render must begin with a slash and contain no space",
        ),
        ({"extra": {"paths": {"job": "/x"}}}, "extra paths.job must contain {job_id}"),
        ({"extra": {"paths": {"cancel": "/x"}}}, "extra paths.cancel must contain {job_id}"),
        (
            {"extra": {"paths": {"jobs": "//evil.example.com/x"}}},
            "extra paths.jobs must begin with one slash",
        ),
        (
            {"extra": {"paths": {"jobs": "/x/{user}"}}},
            "extra paths.jobs holds '{user}', which nothing fills in",
        ),
        (
            {"extra": {"paths": {"aws_connection": "/c"}}},
            "extra paths.aws_connection must contain {connection_id}, such as",
        ),
        ({"extra": {"proxies": ["ada:5ec7e7@h"]}}, "whose values are text, such as {"),
        (
            {"extra": {"paths": {"job": 5}}},
            'such as {"job": "/v2/jobs/{job_id}"}, not one with other values',
        ),
        ({"extra": {"reply_fields": 7}}, 'such as {"job_name": "videoName"}, not a number'),
        (
            {"extra": {"reply_fields": {"voices": "v"}}},
            "extra reply_fields has the unknown key 'voices'; the known keys are",
        ),
        (
            {"extra": {"reply_fields": {"voice": "a..b"}}},
            "extra reply_fields.voice must be the name of a field",
        ),
        ({"extra": {"update_method": "POST"}}, "extra update_method must be one of PATCH, PUT, not 'POST'"),
        ({"extra": {"max_reply_mib": 0}}, "extra max_reply_mib must be a number from 1 to 1024, such as 32"),
        ({"extra": {"webhook_max_length": "long"}}, "such as 500, not 'long'"),
        ({"extra": {"render_by_id": "perhaps"}}, "extra render_by_id must be true or false, not 'perhaps'"),
        ({"extra": {"idempotency_header": "a b"}}, "such as Idempotency-Key, not 'a b'"),
        ({"extra": WEBHOOKS | {"callback_base_url": "http://h"}}, "extra callback_base_url is not https"),
        ({"extra": WEBHOOKS | {"callback_base_url": "https://h?a=b"}}, "must not contain ? or #"),
        (
            {"extra": WEBHOOKS | {"webhook_secret": "15 letters only"}},
            "must be at least 16 printable characters",
        ),
        (
            {"extra": WEBHOOKS | {"webhook_secret": "two lines\nof a secret"}},
            "printable characters on one line",
        ),
        (
            {"extra": WEBHOOKS | {"webhook_secret": ""}},
            "extra webhook_secret is missing: webhooks need it beside",
        ),
        (
            {"extra": {"webhook_secret": "sixteen letters!", "callback_url": "https://h"}},
            "extra has the unknown key 'callback_url', which is ignored; did you mean 'callback_base_url'?",
        ),
        (
            {"extra": WEBHOOKS | {"callback_base_url": " "}},
            "extra callback_base_url is missing: webhooks need it",
        ),
        (
            {"extra": {"state_words": {"fertig": "done"}}},
            "extra state_words has 'done' for 'fertig'; it must be one of in-progress, completed, failed, cleaned",
        ),
    ],
)
def test_a_field_that_must_be_changed_is_named(fields: dict[str, Any], problem: str) -> None:
    message = wrong(**fields)
    assert message.startswith("Connection 'my_conn' cannot be used: ")
    assert problem in message
    assert message.endswith(
        "Change the connection in Airflow under Admin > Connections, or where your deployment defines it. "
        "Nothing was sent."
    )


def test_all_fields_that_must_be_changed_are_named_at_once() -> None:
    message = wrong(
        host="", password="", extra={"auth_url": "x", "verify": {}, "read_timeout": -1, "paths": {"a": "b"}}
    )
    problems = message.removeprefix("Connection 'my_conn' cannot be used: ").split("; ")
    for field in (
        "host",
        "login",
        "password",
        "extra auth_url",
        "extra verify",
        "extra read_timeout",
        "extra paths",
    ):
        assert sum(problem.startswith(f"{field} ") for problem in problems) == 1


SECRETS: list[dict[str, Any]] = [
    {"host": "https://ada:5ec7e7@h"},
    {"host": "ftp://ada:5ec7e7@h"},
    {"host": "https://ada:5ec7e7"},
    {"host": "h h?token=5ec7e7"},
    {"password": "5ec7e7\n\n5ec7e7"},
    {"extra": {"auth_url": "https://ada:5ec7e7@a/"}},
    {"extra": {"auth_url": "a/?key=5ec7e7"}},
    {"extra": {"proxies": "http://ada:5ec7e7@proxy"}},
    {"extra": {"webhook_secret": "5ec7e7"}},
    {"extra": {"webhook_secret": {"a": "5ec7e7"}}},
    {"extra": {"webhook_secret": "5ec7e7, long enough"}},
    {"extra": {"proxies": {"https": ["http://ada:5ec7e7@proxy"]}}},
    {"extra": {"token_prefix": {"a": "token=5ec7e7"}}},
    {"extra": {"paths": {"render": "x?key=5ec7e7"}}},
    {"extra": {"user_id": "é https://h/?key=5ec7e7"}},
]


@pytest.mark.parametrize("fields", SECRETS)
def test_no_message_holds_a_secret(fields: dict[str, Any]) -> None:
    assert "5ec7e7" not in wrong(**fields)
