"""A call of whatever the service has: what may be asked, and that it never leads out of the service."""

from __future__ import annotations

import datetime as dt
import json
from collections import UserDict
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import InvalidRequestError
from airflow_video_creation.provider.protocol.any_call import MAX_TARGET, METHODS, any_call
from airflow_video_creation.provider.protocol.calls import Call

PROFILE = ServiceProfile("https://video.example.com/v2", "token")


def url_of(call: Call) -> str:
    return call.request(PROFILE, token="t", user_id="u", user_agent="a").url


def refusal(method: Any = "GET", path: Any = "/voices", **options: Any) -> str:
    with pytest.raises(InvalidRequestError, match="nothing was sent") as told:
        any_call(method, path, **options)
    return str(told.value)


def test_a_call_goes_below_the_base_url_with_the_interfaces_headers() -> None:
    call = any_call("put", "/voices/v-1", body={"name": "é"}, params={"dry": True})
    request = call.request(PROFILE, token="t", user_id="ada", user_agent="a")
    assert (request.method, request.url) == ("PUT", "https://video.example.com/v2/voices/v-1?dry=true")
    assert (request.headers["Authorization"], request.headers["X-Service-User-Id"]) == ("t", "ada")
    assert request.headers["Content-Type"] == "application/json"
    assert json.loads(request.body) == {"name": "é"}
    assert str(call) == "This call (PUT /voices/v-1)"


@pytest.mark.parametrize(
    ("method", "paid", "submission", "changes"),
    [
        ("GET", False, False, False),
        ("Head", False, False, False),
        *((method, False, False, True) for method in ("POST", "PUT", "patch", "DELETE")),
        *((method, True, True, False) for method in ("post", "PUT", "PATCH", "DELETE")),
    ],
)
def test_only_reads_may_be_repeated(method: str, paid: bool, submission: bool, changes: bool) -> None:
    call = any_call(method, "/voices", paid=paid)
    assert call.method == method.upper()
    assert (call.submission, call.changes) == (submission, changes)


@pytest.mark.parametrize(
    "method", ["", "get ", "get\r\n", "GET /voices", "TRACE", "CONNECT", "OPTIONS", "gét", None, 5, b"GET"]
)
def test_only_known_methods(method: Any) -> None:
    assert "method: must be one of GET, HEAD, POST, PUT, PATCH, DELETE (given: " in refusal(method)


@pytest.mark.parametrize("method", ["GET", "head"])
def test_a_read_has_no_body_and_costs_nothing(method: str) -> None:
    assert f"json: cannot be sent with {method.upper()}: use params" in refusal(method, body={})
    assert f"paid: cannot be true with {method.upper()}" in refusal(method, paid=True)


BELOW = "must be a path below the connection's host that begins with a slash, not a whole address"
ONE_SLASH = "must begin with one slash: two would name another host"
OTHER_PATH = "must contain no . or .. between slashes"
UNPRINTABLE = "contains a line break, or another character that an address cannot contain"
SIGNS = "must contain no backslash and no #: write %5C and %23"


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("", BELOW),
        ("voices", BELOW),
        (" /voices", BELOW),
        ("https://video.example.com/v2/voices", BELOW),
        ("https:/evil.example.com", BELOW),
        ("evil.example.com/voices", BELOW),
        ("@evil.example.com/", BELOW),
        (".evil.example.com/", BELOW),
        (":8443/", BELOW),
        ("?a=b", BELOW),
        ("\\\\evil.example.com", BELOW),
        (None, BELOW),
        (5, BELOW),
        (b"/voices", BELOW),
        ("//evil.example.com", ONE_SLASH),
        ("///evil.example.com", ONE_SLASH),
        ("/\\evil.example.com", SIGNS),
        ("/voices\\..\\x", SIGNS),
        ("/a?x=1#y", SIGNS),
        ("/a#y", SIGNS),
        ("/../admin", OTHER_PATH),
        ("/voices/..", OTHER_PATH),
        ("/voices/../../admin?a=b", OTHER_PATH),
        ("/./voices", OTHER_PATH),
        ("/%2e%2e/admin", OTHER_PATH),
        ("/.%2E/admin", OTHER_PATH),
        ("/%252e%252e/admin", OTHER_PATH),
        ("/%25252e%25252e/admin", OTHER_PATH),
        ("/a%2f..%2fadmin", OTHER_PATH),
        ("/a%5c..%5cadmin", OTHER_PATH),
        ("/..;x=1/admin", OTHER_PATH),
        ("/a/.. /admin", OTHER_PATH),
        ("/a\r\nHost: evil.example.com", UNPRINTABLE),
        ("/a\n", UNPRINTABLE),
        ("/a\tb", UNPRINTABLE),
        ("/a\x00", UNPRINTABLE),
        ("/a\x7f", UNPRINTABLE),
        ("/a\u2028b", UNPRINTABLE),
        ("/a\ud800", UNPRINTABLE),
        ("/a?b=c\r\nd", UNPRINTABLE),
        ("/a%0d%0aX: y", UNPRINTABLE),
        ("/a%00", UNPRINTABLE),
        ("/a%250a", UNPRINTABLE),
    ],
)
def test_no_path_leads_out_of_the_service(path: Any, problem: str) -> None:
    assert f"path: {problem}" in refusal(path=path)


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/", "/"),
        ("/voices/", "/voices/"),
        ("/voices//x", "/voices//x"),
        ("/voices/John Smith", "/voices/John%20Smith"),
        ("/voices/é", "/voices/%C3%A9"),
        ("/voices/a%2Fb", "/voices/a%2Fb"),
        ("/voices/100%", "/voices/100%25"),
        ("/voices/a..b/...", "/voices/a..b/..."),
        ("/voices/{voice}", "/voices/%7Bvoice%7D"),
        ("/voices:search", "/voices:search"),
        ("/voices?next=https://x.example.com/../y", "/voices?next=https://x.example.com/../y"),
        ("/voices?a=b%20c+d", "/voices?a=b%20c+d"),
    ],
)
def test_a_path_is_sent_as_written_with_what_a_url_cannot_hold_encoded(path: str, target: str) -> None:
    assert any_call("GET", path).path == target


PIECES = st.lists(
    st.sampled_from(
        ["/", "..", ".", "%2e", "%2F", "%5c", "%25", "\\", "@", ":", "?", "#", ";", "é", "a", "%"]
    )
).map("".join)


@given(st.text() | PIECES, st.dictionaries(st.text(), st.text() | st.integers() | st.booleans()))
def test_whatever_is_written_the_token_goes_to_the_service_only(path: str, params: dict[str, Any]) -> None:
    try:
        call = any_call("GET", f"/{path}", params=params)
    except InvalidRequestError:
        return
    url = url_of(call)
    parts = urlsplit(url)
    assert PROFILE.is_own(url)
    assert url.isascii()
    assert url.isprintable()
    assert " " not in url
    assert not parts.fragment
    assert parts.path.startswith("/v2/")
    assert not {".", ".."} & set(unquote(parts.path).split("/"))
    assert len(call.path) <= MAX_TARGET


@pytest.mark.parametrize(
    ("params", "pairs"),
    [
        ({}, []),
        ({"limit": 5, "share": 0.5, "all": True, "none": False}, "limit=5 share=0.5 all=true none=false"),
        ({"cursor": None, "tags": ["a", None, "b"]}, "tags=a tags=b"),
        ({"q": "a b&c=d/é+?#%"}, [("q", "a b&c=d/é+?#%")]),
        ({"a": "line\nbreak", "empty": ""}, [("a", "line\nbreak"), ("empty", "")]),
        (UserDict({"limit": (1, 2)}), "limit=1 limit=2"),
    ],
)
@pytest.mark.parametrize(
    ("path", "own"),
    [("/jobs", []), ("/jobs?", []), ("/jobs?from=a+b", [("from", "a b")]), ("/jobs?x=1&", [("x", "1")])],
)
def test_params_become_a_query_beside_the_paths_own(
    path: str, own: list[tuple[str, str]], params: Any, pairs: Any
) -> None:
    if isinstance(pairs, str):
        pairs = [tuple(pair.split("=")) for pair in pairs.split()]
    parts = urlsplit(url_of(any_call("GET", path, params=params)))
    assert parts.path == "/v2/jobs"
    assert parse_qsl(parts.query, keep_blank_values=True) == [*own, *pairs]


@pytest.mark.parametrize(
    ("params", "problem"),
    [
        ("a=b", "params: must be a mapping of names to values, not str"),
        ([("a", "b")], "params: must be a mapping of names to values, not list"),
        (
            {"since": dt.date(2026, 11, 22)},
            "params['since']: must be text, a number, true, false, or a list",
        ),
        ({"since": dt.date(2026, 11, 22)}, "not a value of type date"),
        ({"filter": {"a": 1}}, "not a value of type dict"),
        ({"tags": [["a"]]}, "not a value of type list"),
        ({"x": float("nan")}, "params['x']: contains nan, which JSON cannot represent"),
        ({"x": "\ud800"}, "params['x']: contains half of a surrogate pair"),
        ({5: "a"}, "params: contains a name that is not text (given: a value of type int)"),
    ],
)
def test_what_no_query_can_hold_is_said(params: Any, problem: str) -> None:
    assert problem in refusal(params=params)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            {"at": dt.datetime(2026, 11, 22, tzinfo=dt.UTC)},
            "contains a value of type datetime at at, which JSON",
        ),
        ([1, {"share": float("nan")}], "contains nan at [1].share, which JSON cannot represent"),
        ({"a": {1, 2}}, "contains a value of type set at a"),
        (b"{}", "contains a value of type bytes"),
        ({1: "a"}, "contains a field name that is not text"),
    ],
)
def test_what_json_cannot_hold_is_said(body: Any, problem: str) -> None:
    assert f"json: {problem}" in refusal("POST", body=body)


@pytest.mark.parametrize("body", [{}, [], [1, "a"], "text", 0, False, {"a": (1, 2)}, UserDict({"a": 1})])
def test_any_json_value_is_a_body(body: Any) -> None:
    plain = {UserDict: dict}.get(type(body), lambda value: value)(body)
    assert json.loads(any_call("POST", "/x", body=body).content) == json.loads(json.dumps(plain))


def test_no_body_is_sent_for_none() -> None:
    assert any_call("DELETE", "/voices/v-1").content == b""


def test_a_query_that_no_service_reads_is_not_sent() -> None:
    told = refusal("GET", "/jobs", params={"ids": [f"job-{n}" for n in range(100_000)]})
    assert "characters with its query, and at most 32,000 are allowed: ask for less at once" in told
    assert len(told) < 300


def test_all_that_is_wrong_is_told_at_once_and_no_value_that_may_be_a_key() -> None:
    told = refusal(
        "SEND",
        "https://ada:s3cret@evil.example.com/x?key=s3cret",
        body=float("inf"),
        params={"key": ["s3cret", b"s3cret"]},
    )
    assert "The call has 4 problems" in told
    assert "s3cret" not in told


@pytest.mark.parametrize("method", METHODS)
def test_messages_show_no_query(method: str) -> None:
    call = any_call(method, "/jobs?key=s3cret", params={"token": "s3cret"})
    assert str(call) == f"This call ({method} /jobs)"
