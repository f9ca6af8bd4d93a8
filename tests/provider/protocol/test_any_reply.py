"""Whatever a server answers, nothing is raised but our errors, and nothing secret is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import VideoCreationError
from airflow_video_creation.provider.models import Job
from airflow_video_creation.provider.protocol import calls, replies
from airflow_video_creation.provider.protocol.any_call import any_call, read_any_reply
from airflow_video_creation.provider.protocol.authentication import Token, TokenSource
from airflow_video_creation.provider.protocol.exchange import converse
from airflow_video_creation.provider.protocol.messages import HttpReply, HttpRequest
from airflow_video_creation.provider.waiting.job_wait import JobWait
from airflow_video_creation.provider.waiting.wait_event import error_event

SECRET = "s3cret-t0ken"
PROFILE = ServiceProfile(
    "https://video.example.com",
    SECRET,
    user_id="u",
    state_words={"fertig": "completed"},
    auth_url="https://a.example",
)
NAMES = st.sampled_from(
    [
        *(
            "job_id",
            "jobId",
            "success",
            "data",
            "error",
            "status",
            "state",
            "error_code",
            "errorCode",
            "code",
        ),
        *("error_message", "message", "detail", "fields", "name", "errors", "id", "connectionId"),
        *("preview", "previewUrl", "render_settings", "renderParams", "videoURL", "url", "thumbnail"),
        *("videoDuration", "duration", "renderProgress", "progress", "access_token", "expires_in"),
    ]
)
VALUES = st.sampled_from(
    [
        "in-progress",
        "completed",
        "failed",
        "cleaned",
        "fertig",
        "queued",
        "not found",
        "404",
        "",
        SECRET,
        "\ud800",
        0,
        404,
        3600,
        -1,
        1e308,
        float("nan"),
        float("inf"),
        10**300,
        True,
        False,
        None,
    ]
)
JSON = st.recursive(
    VALUES | st.text() | st.integers() | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(NAMES | st.text(max_size=3), inner, max_size=6)
    ),
    max_leaves=12,
)
BODIES = st.one_of(
    st.dictionaries(NAMES, JSON, max_size=6).map(lambda value: json.dumps(value).encode()),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.binary(max_size=30),
)
WORDS = st.text(st.characters(max_codepoint=255), max_size=30)
HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "location": WORDS
        | st.sampled_from(["/x", "https://video.example.com/x", "http://[", f"//h/{SECRET}", "?", "//"]),
        "retry-after": WORDS | st.integers().map(str) | st.floats().map(str) | st.dates().map(str),
        "x-request-id": WORDS | st.just(SECRET),
    },
)
STATUSES = st.sampled_from([200, 204, 301, 302, 303, 400, 401, 403, 404, 408, 429, 500, 503]) | st.integers(
    -1, 1000
)
REPLIES = st.builds(HttpReply, STATUSES, HEADERS, BODIES)
SUBMISSIONS = [
    calls.create_storyboard,
    calls.render_video,
    calls.add_voiceover_track,
    calls.register_aws_connection,
]


def answered(call: calls.Call, reply: HttpReply, read: Any) -> Any:
    """The end of a conversation in which every request is answered alike."""
    conversation = converse(call, PROFILE, read, user_id=None, user_agent="a", now=1e9)
    step = next(conversation)
    while True:
        try:
            step = conversation.send(reply if isinstance(step, HttpRequest) else Token(SECRET))
        except StopIteration as end:
            return end.value


def our_error(make: Callable[[], Any]) -> VideoCreationError | None:
    """What ``make`` raises, when it is one of our errors; nothing else may be raised."""
    try:
        make()
    except VideoCreationError as error:
        return error
    return None


def is_fit_to_be_told(error: VideoCreationError) -> bool:
    event = json.dumps(error_event("j-1", error), allow_nan=False)
    return SECRET not in f"{error}{vars(error)}{event}"


def can_be_stored(value: Any) -> bool:
    return bool(json.dumps(value, allow_nan=False, ensure_ascii=False).encode())


@given(REPLIES)
@settings(max_examples=400)
def test_to_a_poll(reply: HttpReply) -> None:
    call = calls.get_job(PROFILE, "j-1")
    jobs: list[Job] = []
    error = our_error(
        lambda: jobs.append(answered(call, reply, partial(replies.read_job, profile=PROFILE))[0])
    )
    assert jobs or (error and is_fit_to_be_told(error))
    for job in jobs:
        assert can_be_stored(job.to_xcom())
        assert SECRET not in f"{job.error_code}{job.error_message}"
    if error:
        wait = JobWait("j-1", started_at=0.0)
        assert our_error(lambda: wait.after_error(error, 1.0)) in (None, error)


@given(REPLIES, st.sampled_from(SUBMISSIONS), st.sampled_from([replies.read_job_id, replies.read_resource]))
@settings(max_examples=300)
def test_to_a_submission(reply: HttpReply, submission: Any, read: Any) -> None:
    call = submission(PROFILE, {})
    made: list[Any] = []
    error = our_error(lambda: made.append(answered(call, reply, read)))
    assert made or (error and is_fit_to_be_told(error))
    assert can_be_stored(made)


@given(REPLIES, st.sampled_from(["GET", "HEAD", "PUT", "POST"]), st.booleans())
@settings(max_examples=300)
def test_to_any_call(reply: HttpReply, method: str, paid: bool) -> None:
    call = any_call(method, "/api/v1/things", paid=paid and method in ("PUT", "POST"))
    read: list[Any] = []
    error = our_error(lambda: read.append(answered(call, reply, partial(read_any_reply, profile=PROFILE))))
    assert read or (error and is_fit_to_be_told(error))
    assert can_be_stored(read)
    if not read and 200 <= reply.status < 300 and call.is_sent_once:
        assert not getattr(error, "not_acted", False)


@given(REPLIES)
@settings(max_examples=300)
def test_to_a_token_request(reply: HttpReply) -> None:
    source = TokenSource(PROFILE, user_agent="a")
    tokens: list[Token] = []
    error = our_error(lambda: tokens.append(source.accept(reply, now=1e9)))
    assert tokens or (error and is_fit_to_be_told(error))
    for token in tokens:
        assert token.value.isascii()
        assert token.value.strip()
        assert token.renew_at is not None
        assert 1e9 < token.renew_at <= 1e9 + 30 * 24 * 3600
