"""What the words of a failure mean that a 200 reports without a state word (source: ours).

Services wrap many things in a 200: a job that they cannot see yet, a limit, a token that has run out, an outage. None
of them says that a job failed. Words are compared in lower case, without signs, and cut where ``camelCase`` begins a
word, so that ``JOB_NOT_FOUND``, ``JobNotFoundException`` and "Job not found." read alike.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

NO_ERROR = frozenset({"0", "none", "null", "nil", "false", "ok", "okay", "success", "no error", "n a"})
"""What services write where there is no error."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SIGNS = re.compile(r"[^a-z0-9]+")
_FILLERS = frozenset(
    re.split(
        " ",
        "the this that a an requested specified given with id identifier number is was be been has have does do did "
        "could there yet error exception sorry",
    )
)
_JOB = "(?:(?:video|storyboard|render|rendering) )?(?:job|task)"
_NOT_THERE = "(?:not ?|cannot |cant )(?:found|known|exists?|existing|available|visible)"
_UNKNOWN_JOB = re.compile(
    f"(?:video|storyboard|render|resource|record|entity) ?{_NOT_THERE}"
    f"|(?:(?:{_JOB} ?)?{_NOT_THERE}"
    f"|{_JOB} (?:unknown|missing|nonexistent|doesnt exist)"
    "|(?:unknown|unrecognized|invalid|nonexistent|no(?: such)?|not know"
    f"|(?:not|cannot|cant|couldnt|didnt|unable to) (?:find|locate)) {_JOB}(?: found| exists?)?"
    ")(?: (?:in|on|by|for|or|here|any ?more|under)\\b.*)?"
)
"""Fits the whole text except its fillers, since ``Font not found`` says why a job failed."""
_NOT_READY = re.compile(
    r"\b(?:still (?:being )?(?:processing|processed|rendered|running|working|queued)"
    r"|not (?:yet )?(?:ready|finished|completed?|done)|in progress|pending|queued|please wait"
    r"|being (?:processed|rendered|prepared|created))\b"
)
_RATE_LIMIT = re.compile(
    r"\b(?:rate ?limit\w*|rate exceeded|too ?many ?requests|throttl\w*|slow ?down"
    r"|requests? (?:rate )?(?:limit|quota)|requests per (?:second|minute|hour|day))\b"
)
_CREDENTIAL = "(?:token|jwt|session|credentials?|api key|signature)"
_REFUSED_TOKEN = re.compile(
    r"\b(?:unauthori[sz]ed|unauthenticated|not authenticated|auth\w* (?:failed|required|error)|login required"
    rf"|{_CREDENTIAL} (?:is |has |was |have |been )*(?:invalid|expired|missing|revoked|rejected)"
    rf"|(?:invalid|expired|missing|bad|wrong) (?:access |auth |authentication |authorization |bearer )*{_CREDENTIAL})\b"
)
_FORBIDDEN = re.compile(r"^(?:error )?(?:forbidden|access denied|permission denied)(?: error| exception)?$")
_AWAY = re.compile(
    r"\b(?:(?:service|server|backend|system|gateway|api) (?:is |are )?(?:temporarily |currently )*"
    r"(?:unavailable|overloaded|busy|down)|bad gateway|(?:gateway|request|upstream) (?:request )?time(?:d )?out"
    r"|try again later|(?:under|in|for|scheduled) maintenance|upstream (?:connect )?error|too busy|overloaded)\b"
    r"|^(?:error )?(?:\d+ )?(?:temporarily unavailable|internal (?:server |service )?(?:error|failure))\b"
)
_OF_THE_VIDEO = re.compile(
    r"\b(?:ssml|scenes?|fonts?|backgrounds?|speakers?|voices?|voiceovers?|logo|images?|pictures?|media|subtitles?"
    r"|keywords?|text|rendering|encoding|bucket)\b"
)
"""What fails in these is the job, in whatever words: ``SSML error: invalid token``."""
NOT_READY = 425
_TWINS = (
    (NOT_READY, _NOT_READY),
    (429, _RATE_LIMIT),
    (401, _REFUSED_TOKEN),
    (403, _FORBIDDEN),
    (503, _AWAY),
)
_TWIN_STATUSES = frozenset({401, 403, 404, 408, NOT_READY, 429, 502, 503, 504})


def plain(text: str) -> str:
    """Words as they are compared: in lower case, single spaces, no signs.

    :param text: a code or a sentence.
    """
    split = _CAMEL.sub(" ", text.replace("'", "").replace("’", ""))
    return _SIGNS.sub(" ", split.lower()).strip()


def is_no_error(value: object) -> bool:
    """Whether a value says that there is no error, such as null, 0, "none" or "OK".

    :param value: of an error, a code or a message.
    """
    if value is None or value is False:
        return True
    if isinstance(value, int | float):
        return value == 0 or 200 <= value < 300
    if isinstance(value, str):
        words = plain(value)
        if not words:
            # Nothing but signs, or words in other alphabets.
            return value.isascii()
        return words in NO_ERROR or bool(re.fullmatch(r"2\d\d", words))
    return False


def twin_status(words: Iterable[str], job_id: str | None, statuses: Collection[int] = ()) -> int | None:
    """The HTTP status that says the same as a failure inside a 200; None where there is none.

    404 stands for a job that is not known, 425 (too early) for one that is not ready.

    :param words: all codes and messages of the failure.
    :param job_id: the job that was asked for; its letters are no words.
    :param statuses: numbers in the body that are meant as an HTTP status.
    """
    found = [plain(text.replace(job_id, " ") if job_id else text) for text in words]
    numbers = [int(text) for text in found if text.isascii() and text.isdigit() and len(text) == 3]
    for status in (*statuses, *numbers):
        if status in _TWIN_STATUSES:
            return status
    if any(map(_is_about_the_job, found)):
        return 404
    of_the_call = [text for text in found if not _OF_THE_VIDEO.search(text)]
    spoken = next((status for status, pattern in _TWINS if any(map(pattern.search, of_the_call))), None)
    return spoken or next((status for status in statuses if 500 <= status < 600), None)


def _is_about_the_job(words: str) -> bool:
    # Numbers and single letters are parts of an id.
    told = " ".join(word for word in words.split() if word not in _FILLERS and word.isalpha() and word[1:])
    return bool(_UNKNOWN_JOB.fullmatch(told))
