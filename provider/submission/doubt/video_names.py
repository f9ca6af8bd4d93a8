"""When a listed job may be of a video with a certain name, however the list writes it.

A service may escape a name, make a slug or a file name of it, number it, cut it off, drop what is not ASCII, or show it
in another field than the one it is looked for in. So names are compared by their skeletons: ASCII letters and digits.

| a name, or a text anywhere in the entry | may be the sought one                                                  |
|------------------------------------------|------------------------------------------------------------------------|
| the sought one has no skeleton           | always                                                                 |
| the name                                 | one skeleton holds the other; or the other with letters left out, and  |
|                                          | is at most twice as long                                               |
| a text                                   | its skeleton holds the other                                           |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any
from unicodedata import normalize
from urllib.parse import unquote


def may_be_named(sought: str, name: str, entry: Mapping[str, Any]) -> bool:
    """Whether a listed job may be of a video with the sought name.

    :param sought: the name that was sent.
    :param name: that the list shows.
    :param entry: all that the list says about the job.
    """
    sent, listed = _skeleton(sought), _skeleton(name)
    if sent in listed or listed in sent or _is_thinned(listed, sent):
        return True
    return any(sent in _skeleton(text) for text in _texts(entry))


def is_named(sought: str, name: str) -> bool:
    """Whether two names are the same, but for how they are written.

    :param sought: the name that was sent.
    :param name: that the list shows.
    """
    return _skeleton(sought) == _skeleton(name)


def _skeleton(text: str) -> str:
    # What is escaped once by the service may be escaped once more for its list.
    plain = unquote(unescape(unescape(text))).replace("&", "and")
    return "".join(c for c in normalize("NFKD", plain).casefold() if c.isascii() and c.isalnum())


def _is_thinned(one: str, other: str) -> bool:
    """Whether the shorter one is the longer one with some letters left out."""
    short, long = sorted((one, other), key=len)
    rest = iter(long)
    return 2 * len(short) >= len(long) and all(letter in rest for letter in short)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
