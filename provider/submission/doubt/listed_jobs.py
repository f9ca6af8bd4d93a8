"""The service's list of jobs, read liberally: no interface says what it looks like.

A list is the answer itself, or is under a usual name; a page names the next one by a URL or a cursor. What cannot
be read is not a reason to believe that a job does not exist.
"""

from __future__ import annotations

import email.utils
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from ...connection.profile import ServiceProfile
from ...errors import UnreadableReplyError
from ...protocol.calls import Call
from ...protocol.messages import HttpReply
from ...protocol.reply_body import JOB_ID, first_text, json_object
from ...protocol.reply_details import ReplyDetails
from ...protocol.reply_errors import carried
from ...service_lists.listing import (
    field_of,
    flags_of,
    is_contradicted,
    list_call,
    lists_in,
    nexts_of,
    total_of,
)

_CURSORS = {
    "next_cursor": "cursor",
    "nextCursor": "cursor",
    "next_page_token": "page_token",
    "nextPageToken": "pageToken",
}
"""The field that holds the cursor of the next page -> the parameter that takes it."""
_VIDEO_NAME = "video_name"
_NAMES = ("name", "title")
"""May hold the video's name, or what the service calls the job (ours)."""
_TIMES = (
    *("created_at", "created", "submitted_at", "submitted"),
    *("creation_time", "create_time", "date_created"),
)
_KINDS = ("kind", "type", "job_type", "operation")
_STORYBOARD = {"storyboard", "storyboards", "preview", "previews"}
_RENDER = {"render", "renders", "rendering"}
_OF_ANY_KIND = {"video", "videos", "job", "jobs", "create", "creation", "make", "task", "request", "v"}
"""Words beside that of a kind that do not change it; beside any other, such as ``pre``, no kind is known (ours)."""
_CACHES = ("x-cache", "x-cache-status", "cf-cache-status")
_MINUTES = re.compile(r"[Tt ]\d\d?:\d\d|\d[Tt]\d{4}")
_FIRST_TIME, _LAST_TIME = 1e9, 1e10
"""What is before or after these, in the years 2001 and 2286, is a flag, an age or a date in digits (ours)."""
_DAY = 86400.0
_MILLISECONDS, _MICROSECONDS = 1e11, 1e14
"""Numbers from here on are no seconds since 1970 (ours)."""


@dataclass(frozen=True)
class ListedJob:
    """What the list says about one job.

    :param job_id: None where it cannot be read.
    :param name: of the video, or what the service calls the job.
    :param kind: ``storyboard`` or ``render``; None where it is not told.
    :param at: epoch seconds, by the service's clock, at which it was made.
    :param has_zone: whether the time says its zone, or needs none; otherwise it was read as UTC.
    :param marker: the field that may hold a mark.
    :param fields: of the list's entry, as they are.
    :param is_video_name: whether the name is sure to be the video's.
    """

    job_id: str | None
    name: str | None = None
    kind: str | None = None
    at: float | None = None
    has_zone: bool = True
    marker: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict, repr=False)
    is_video_name: bool = True


@dataclass(frozen=True)
class JobPage:
    """One page of the list.

    :param jobs: as they are listed.
    :param is_last: whether the service says that no page follows, and nothing else says that one does.
    :param next_path: the path of the next page; None where there is none that can be followed.
    :param served_at: epoch seconds by the service's clock; None where it does not tell, or a cache has answered.
    :param total: how many jobs the whole list has; None where it does not tell.
    """

    jobs: tuple[ListedJob, ...]
    is_last: bool = False
    next_path: str | None = None
    served_at: float | None = None
    total: int | None = None


def list_jobs(profile: ServiceProfile, path: str | None = None) -> Call:
    """List jobs, where the profile names a path for it; the interface shows none (source: ours).

    :param profile: gives the path, as ``paths.jobs``.
    :param path: of a further page; None for the first.
    :raises ConfigurationError: it names none.
    """
    first = replace(list_call(profile, "jobs", "list jobs"), is_fresh=True)
    return replace(first, path=path) if path else first


def read_page(reply: HttpReply, call: Call, profile: ServiceProfile) -> JobPage:
    """One page of the list of jobs.

    :param reply: of a success.
    :param call: what was asked.
    :param profile: tells where the fields stand.
    :raises UnreadableReplyError: the answer holds no list of jobs.
    """
    is_bare = reply.body.lstrip()[:1] == b"["
    body = json_object(replace(reply, body=b'{"data":' + reply.body + b"}") if is_bare else reply)
    entries = None if body is None else _entries(body)
    details = ReplyDetails.of(reply, body)
    if body is None or entries is None or details.says_failure:
        raise UnreadableReplyError(
            f"{call}: the answer holds no list of jobs{details.said}. Check {call.settings}.",
            **carried(call, details),
        )
    told, more, total = nexts_of(body), flags_of(body), total_of(body)
    following = [
        (name, value) for name, value in told if value is not None and value is not False and value != ""
    ]
    may_go_on = bool(following) or any(value is not False for value in more) or is_contradicted(body, entries)
    # An empty list says of itself only that nothing was found: its index may be away, or have other pages.
    ends = bool(told or more) or (not entries and total == 0)
    return JobPage(
        tuple(_listed(entry, profile) for entry in entries),
        is_last=ends and not may_go_on,
        next_path=_next_path(*following[0], profile) if following else None,
        served_at=_served_at(reply.headers),
        total=total,
    )


def _entries(body: Mapping[str, Any]) -> list[Any] | None:
    lists = list(lists_in(body, "jobs"))
    entries = next((found for found in lists if found), lists[0] if lists else None)
    # An entry that cannot be read may be the job.
    return entries if entries is not None and all(isinstance(entry, dict) for entry in entries) else None


def _listed(entry: Mapping[str, Any], profile: ServiceProfile) -> ListedJob:
    def told(key: str, *usual: str) -> str | None:
        return _text(field_of(entry, profile.reply_fields.get(key), *usual))

    name = told("job_name", _VIDEO_NAME)
    at, has_zone = _time(told("job_submitted_at", *_TIMES))
    return ListedJob(
        _text(field_of(entry, None, JOB_ID[0], "id")),
        name or told("job_name", *_NAMES),
        _kind(_text(field_of(entry, None, *_KINDS))),
        at,
        has_zone,
        told("job_marker", *([profile.marker_field] if profile.marker_field else [])),
        entry,
        is_video_name=name is not None,
    )


def _text(value: Any) -> str | None:
    return first_text([{"": value}], "")


def _kind(word: str | None) -> str | None:
    if word is None:
        return None
    words = {found.lower() for found in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", word)}
    if words & _STORYBOARD and words <= _STORYBOARD | _OF_ANY_KIND:
        return "storyboard"
    return "render" if words & _RENDER and words <= _RENDER | _OF_ANY_KIND else None


def _time(text: str | None) -> tuple[float | None, bool]:
    """Epoch seconds, and whether they are sure to be that; a time without a zone is read as UTC.

    A time without its minutes, or at midnight sharp, is a date: it does not tell when a job was made.
    """
    if text is None:
        return None, True
    try:
        number = float(text)
    except ValueError:
        pass
    else:
        scale = 1e6 if number >= _MICROSECONDS else 1e3 if number >= _MILLISECONDS else 1.0
        at = number / scale
        return (at if _FIRST_TIME <= at < _LAST_TIME and at % _DAY else None), True
    if not _MINUTES.search(text):
        return None, True
    parses: tuple[Callable[[str], datetime], ...] = (
        datetime.fromisoformat,
        email.utils.parsedate_to_datetime,
    )
    for parse in parses:
        try:
            parsed = parse(text)
            at = parsed.replace(tzinfo=parsed.tzinfo or UTC).timestamp()
        except (ValueError, TypeError, OverflowError):
            continue
        is_date = not (parsed.hour or parsed.minute or parsed.second)
        return (None, True) if is_date else (at, parsed.tzinfo is not None)
    return None, True


def _served_at(headers: Mapping[str, str]) -> float | None:
    is_cached = any("hit" in headers.get(name, "").lower() for name in _CACHES)
    if is_cached or headers.get("age", "0").strip() != "0":
        return None
    return _time(headers.get("date"))[0]


def _next_path(name: str, value: Any, profile: ServiceProfile) -> str | None:
    """The path below the base URL; None for what leads elsewhere, or is no plain URL or cursor."""
    path = profile.paths["jobs"]
    if not isinstance(value, str | int) or isinstance(value, bool):
        return None
    text = str(value)
    if parameter := _CURSORS.get(name):
        return f"{path}{'&' if '?' in path else '?'}{parameter}={quote(text, safe='')}"
    if text.startswith(f"{profile.base_url}/"):
        text = text.removeprefix(profile.base_url)
    plain = path.partition("?")[0]
    if text.startswith("?"):
        text = plain + text
    return text if text.partition("?")[0] == plain and text.isprintable() and "#" not in text else None
