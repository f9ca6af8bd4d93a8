"""What the message of an error says and advises: what may have been done, and whom to ask."""

from __future__ import annotations

from dataclasses import replace

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import ServiceError
from airflow_video_creation.provider.protocol.any_call import any_call
from airflow_video_creation.provider.protocol.calls import Call, create_storyboard, get_job
from airflow_video_creation.provider.protocol.messages import HttpReply, TransportFailure
from airflow_video_creation.provider.protocol.reply_errors import require_success

from .http_replies import reply

PROFILE = ServiceProfile("https://video.example.com", "secret-token")
GET = get_job(PROFILE, "j-1")
SUBMISSION = create_storyboard(PROFILE, {})
CHANGE = any_call("DELETE", "/api/v1/voices/v-1?key=s3cret")
HTML = {"content-type": "Text/HTML; charset=utf-8"}

Answer = HttpReply | TransportFailure


def error_of(answer: Answer, call: Call) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        require_success(answer, call)
    return caught.value


@pytest.mark.parametrize(
    "answer",
    [
        reply(b"", 500),
        reply(b"", 408),
        reply(b"", 304),
        TransportFailure("no-reply", "h did not answer in time"),
        TransportFailure("too-large", "the answer is larger than 10 bytes"),
    ],
)
def test_a_change_that_may_have_been_carried_out_says_so_and_talks_of_no_payment(answer: Answer) -> None:
    message = str(error_of(answer, CHANGE))
    assert message.startswith("This call (DELETE /api/v1/voices/v-1)")
    assert message.endswith(
        "The service may still have carried it out, so it was not sent again; a retry of this task sends it again. "
        "If it must not be sent twice, check the service first."
    )
    assert "paid" not in message


@pytest.mark.parametrize(
    "answer",
    [
        reply(b"", 400),
        reply(b"", 401),
        reply(b"", 403),
        reply(b"", 404),
        reply(b"", 429),
        TransportFailure("not-sent", "h"),
    ],
)
def test_a_change_that_was_refused_leaves_no_doubt(answer: Answer) -> None:
    assert "may have carried it out" not in str(error_of(answer, CHANGE))


NOTHING_PAID = " Nothing was made or paid by this call."


@pytest.mark.parametrize(("call", "made"), [(GET, ""), (CHANGE, ""), (SUBMISSION, NOTHING_PAID)])
def test_a_403_is_a_wrong_path_or_a_permission(call: Call, made: str) -> None:
    error = error_of(reply({"message": "Missing Authentication Token"}, 403), call)
    assert str(error) == (
        f"{call}: the service does not allow this call (403), saying: Missing Authentication Token. "
        f"Check {call.where_set} (a gateway may answer a wrong path like this, too), then ask the service for the "
        "permission."
        f"{made}"
    )


@pytest.mark.parametrize(
    "page",
    [
        reply(b"<html><h1>Access denied</h1></html>", 403),
        reply(b"\xef\xbb\xbf\r\n<!DOCTYPE html>\n<html>", 403),
        reply(b"<h1>Blocked</h1>", 403, **HTML),
    ],
)
@pytest.mark.parametrize(("call", "made"), [(GET, ""), (SUBMISSION, NOTHING_PAID)])
def test_a_403_in_html_comes_from_a_proxy(page: HttpReply, call: Call, made: str) -> None:
    assert str(error_of(page, call)) == (
        f"{call}: a proxy or gateway does not let this call through (403): its answer is an HTML page. "
        f"Check {call.where_set}, and what is between this machine and the service.{made}"
    )


def test_a_403_in_json_is_the_services_whatever_its_type_is_said_to_be() -> None:
    told = reply({"message": "not yours"}, 403, **HTML)
    assert "the service does not allow this call (403), saying: not yours." in str(error_of(told, GET))


def test_a_service_that_takes_no_user_id_has_none_to_check() -> None:
    plain = replace(GET, names_user=False)
    assert str(error_of(reply(b"", 401), plain)) == (
        f"{GET}: the service does not accept the access token (401). "
        "Check the password and token_prefix of the connection. "
        "It sends no user id (extra user_id_header): does the service need one?"
    )
