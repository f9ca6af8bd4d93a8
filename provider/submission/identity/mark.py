"""The mark of a submission: sent in a field of the request that the service repeats in its list of jobs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MARK_LENGTH = 16
"""Characters of the key that a mark contains (ours)."""
_MARK = re.compile(r"\[vc:([sr])-([0-9a-f]{16})\]")


def mark(kind: str, key: str) -> str:
    """The text by which a job is found in the service's list.

    :param kind: of the job.
    :param key: of the submission.
    """
    return f"[vc:{kind[0]}-{key[:MARK_LENGTH]}]"


def marks_in(text: str, kind: str) -> list[str]:
    """The marks of submissions of one kind in a text; a render may repeat what its storyboard says.

    :param text: of a listed job.
    :param kind: of the job.
    """
    return [found[0] for found in _MARK.finditer(text) if found[1] == kind[0]]


def ends_with_mark(text: str, kind: str) -> bool:
    """Whether a text ends with the mark of a submission of a kind, as each that was sent does.

    :param text: of a listed job.
    :param kind: of the job.
    """
    marks = marks_in(text, kind)
    return bool(marks) and text.rstrip().endswith(marks[-1])


def marked(body: Mapping[str, Any], field: str, text: str) -> Mapping[str, Any]:
    """A request's body with a mark after what its author wrote in a field; as it is where that is no text.

    :param body: of the request.
    :param field: in which the mark is sent.
    :param text: the mark.
    """
    written = body.get(field)
    if written is not None and not isinstance(written, str):
        return body
    return {**body, field: f"{written} {text}" if written and written.strip() else text}
