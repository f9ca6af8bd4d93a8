"""A call that this package has no name for: what may be asked, and how its reply is read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, unquote, urlencode

from ..connection.extra import MAX_SHOWN
from ..connection.profile import ServiceProfile
from ..errors import InvalidRequestError, Problem, RequestRefusedError
from ..failure_words import NOT_READY, twin_status
from ..models.json_value import is_unicode, unsendable
from ..quoting import quotable, shortened
from .calls import Call
from .messages import HttpReply
from .replies import has_error_code, tells_of_a_job
from .reply_body import JOB_ID, first_text, json_value, layers
from .reply_details import ReplyDetails
from .reply_errors import accepted_unreadably, carried, twin_error, unreadable

READS = ("GET", "HEAD")
METHODS = (*READS, "POST", "PUT", "PATCH", "DELETE")
MAX_TARGET = 32_000
"""Characters of a path with its query; few services read as many (ours)."""
_KEPT = "/?%:@!$&'()*+,;=[]~"
"""What a path and its query contain unchanged; everything else is written as ``%..``."""
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_BARE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_DECODINGS = 4
"""How many servers in a row may decode a path and find ``..`` in it (ours)."""


def any_call(
    method: str,
    path: str,
    *,
    body: Any = None,
    params: Mapping[str, Any] | None = None,
    paid: bool = False,
) -> Call:
    """A call of whatever the service has (source: ours).

    :param method: the HTTP method, in any case.
    :param path: below the base URL, with or without a query.
    :param body: any JSON value, None for no body.
    :param params: are added to the query: texts, numbers, true, false and lists of these; None is left out.
    :param paid: whether it makes something that may cost money.
    :raises InvalidRequestError: it cannot be sent, or would lead out of the service.
    """
    verb = method.upper() if isinstance(method, str) else ""
    problems = []
    if verb not in METHODS:
        problems.append(Problem("method", _shown(method), f"must be one of {', '.join(METHODS)}"))
    elif verb in READS and body is not None:
        problems.append(Problem("json", "", f"cannot be sent with {verb}: use params, or another method"))
    elif verb in READS and paid:
        problems.append(
            Problem("paid", "", f"cannot be true with {verb}, which only reads and may be repeated")
        )
    if path_problem := _path_problem(path):
        problems.append(Problem("path", _shown(path), path_problem))
    if unfit := unsendable(body):
        problems.append(Problem("json", "", unfit))
    pairs = []
    for name, value in _texts(params):
        if isinstance(value, Problem):
            problems.append(value)
        else:
            pairs.append((name, value))
    if not problems:
        target = _target(path, pairs)
        if len(target) <= MAX_TARGET:
            return Call(
                "this call",
                verb,
                target,
                body,
                submission=paid,
                changes=verb not in READS and not paid,
                settings="the path of this call, and the host of {connection}",
            )
        too_long = (
            f"has {len(target):,} characters with its query, and at most {MAX_TARGET:,} are allowed: ask for less "
            "at once"
        )
        problems.append(Problem("path", "", too_long))
    raise InvalidRequestError("call", problems)


def read_any_reply(reply: HttpReply, call: Call, profile: ServiceProfile) -> Any:
    """The JSON of the reply to a call, of whatever kind; None where it is empty (source: ours).

    An object that reports a failure is an error, by the words that ``replies`` knows; one that describes a job, or
    names the job that was paid for, is not.

    :param reply: of a success.
    :param call: what was asked.
    :param profile: gives the service's own state words.
    :raises AmbiguousSubmissionError: what is paid for was answered with something that is not JSON, or with an outage.
    :raises RequestRefusedError: the service reports a failure inside a 2xx.
    :raises UnreadableReplyError: the answer is not JSON.
    :raises ServiceError: what a failure inside a 2xx says otherwise, see ``replies``.
    """
    if call.method == "HEAD" or not reply.body.strip():
        return None
    try:
        value = json_value(reply)
    except ValueError as error:
        if call.submission:
            raise accepted_unreadably(reply, call, f"and the answer {error}") from None
        raise unreadable(reply, call, str(error)) from None
    if not isinstance(value, dict) or tells_of_a_job(value, profile):
        return value
    details = ReplyDetails.of(reply, value)
    if not details.says_failure and not has_error_code(value):
        return value
    if call.submission:
        if first_text(layers(value), *JOB_ID) is not None:
            return value
        raise accepted_unreadably(reply, call, "and reports an error")
    twin = twin_status(details.words, None, details.statuses)
    if twin not in (None, NOT_READY):
        raise twin_error(twin, reply, call, details)
    raise RequestRefusedError(
        f"{call}: the service reports a failure inside a {reply.status}{details.said}. "
        "Correct what it names and call again.",
        **carried(call, details),
    )


def _path_problem(path: Any) -> str | None:
    """What is wrong with a path, None when it leads nowhere but below the base URL."""
    if not isinstance(path, str) or not path.startswith("/"):
        return "must be a path below the connection's host that begins with a slash, not a whole address"
    if path.startswith("//"):
        return "must begin with one slash: two would name another host"
    if "\\" in path or "#" in path:
        return "must contain no backslash and no #: write %5C and %23"
    place = path.partition("?")[0]
    decoded = [place := unquote(place) for _ in range(_DECODINGS)]
    if any(map(_UNPRINTABLE.search, (path, *decoded))):
        return "contains a line break, or another character that an address cannot contain"
    segments = re.split(r"[/\\]", decoded[-1])
    if any(segment.partition(";")[0].strip() in (".", "..") for segment in segments):
        return "must contain no . or .. between slashes, however it is written: it would lead to another path"
    return None


def _texts(params: Any) -> Iterator[tuple[str, str | Problem]]:
    """The names and texts of a query; a problem, which shows no value, instead of what cannot be one."""
    if params is None:
        return
    if not isinstance(params, Mapping):
        yield "", Problem("params", "", f"must be a mapping of names to values, not {type(params).__name__}")
        return
    for name, value in params.items():
        if not isinstance(name, str) or not is_unicode(name):
            yield "", Problem("params", _shown(name), "contains a name that is not text")
            continue
        where = f"params[{_shown(name)}]"
        for item in value if isinstance(value, list | tuple) else [value]:
            if item is None:
                continue
            if not isinstance(item, str | int | float):
                wanted = "text, a number, true, false, or a list of these"
                yield name, Problem(where, "", f"must be {wanted}, not a value of type {type(item).__name__}")
            elif unfit := unsendable(item):
                yield name, Problem(where, "", unfit)
            else:
                yield name, str(item).lower() if isinstance(item, bool) else str(item)


def _shown(value: Any) -> str:
    """A wrong value in one line; of a path without what may hold a key."""
    if not isinstance(value, str):
        return f"a value of type {type(value).__name__}"
    return shortened(quotable(ascii(re.split(r"[?#]", value)[0])) or "", MAX_SHOWN)


def _target(path: str, pairs: list[tuple[str, str]]) -> str:
    """The path and the whole query as a URL has them."""
    target = quote(_BARE_PERCENT.sub("%25", path), safe=_KEPT)
    if not pairs:
        return target
    between = "?" if "?" not in target else "" if target.endswith(("?", "&")) else "&"
    return f"{target}{between}{urlencode(pairs, quote_via=quote)}"
