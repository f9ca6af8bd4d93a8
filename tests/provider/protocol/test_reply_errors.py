"""Which error a reply means: the table of ``reply_errors`` row by row, and what every error tells."""

from __future__ import annotations

import json
from typing import Any

import pytest

from airflow_video_creation.provider import errors
from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import ServiceError
from airflow_video_creation.provider.protocol import reply_errors
from airflow_video_creation.provider.protocol.any_call import any_call
from airflow_video_creation.provider.protocol.calls import create_storyboard, get_job
from airflow_video_creation.provider.protocol.messages import HttpReply, TransportFailure
from airflow_video_creation.provider.protocol.reply_details import ReplyDetails
from airflow_video_creation.provider.protocol.reply_errors import require_success

PROFILE = ServiceProfile("https://video.example.com", "secret-token")
GET = get_job(PROFILE, "j-1")
SUBMISSION = create_storyboard(PROFILE, {})
CHANGE = any_call("DELETE", "/api/v1/voices/v-1?key=s3cret")

Answer = HttpReply | TransportFailure
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (reply_errors.__doc__ or "").splitlines()
    if line.startswith("|")
][2:]
ERRORS = {
    "unreadable": errors.UnreadableReplyError,
    "ambiguous": errors.AmbiguousSubmissionError,
    "authentication": errors.AuthenticationError,
    "permission": errors.PermissionDeniedError,
    "not found": errors.NotFoundError,
    "rate limited": errors.RateLimitedError,
    "service failure": errors.ServiceFailureError,
    "refused": errors.RequestRefusedError,
    "unreachable": errors.ServiceUnreachableError,
}


def reply(status: int, body: Any = b"", **headers: str) -> HttpReply:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return HttpReply(status, {name.replace("_", "-"): value for name, value in headers.items()}, content)


ANSWERS: dict[str, list[Answer]] = {
    "2xx": [reply(status) for status in (200, 201, 202, 204, 299)],
    "301, 302, 307, 308": [reply(status) for status in (301, 302, 307, 308)],
    "other 1xx and 3xx": [reply(status) for status in (100, 199, 300, 303, 304, 305, 399)],
    "401": [reply(401)],
    "402": [reply(402)],
    "403": [reply(403)],
    "404": [reply(404)],
    "429": [reply(429)],
    "408, 5xx": [reply(status) for status in (408, 500, 502, 503, 504, 599)],
    "other 4xx": [reply(status) for status in (400, 405, 409, 410, 413, 422, 451, 499)],
    "no connection": [TransportFailure("not-sent", "connection refused by h")],
    "no reply": [TransportFailure("no-reply", "h did not answer in time")],
    "too large a reply": [TransportFailure("too-large", "the answer is larger than 10 bytes")],
}


def error_of(answer: Answer, call: Any, now: float | None = None) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        require_success(answer, call, now=now)
    return caught.value


def test_the_table_is_whole() -> None:
    assert [row[0] for row in ROWS] == list(ANSWERS)


@pytest.mark.parametrize(
    ("answer", "call", "expected"),
    [
        pytest.param(answer, call, expected, id=f"{label}-{call.method}-{index}")
        for label, of_get, of_submission in ROWS
        for call, expected in ((GET, of_get), (SUBMISSION, of_submission), (CHANGE, of_get))
        for index, answer in enumerate(ANSWERS[label])
    ],
)
def test_each_row(answer: Answer, call: Any, expected: str) -> None:
    if expected == "none":
        assert require_success(answer, call) is answer
        return
    error = error_of(answer, call)
    assert type(error) is ERRORS[expected.removesuffix(" (not acted)")]
    assert error.not_acted == expected.endswith("(not acted)")
    assert error.status == getattr(answer, "status", None)
    assert (error.operation, error.method, error.path) == (call.operation, call.method, call.shown_path)
    assert error.job_id == call.job_id
    assert str(error).startswith(f"{call}")
    assert str(error).endswith(".")


def test_a_job_whose_answer_is_too_large_is_not_lost() -> None:
    error = error_of(TransportFailure("too-large", "the answer is larger than 32 MiB", 200), GET)
    assert type(error) is errors.JobReplyTooLargeError
    assert (error.status, error.job_id, error.retryable) == (200, GET.job_id, False)
    assert str(error) == (
        f"{GET}: the answer is larger than 32 MiB, which is more than is read here. The job is paid for and not lost, "
        "and reading it again costs nothing. A task reads as much as extra max_reply_mib of the connection allows: "
        "raise that first."
    )


def test_a_large_answer_that_is_no_success_says_nothing_of_a_job() -> None:
    error = error_of(TransportFailure("too-large", "the answer is larger than 2 MiB", 404), GET)
    assert type(error) is errors.UnreadableReplyError


def test_a_conflict_is_no_mistake_in_the_request() -> None:
    error = error_of(reply(409, {"message": "The name is taken."}), SUBMISSION)
    assert str(error) == (
        f"{SUBMISSION}: the service says that this conflicts with something that it already has (409), saying: "
        "The name is taken. Look at the service first: an earlier try may have made it. If not, change what has to be "
        "unique, such as the name. Nothing was made or paid by this call."
    )


def test_a_call_for_payment_is_no_mistake_in_the_request() -> None:
    error = error_of(reply(402, {"message": "The trial has ended."}), SUBMISSION)
    assert str(error) == (
        f"{SUBMISSION}: the service asks for payment (402), saying: The trial has ended. "
        "Nothing was made or paid by this call. "
        "Check the account's plan and credit with the service, then try again."
    )


ASK = {"x_request_id": "r-9"}


@pytest.mark.parametrize(
    ("body", "code", "words", "fields"),
    [
        ({"message": "No name."}, None, "No name.", ()),
        (
            {"code": 17, "message": "No name", "fields": [{"name": "name", "errors": ["missing", "empty"]}]},
            "17",
            "No name",
            (("name", "missing; empty"),),
        ),
        ({"success": False, "error": {"error_code": "E1", "error_message": "No name"}}, "E1", "No name", ()),
        ({"success": False, "data": {"error": {"error_code": 5, "message": "No name"}}}, "5", "No name", ()),
        ({"error": "No name"}, None, "No name", ()),
        ({"detail": "No name"}, None, "No name", ()),
        (
            {"fields": [{"name": "a", "message": "is bad"}, {"errors": []}, 3]},
            None,
            None,
            (("a", "is bad"), ("?", "is wrong")),
        ),
        ({"fields": {"a": "b"}, "message": {"no": "text"}, "code": True}, None, None, ()),
        (b"<html><h1>Bad gateway</h1></html>", None, None, ()),
        (b"\xff\xfe\x00 no text", None, None, ()),
        (b"[1, 2]", None, None, ()),
        (b"", None, None, ()),
    ],
)
def test_every_form_of_an_error_body(
    body: Any, code: str | None, words: str | None, fields: tuple[tuple[str, str], ...]
) -> None:
    error = error_of(reply(400, body, **ASK), SUBMISSION)
    assert (error.code, error.service_message, error.field_messages) == (code, words, fields)
    assert error.request_id == "r-9"
    assert "(request id r-9)" in str(error)


def test_a_message_says_what_happened_on_what_and_what_to_do() -> None:
    body = {
        "code": "bad_request",
        "message": "Check the fields.",
        "fields": [{"name": "videoName", "errors": ["too long"]}],
    }
    assert str(error_of(reply(400, body, **ASK), SUBMISSION)) == (
        "Create storyboard (POST /api/v1/video/storyboard): the service refused the request (400), saying: "
        "bad_request: Check the fields. [videoName: too long] (request id r-9). Correct the request and run it again. "
        "Nothing was made or paid by this call."
    )
    assert str(error_of(reply(404), GET)) == (
        "Get job j-1 (GET /api/v1/job/j-1): not found (404). "
        "Check the job id, and the host and extra paths of the connection."
    )
    assert "may be paid for. It was not sent again" in str(error_of(reply(500), SUBMISSION))


def test_of_many_messages_on_fields_the_first_are_told() -> None:
    fields = [{"name": f"scenes[{index}].text", "errors": ["x" * 1000]} for index in range(100)]
    error = error_of(reply(400, {"fields": fields}), SUBMISSION)
    assert len(error.field_messages) == 20
    assert len(str(error)) < 10_000


NOW = 1_800_000_000.0  # Fri, 15 Jan 2027 08:00:00 GMT


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("1.5", 1.5),
        ("-3", None),
        ("86400", 3600.0),
        ("1e999", 3600.0),
        ("nan", None),
        ("soon", None),
        ("", None),
        ("Fri, 15 Jan 2027 08:00:30 GMT", 30.0),
        ("Fri, 15 Jan 2027 08:00:30", 30.0),
        ("Fri, 15 Jan 2027 09:00:30 +0100", 30.0),
        ("Fri, 15 Jan 2027 07:00:00 GMT", 0.0),
        ("Fri, 15 Jan 2038 08:00:00 GMT", 3600.0),
        ("Fri, 99 Jan 2027 08:00:00 GMT", None),
        ("Mon, 01 Jan 0001 00:00:00 +2359", 0.0),
        ("Fri, 15 Jan 99999999999999999999 08:00:00 GMT", None),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_in_every_form(status: int, header: str, seconds: float | None) -> None:
    assert error_of(reply(status, retry_after=header), GET, NOW).retry_after == seconds


def test_a_date_cannot_be_read_without_a_clock() -> None:
    date = "Fri, 15 Jan 2027 08:00:30 GMT"
    assert error_of(reply(429, retry_after=date), GET).retry_after is None


def test_a_pause_that_was_cut_is_said() -> None:
    assert "fewer requests and a pause of 7 s (429)" in str(error_of(reply(429, retry_after="7"), GET))
    cut = str(error_of(reply(429, retry_after="86400"), GET))
    assert "a pause of 86400 s, cut to 3600 s here (429)" in cut


@pytest.mark.parametrize(
    ("location", "shown"),
    [
        ("https://new.example.com/v2?sig=5ec7e7#5ec7e7", "https://new.example.com/v2"),
        ("https://ada:5ec7e7@new.example.com/", "https://***@new.example.com/"),
        ("/v2/jobs?token=5ec7e7", "/v2/jobs"),
        ("http://[::1", "http://[::1"),
        ("", "nowhere"),
    ],
)
def test_a_redirect_names_where_it_leads(location: str, shown: str) -> None:
    message = str(error_of(reply(302, location=location), SUBMISSION))
    assert f"a redirect (302) to {shown}, which is not followed" in message
    assert "5ec7e7" not in message


@pytest.mark.parametrize(
    "answer",
    [
        reply(400, {"message": "bad token s3cret-token!", "code": "s3cret-token!"}),
        reply(500, {"error": {"message": "Authorization: Bearer s3cret-token!"}}),
        reply(403, {"fields": [{"name": "s3cret-token!", "errors": ["s3cret-token!"]}]}),
        reply(404, {"detail": "no s3cret-token! here"}, x_request_id="s3cret-token!"),
        reply(301, location="https://other.example.com/s3cret-token!"),
        reply(429, {"code": "s3cret-token!"}),
    ],
)
@pytest.mark.parametrize("call", [GET, SUBMISSION])
def test_a_secret_that_the_service_echoes_is_not_told(answer: HttpReply, call: Any) -> None:
    answer = HttpReply(answer.status, answer.headers, answer.body, secrets=("s3cret-token!",))
    error = error_of(answer, call)
    assert "s3cret" not in f"{error}{vars(error)}"


@pytest.mark.parametrize(("call", "not_acted"), [(GET, True), (SUBMISSION, False)])
def test_a_twin_inside_a_200_proves_nothing_about_a_submission(call: Any, not_acted: bool) -> None:
    told = reply(200, {"success": False, "message": "Unauthorized"})
    error = reply_errors.twin_error(401, told, call, ReplyDetails.of(told))
    assert (type(error), error.not_acted) == (errors.AuthenticationError, not_acted)
    assert "(401, inside a 200)" in str(error)


@pytest.mark.parametrize("status", [400, 404, 409, 429, 503])
def test_a_refusal_that_names_a_job_is_in_doubt_and_names_it(status: int) -> None:
    error = error_of(reply(status, {"job_id": "s-1", "message": "queued: too many at once"}), SUBMISSION)
    assert (type(error), error.not_acted) == (errors.AmbiguousSubmissionError, False)
    assert f"answered {status} and named job s-1" in str(error)


def test_a_refused_poll_may_name_its_job() -> None:
    assert type(error_of(reply(429, {"job_id": "j-1"}), GET)) is errors.RateLimitedError
