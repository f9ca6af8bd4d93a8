"""Text that every store and XML reader takes: foreign pages, feeds and file names hold other characters too."""

from __future__ import annotations

import re
from urllib.parse import quote

# Scene text is read as XML (SSML), and databases refuse NUL and lone surrogates.
NOT_READABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that XML 1.0 cannot hold, not even as a reference: controls, lone surrogates, U+FFFE and U+FFFF."""


def readable(text: str) -> str:
    """Return a text without the characters that XML 1.0 cannot hold (source: ours).

    :param text: any text.
    """
    return NOT_READABLE.sub("", text)


def readable_address(address: str) -> str:
    """Return an address or a file's URL with these characters percent-encoded (source: ours).

    Bytes of a file's name that are not UTF-8, which Python shows as lone surrogates, become what they were.

    :param address: any text.
    """
    return NOT_READABLE.sub(_percent_encoded, address)


def _percent_encoded(found: re.Match[str]) -> str:
    character = found[0]
    is_byte = "\udc80" <= character <= "\udcff"
    return quote(character.encode("utf-8", "surrogateescape" if is_byte else "surrogatepass"))
