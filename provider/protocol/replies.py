"""How replies are read: the job, and the identifiers that a submission gives.

Which forms are understood stands in DESIGN.md, "How replies are read" (ours; the interface leaves them open).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..models.job import Job, JobState
from .calls import Call
from .errors import NotFoundError, UnreadableReplyError
from .messages import HttpReply
from .profile import ServiceProfile
from .reply_body import first_text, json_object, layers, quotable
from .reply_errors import ambiguous_reply, request_id

_JOB_ID = ("job_id", "jobId")
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
_DURATION = ("videoDuration", "video_duration", "duration")
_PROGRESS = ("renderProgress", "progress")
_ERROR_CODE = ("error_code", "errorCode", "code")
_ERROR_MESSAGE = ("error_message", "errorMessage", "message", "error")
_UNKNOWN_JOB = ("not found", "not_found", "unknown job", "no such job", "does not exist", "job_unknown")


class UnknownState(str):
    """A state word that neither the interface nor the profile's ``state_words`` names."""


def read_job_id(reply: HttpReply, call: Call) -> str:
    """The job id that a storyboard or render submission was answered with.

    :raises AmbiguousSubmissionError: the service accepted, and its answer holds no job id.
    """
    body = json_object(reply)
    job_id = first_text(layers(body), *_JOB_ID) if body else None
    if job_id is None:
        what = "the service accepted the request with an answer that holds no job_id"
        raise ambiguous_reply(reply, what, operation=call.operation, method=call.method, path=call.path)
    return job_id


def read_resource(reply: HttpReply, call: Call) -> dict[str, Any]:
    """The fields that registering a connection or adding a track was answered with.

    :return: the reply's fields under the interface's names, without an envelope; empty for a 204.
    :raises AmbiguousSubmissionError: the service accepted, and its answer cannot be read.
    """
    if not reply.body.strip():
        return {}
    body = json_object(reply)
    if body is None:
        what = "the service accepted the request with an answer that is no JSON object"
        raise ambiguous_reply(reply, what, operation=call.operation, method=call.method, path=call.path)
    data = body.get("data")
    return dict(data) if isinstance(data, Mapping) else body


def read_job(reply: HttpReply, call: Call, profile: ServiceProfile) -> tuple[Job, UnknownState | None]:
    """The job in a reply, with the state word when it is one that is not known.

    :raises NotFoundError: the service says, inside a 200, that it does not know the job.
    :raises UnreadableReplyError: the body is not a job at all.
    """
    asked_id = call.job_id or ""
    body = json_object(reply)
    if body is None:
        raise UnreadableReplyError(
            f"Get job of job {asked_id} ({call.method} {call.path}): the answer is no JSON object. "
            "Check the connection's host and extra paths; a proxy may be answering in the service's place.",
            **_details(reply, call),
        )
    places = layers(body)
    word = next(
        (p[n].strip() for p in places for n in _STATE if isinstance(p.get(n), str) and p[n].strip()), None
    )
    preview = first_text(places, *_PREVIEW)
    settings = next((p[n] for p in places for n in _RENDER_SETTINGS if isinstance(p.get(n), Mapping)), None)
    media = {field: first_text(places, *names) for field, names in _MEDIA.items()}
    refused = any(place.get("success") is False for place in places) or bool(body.get("error"))
    has_result = bool(media["video_url"] or preview or settings is not None)
    code = first_text(places, *_ERROR_CODE)
    message = quotable(first_text(places, *_ERROR_MESSAGE))
    state, unknown = _state(word, profile.state_words)
    if state is None:
        says_error = refused or (unknown is None and not has_result and bool(code or message))
        if says_error and _means_unknown_job(code, message):
            raise NotFoundError(
                f"Get job of job {asked_id} ({call.method} {call.path}): the service does not know this job"
                f"{f', saying: {message}' if message else ''}. Check the job id and the connection.",
                **_details(reply, call, code, message),
            )
        if refused or (says_error and code):
            state = "failed"
        elif unknown is not None:
            state = "in-progress"
        elif has_result:
            state = "completed"
        else:
            raise UnreadableReplyError(
                f"Get job of job {asked_id} ({call.method} {call.path}): the answer holds neither a status nor "
                "a result. Check extra paths, and name the service's own words in extra state_words.",
                **_details(reply, call, code, message),
            )
    elif state == "completed" and refused:
        state = "failed"
    ended_badly = state in ("failed", "cleaned")
    job = Job(
        job_id=asked_id or first_text(places, *_JOB_ID) or "",
        state=state,
        preview_url=preview,
        render_settings=dict(settings) if settings is not None else None,
        **media,
        duration=_number(first_text(places, *_DURATION)),
        progress=_number(first_text(places, *_PROGRESS)),
        error_code=code if ended_badly else None,
        error_message=message if ended_badly else None,
    )
    return job, unknown


def _state(word: str | None, state_words: Mapping[str, str]) -> tuple[JobState | None, UnknownState | None]:
    if word is None:
        return None, None
    lowered = word.lower()
    canonical = state_words.get(lowered) or lowered.replace("_", "-").replace(" ", "-")
    match canonical:
        case "in-progress" | "completed" | "failed" | "cleaned":
            return canonical, None
    return None, UnknownState(word[:60])


def _means_unknown_job(code: str | None, message: str | None) -> bool:
    text = f"{code or ''} {message or ''}".lower()
    return code == "404" or any(words in text for words in _UNKNOWN_JOB)


def _number(text: str | None) -> float | None:
    try:
        number = float(text.rstrip("%")) if text else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _details(
    reply: HttpReply, call: Call, code: str | None = None, message: str | None = None
) -> dict[str, Any]:
    return {
        "operation": call.operation,
        "method": call.method,
        "path": call.path,
        "status": reply.status,
        "job_id": call.job_id,
        "request_id": request_id(reply),
        "code": code,
        "service_message": message,
    }
