"""Which error a reply means, by its status and its body.

| status                  | of a GET                   | of a submission                      |
|-------------------------|----------------------------|--------------------------------------|
| 2xx                     | none                       | none                                 |
| 301, 302, 307, 308      | refused (not acted)        | refused (not acted)                  |
| other 1xx and 3xx       | unreadable                 | ambiguous                            |
| 401                     | authentication (not acted) | authentication (not acted)           |
| 402                     | refused (not acted)        | refused (not acted)                  |
| 403                     | permission (not acted)     | permission (not acted)               |
| 404                     | not found (not acted)      | not found (not acted)                |
| 429                     | rate limited (not acted)   | rate limited (not acted)             |
| 408, 5xx                | service failure            | ambiguous                            |
| other 4xx               | refused (not acted)        | refused (not acted)                  |
| no connection           | unreachable (not acted)    | unreachable (not acted)              |
| no reply                | unreachable                | ambiguous                            |
| too large a reply       | unreadable                 | ambiguous                            |

A success of a call that reads a job has a larger limit, and an error of its own. A submission that is refused with a
job id in the body is ambiguous, too. A call that changes something else is read as a GET; where it may have been
carried out, its message says so.
"""

from __future__ import annotations

from typing import Any

from ..errors import (
    AmbiguousSubmissionError,
    AuthenticationError,
    JobReplyTooLargeError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    RequestRefusedError,
    ServiceError,
    ServiceFailureError,
    ServiceUnreachableError,
    UnreadableReplyError,
)
from ..failure_words import twin_status
from ..quoting import quotable
from .calls import Call
from .messages import HttpReply, TransportFailure
from .reply_body import JOB_ID, first_text, is_html, json_object, layers
from .reply_details import MAX_RETRY_AFTER, ReplyDetails
from .retry_after import retry_after_seconds

MOVED = (301, 302, 307, 308)
"""Statuses that send a request to another address without having acted on it."""
SUCCESSES = range(200, 300)


_TWIN_ADVICE = (
    "Nothing shows that anything was made, and it was not sent again. Check the service, fix what it names, then "
    "clear this task to send it."
)


def require_success(
    reply: HttpReply | TransportFailure, call: Call, *, now: float | None = None
) -> HttpReply:
    """The reply, when it is a success.

    :param reply: the reply, or why there is none.
    :param call: what was asked.
    :param now: epoch seconds, needed to read a ``Retry-After`` that is a date.
    :raises ServiceError: what the reply means otherwise, by the table above.
    """
    if isinstance(reply, TransportFailure):
        raise _transport_error(reply, call)
    if reply.status not in SUCCESSES:
        raise _status_error(
            reply.status, reply, call, ReplyDetails.of(reply), now=now, status_words=str(reply.status)
        )
    return reply


def twin_error(status: int, reply: HttpReply, call: Call, details: ReplyDetails) -> ServiceError:
    """The error of a failure inside a 2xx that says the same as an HTTP status.

    :param status: that says the same; 404 stands for a job that is not known.
    :param reply: the 2xx.
    :param call: what was asked.
    :param details: of the reply.
    """
    error = _status_error(
        status, reply, call, details, now=None, status_words=f"{status}, inside a {reply.status}"
    )
    # A 2xx never proves that nothing was made.
    error.not_acted = not call.is_sent_once
    return error


def accepted_unreadably(reply: HttpReply, call: Call, what: str) -> ServiceError:
    """The error of a submission that was answered with a 2xx that cannot be used.

    :param reply: the 2xx.
    :param call: what was submitted.
    :param what: how the answer is wrong.
    :return: a refusal where the service reports a failure that is not an outage; otherwise it is ambiguous.
    """
    details = ReplyDetails.of(reply)
    # An outage inside a 2xx says as little as a 5xx about what was made.
    twin = twin_status(details.words, None, details.statuses)
    if details.says_failure and (twin is None or twin < 500):
        advice = "Correct the request and run it again." if twin is None else _TWIN_ADVICE
        return RequestRefusedError(
            f"{call}: the service refused the request ({reply.status}){details.said}. {advice}",
            **carried(call, details),
        )
    return _ambiguous(
        call,
        f"the service answered {reply.status}, {what}{details.said}",
        details,
        advice=f" If it made nothing, check {call.where_set} first: another site may have answered.",
    )


def unreadable(
    reply: HttpReply, call: Call, what: str, details: ReplyDetails | None = None
) -> UnreadableReplyError:
    """The error of a success that is not what a service answers.

    :param reply: the 2xx.
    :param call: what was asked.
    :param what: how the answer is wrong.
    :param details: of the reply, where they have been read.
    """
    return UnreadableReplyError(
        f"{call}: the answer {what}. Check {call.where_set}; a proxy may be answering instead of the service."
        f"{perhaps_done(call)}",
        **carried(call, details or ReplyDetails.of(reply)),
    )


def _status_error(
    status: int, reply: HttpReply, call: Call, details: ReplyDetails, *, now: float | None, status_words: str
) -> ServiceError:
    """The error that a status means.

    :param status_words: the status, for the message.
    """
    said = details.said
    known = carried(call, details)
    # What a 2xx says proves nothing about a submission.
    is_proof = call.submission and status_words == str(status)
    unpaid = " Nothing was made or paid by this call." if is_proof else ""
    named = first_text(layers(json_object(reply)), *JOB_ID) if call.submission else None
    if named is not None:
        return _ambiguous(
            call, f"the service answered {status_words} and named job {quotable(named)}{said}", details
        )
    if status in MOVED:
        location = quotable(reply.headers.get("location", "").partition("?")[0], reply.secrets)
        return RequestRefusedError(
            f"{call} was answered with a redirect ({status_words}) to {location or 'nowhere'}, which is not followed: "
            f"set {call.where_set} to the final address.",
            **known,
            not_acted=True,
        )
    if status == 401:
        user, extra = (" or the user id", ", extra user_id") if call.names_user else ("", "")
        advice = (
            ""
            if call.names_user
            else " It sends no user id (extra user_id_header): does the service need one?"
        )
        return AuthenticationError(
            f"{call}: the service does not accept the access token{user} ({status_words}){said}. "
            f"Check the password{extra} and token_prefix of {call.of_connection}.{advice}{unpaid}",
            **known,
            not_acted=True,
        )
    if status == 402:
        return RequestRefusedError(
            f"{call}: the service asks for payment (402){said}. Nothing was made or paid by this call. "
            "Check the account's plan and credit with the service, then try again.",
            **known,
            not_acted=True,
        )
    if status == 403:
        return _not_allowed(reply, call, details, status_words, unpaid)
    if status == 404:
        what = f"the job id, and {call.where_set}" if call.job_id else call.where_set
        return NotFoundError(
            f"{call}: not found ({status_words}){said}. Check {what}.{unpaid}", **known, not_acted=True
        )
    if status == 429:
        return _rate_limited(reply, call, details, now, status_words, unpaid)
    if status == 409 and call.submission:
        return RequestRefusedError(
            f"{call}: the service says that this conflicts with something that it already has ({status_words}){said}. "
            "Look at the service first: an earlier try may have made it. If not, change what has to be unique, such as "
            f"the name.{unpaid}",
            **known,
            not_acted=True,
        )
    if 400 <= status < 500 and status != 408:
        return RequestRefusedError(
            f"{call}: the service refused the request ({status_words}){said}. Correct the request and run it again."
            f"{unpaid}",
            **known,
            not_acted=True,
        )
    if call.submission:
        return _ambiguous(call, f"the service answered {status_words}{said}", details)
    if status < 400:
        return UnreadableReplyError(
            f"{call}: the service answered {status_words}, which is not a valid answer to this call. "
            f"Check {call.where_set}.{perhaps_done(call)}",
            **known,
        )
    wait = retry_after_seconds(reply.headers.get("retry-after", ""), now)
    return ServiceFailureError(
        f"{call}: the service failed ({status_words}){said}. Try again later.{perhaps_done(call)}",
        **known,
        retry_after=None if wait is None else min(wait, MAX_RETRY_AFTER),
    )


def _not_allowed(
    reply: HttpReply, call: Call, details: ReplyDetails, status_words: str, unpaid: str
) -> PermissionDeniedError:
    if is_html(reply):
        message = (
            f"{call}: a proxy or gateway does not let this call through ({status_words}): its answer is an HTML page"
            f"{details.said}. Check {call.where_set}, and what is between this machine and the service."
        )
    else:
        message = (
            f"{call}: the service does not allow this call ({status_words}){details.said}. Check {call.where_set} "
            "(a gateway may answer a wrong path like this, too), then ask the service for the permission."
        )
    return PermissionDeniedError(f"{message}{unpaid}", **carried(call, details), not_acted=True)


def _rate_limited(
    reply: HttpReply,
    call: Call,
    details: ReplyDetails,
    now: float | None,
    status_words: str,
    unpaid: str,
) -> RateLimitedError:
    wait = retry_after_seconds(reply.headers.get("retry-after", ""), now)
    asked = "" if wait is None else f" and a pause of {wait:.0f} s"
    if wait is not None and wait > MAX_RETRY_AFTER:
        wait = MAX_RETRY_AFTER
        asked += f", cut to {wait:.0f} s here"
    return RateLimitedError(
        f"{call}: the service asks for fewer requests{asked} ({status_words}){details.said}. "
        f"Run fewer tasks at once, with an Airflow pool.{unpaid}",
        **carried(call, details),
        retry_after=wait,
        not_acted=True,
    )


def _transport_error(failure: TransportFailure, call: Call) -> ServiceError:
    known = carried(call)
    if failure.kind == "not-sent":
        unsent = " Nothing was sent." if call.is_sent_once else ""
        return ServiceUnreachableError(
            f"{call}: the service cannot be reached: {failure.reason}. Check {call.where_set}, "
            f"and that the service is up and reachable from this machine.{unsent}",
            **known,
            not_acted=True,
        )
    if call.submission:
        return _ambiguous(call, failure.reason)
    if failure.kind == "too-large" and call.job_reply_bytes is not None and failure.status in SUCCESSES:
        return job_too_large(call, failure.reason, failure.status)
    if failure.kind == "too-large":
        return UnreadableReplyError(
            f"{call}: {failure.reason}. Check {call.where_set}.{perhaps_done(call)}", **known
        )
    return ServiceUnreachableError(
        f"{call}: no answer from the service: {failure.reason}. "
        f"Try again later, or raise extra read_timeout.{perhaps_done(call)}",
        **known,
    )


def job_too_large(call: Call, what: str, status: int | None) -> JobReplyTooLargeError:
    """The error of a job that was answered with more than is read.

    :param call: the poll.
    :param what: how the answer is too large.
    :param status: of the answer.
    """
    return JobReplyTooLargeError(
        f"{call}: {what}, which is more than is read here. The job is paid for and not lost, and reading it again "
        "costs nothing. A task reads as much as extra max_reply_mib of the connection allows: raise that first.",
        **carried(call) | {"status": status},
    )


def _ambiguous(
    call: Call, what: str, details: ReplyDetails | None = None, *, advice: str = ""
) -> AmbiguousSubmissionError:
    how = (
        "If it is sent again under the same key, it is paid for once."
        if call.key
        else "It was not sent again. Look at the service for what it has made before you send it again."
    )
    return AmbiguousSubmissionError(
        f"{call}: {what.rstrip('.')}, so the request may have been accepted, and may be paid for. {how}{advice}",
        **carried(call, details),
    )


def perhaps_done(call: Call) -> str:
    """What a message adds where a call that changes something may have been carried out.

    :param call: what was asked.
    :return: empty for a read.
    """
    if not call.changes:
        return ""
    return (
        " The service may still have carried it out, so it was not sent again; a retry of this task sends it again. "
        "If it must not be sent twice, check the service first."
    )


def carried(call: Call, details: ReplyDetails | None = None) -> dict[str, Any]:
    """What every error carries of its call, and of the reply where there is one.

    :param call: what was asked.
    :param details: of the reply.
    """
    known: dict[str, Any] = {
        "operation": call.operation,
        "method": call.method,
        "path": call.shown_path,
        "job_id": call.job_id,
        "connection": call.connection,
    }
    if details:
        known |= {
            "status": details.status,
            "code": details.code,
            "service_message": details.message,
            "request_id": details.request_id,
            "field_messages": details.field_messages,
        }
    return known
