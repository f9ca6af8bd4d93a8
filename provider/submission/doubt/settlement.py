"""What becomes of a submission in doubt, by the service's list of jobs; ``likeness`` tells what each job is to it.

| ours                       | maybe | the list reaches back | then                                       |
|----------------------------|-------|-----------------------|--------------------------------------------|
| one, by its mark           | any   | or not                | resume it                                  |
| one, by its name           | none  | yes                   | resume it, after the grace                 |
| none, and none is unlikely | none  | yes                   | it is not there, after the grace: submit   |
| or earlier                 |       |                       |                                            |
| else                       |       |                       | in doubt                                   |

How far a list reaches back is told in ``seen_jobs``. Where the service does not tell its time, only a mark settles it.

Beside one that is ours by its name, a job whose video's name is shown otherwise is none that may be it.
Two tasks whose videos have one name at one time are told apart by a mark only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from .likeness import Likeness, likeness
from .listed_jobs import ListedJob
from .seen_jobs import SeenJobs
from .sought import Sought

GRACE = 60.0
"""Seconds after the send in which a job may not be listed yet (ours)."""


@dataclass(frozen=True)
class Settled:
    """What the list says of a submission in doubt.

    :param outcome: ``there`` with its job, ``not there``, ``wait`` and look again, or ``unknown``.
    :param seen: what was seen, as a sentence.
    :param job_id: of the job that is there.
    :param may_change: whether a later look may settle what this one cannot.
    """

    outcome: Literal["there", "not there", "wait", "unknown"]
    seen: str
    job_id: str | None = None
    may_change: bool = False


def settle(sought: Sequence[Sought], seen: SeenJobs, now: float) -> list[Settled]:
    """What the list says of submissions in doubt, by the table above; no job is given to two of them.

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
    alike: dict[Likeness, list[ListedJob]] = {each: [] for each in get_args(Likeness)}
    for job in seen.jobs:
        alike[likeness(job, sought, seen)].append(job)
    ours, maybe = alike["ours"], alike["maybe"]
    by = "this submission's mark" if sought.mark else "this name"
    job_id = ours[0].job_id if len(ours) == 1 else None
    if job_id and not sought.mark:
        # A service that shows this name as it was sent does so with others: they are of other videos.
        maybe = [job for job in maybe if job.name == sought.name or not (job.name and job.is_video_name)]
    if job_id and sought.mark:
        return Settled("there", f"The service's list of jobs shows {job_id} with {by}.", job_id)
    if ours and not job_id:
        which = ", ".join(job.job_id or "one without an id" for job in ours[:5])
        return Settled("unknown", f"The list of jobs showed {len(ours)} with {by}: {which}.")
    if maybe:
        which = ", ".join(job.job_id or "one without an id" for job in maybe[:5])
        return Settled(
            "unknown",
            f"The list of jobs showed {len(maybe)} that may be it, or not: {which}.",
            # A job tells its kind once it has made something.
            may_change=all(job.kind is None and job.job_id for job in maybe),
        )
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
    if not job_id and alike["earlier"]:
        return Settled(
            "unknown",
            f"The list of jobs showed {len(alike['earlier'])} made earlier that may be it: no job of the last minutes "
            "shows by which clock these times go.",
        )
    if now < sought.grace_from + GRACE:
        return Settled("wait", "It may not be listed yet.")
    if job_id:
        return Settled(
            "there", f"The service's list of jobs shows {job_id} with {by}, made at that time.", job_id
        )
    return Settled("not there", f"The service's list of jobs shows none with {by} since it was sent.")
