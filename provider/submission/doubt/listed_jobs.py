"""The service's list of jobs, read liberally: no interface says how it looks.

A list stands in the answer itself, or under a usual name; a page names the next one by a URL or a cursor. What cannot
be read is no reason to believe that a job is not there.
"""

from __future__ import annotations

import email.utils
import re
from collections.abc import Callable, Mapping, Sequence
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
from ...service_lists.listing import goes_on, has_more, list_call

_LISTS = ("data", "jobs", "items", "results", "records", "content")
_PAGING = ("paging", "pagination", "page_info", "pageInfo", "meta", "links", "_links")
_CURSORS = {
    "next_cursor": "cursor",
    "nextCursor": "cursor",
    "next_page_token": "page_token",
    "nextPageToken": "pageToken",
}
"""The field that holds the cursor of the next page -> the parameter that takes it."""
_NEXT = ("next", *_CURSORS)
_HAS_MORE = ("has_more", "hasMore", "hasNext", "has_next")
_NAMES = ("videoName", "video_name", "name", "title")
_TIMES = (
    *("created_at", "createdAt", "created", "submitted_at", "submittedAt", "submitted"),
    *("creation_time", "creationTime", "create_time", "createTime", "date_created", "dateCreated"),
)
_KINDS = ("kind", "type", "job_type", "jobType", "operation")
_MILLISECONDS, _MICROSECONDS = 1e11, 1e14
"""Numbers from here on are no seconds since 1970 (ours)."""


@dataclass(frozen=True)
class ListedJob:
    """What the list tells of one job.

    :param job_id: None where it cannot be read.
    :param name: of the video.
    :param kind: ``storyboard`` or ``render``; None where it is not told.
    :param at: epoch seconds, by the service's clock, at which it was made.
    :param has_zone: whether the time says its zone, or needs none; else it was read as UTC.
    :param marker: the field that may hold a mark.
    :param fields: of the list's entry, as they are.
    """

    job_id: str | None
    name: str | None = None
    kind: str | None = None
    at: float | None = None
    has_zone: bool = True
    marker: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class JobPage:
    """One page of the list.

    :param jobs: as they stand there.
    :param is_last: whether the service says that no page follows, or shows nothing at all.
    :param next_path: the path of the next page; None where there is none that can be followed.
    :param served_at: epoch seconds by the service's clock; None where it does not tell, or a cache has answered.
    """

    jobs: tuple[ListedJob, ...]
    is_last: bool = False
    next_path: str | None = None
    served_at: float | None = None


def list_jobs(profile: ServiceProfile, path: str | None = None) -> Call:
    """List jobs, where the profile names a path for it; the interface shows none (source: ours).

    :param profile: gives the path, as ``paths.jobs``.
    :param path: of a further page; None for the first.
    :raises ConfigurationError: it names none.
    """
    first = list_call(profile, "jobs", "list jobs")
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
    places = [place for place in (body, body.get("data")) if isinstance(place, dict)]
    places += [
        place[name] for place in tuple(places) for name in _PAGING if isinstance(place.get(name), dict)
    ]
    told = [(name, place[name]) for place in places for name in _NEXT if name in place]
    following = [
        (name, value) for name, value in told if value is not None and value is not False and value != ""
    ]
    more = [place[name] for place in places for name in _HAS_MORE if name in place]
    may_go_on = bool(following) or any(value is not False for value in more) or goes_on(body)
    # An empty page may have others behind it, of a service that filters page by page.
    ends = bool(told or more) or not (entries or has_more(body, 0))
    return JobPage(
        tuple(_listed(entry, profile) for entry in entries),
        is_last=ends and not may_go_on,
        next_path=_next_path(*following[0], profile) if following else None,
        served_at=_served_at(reply.headers),
    )


def _entries(body: Mapping[str, Any]) -> Sequence[Mapping[str, Any]] | None:
    for place in (body, body.get("data")):
        found = (
            [place[name] for name in _LISTS if isinstance(place.get(name), list)]
            if isinstance(place, dict)
            else []
        )
        if found:
            return found[0] if all(isinstance(entry, dict) for entry in found[0]) else None
    return None


def _listed(entry: Mapping[str, Any], profile: ServiceProfile) -> ListedJob:
    def told(key: str, *usual: str) -> str | None:
        if path := profile.reply_fields.get(key):
            *parents, name = path.split(".")
            place: Any = entry
            for parent in parents:
                place = place.get(parent) if isinstance(place, dict) else None
            return first_text([place], name) if isinstance(place, dict) else None
        return first_text([entry], *usual)

    at, has_zone = _time(told("job_submitted_at", *_TIMES))
    return ListedJob(
        first_text([entry], *JOB_ID, "id"),
        told("job_name", *_NAMES),
        _kind(first_text([entry], *_KINDS)),
        at,
        has_zone,
        told("job_marker", *([profile.marker_field] if profile.marker_field else [])),
        entry,
    )


def _kind(word: str | None) -> str | None:
    if word is None:
        return None
    is_storyboard = re.search("storyboard|preview", word, re.IGNORECASE) is not None
    is_render = re.search("render", word, re.IGNORECASE) is not None
    if is_storyboard is is_render:
        return None
    return "storyboard" if is_storyboard else "render"


def _time(text: str | None) -> tuple[float | None, bool]:
    """Epoch seconds, and whether they are sure to be that; a time without a zone is read as UTC."""
    if text is None:
        return None, True
    try:
        number = float(text)
    except ValueError:
        pass
    else:
        scale = 1e6 if number >= _MICROSECONDS else 1e3 if number >= _MILLISECONDS else 1.0
        return (number / scale, True) if 0 < number < float("inf") else (None, True)
    parses: tuple[Callable[[str], datetime], ...] = (
        datetime.fromisoformat,
        email.utils.parsedate_to_datetime,
    )
    for parse in parses:
        try:
            parsed = parse(text)
            return parsed.replace(tzinfo=parsed.tzinfo or UTC).timestamp(), parsed.tzinfo is not None
        except (ValueError, TypeError, OverflowError):
            continue
    return None, True


def _served_at(headers: Mapping[str, str]) -> float | None:
    if headers.get("age", "0").strip() != "0":
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
