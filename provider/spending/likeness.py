"""Whether two failures are one cause for a reader: their messages differ in names, ids and numbers alone."""

from __future__ import annotations

import re

MAX_COMPARED = 80
"""Characters of a message that are compared: results have its beginning only (ours)."""
_HAS_DIGIT = re.compile(r"\S*\d\S*")


def told_alike(message: str | None, video: str) -> str:
    """What a message says of no video in particular; the same for failures of one cause (source: ours).

    :param message: of a failure.
    :param video: whose name may stand in it.
    """
    general = (message or "").replace(video, "") if video else message or ""
    return " ".join(_HAS_DIGIT.sub("", general).split())[:MAX_COMPARED]
