"""Looks in the service's list of jobs for the job of a submission in doubt."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...provider.errors import VideoCreationError
from ...provider.submission.doubt.likeness import kindless
from ...provider.submission.doubt.seen_jobs import SeenJobs
from ...provider.submission.doubt.settlement import Settled, settle
from ...provider.submission.doubt.sought import Sought
from ...provider.submission.identity.sent_identity import place_of

if TYPE_CHECKING:
    import logging

    from ...hooks.video_creation import VideoCreationHook
    from ...provider.submission.record import Submission
    from ...provider.submission.submission_request import SubmissionRequest

MAX_PAGES = 20
"""The most pages of the list to read (ours)."""
PAGES_TIME = 120.0
"""Seconds after which no further page of it is requested (ours)."""
MAX_KINDS = 5
"""The most jobs to read one by one, where the list does not give their kind (ours)."""
PAUSE = 10.0
"""Seconds between two checks during the grace period (ours)."""


@dataclass(frozen=True)
class Looked:
    """The result of a check.

    :param record: the submission's record: submitted if its job was found, refused if there is none.
    :param seen: what was seen if that settles nothing, in a sentence; None if nobody could check.
    :param may_change: whether a later check may settle it.
    :param is_made_once: whether the service makes only one job for requests with the record's key.
    :param took_time: whether the list was read, so that an answer may have come in the meantime.
    """

    record: Submission | None
    seen: str | None = None
    may_change: bool = False
    is_made_once: bool = False
    took_time: bool = False

    @property
    def state(self) -> str | None:
        """Of the record."""
        return self.record.state if self.record else None


class JobLook:
    """Looks for jobs in one connection's list.

    :param hook: of the connection, which names ``paths.jobs``.
    :param log: the task's log.
    :param clock: gives epoch seconds.
    :param sleep: waits for a number of seconds.
    """

    def __init__(
        self,
        hook: VideoCreationHook,
        log: logging.Logger | Any,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        self._hook = hook
        self._log = log
        self._clock = clock
        self._sleep = sleep

    def look_for(
        self,
        request: SubmissionRequest,
        intent: Submission,
        *,
        taken: Collection[str] = (),
        grace_from: float | None = None,
    ) -> Looked:
        """What the list says about an intent, if the connection names a list.

        :param request: what the task is asked to submit.
        :param intent: of a submission in doubt.
        :param taken: ids of jobs that are known to belong to other submissions.
        :param grace_from: epoch seconds from which the grace period counts; None: from when it was sent.
        """
        profile = self._hook.profile
        if "jobs" not in profile.paths or request.kind is None or intent.identity is None:
            return Looked(intent)
        if intent.identity.place != place_of(profile, self._hook.user_id):
            return Looked(
                intent,
                "The connection now leads to another service or account, so its list says nothing about it.",
            )
        # The name of a render of another storyboard is not known.
        is_same = intent.subject == request.subject.text
        sought = Sought.of(
            intent,
            request.kind,
            marker_field=profile.marker_field,
            video_name=request.video_name if is_same else None,
            grace_from=grace_from,
            taken=taken,
        )
        if sought is None:
            return Looked(intent, "The list of jobs has nothing that tells it apart from other jobs.")
        try:
            settled = self._settled(sought)
        except VideoCreationError as error:
            again = " A retry of this task checks again." if error.retryable else ""
            seen = f"The list of jobs could not be read: {error}{again}"
            return Looked(intent, seen, may_change=error.retryable, took_time=True)
        if settled.job_id:
            self._log.info("%s Resuming that job; nothing is sent", settled.seen)
            return Looked(intent.accepted(settled.job_id))
        if settled.outcome == "not there":
            self._log.info("%s So the service did not accept it, and it can be sent", settled.seen)
            return Looked(intent.refused(), took_time=True)
        again = (
            " Its kind may be known later: a retry of this task checks again." if settled.may_change else ""
        )
        return Looked(intent, f"{settled.seen}{again}", may_change=settled.may_change, took_time=True)

    def _settled(self, sought: Sought) -> Settled:
        """What the list says, after waiting for a job that may not be listed yet."""
        # The clock of the worker that sent it may be ahead.
        sought = replace(sought, grace_from=min(sought.grace_from, self._clock()))
        looks = 0
        while True:
            now = self._clock()
            seen = self._seen(sought)
            [settled] = settle([sought], seen, now)
            if settled.outcome != "wait":
                return settled
            looks += 1
            if looks == 1:
                self._log.info(
                    "An earlier submission is in doubt. Looking for its job in the service's list for up to a minute"
                )
            self._sleep(PAUSE)

    def _seen(self, sought: Sought) -> SeenJobs:
        seen, path, until = SeenJobs(), None, self._clock() + PAGES_TIME
        for _ in range(MAX_PAGES):
            page = self._hook.list_jobs(path)
            seen, path = seen.with_page(page, self._clock()), page.next_path
            if path is None or seen.reaches_back_to(sought.began_at) or self._clock() > until:
                break
        return seen.with_kinds(self._kinds(kindless(sought, seen)))

    def _kinds(self, job_ids: Collection[str]) -> dict[str, str]:
        """The kinds of jobs, as far as their results show them."""
        if len(job_ids) > MAX_KINDS:
            return {}
        kinds = {}
        for job_id in job_ids:
            try:
                job, _ = self._hook.poll_job(job_id)
            except VideoCreationError as error:
                self._log.warning("Could not read job %s of the service's list: %s", job_id, error)
                continue
            shown = [kind for kind in ("storyboard", "render") if job.shows_result_of(kind)]
            if len(shown) == 1:
                kinds[job_id] = shown[0]
        return kinds
