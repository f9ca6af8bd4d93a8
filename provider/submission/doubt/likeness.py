"""What a listed job is to a submission in doubt; the first row that fits is taken:

| the job                                                       | is        |
|---------------------------------------------------------------|-----------|
| is known to belong to another submission                      | foreign   |
| shows the submission's mark, and is of its kind or of none    | ours      |
| is of another kind                                            | foreign   |
| was made a minute or more before the submission began         | foreign   |
| shows the mark of another submission of the same kind         | foreign   |
| has another name, clearly; of a render                        | unlikely  |
| the same; of a storyboard                                     | foreign   |
| should show a mark, and shows none                            | maybe     |
| has the same name and kind, all else that the list tells is   | ours      |
| the same, and it was made at most ten minutes after the send, |           |
| by a time that names its zone                                 |           |
| anything else                                                 | maybe     |

A storyboard's name is what the request said; under which name a render is listed nobody knows, so another name does not
prove that it is another's. Clearly another is a name that differs in more than case and space, and is not the beginning
of the sought one: a list may cut off what is longer than its longest name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from unicodedata import normalize

from ..identity.mark import marks_in
from ..request_digests import digest_of
from .listed_jobs import ListedJob
from .seen_jobs import BEFORE, SeenJobs, is_before
from .sought import Sought

AFTER = 600.0
"""Seconds after it was sent in which a submission's job may say that it was made (ours)."""

Likeness = Literal["ours", "maybe", "unlikely", "foreign"]


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
        return "ours" if job.kind in (None, sought.kind) else "maybe"
    if job.kind is not None and job.kind != sought.kind:
        return "foreign"
    if ahead is not None and is_before(job, sought.began_at + ahead - BEFORE):
        return "foreign"
    if marks:
        return "foreign"
    if job.name and sought.name and not _is_alike(job.name, sought.name, seen.longest_name):
        return "foreign" if sought.kind == "storyboard" else "unlikely"
    if sought.mark or ahead is None:
        return "maybe"
    is_ours = (
        job.name == sought.name
        and job.kind == sought.kind
        and job.at is not None
        and job.has_zone
        and sought.began_at + ahead - BEFORE <= job.at <= sought.sent_at + ahead + AFTER
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


def _is_alike(listed: str, sought: str, longest: int) -> bool:
    """Whether a listed name may be the sought one: but for case and space, and an end that the list cuts off."""
    is_cut = len(listed) >= longest or listed.endswith(("…", "..."))
    one, other = _plain(listed), _plain(sought)
    return one == other or (is_cut and other.startswith(one))


def _plain(name: str) -> str:
    return "".join(normalize("NFKC", name).casefold().split()).removesuffix("...")


def _tells_the_same(job: ListedJob, digests: Mapping[str, str]) -> bool:
    """Whether every field that the list repeats of the request says what was sent."""
    return all(digests[name] == digest_of(value) for name, value in job.fields.items() if name in digests)
