"""What others wrote, made fit for messages: on one line, short, and without what must not be logged."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .plugin_paths import WEBHOOK_PATH

MAX_QUOTED = 300
"""How many characters of somebody's words a message holds (ours)."""
MIN_SECRET = 4
"""Known secrets that are shorter are left in, or every letter of a message might go (ours)."""

_SCHEME = r"[a-z][a-z0-9+.-]{0,20}://"
_HIDDEN = (
    (re.compile(rf"({_SCHEME})[^\s/?#\"<>]*@", re.IGNORECASE), r"\1***@"),
    (re.compile(rf"({_SCHEME}[^\s?#\"<>]*[?#])[^\s\"<>]+", re.IGNORECASE), r"\1***"),
    (re.compile(rf"({re.escape(WEBHOOK_PATH)}/)[\w.-]+"), r"\1***"),
    (re.compile(r"([?&][\w.%~-]{1,50}=)[^\s\"<>&]+"), r"\1***"),
    (re.compile(r"\b((?:bearer|basic)\s+)[^\s\"',;]+", re.IGNORECASE), r"\1***"),
    (re.compile(r"\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?"), "***"),
    (
        re.compile(
            r"((?:token|secret|password|api[_-]?key|signature|sig|credential)[\"']?\s*=\s*)[^\s\"',;&]+",
            re.IGNORECASE,
        ),
        r"\1***",
    ),
    (
        re.compile(
            r"((?:token|secret|password|key|signature|credential)[\"']?\s*:\s*[\"']?)(?=[^\s\"',;&]*\d)[^\s\"',;&]{8,}",
            re.IGNORECASE,
        ),
        r"\1***",
    ),
)
"""Credentials in a URL, queries of whole and relative URLs, webhooks of ours, authorization headers, JSON web tokens,
``token=...``, and ``token: ...`` where what follows looks like one."""


def quotable(text: str | None, secrets: Iterable[str] = ()) -> str | None:
    """Words fit for a message: without credentials, tokens, and the queries of signed URLs.

    :param text: what somebody wrote.
    :param secrets: known secrets, which are hidden wherever they stand.
    :return: at most MAX_QUOTED characters on one line, None for nothing.
    """
    if not text:
        return None
    for secret in secrets:
        if len(secret) >= MIN_SECRET:
            text = text.replace(secret, "***")
    one_line = " ".join(text[: 10 * MAX_QUOTED].split())
    for pattern, replacement in _HIDDEN:
        one_line = pattern.sub(replacement, one_line)
    return shortened(one_line, MAX_QUOTED) or None


def shortened(text: str, length: int) -> str:
    """A text of at most so many characters, with a sign where something was cut off.

    :param text: of any length.
    :param length: the most characters.
    """
    return text if len(text) <= length else f"{text[: length - 1]}…"


def sentence(text: str) -> str:
    """Return a text as the beginning of a sentence, its first letter in upper case.

    :param text: any text.
    """
    return f"{text[:1].upper()}{text[1:]}"
