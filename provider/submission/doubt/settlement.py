"""Which job of the service's list is that of a submission in doubt.

What a listed job is to the submission; the first row that fits is taken:

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

What comes of all of them:

| ours                       | maybe | the list reaches back | then                                       |
|----------------------------|-------|-----------------------|--------------------------------------------|
| one, by its mark           | any   | or not                | resume it                                  |
| one, by its name           | none  | yes                   | resume it, after the grace                 |
| none, and none is unlikely | none  | yes                   | it is not there, after the grace: submit   |
| else                       |       |                       | in doubt                                   |

A list reaches back where it is whole, or sorted from new to old with a job that is older than the submission. Times are
compared by the service's own clock, which the answer's Date header tells; without it only a mark settles anything. A
time without a zone may be 14 hours off either way.

Two tasks whose videos have one name at one time are told apart by a mark only.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal
from unicodedata import normalize

from ..identity.mark import mark, marks_in
from ..record import Submission
from ..request_digests import digest_of
from .listed_jobs import JobPage, ListedJob

GRACE = 60.0
"""Seconds after the send in which a job may not be listed yet (ours)."""
BEFORE, AFTER = 60.0, 600.0
"""Seconds before the submission began, and after it was sent, in which its job may say that it was made (ours)."""
ZONES = 14 * 3600.0
"""Seconds by which a time without a zone may be off."""

Likeness = Literal["ours", "maybe", "unlikely", "foreign"]


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
    """

    kind: str
    began_at: float
    sent_at: float
    grace_from: float
    mark: str | None = None
    name: str | None = None
    digests: Mapping[str, str] = field(default_factory=dict)
    taken: Collection[str] = ()

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
        """What is sought of a record; None where nothing tells it apart.

        :param record: of an intent.
        :param kind: of the job.
        :param marker_field: of the connection now; a mark that was sent in another field is not looked for.
        :param video_name: of a render, where the task knows it; a storyboard's stands in its record.
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
        )


@dataclass(frozen=True)
class SeenJobs:
    """What was read of the list.

    :param jobs: each once.
    :param is_whole: whether no page follows.
    :param ahead: seconds by which the service's clock is ahead of ours; None where it is not known.
    """

    jobs: tuple[ListedJob, ...] = ()
    is_whole: bool = False
    ahead: float | None = None

    def with_page(self, page: JobPage, now: float) -> SeenJobs:
        """What is known after one page more.

        :param page: that was read.
        :param now: epoch seconds at which its answer came.
        """
        known = {job.job_id for job in self.jobs if job.job_id}
        fresh = tuple(job for job in page.jobs if job.job_id not in known)
        is_first = not self.jobs
        ahead = None if page.served_at is None else page.served_at - now
        return SeenJobs(
            self.jobs + fresh,
            # A page that shows only what was seen already is no next page.
            page.is_last and (bool(fresh) or is_first or not page.jobs),
            ahead if is_first or ahead is None else self.ahead,
        )

    @cached_property
    def longest_name(self) -> int:
        """Characters of the longest name that it shows."""
        return max((len(job.name) for job in self.jobs if job.name), default=0)

    def reaches_back_to(self, began_at: float) -> bool:
        """Whether no job can be missing that was made since then.

        :param began_at: epoch seconds, by our clock.
        """
        if self.is_whole:
            return True
        times = [job.at for job in self.jobs if job.at is not None]
        if self.ahead is None or not times or len(times) < len(self.jobs):
            return False
        is_newest_first = all(earlier <= later for later, earlier in pairwise(times))
        return is_newest_first and _is_before(self.jobs[-1], began_at + self.ahead - BEFORE)

    def with_kinds(self, kinds: Mapping[str, str]) -> SeenJobs:
        """The same, with the kinds of some jobs, which were read one by one.

        :param kinds: job id -> kind.
        """
        told = (replace(job, kind=kinds.get(job.job_id or "", job.kind)) for job in self.jobs)
        return replace(self, jobs=tuple(told))


@dataclass(frozen=True)
class Settled:
    """What the list says of a submission in doubt.

    :param outcome: ``there`` with its job, ``not there``, ``wait`` and look again, or ``unknown``.
    :param seen: what was seen, as a sentence.
    :param job_id: of the job that is there.
    """

    outcome: Literal["there", "not there", "wait", "unknown"]
    seen: str
    job_id: str | None = None


def settle(sought: Sequence[Sought], seen: SeenJobs, now: float) -> list[Settled]:
    """What the list says of submissions in doubt, by the tables above; no job is given to two of them.

    :param sought: their jobs.
    :param seen: the list.
    :param now: epoch seconds.
    """
    settled = [_settled(each, seen, now) for each in sought]
    claims = Counter(each.job_id for each in settled)
    return [
        Settled("unknown", f"The list of jobs shows {each.job_id}, which fits several submissions.")
        if each.job_id and claims[each.job_id] > 1
        else each
        for each in settled
    ]


def _settled(sought: Sought, seen: SeenJobs, now: float) -> Settled:
    alike: dict[Likeness, list[ListedJob]] = {"ours": [], "maybe": [], "unlikely": [], "foreign": []}
    for job in seen.jobs:
        alike[likeness(job, sought, seen)].append(job)
    ours, maybe = alike["ours"], alike["maybe"]
    by = "this submission's mark" if sought.mark else "this name"
    job_id = ours[0].job_id if len(ours) == 1 else None
    if job_id and sought.mark:
        return Settled("there", f"The service's list of jobs shows {job_id} with {by}.", job_id)
    if ours and not job_id:
        which = ", ".join(job.job_id or "one without an id" for job in ours[:5])
        return Settled("unknown", f"The list of jobs showed {len(ours)} with {by}: {which}.")
    if maybe:
        which = ", ".join(job.job_id or "one without an id" for job in maybe[:5])
        return Settled("unknown", f"The list of jobs showed {len(maybe)} that may be it, or not: {which}.")
    if seen.ahead is None:
        return Settled(
            "unknown", "The list of jobs does not tell the service's time, so nothing can be concluded."
        )
    if not seen.reaches_back_to(sought.began_at):
        return Settled(
            "unknown",
            f"The list of jobs does not reach back to when it was sent, as far as its {len(seen.jobs)} entries tell.",
        )
    if not job_id and alike["unlikely"]:
        return Settled(
            "unknown",
            f"The list of jobs showed {len(alike['unlikely'])} renders of that time under other names.",
        )
    if now < sought.grace_from + GRACE:
        return Settled("wait", "It may not be listed yet.")
    if job_id:
        return Settled(
            "there", f"The service's list of jobs shows {job_id} with {by}, made at that time.", job_id
        )
    return Settled("not there", f"The service's list of jobs shows none with {by} since it was sent.")


def likeness(job: ListedJob, sought: Sought, seen: SeenJobs) -> Likeness:
    """What a listed job is to a submission in doubt, by the first table.

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
    if ahead is not None and _is_before(job, sought.began_at + ahead - BEFORE):
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


def _is_before(job: ListedJob, at: float) -> bool:
    """Whether a job is sure to have been made before a time of the service's clock."""
    return job.at is not None and job.at + (0.0 if job.has_zone else ZONES) < at


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
