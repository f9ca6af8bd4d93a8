"""What is looked for in the service's list: the job of a submission in doubt."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from ..identity.mark import mark
from ..record import Submission


@dataclass(frozen=True)
class Sought:
    """The job of a submission in doubt.

    :param kind: of the job.
    :param began_at: epoch seconds at which the submission began.
    :param sent_at: epoch seconds at which it left last.
    :param grace_from: epoch seconds from which the grace counts.
    :param mark: that the request carried; None for none.
    :param name: of the video; None where it is not known.
    :param digests: of the request: field path -> digest of its value.
    :param taken: ids of jobs that are known to belong to other submissions.
    :param written: digest of what the author wrote in the mark's field; None where that is nothing.
    """

    kind: str
    began_at: float
    sent_at: float
    grace_from: float
    mark: str | None = None
    name: str | None = None
    digests: Mapping[str, str] = field(default_factory=dict)
    taken: Collection[str] = ()
    written: str | None = None

    @classmethod
    def of(
        cls,
        record: Submission,
        kind: str,
        *,
        marker_field: str | None,
        video_name: str | None = None,
        grace_from: float | None = None,
        taken: Collection[str] = (),
    ) -> Sought | None:
        """What to look for, by a record; None if nothing identifies it.

        :param record: of an intent.
        :param kind: of the job.
        :param marker_field: of the connection now; a mark that was sent in another field is not looked for.
        :param video_name: of a render, where the task knows it; a storyboard's is in its record.
        :param grace_from: epoch seconds from which the grace counts; None: from when it was sent.
        :param taken: ids of jobs that are known to belong to other submissions.
        """
        identity = record.identity
        if identity is None or not record.begun_at:
            return None
        is_marked = marker_field is not None and identity.marker == marker_field
        name = name_in(record.subject) if kind == "storyboard" else video_name
        if not is_marked and not name:
            return None
        return cls(
            kind,
            record.begun_at,
            record.submitted_at,
            record.submitted_at if grace_from is None else grace_from,
            mark(kind, identity.key) if is_marked else None,
            name,
            record.digests if kind == "storyboard" else {},
            taken,
            record.digests.get(marker_field) if marker_field else None,
        )


def name_in(subject: str | None) -> str | None:
    """The video's name in a record's subject; None where it holds none.

    :param subject: from ``Subject.text``.
    """
    kind, _, name = (subject or "").partition(" ")
    if kind != "video":
        return None
    try:
        found = ast.literal_eval(name)
    except (ValueError, SyntaxError):
        return None
    return found if isinstance(found, str) else None
