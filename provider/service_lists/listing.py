"""Reads what the service lists, in every form that comparable services use.

| what           | where it is looked for                                                                       |
|----------------|----------------------------------------------------------------------------------------------|
| the list       | the reply itself; its plural name, ``data``, ``items``, ``results`` and similar; one of these  |
|                | in another                                                                                   |
| an entry of it | an object; a text alone is an object with that ``name``                                      |
| a field        | at the path that the connection names; else under the first of the usual names               |
| the next page  | ``next``, ``next_cursor``, ``next_page``, ``next_token``; that there is one: ``has_more``, or a |
|                | ``total`` above the number of entries; beside the list, or in ``meta``, ``pagination``       |

Names are compared without capitals, underscores and hyphens: ``next_cursor`` is ``nextCursor``, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..connection.profile import ServiceProfile
from ..errors import ConfigurationError, RequestRefusedError, UnreadableReplyError
from ..failure_words import twin_status
from ..protocol.calls import Call
from ..protocol.messages import HttpReply
from ..protocol.reply_body import json_value
from ..protocol.reply_details import ReplyDetails
from ..protocol.reply_errors import carried, twin_error, unreadable

ENVELOPES = ("data", "items", "results", "result", "response", "records", "content")
"""Under which of its fields a reply may hold the list; or its plural name (ours)."""
_BESIDE = ("meta", "metadata", "pagination", "paging", "page", "pageinfo", "links")
_NEXT = ("next", "nextcursor", "nextpage", "nexttoken", "nextpagetoken", "nexturl", "nextlink")
_MORE = ("hasmore", "hasnext", "hasnextpage", "istruncated")
_TOTAL = ("total", "totalcount", "totalitems", "totalresults", "totalelements", "totalrecords", "count")
_PAGES = ("pages", "totalpages", "pagecount", "lastpage")
_PAGE = ("page", "currentpage", "pagenumber")
_PARTIAL = ("warning", "warnings", "partial", "ispartial", "incomplete", "isincomplete")
_MAX_NAMES = 20
"""How many names of fields a message holds (ours)."""


@dataclass(frozen=True)
class Listed:
    """What a reply lists.

    :param entries: its objects.
    :param is_whole: whether the reply names no further page.
    """

    entries: list[Mapping[str, Any]]
    is_whole: bool


def list_call(profile: ServiceProfile, path: str, operation: str) -> Call:
    """The call that reads one of the lists that the interface does not show.

    :param profile: gives the path.
    :param path: its key in the connection's extra ``paths``, such as ``voices``.
    :param operation: what it does, for messages, such as ``list voices``.
    :raises ConfigurationError: the connection does not name the path.
    """
    named = profile.paths.get(path)
    if named is None:
        raise ConfigurationError(
            f"The connection names no path to {operation}: set extra paths.{path} to the path that your service's "
            "documentation gives. Nothing was sent."
        )
    return Call(operation, "GET", named, settings=f"the host and extra paths.{path} of {{connection}}")


def reply_value(reply: HttpReply, call: Call) -> Any:
    """The JSON of a reply, of any kind.

    :param reply: of a success.
    :param call: what was asked.
    :raises UnreadableReplyError: it is not JSON.
    :raises ServiceError: it reports a failure inside a 200.
    """
    try:
        value = json_value(reply)
        trouble = "" if isinstance(value, Mapping | list) else "is not a JSON object or list"
    except ValueError as error:
        trouble = str(error)
    if trouble:
        raise unreadable(reply, call, trouble)
    details = ReplyDetails.of(reply)
    if not details.says_failure:
        return value
    if twin := twin_status(details.words, None, details.statuses):
        raise twin_error(twin, reply, call, details)
    raise RequestRefusedError(
        f"{call}: the service refused the request ({reply.status}){details.said}. Check {call.where_set}.",
        **carried(call, details),
    )


def read_list(reply: HttpReply, call: Call, plural: str) -> Listed:
    """The list in a reply.

    :param reply: of a success.
    :param call: what was asked.
    :param plural: what the list holds, such as ``voices``.
    :raises UnreadableReplyError: it is not JSON, or holds no list.
    :raises ServiceError: it reports a failure inside a 200.
    """
    body = reply_value(reply, call)
    entries = items_of(body, plural)
    if entries is None:
        raise UnreadableReplyError(
            f"{call}: the answer holds no list of {plural}; its fields: {shown_fields(body)}. Check {call.where_set}.",
            **carried(call, ReplyDetails.of(reply)),
        )
    return Listed(entries, not has_more(body, len(entries)))


def items_of(body: Any, plural: str) -> list[Mapping[str, Any]] | None:
    """The entries of a list in a reply.

    :param body: the reply's JSON.
    :param plural: what the list holds, such as ``voices``.
    :return: None where the reply has no list.
    """
    found = next(lists_in(body, plural), None)
    if found is None:
        return None
    entries = [{"name": entry} if isinstance(entry, str) else entry for entry in found]
    return [entry for entry in entries if isinstance(entry, Mapping)]


def field_of(item: Mapping[str, Any], path: str | None, *usual: str) -> Any:
    """A field of an object in a reply.

    :param item: the object.
    :param path: the field's name, with dots between those of nested ones; None where the connection names none.
    :param usual: the names to try then, the first first.
    :return: None where there is no such field.
    """
    if path is None:
        values = _by_plain_name(item)
        found = (values.get(_plain(name)) for name in usual)
        return next((value for value in found if value is not None), None)
    value: Any = item
    for name in path.split("."):
        value = value.get(name.strip()) if isinstance(value, Mapping) else None
    return value


def lists_in(body: Any, plural: str) -> Iterator[list[Any]]:
    """The lists in a reply in the places where one may be expected, the likeliest first, with all that is in them.

    :param body: the reply's JSON.
    :param plural: what the list holds, such as ``voices``.
    """
    return _lists(body, (_plain(plural), *ENVELOPES))


def next_cursor(body: Any) -> str | None:
    """What the reply names for the next request: a cursor, a number of a page, or an address; None where it names none.

    :param body: the reply's JSON.
    """
    for place in _beside(body):
        value = field_of(place, None, *_NEXT)
        if isinstance(value, Mapping):
            value = field_of(value, None, "href", "url", "cursor")
        if isinstance(value, str | int | float) and value and not isinstance(value, bool):
            return str(value)
    return None


def has_more(body: Any, count: int) -> bool:
    """Whether a reply holds only a part of the list.

    :param body: the reply's JSON.
    :param count: how many entries it has.
    """
    return next_cursor(body) is not None or True in flags_of(body) or (total_of(body) or 0) > count


def total_of(body: Any) -> int | None:
    """How many entries the whole list has, as the reply says; None where it does not.

    :param body: the reply's JSON.
    """
    totals = [_number(field_of(place, None, *_TOTAL)) for place in _beside(body)]
    return max((total for total in totals if total is not None), default=None)


def nexts_of(body: Any) -> list[tuple[str, Any]]:
    """The fields that may name the next page, as they are called there, and what they say; an empty one, too.

    :param body: the reply's JSON.
    """
    return _told(body, _NEXT)


def flags_of(body: Any) -> list[Any]:
    """What the reply says of whether a further page follows.

    :param body: the reply's JSON.
    """
    return [value for _, value in _told(body, _MORE)]


def is_contradicted(body: Any, entries: list[Any]) -> bool:
    """Whether a reply shows that a list in it is not whole, beside what it says of the next page.

    It does where there is another list that holds something, where it counts further pages, or warns.

    :param body: the reply's JSON.
    :param entries: the list.
    """
    if any(found and found is not entries for found in _all_lists(body)):
        return True
    return any(_is_partial(place) for place in _beside(body))


def shown_fields(body: Any) -> str:
    """The names of a reply's fields for a message, nested ones with dots, and no values.

    :param body: the reply's JSON.
    """
    entries = items_of(body, "")
    start = entries[0] if entries else body
    names = list(_field_names(start)) if isinstance(start, Mapping) else []
    more = [f"and {len(names) - _MAX_NAMES} more"] if len(names) > _MAX_NAMES else []
    return ", ".join([*names[:_MAX_NAMES], *more]) or "no field"


def _lists(body: Any, names: tuple[str, ...], depth: int = 0) -> Iterator[list[Any]]:
    if isinstance(body, list):
        yield body
    elif isinstance(body, Mapping) and depth < 3:
        values = _by_plain_name(body)
        for name in names:
            yield from _lists(values.get(name), names, depth + 1)


def _told(body: Any, names: tuple[str, ...]) -> list[tuple[str, Any]]:
    """The fields with these names, the first name first; one that says nothing, too."""
    fields = [(str(name), value) for place in _beside(body) for name, value in place.items()]
    return [field for name in names for field in fields if _plain(field[0]) == name]


def _is_partial(place: Mapping[str, Any]) -> bool:
    pages, page = (_number(field_of(place, None, *names)) or 0 for names in (_PAGES, _PAGE))
    return pages > max(page, 1) or any(field_of(place, None, name) for name in _PARTIAL)


def _all_lists(body: Any) -> Iterator[list[Any]]:
    """Every list in a reply, whatever its name, but none inside another."""
    if isinstance(body, list):
        yield body
    elif isinstance(body, Mapping):
        for value in body.values():
            yield from _all_lists(value)


def _beside(body: Any) -> list[Mapping[str, Any]]:
    """The objects of a reply that may announce further pages."""
    if not isinstance(body, Mapping):
        return []
    envelopes = [body, *_objects_in(body, ENVELOPES)]
    return [*envelopes, *(value for place in envelopes for value in _objects_in(place, _BESIDE))]


def _objects_in(place: Mapping[str, Any], names: tuple[str, ...]) -> list[Mapping[str, Any]]:
    values = _by_plain_name(place)
    return [value for name in names if isinstance(value := values.get(name), Mapping)]


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:
        return int(value)
    is_count = type(value) is int or (isinstance(value, float) and value.is_integer())
    return int(value) if is_count and value >= 0 else None


def _field_names(place: Mapping[str, Any], before: str = "", depth: int = 0) -> Iterator[str]:
    for name, value in place.items():
        shown = f"{before}{''.join(c for c in str(name)[:40] if c.isprintable())}"
        if isinstance(value, Mapping) and value and depth < 2:
            yield from _field_names(value, f"{shown}.", depth + 1)
        else:
            yield shown


def _by_plain_name(place: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in place.items():
        if value is not None:
            values.setdefault(_plain(str(name)), value)
    return values


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()
