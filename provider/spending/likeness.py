"""Whether two failures are one cause for a reader: their messages differ in names, ids and numbers alone."""

from __future__ import annotations

MAX_COMPARED = 80
"""Characters of a message that are compared: results have its beginning only (ours)."""


def told_alike(message: str | None, video: str) -> str:
    """What a message says of no video in particular; the same for failures of one cause (source: ours).

    :param message: of a failure.
    :param video: whose name may be in it.
    """
    general = (message or "").replace(video, "") if video else message or ""
    return " ".join(word for word in general.split() if not any(map(str.isdigit, word)))[:MAX_COMPARED]
