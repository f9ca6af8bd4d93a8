"""What the reply to a call of whatever the service has is read as."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider import errors
from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import ServiceError
from airflow_video_creation.provider.protocol.any_call import any_call, read_any_reply
from airflow_video_creation.provider.protocol.calls import Call
from airflow_video_creation.provider.protocol.messages import HttpReply

from .http_replies import reply

PROFILE = ServiceProfile("https://video.example.com", "secret-token", state_words={"done": "completed"})
GET = any_call("GET", "/api/v1/voices?key=s3cret")
CHANGE = any_call("PATCH", "/api/v1/voices/v-1")
PAID = any_call("POST", "/api/v1/things", paid=True)
PAGE = reply(b"<!doctype html><title>Sign in</title>")


def read(answer: HttpReply, call: Call = GET) -> Any:
    return read_any_reply(answer, call, PROFILE)


def error_of(answer: HttpReply, call: Call = GET) -> ServiceError:
    with pytest.raises(ServiceError) as told:
        read(answer, call)
    return told.value


@pytest.mark.parametrize("call", [GET, CHANGE, PAID])
@pytest.mark.parametrize(
    "value",
    [
        {},
        {"data": [{"id": "Matthew"}]},
        {"data": {"minutes_left": 587.5}},
        {"success": True, "error": None, "error_code": "", "message": "ok"},
        {"success": True, "id": 5, "status": 200},
        [],
        [{"success": False}],
        ["error"],
        "a text",
        0,
        False,
        None,
    ],
)
def test_any_json_without_a_failure_is_returned_as_it_is(value: Any, call: Call) -> None:
    assert read(reply(value), call) == value


@pytest.mark.parametrize("call", [GET, CHANGE, PAID])
@pytest.mark.parametrize("body", [b"", b" \r\n"])
def test_an_empty_reply_is_nothing(body: bytes, call: Call) -> None:
    assert read(reply(body, 204), call) is None


def test_a_head_has_no_body_to_read() -> None:
    assert read(PAGE, any_call("HEAD", "/api/v1/voices")) is None


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (PAGE, "is an HTML page"),
        (reply(b"<p>Hello</p>"), "is not JSON"),
        (HttpReply(200, {"content-type": "text/html"}, b"<p>Hello</p>"), "is an HTML page"),
        (reply(b'{"data": ['), "is not JSON"),
        (reply(b"\xff\xfe\x00"), "is not JSON"),
        (reply(b"[" * 102 + b"]" * 102), "is not JSON"),
        (reply(b"[" + b"1," * 150_001 + b"1]"), "holds more than 150,000 values"),
    ],
)
def test_what_is_no_json_cannot_be_read(answer: HttpReply, what: str) -> None:
    error = error_of(answer)
    assert type(error) is errors.UnreadableReplyError
    assert str(error) == (
        f"This call (GET /api/v1/voices): the answer {what}. Check the path of this call, and the host of the "
        "connection; a proxy may be answering instead of the service."
    )


def test_of_a_change_it_may_have_been_carried_out() -> None:
    error = error_of(PAGE, CHANGE)
    assert type(error) is errors.UnreadableReplyError
    assert not error.not_acted
    assert "The service may still have carried it out, so it was not sent again" in str(error)
    assert "paid" not in str(error)


def test_of_what_is_paid_for_it_is_in_doubt() -> None:
    error = error_of(PAGE, PAID)
    assert type(error) is errors.AmbiguousSubmissionError
    assert "the service answered 200, and the answer is an HTML page, so the request may have been" in str(
        error
    )
    assert "may be paid for" in str(error)


TOLD = [
    ({"success": False, "message": "Name is taken"}, errors.RequestRefusedError),
    ({"success": "false"}, errors.RequestRefusedError),
    ({"error": {"error_code": "E1", "error_message": "No name"}}, errors.RequestRefusedError),
    ({"data": {"error": "No name"}}, errors.RequestRefusedError),
    ({"error_code": "E1"}, errors.RequestRefusedError),
    ({"status": "error", "message": "No name"}, errors.RequestRefusedError),
    ({"success": False, "message": "still processing"}, errors.RequestRefusedError),
    ({"success": False, "message": "Unauthorized"}, errors.AuthenticationError),
    ({"success": False, "error": "Forbidden"}, errors.PermissionDeniedError),
    ({"success": False, "message": "job not found"}, errors.NotFoundError),
    ({"success": False, "message": "Too many requests"}, errors.RateLimitedError),
    ({"success": False, "message": "Service unavailable"}, errors.ServiceFailureError),
    ({"status": 503, "message": "away"}, errors.ServiceFailureError),
]


@pytest.mark.parametrize(("body", "kind"), TOLD)
def test_a_failure_inside_a_200_is_the_error_that_its_words_mean(body: Any, kind: type[ServiceError]) -> None:
    error = error_of(reply(body))
    assert type(error) is kind
    assert "inside a 200" in str(error)
    assert "s3cret" not in str(error)


@pytest.mark.parametrize(("body", "kind"), TOLD)
def test_no_failure_inside_a_200_proves_that_a_change_was_not_made(
    body: Any, kind: type[ServiceError]
) -> None:
    assert not error_of(reply(body), CHANGE).not_acted


@pytest.mark.parametrize(("body", "kind"), TOLD)
def test_of_what_is_paid_for_a_failure_is_a_refusal_but_for_an_outage(
    body: Any, kind: type[ServiceError]
) -> None:
    in_doubt = kind is errors.ServiceFailureError or body == {"error_code": "E1"}
    wanted = errors.AmbiguousSubmissionError if in_doubt else errors.RequestRefusedError
    error = error_of(reply(body), PAID)
    assert (type(error), error.not_acted) == (wanted, False)


def test_a_refusal_says_what_to_do() -> None:
    assert str(error_of(reply({"success": False, "message": "Name is taken."}))) == (
        "This call (GET /api/v1/voices): the service reports a failure inside a 200, saying: Name is taken. "
        "Correct what it names and call again."
    )


@pytest.mark.parametrize("call", [GET, CHANGE, PAID])
@pytest.mark.parametrize(
    "job",
    [
        {"job_id": "j-1", "success": False, "data": {"status": "failed", "error_message": "No voice"}},
        {"data": {"status": "DONE", "errors": ["audio was cut"]}},
        {"jobId": "j-1", "state": "cleaned", "error_code": "GONE"},
    ],
)
def test_the_account_of_a_job_is_returned_with_its_errors(job: Any, call: Call) -> None:
    assert read(reply(job), call) == job


def test_the_job_that_was_paid_for_is_never_lost() -> None:
    body = {"job_id": "s-1", "success": False, "message": "queued: too many at once"}
    assert read(reply(body), PAID) == body
    assert type(error_of(reply(body), GET)) is errors.RequestRefusedError


def test_a_secret_that_the_service_repeats_is_not_told() -> None:
    told = reply({"success": False, "message": "bad token s3cret-token!"})
    told = HttpReply(told.status, told.headers, told.body, secrets=("s3cret-token!",))
    assert "s3cret" not in f"{error_of(told)}{vars(error_of(told))}"
