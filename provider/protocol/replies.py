"""How the reply of a success is read: the job, and the identifiers that a submission gives.

Which forms are understood: ours; the interface leaves them open.

What a poll's answer means; the first row that fits holds:

| state word     | the answer                                       | the job is                          |
|----------------|--------------------------------------------------|-------------------------------------|
| any            | names another job id than the one asked for      | UnreadableReplyError                |
| in-progress    | anything                                         | in-progress                         |
| completed      | anything; errors are warnings                    | completed                           |
| failed         | anything, but a call's own failure               | failed                              |
| cleaned        | anything                                         | cleaned                             |
| none           | a result                                         | completed                           |
| none           | no failure, and a progress below 100 %           | in-progress                         |
| not a known one| no failure                                       | in-progress, and the word is told   |
| none or unknown| words or codes for a job that is not known       | NotFoundError                       |
| none or unknown| words for a job that is not ready                | in-progress                         |
| none or unknown| words or codes for a rate limit                  | RateLimitedError                    |
| none or unknown| words or codes for a token that is not accepted  | AuthenticationError                 |
| none or unknown| words or codes for a call that is not allowed    | PermissionDeniedError               |
| none or unknown| words or codes for a service that is away        | ServiceFailureError                 |
| none or unknown| any other failure, or an error code              | ReportedFailureError                |
| none           | anything else                                    | UnreadableReplyError                |

An answer of more values than are read is a JobReplyTooLargeError, whatever it says.

A result is a preview, render settings, a video, a share or an audio URL. A preview, a bare ``url``, a thumbnail or
subtitles are one only if the reply has neither a failure nor a progress below 100 %.

A call's own failure is a ``failed`` that names no job and has no ``data``, with words for an unknown job, a rate limit,
a token that is not accepted or a service that is away: it is read as if there were no state word.

A failure is reported by ``success: false``, by an ``error``, or by a status such as 500 or "error". Null, 0, an empty
value, "none" and "ok" are no errors. Beside ``data``, beside another state word or beside a result, the words ok,
success, error and fail tell how the call went: they are no state words. ``failure_words`` says which words mean what,
``waiting.reported_failure`` when a failure that is reported so is believed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..connection.profile import ServiceProfile
from ..errors import ReportedFailureError, RequestRefusedError, ServiceError, UnreadableReplyError
from ..failure_words import NOT_READY, is_no_error, twin_status
from ..job_states import JOB_STATES, JobState
from ..models.job import Job
from ..quoting import quotable
from .calls import Call
from .messages import HttpReply
from .reply_body import JOB_ID, first_text, holds_more_values, json_object, layers, most_values
from .reply_details import ReplyDetails
from .reply_errors import accepted_unreadably, carried, job_too_large, twin_error, unreadable

_STATES: Mapping[str, JobState] = {state: state for state in JOB_STATES}
_STATE = ("status", "state", "jobStatus", "job_status")
_PREVIEW = ("preview", "previewUrl", "preview_url", "previewURL")
_RENDER_SETTINGS = ("render_settings", "renderParams", "renderSettings")
_MEDIA = {
    "video_url": ("videoURL", "video_url", "videoUrl", "url"),
    "share_url": ("shareVideoURL", "videoShareURL", "share_url", "shareUrl"),
    "thumbnail_url": ("thumbnail", "thumbnail_url", "thumbnailUrl", "thumbnailURL"),
    "audio_url": ("audioURL", "audio_url", "audioUrl"),
    "srt_url": ("srtFile", "srt_url", "srtUrl"),
    "vtt_url": ("vttFile", "vtt_url", "vttUrl"),
    "txt_url": ("txtFile", "txt_url", "txtUrl"),
}
_SURE_RESULTS = (("videoURL", "video_url", "videoUrl"), _MEDIA["share_url"], _MEDIA["audio_url"])
"""What only the answer of a finished render has; a bare ``url`` may lead to help on an error."""
FINISHED = 100.0
"""Percent."""
_DURATION = ("videoDuration", "video_duration", "duration")
_PROGRESS = ("renderProgress", "progress")
_ERROR_CODE = ("error_code", "errorCode")
_NO_JOB_IDS = frozenset({".", "..", "none", "null", "nil", "undefined", "nan"})
"""What a service's own template makes of nothing (ours)."""
_HOW_THE_CALL_WENT = frozenset({"ok", "success", "error", "fail", "failure"})
"""Beside ``data`` these words are no state of a job (ours)."""
MAX_STATE_WORD = 60
"""How many characters of an unknown state word a message shows (ours)."""


def read_job_id(reply: HttpReply, call: Call) -> str:
    """The job id that a storyboard or render submission was answered with.

    :param reply: of a success.
    :param call: the submission.
    :raises RequestRefusedError: the service says, inside a 2xx, that it refuses the request.
    :raises AmbiguousSubmissionError: the service accepted, and its answer holds no job id.
    """
    job_id = first_text(layers(json_object(reply)), *JOB_ID)
    if job_id is None or job_id.lower() in _NO_JOB_IDS:
        raise accepted_unreadably(reply, call, "and the answer holds no job_id")
    return job_id


def read_resource(reply: HttpReply, call: Call) -> dict[str, Any]:
    """The fields that registering a connection or adding a track was answered with.

    :param reply: of a success.
    :param call: the submission.
    :return: the reply's fields under the interface's names, without an envelope; empty for a 204.
    :raises RequestRefusedError: the service says, inside a 2xx, that it refuses the request.
    :raises AmbiguousSubmissionError: the service accepted, and its answer cannot be read.
    """
    if not reply.body.strip():
        return {}
    body = json_object(reply)
    if body is None or ReplyDetails.of(reply, body).says_failure:
        raise accepted_unreadably(reply, call, "and the answer is not a JSON object")
    data = body.get("data")
    return data if isinstance(data, dict) else body


def read_cancellation(reply: HttpReply, call: Call) -> None:
    """Whether the service has taken the request to cancel a job.

    :param reply: of a success.
    :param call: the cancellation.
    :raises RequestRefusedError: the service says, inside a 2xx, that it refuses.
    """
    details = ReplyDetails.of(reply)
    if details.says_failure:
        raise RequestRefusedError(f"{call}: the service refused{details.said}.", **carried(call, details))


def read_job(reply: HttpReply, call: Call, profile: ServiceProfile) -> tuple[Job, str | None]:
    """The job in a reply, with the service's state word when it is not known.

    :param reply: of a success.
    :param call: the poll.
    :param profile: gives the service's own state words.
    :raises NotFoundError: the service says, inside a 200, that it does not know the job.
    :raises RateLimitedError: it asks, inside a 200, for fewer requests.
    :raises AuthenticationError: it does not accept, inside a 200, the token.
    :raises PermissionDeniedError: it does not allow the call, inside a 200.
    :raises ServiceFailureError: it says inside a 200 that it is away.
    :raises ReportedFailureError: it reports another failure, and no state.
    :raises JobReplyTooLargeError: it holds more values than are read here.
    :raises UnreadableReplyError: the body is no job at all, or another one.
    """
    most = most_values(call.job_reply_bytes or 0)
    body = json_object(reply, most)
    if body is None:
        if holds_more_values(reply, most):
            raise job_too_large(call, f"the answer holds more than {most} values", reply.status)
        what = "is not a JSON object, or is nested too deeply"
        raise unreadable(reply, call, what, ReplyDetails.of(reply, body))
    data = body.get("data")
    places: list[Mapping[str, Any]] = [data, body] if isinstance(data, dict) else [body]
    _require_own(places, reply, call)
    word = _state_word(places, profile.state_words)
    state = _known_state(word, profile.state_words)
    progress = _number(first_text(places, *_PROGRESS))
    if state == "in-progress":
        # Most polls end here; a job that goes on has no result yet.
        return Job(
            job_id=call.job_id or "",
            state=state,
            duration=_number(first_text(places, *_DURATION)),
            progress=progress,
        ), None
    details = ReplyDetails.of(reply, body)
    preview = first_text(places, *_PREVIEW)
    settings = next((p[n] for p in places for n in _RENDER_SETTINGS if isinstance(p.get(n), dict)), None)
    media = {field: first_text(places, *names) for field, names in _MEDIA.items()}
    is_done = settings is not None or any(first_text(places, *names) for names in _SURE_RESULTS)
    twin = twin_status(details.words, call.job_id, details.statuses)
    if not (details.says_failure or twin) and (progress is None or progress >= FINISHED):
        is_done = is_done or bool(preview) or any(media.values())
    names_job = len(places) > 1 or first_text(places, *JOB_ID) is not None
    if state == "failed" and not names_job and twin not in (None, NOT_READY):
        state, word = None, None
    elif state is None and word and word.lower() in _HOW_THE_CALL_WENT and is_done:
        word = None
    unknown: str | None = None
    if state is None and word is None and is_done:
        state = "completed"
    elif state is None:
        goes_on = word is not None or (progress is not None and progress < FINISHED)
        if details.says_failure or not goes_on:
            if twin != NOT_READY:
                raise _error_without_state(reply, call, details, body, twin)
            word = None
        state, unknown = "in-progress", quotable(word and word[:MAX_STATE_WORD], reply.secrets)
    tells_error = state in ("failed", "cleaned") or (state == "completed" and details.says_failure)
    job = Job(
        job_id=call.job_id or "",
        state=state,
        preview_url=preview,
        render_settings=settings,
        **media,
        duration=_number(first_text(places, *_DURATION)),
        progress=progress,
        error_code=details.code if tells_error else None,
        error_message=details.message if tells_error else None,
    )
    return job, unknown


def tells_of_a_job(body: Mapping[str, Any], profile: ServiceProfile) -> bool:
    """Whether an object describes a job, so that a failure in it is the job's and not the call's.

    :param body: of a reply.
    :param profile: gives the service's own state words.
    """
    data = body.get("data")
    places: list[Mapping[str, Any]] = [data, body] if isinstance(data, dict) else [body]
    state = _known_state(_state_word(places, profile.state_words), profile.state_words)
    return state is not None and (len(places) > 1 or first_text(places, *JOB_ID) is not None)


def has_error_code(body: Mapping[str, Any]) -> bool:
    """Whether an object holds a code that stands for an error only.

    :param body: of a reply.
    """
    return any(not is_no_error(place.get(name)) for place in layers(body) for name in _ERROR_CODE)


def _require_own(places: list[Mapping[str, Any]], reply: HttpReply, call: Call) -> None:
    """Refuse a reply about another job: its result would be taken for this one's."""
    for place in places:
        named = first_text([place], *JOB_ID)
        if named is not None and named != (call.job_id or "").strip():
            raise UnreadableReplyError(
                f"{call}: the answer is about another job, {quotable(named, reply.secrets)!r}. "
                f"Check {call.where_set}; a cache or a proxy may be mixing up answers.",
                **carried(call, ReplyDetails.of(reply)),
            )


def _error_without_state(
    reply: HttpReply, call: Call, details: ReplyDetails, body: Mapping[str, Any], twin: int | None
) -> ServiceError:
    """The error of a reply that has neither a state nor a result, or that reports a failure without a state."""
    if twin:
        return twin_error(twin, reply, call, details)
    if details.says_failure or has_error_code(body):
        return ReportedFailureError(
            f"{call}: the answer reports a failure, but does not say that the job failed{details.said}. "
            "The job will be read again.",
            **carried(call, details),
        )
    return UnreadableReplyError(
        f"{call}: the answer holds neither a status nor a result{details.said}. Check {call.where_set}.",
        **carried(call, details),
    )


def _state_word(places: list[Mapping[str, Any]], state_words: Mapping[str, str]) -> str | None:
    """The word for the job's state: in the first place that has one, the first that is known, else the first.

    A number is an HTTP status, and says nothing of the job.
    """
    for place in places:
        words = [word.strip() for name in _STATE if isinstance(word := place.get(name), str)]
        words = [word for word in words if word and not word.isdigit()]
        if known := next((word for word in words if _known_state(word, state_words)), None):
            return known
        if "data" in place or words[1:]:
            words = [word for word in words if word.lower() not in _HOW_THE_CALL_WENT]
        if words:
            return words[0]
    return None


def _known_state(word: str | None, state_words: Mapping[str, str]) -> JobState | None:
    if word is None:
        return None
    lowered = word.lower()
    meant = state_words.get(lowered) or lowered.replace("_", "-").replace(" ", "-")
    return _STATES.get(meant)


def _number(text: str | None) -> float | None:
    if not text:
        return None
    try:
        number = float(text.rstrip("%"))
    except ValueError:
        return None
    return number if math.isfinite(number) else None
