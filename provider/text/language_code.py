"""The language of a text, as a request names it."""

from __future__ import annotations

import re


def language_code(tag: str | None) -> str | None:
    """A language tag as a request can carry it, None for anything else (source: ours).

    :param tag: such as ``en-GB``; foreign data.
    """
    return tag if tag and re.fullmatch(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*", tag) else None
