"""What a listed job is to a submission in doubt; the first row that fits is taken:

| the job                                                       | is        |
|---------------------------------------------------------------|-----------|
| is known to belong to another submission                      | foreign   |
| shows the submission's mark last, and is of its kind or none  | ours      |
| shows it otherwise                                            | maybe     |
| is of another kind                                            | foreign   |
| ends with the mark of another submission of the same kind     | foreign   |
| was made four minutes or more before the submission began,    | foreign   |
| and is of a storyboard with clearly another name, or the list |           |
| shows its clock                                               |           |
| the same, but neither of the two                              | earlier   |
| is of a storyboard with clearly another name                  | foreign   |
| is of a render, and has not the same name                     | unlikely  |
| should show a mark, and shows none                            | maybe     |
| has the same name and kind, all else that the list tells is   | ours      |
| the same, and it was made at most a minute before the         |           |
| submission began and ten minutes after it was sent,           |           |
| by a time that names its zone                                 |           |
| anything else                                                 | maybe     |

Whose job it is not must be proven, since to submit again is to pay again. A storyboard's name is what the request said;
under which name a render is listed nobody knows, so another name does not prove that it is another's. ``video_names``
tells when a name is clearly another, ``seen_jobs`` when a list shows its clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..identity.mark import ends_with_mark, marks_in
from ..request_digests import digest_of
from .listed_jobs import ListedJob
from .seen_jobs import BEFORE, SeenJobs, is_before
from .sought import Sought
from .video_names import is_named, may_be_named

SHORTLY_BEFORE = 60.0
"""Seconds before the submission began in which its job may say that it was made (ours)."""
AFTER = 600.0
"""Seconds after it was sent in which a submission's job may say that it was made (ours)."""

Likeness = Literal["ours", "maybe", "earlier", "unlikely", "foreign"]


def likeness(job: ListedJob, sought: Sought, seen: SeenJobs) -> Likeness:
    """What a listed job is to a submission in doubt, by the table above.

    :param job: as the list shows it.
    :param sought: the submission's job.
    :param seen: the list.
    """
    ahead = seen.ahead
    if job.job_id is not None and job.job_id in sought.taken:
        return "foreign"
    marks = marks_in(job.marker or "", sought.kind)
    if sought.mark and sought.mark in marks:
        return "ours" if marks[-1] == sought.mark and job.kind in (None, sought.kind) else "maybe"
    if job.kind is not None and job.kind != sought.kind:
        return "foreign"
    if marks and _is_marked_by_another(job, sought):
        return "foreign"
    is_another = sought.kind == "storyboard" and _has_another_name(job, sought)
    before = sought.began_at + (ahead or 0.0) - BEFORE
    if ahead is not None and is_before(job, before):
        is_sure = is_another or is_before(job, before, is_sure=seen.shows_its_clock)
        return "foreign" if is_sure else "earlier"
    if is_another:
        return "foreign"
    if sought.kind == "render" and job.name and sought.name and not is_named(sought.name, job.name):
        return "unlikely"
    if sought.mark or ahead is None:
        return "maybe"
    is_ours = (
        job.name == sought.name
        and job.kind == sought.kind
        and job.at is not None
        and job.has_zone
        and sought.began_at + ahead - SHORTLY_BEFORE <= job.at <= sought.sent_at + ahead + AFTER
        and _tells_the_same(job, sought.digests)
    )
    return "ours" if is_ours else "maybe"


def kindless(sought: Sought, seen: SeenJobs) -> list[str]:
    """The jobs that may be the sought one, of which the list does not tell the kind.

    :param sought: the submission's job.
    :param seen: the list.
    """
    may_be = (job for job in seen.jobs if likeness(job, sought, seen) == "maybe")
    return [job.job_id for job in may_be if job.kind is None and job.job_id]


def _has_another_name(job: ListedJob, sought: Sought) -> bool:
    """Whether a job is clearly of a video with another name."""
    if not (job.name and job.is_video_name and sought.name):
        return False
    return not may_be_named(sought.name, job.name, job.fields)


def _is_marked_by_another(job: ListedJob, sought: Sought) -> bool:
    """Whether the last mark is that of another's request, and no copy that the author of this one has written."""
    text = job.marker or ""
    return ends_with_mark(text, sought.kind) and digest_of(text) != sought.written


def _tells_the_same(job: ListedJob, digests: Mapping[str, str]) -> bool:
    """Whether every field that the list repeats of the request says what was sent."""
    return all(digests[name] == digest_of(value) for name, value in job.fields.items() if name in digests)
