"""When a call is made again: the table of ``retry`` row by row, and its budget of seconds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from airflow_video_creation.provider import errors
from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import ServiceError, VideoCreationError
from airflow_video_creation.provider.protocol import calls, retry
from airflow_video_creation.provider.protocol.any_call import any_call
from airflow_video_creation.provider.protocol.authentication import TokenSource
from airflow_video_creation.provider.protocol.calls import Call
from airflow_video_creation.provider.protocol.messages import HttpReply, TransportFailure
from airflow_video_creation.provider.protocol.reply_errors import require_success
from airflow_video_creation.provider.protocol.retry import Attempts, seconds_before_repeat, still_in_doubt

PROFILE = ServiceProfile("https://video.example.com", "secret", auth_url="https://auth.example.com")
GET = calls.get_job(PROFILE, "j-1")
SUBMISSION = calls.create_storyboard(PROFILE, {})
WITH_KEY = replace(SUBMISSION, key="k-1")
CHANGE = any_call("DELETE", "/api/v1/voices/v-1")
Answer = HttpReply | TransportFailure


def answer(status: int, **headers: str) -> HttpReply:
    return HttpReply(status, {name.replace("_", "-"): value for name, value in headers.items()}, b"")


NO_CONNECTION = TransportFailure("not-sent", "refused")
NO_REPLY = TransportFailure("no-reply", "late")
TOO_LARGE = TransportFailure("too-large", "huge")


def asked(reply: Answer, call: Call) -> VideoCreationError:
    with pytest.raises(VideoCreationError) as caught:
        require_success(reply, call)
    return caught.value


def fetched(reply: Answer, call: Call) -> VideoCreationError:
    with pytest.raises(VideoCreationError) as caught:
        TokenSource(PROFILE, user_agent="a").accept(reply, 0.0)
    return caught.value


CALLS = {"GET": [GET], "POST and DELETE": [SUBMISSION, CHANGE], "POST with a key": [WITH_KEY]}
FAILURES: dict[str, list[tuple[Any, Any]]] = {
    "rate limited": [(asked, answer(429, retry_after="7"))],
    "no connection was made": [(asked, NO_CONNECTION)],
    "the token could not be fetched": [
        (fetched, reply) for reply in (answer(500), answer(200), NO_CONNECTION, NO_REPLY, TOO_LARGE)
    ],
    "no reply, 5xx, unreadable": [(asked, reply) for reply in (NO_REPLY, answer(503), TOO_LARGE)],
    "everything else": [
        *((asked, answer(status)) for status in (301, 400, 401, 403, 404, 422)),
        *((fetched, answer(status)) for status in (302, 400, 401, 403, 404)),
        (lambda reply, call: errors.ConfigurationError("x"), None),
        (lambda reply, call: errors.InvalidRequestError("x", []), None),
    ],
}
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (retry.__doc__ or "").splitlines()
    if line.startswith("|")
][2:]


def test_the_table_is_whole() -> None:
    assert [row[0] for row in ROWS] == list(FAILURES)


@pytest.mark.parametrize(
    ("call", "fail", "reply", "again"),
    [
        pytest.param(call, fail, reply, again.partition(":")[0], id=f"{label}-{name}-{call.method}-{index}")
        for label, *of_calls in ROWS
        for (name, calls_of_it), again in zip(CALLS.items(), of_calls, strict=True)
        for call in calls_of_it
        for index, (fail, reply) in enumerate(FAILURES[label])
    ],
)
def test_each_row(call: Call, fail: Any, reply: Answer, again: str) -> None:
    error = fail(reply, call)
    wait = seconds_before_repeat(call, error, attempt=1, elapsed=0.0, jitter=0.5)
    assert wait == {"after ``Retry-After``": 7.5, "backoff": 0.75, "never": None}[again]


def test_what_is_no_error_of_ours_is_never_repeated() -> None:
    assert seconds_before_repeat(GET, RuntimeError(), attempt=1, elapsed=0.0, jitter=0.0) is None


@pytest.mark.parametrize(
    ("attempt", "jitter", "wait"),
    [
        (1, 0.0, 0.5),
        (1, 1.0, 1.0),
        (2, 1.0, 2.0),
        (3, 1.0, 4.0),
        (6, 1.0, 30.0),
        (6, 0.0, 15.0),
        (5000, 1.0, 30.0),
    ],
)
def test_the_backoff_grows_to_a_limit_and_is_spread(attempt: int, jitter: float, wait: float) -> None:
    error = asked(answer(429), GET)
    assert seconds_before_repeat(GET, error, attempt=attempt, elapsed=0.0, jitter=jitter) == wait


def test_a_pause_of_nothing_does_not_flood_the_service() -> None:
    error = asked(answer(429, retry_after="0"), GET)
    assert seconds_before_repeat(GET, error, attempt=1, elapsed=0.0, jitter=0.0) == 1.0


@pytest.mark.parametrize(
    ("reply", "elapsed", "again"),
    [
        (answer(500), 29.0, True),
        (answer(500), 29.6, False),
        (answer(503, retry_after="29"), 0.0, True),
        (answer(503, retry_after="31"), 0.0, False),
        (answer(429), 899.0, True),
        (answer(429), 899.6, False),
        (answer(429, retry_after="800"), 0.0, True),
        (answer(429, retry_after="86400"), 0.0, False),
        (NO_CONNECTION, 31.0, False),
    ],
)
def test_all_attempts_together_have_a_budget(reply: Answer, elapsed: float, again: bool) -> None:
    error = asked(reply, GET)
    wait = seconds_before_repeat(GET, error, attempt=1, elapsed=elapsed, jitter=0.0)
    assert (wait is not None) == again


@pytest.mark.parametrize(
    "kind",
    [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, ServiceError)],
)
@pytest.mark.parametrize("call", [SUBMISSION, CHANGE])
def test_what_may_have_been_carried_out_is_never_repeated(call: Call, kind: type[ServiceError]) -> None:
    assert seconds_before_repeat(call, kind("x"), attempt=1, elapsed=0.0, jitter=0.0) is None


def test_attempts_are_counted_and_timed_from_the_first() -> None:
    attempts = Attempts(GET, now=100.0)
    error = asked(NO_CONNECTION, GET)
    waits = [attempts.seconds_before_next(error, now=now, jitter=1.0) for now in (100.0, 101.0, 131.0)]
    assert waits == [1.0, 2.0, None]


@pytest.mark.parametrize(("call", "again"), [(GET, True), (SUBMISSION, False), (CHANGE, False)])
def test_what_met_a_refused_token_may_have_been_sent_twice_already(call: Call, again: bool) -> None:
    attempts = Attempts(call, now=100.0)
    attempts.met_refused_token = True
    wait = attempts.seconds_before_next(asked(answer(429), call), now=100.0, jitter=1.0)
    assert (wait is not None) == again


@pytest.mark.parametrize("is_in_doubt", [True, False])
def test_a_conflict_is_asked_again_only_where_the_first_attempt_may_still_be_under_way(
    is_in_doubt: bool,
) -> None:
    conflict = asked(answer(409), WITH_KEY)
    wait = seconds_before_repeat(
        WITH_KEY, conflict, attempt=2, elapsed=1.0, jitter=0.0, is_in_doubt=is_in_doubt
    )
    assert (wait is not None) == is_in_doubt


@pytest.mark.parametrize(
    "error",
    [asked(answer(status), WITH_KEY) for status in (400, 401, 409, 422, 429)]
    + [asked(NO_CONNECTION, WITH_KEY), errors.ConfigurationError("x")],
    ids=lambda error: type(error).__name__,
)
def test_after_a_doubt_a_refusal_proves_nothing(error: VideoCreationError) -> None:
    doubt = still_in_doubt(error)
    assert isinstance(doubt, errors.AmbiguousSubmissionError)
    assert not doubt.not_acted
    assert str(error) in str(doubt)
