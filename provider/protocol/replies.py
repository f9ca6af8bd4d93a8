"""How the reply of a success is read: the job, and the identifiers that a submission gives.

Which forms are understood: ours; the interface leaves them open.

What a poll's answer means; the first row that fits holds:

| status word          | the answer says                            | the job is                          |
|----------------------|--------------------------------------------|-------------------------------------|
| failed               | anything                                   | failed                              |
| cleaned              | anything                                   | cleaned                             |
| in-progress          | anything                                   | in-progress                         |
| completed            | failure                                    | failed                              |
| completed            | anything else                              | completed                           |
| not a known one      | failure, and that the job is unknown       | NotFoundError                       |
| not a known one      | failure                                    | failed                              |
| not a known one      | anything else                              | in-progress, and the word is told   |
| none                 | that the job is unknown, and no result     | NotFoundError                       |
| none                 | failure                                    | failed                              |
| none                 | a preview, render settings or a video      | completed                           |
| none                 | an error code                              | failed                              |
| none                 | anything else                              | UnreadableReplyError                |

Failure is said by ``success: false`` or by an ``error``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from ..models.job import STATES, Job, JobState
from .calls import Call
from .errors import NotFoundError, RequestRefusedError, UnreadableReplyError
from .messages import HttpReply
from .profile import ServiceProfile
from .reply_body import MAX_VALUES, first_text, json_object, layers
from .reply_details import ReplyDetails
from .reply_errors import accepted_unreadably, carried

_STATES: Mapping[str, JobState] = {state: state for state in STATES}
JOB_ID = ("job_id", "jobId")
"""Where the service names a job, in a reply as in a callback (ours)."""
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
_ERROR_CODE = ("error_code", "errorCode")
_UNKNOWN_JOB_CODE = re.compile(r"404|(job_?)?not_?found|(unknown|no_such|invalid)_?job(_?id)?", re.IGNORECASE)
_UNKNOWN_JOB_WORDS = re.compile(
    r"""
    (error\W+)?
    (
        ((resource|record|entity)[ ])?not[ ]found\W*
      | (unknown|(there[ ]is[ ])?no[ ]such|there[ ]is[ ]no|invalid|(cannot|can't|could[ ]not)[ ]find)([ ]the)?[ ]job\b.*
      | ((the|this|requested|video|storyboard|render)[ ])*job\b([ ]with)?([ ]the)?([ ]id)?\W*[\w.-]*\W*
        (is[ ]|was[ ]|could[ ])?(not[ ](be[ ])?(found|known)|unknown|(does[ ]not|doesn't)[ ]exist)\b.*
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Says that the job itself is not there; ``Font not found`` says why a job failed."""
MAX_STATE_WORD = 60
"""How many characters of an unknown state word are told (ours)."""


def read_job_id(reply: HttpReply, call: Call) -> str:
    """The job id that a storyboard or render submission was answered with.

    :param reply: of a success.
    :param call: the submission.
    :raises RequestRefusedError: the service says, inside a 2xx, that it refuses the request.
    :raises AmbiguousSubmissionError: the service accepted, and its answer holds no job id.
    """
    job_id = first_text(layers(json_object(reply)), *JOB_ID)
    if job_id is None:
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
        raise accepted_unreadably(reply, call, "and the answer is no JSON object")
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
    :raises UnreadableReplyError: the body is not a job at all.
    """
    body = json_object(reply)
    if body is None:
        raise UnreadableReplyError(
            f"{call}: the answer is no JSON object, or one of more than {MAX_VALUES} values. Check {call.settings}; "
            "a proxy may be answering in the service's place.",
            **carried(call, ReplyDetails.of(reply, body)),
        )
    places = layers(body)
    word = _state_word(places)
    state = _known_state(word, profile.state_words)
    if state == "in-progress":
        # Most polls end here; a job that goes on has no result yet.
        return Job(
            job_id=call.job_id or "",
            state=state,
            duration=_number(first_text(places, *_DURATION)),
            progress=_number(first_text(places, *_PROGRESS)),
        ), None
    details = ReplyDetails.of(reply, body)
    preview = first_text(places, *_PREVIEW)
    settings = next((p[n] for p in places for n in _RENDER_SETTINGS if isinstance(p.get(n), dict)), None)
    media = {field: first_text(places, *names) for field, names in _MEDIA.items()}
    has_result = bool(media["video_url"] or preview or settings is not None)
    unknown: str | None = None
    bare = word is None and not has_result
    if state is None and (details.says_failure or bare) and _means_unknown_job(details):
        raise NotFoundError(
            f"{call}: the service does not know this job{details.said}. Check the job id, {call.settings}.",
            **carried(call, details),
        )
    fails = details.says_failure or (bare and first_text(places, *_ERROR_CODE) is not None)
    if fails and state in (None, "completed"):
        state = "failed"
    elif bare:
        raise UnreadableReplyError(
            f"{call}: the answer holds neither a status nor a result{details.said}. Check {call.settings}.",
            **carried(call, details),
        )
    elif state is None and word:
        state, unknown = "in-progress", word[:MAX_STATE_WORD]
    elif state is None:
        state = "completed"
    ended_badly = state in ("failed", "cleaned")
    job = Job(
        job_id=call.job_id or "",
        state=state,
        preview_url=preview,
        render_settings=settings,
        **media,
        duration=_number(first_text(places, *_DURATION)),
        progress=_number(first_text(places, *_PROGRESS)),
        error_code=details.code if ended_badly else None,
        error_message=details.message if ended_badly else None,
    )
    return job, unknown


def _state_word(places: list[Mapping[str, Any]]) -> str | None:
    for place in places:
        for name in _STATE:
            word = place.get(name)
            if isinstance(word, str) and (word := word.strip()):
                return word
    return None


def _known_state(word: str | None, state_words: Mapping[str, str]) -> JobState | None:
    if word is None:
        return None
    lowered = word.lower()
    meant = state_words.get(lowered) or lowered.replace("_", "-").replace(" ", "-")
    return _STATES.get(meant)


def _means_unknown_job(details: ReplyDetails) -> bool:
    """Whether a failure is about the job id, and not about something else that was not found."""
    return bool(
        _UNKNOWN_JOB_CODE.fullmatch(details.code or "") or _UNKNOWN_JOB_WORDS.fullmatch(details.message or "")
    )


def _number(text: str | None) -> float | None:
    if not text:
        return None
    try:
        number = float(text.rstrip("%"))
    except ValueError:
        return None
    return number if math.isfinite(number) else None
