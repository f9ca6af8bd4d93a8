"""Names of files that people can see whole and that every file system takes."""

from __future__ import annotations

import re

# A joiner is part of words and emoji beside other scripts; beside ASCII or at an end it only hides.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|(?<![^\x00-\x7f])[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]++(?![^\x00-\x7f])"
)
"""Marks that turn the direction of a text, and characters of no width (source: Unicode, Default_Ignorable_Code_Point
and Bidi_Control)."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)", re.IGNORECASE
)
"""Names of devices on Windows, with any ending (source: Microsoft, "Naming Files, Paths, and Namespaces")."""


def without_invisible(text: str) -> str:
    """Return a text without the characters that nobody sees (source: ours).

    :param text: any text.
    """
    # A joiner may be beside ASCII only when what stood between is gone.
    while (seen := _INVISIBLE.sub("", text)) != text:
        text = seen
    return text


def trouble_with_name(name: str) -> str | None:
    """Say why a file's name would trouble people or a file system; None: it would not (source: ours).

    :param name: of a file or a folder, without the path to it.
    :return: such as ``'\\u202e' is not allowed``.
    """
    if found := _CONTROL.search(name) or _INVISIBLE.search(name):
        return f"{found[0][0]!r} is not allowed, since it cannot be seen"
    if found := _RESERVED.match(name):
        return f"Windows keeps {found[0].rstrip(' .')!r} for a device"
    if name.rstrip(" .") != name:
        return "it may not end with a space or a dot"
    return None
