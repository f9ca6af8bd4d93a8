"""One wait for one job: what each poll means, for every way of waiting alike.

| a poll says                           | the wait                                                    |
|---------------------------------------|-------------------------------------------------------------|
| in-progress, or an unknown state word | goes on until the deadline                                  |
| completed                             | ends with the job                                           |
| completed, without its result         | goes on for 60 s, then ends with the job                    |
| failed                                | ends: JobFailedError                                        |
| a failure, and not the state failed   | goes on until it is believed, then JobFailedError           |
| cleaned (result purged)               | ends: JobResultPurgedError                                  |
| the service does not know the job     | goes on until 60 s after submission, then JobLostError      |
| 429, 5xx, no connection, no answer    | goes on until the deadline                                  |
| an answer that cannot be read         | goes on for 600 s in a row, then UnreadableReplyError       |
| 401 (after one fresh token), 403      | goes on for 60 s in a row, then that error                  |
| Airflow gives no such connection      | goes on for 60 s in a row, then ConnectionMissingError      |
| more than is read here                | ends: JobReplyTooLargeError; a triggerer's, on a worker     |
| another refusal, a wrong connection   | ends with that error                                        |
| the deadline is over                  | ends: JobDeadlinePassedError                                |

A failure is believed once three reads in a row over 30 s have said the same, see ``reported_failure``.

A triggerer reads 2 MiB of an answer. Of a larger one a worker finds out what it says, since that reads it anyway.

A worker fails at once where Airflow gives no such connection: there a person has misspelt it. A triggerer finds it
missing when Airflow's own API is away, too.

A job that ended meanwhile must not be timed out unseen. So where the next poll would come after the deadline, there is
a last one shortly before it, even within a pause that the service asked for; and a wait that begins after its deadline,
since a worker or triggerer was away, polls once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from shlex import quote
from types import MappingProxyType

from ..errors import (
    AuthenticationError,
    ConnectionMissingError,
    JobDeadlinePassedError,
    JobFailedError,
    JobLostError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    ReportedFailureError,
    ServiceFailureError,
    ServiceUnreachableError,
    UnreadableReplyError,
    VideoCreationError,
)
from ..job_states import JOB_STATES
from ..models.job import Job, ended_badly
from .reported_failure import READ_AGAIN_AFTER, ReportedFailure
from .schedule import PollSchedule

FOREVER = float("inf")
PATIENCE: Mapping[type[VideoCreationError], float] = MappingProxyType(
    {
        RateLimitedError: FOREVER,
        ReportedFailureError: FOREVER,
        ServiceFailureError: FOREVER,
        ServiceUnreachableError: FOREVER,
        UnreadableReplyError: 600.0,
        AuthenticationError: 60.0,
        PermissionDeniedError: 60.0,
        NotFoundError: 60.0,
        ConnectionMissingError: 60.0,
    }
)
"""Seconds in a row that an error is tolerated (for an unknown job: since its submission) (ours)."""
RESULT_GRACE = 60.0
"""Seconds that a completed job may take to show its result (ours)."""
LAST_LOOK = 1.0
"""Seconds before the deadline of the last poll, where the schedule's next one would come after it; and how long the
only poll of a wait may take that begins after its deadline (ours)."""
SAY_AGAIN_AFTER = 300.0
"""Seconds after which a trouble that goes on is told again (ours)."""


@dataclass
class JobWait:
    """The state of one wait; holds no secret and does no I/O.

    :param job_id: the job.
    :param started_at: epoch seconds at which this wait began.
    :param deadline: epoch seconds after which the wait is over; None for none.
    :param submitted_at: epoch seconds of the job's submission; ``started_at`` when None.
    :param schedule: how long a worker waits between polls, and the triggerer after a poll that failed.
    :param kind: of the job, ``storyboard`` or ``render``; empty when it is not known.
    :param ran_at: epoch seconds of the last poll that found the job running.
    :param remembers: False where each poll is made by a new process, which cannot know how long a
        trouble has gone on: then what is tolerated for a limited time is not tolerated at all.
    """

    job_id: str
    started_at: float
    deadline: float | None = None
    submitted_at: float | None = None
    schedule: PollSchedule = field(default_factory=PollSchedule)
    remembers: bool = True
    kind: str = ""
    ran_at: float | None = field(default=None, init=False)
    _reported: ReportedFailure = field(default_factory=ReportedFailure, init=False)
    _incomplete_since: float | None = field(default=None, init=False)
    _trouble: type[VideoCreationError] | None = field(default=None, init=False)
    _trouble_told: str = field(default="", init=False)
    _trouble_since: float = field(default=0.0, init=False)
    _told_at: float = field(default=-FOREVER, init=False)
    _told_states: set[str] = field(default_factory=set, init=False)
    _not_before: float = field(default=0.0, init=False)
    _polled: bool = field(default=False, init=False)

    def begin_poll(self, now: float) -> float:
        """Begin a poll, and say how many seconds it may take.

        :param now: epoch seconds.
        :raises JobDeadlinePassedError: the deadline is over, and this is not the wait's first poll.
        """
        first, self._polled = not self._polled, True
        if not first:
            self.check_deadline(now)
        left = FOREVER if self.deadline is None else self.deadline - now
        return max(left, LAST_LOOK) if first else left

    def after_job(self, job: Job, now: float) -> Job | None:
        """Take in a poll that was answered with a job.

        :param job: the job as the service describes it.
        :param now: epoch seconds.
        :return: the finished job, or None when the wait goes on.
        :raises JobFailedError: the job failed.
        :raises JobResultPurgedError: the result is gone.
        """
        self._trouble = None
        self._reported.forget()
        if job.state == "completed":
            return None if self.goes_on(job, now) else job
        if job.has_ended_badly:
            raise ended_badly(job)
        self.ran_at = now
        return None

    def goes_on(self, job: Job, now: float) -> bool:
        """Whether the job runs, or is completed a moment ago and does not show its result yet.

        :param job: the job as the service describes it.
        :param now: epoch seconds.
        """
        if job.state != "completed":
            self._incomplete_since = None
            return job.state == "in-progress"
        if self._incomplete_since is None:
            self._incomplete_since = now
        return not job.shows_result_of(self.kind) and now - self._incomplete_since <= RESULT_GRACE

    def detection_delay(self, state: str, now: float, told_at: float | None = None) -> float | None:
        """About how many seconds the job's end waited to be seen; None where nobody can know.

        After a callback: since that came. Else half the time since the poll before, which found the job running. A
        wait that ended otherwise, such as one that lost sight of its job, knows of no end.

        :param state: of the job, or how else the wait ended.
        :param now: epoch seconds at which the end was seen.
        :param told_at: epoch seconds of the service's callback.
        """
        if state not in JOB_STATES:
            return None
        if told_at is not None:
            return max(now - told_at, 0.0)
        return None if self.ran_at is None else (now - self.ran_at) / 2

    def after_error(self, error: VideoCreationError, now: float) -> str | None:
        """Take in a poll that failed; what is not tolerated is raised.

        :param error: how the poll failed.
        :param now: epoch seconds.
        :return: what to log, None when it has just been said.
        :raises JobFailedError: the same failure has been reported several times.
        :raises JobLostError: the service does not know the job any more.
        :raises VideoCreationError: the error itself, when waiting longer makes no sense.
        """
        if not isinstance(error, ReportedFailureError):
            self._reported.forget()
        elif failed := self._reported.take_in(error, self.job_id, now):
            raise self._taken_for_failed(failed, now) from error
        patience = next((seconds for kind, seconds in PATIENCE.items() if isinstance(error, kind)), None)
        if patience is None:
            raise error
        if self._trouble is not type(error):
            self._trouble, self._trouble_since, self._told_at = type(error), now, -FOREVER
        self._trouble_told = str(error)
        if isinstance(error, NotFoundError):
            since = self.submitted_at if self.submitted_at is not None else self.started_at
            if now - since > patience:
                raise JobLostError(
                    f"Lost sight of job {self.job_id}: the service does not know it. This does not mean that the job "
                    "failed. Check again with:\n"
                    f"    python -m airflow_video_creation job {quote(self.job_id)} --conn "
                    f"{quote(error.connection or 'CONN_ID')}\n"
                    "If it is not found then either, check the job id, the host and user id of the connection, and the "
                    "service's own list of jobs.",
                    job_id=self.job_id,
                    code=error.code,
                    service_message=error.service_message,
                ) from error
        elif now - self._trouble_since > patience or (patience < FOREVER and self._ends_at_once(now)):
            raise error
        if isinstance(error, RateLimitedError | ServiceFailureError) and error.retry_after:
            self._not_before = now + error.retry_after
        if now - self._told_at < SAY_AGAIN_AFTER:
            return None
        self._told_at = now
        return f"Still waiting for job {self.job_id}. {error}"

    def _ends_at_once(self, now: float) -> bool:
        """Whether a trouble ends a wait whose next poll cannot remember it; a wait that has timed out says that."""
        return not self.remembers and (self.deadline is None or now < self.deadline)

    def _taken_for_failed(self, failed: Job, now: float) -> JobFailedError:
        said = ": ".join(part for part in (failed.error_code, failed.error_message) if part).rstrip(".")
        since = self._reported.since
        return JobFailedError(
            f"Job {self.job_id} is treated as failed. For {now - since:.0f} s the service has reported a failure "
            f"without a state of the job: {said or 'it gives no reason'}.",
            job_id=self.job_id,
            reported_since=since,
            code=failed.error_code,
            service_message=failed.error_message,
        )

    def unknown_state(self, word: str) -> str | None:
        """What to log about a state word that is not known, once for each word.

        :param word: the service's word.
        :return: None when it has been said.
        """
        if word in self._told_states:
            return None
        self._told_states.add(word)
        return (
            f"Job {self.job_id} is in the state {word!r}, which is not known here; it is treated as in-progress. "
            "If the job has ended in that state, add the word to the connection's extra state_words."
        )

    def seconds_to_next_poll(self, now: float) -> float:
        """Seconds until the next poll, at least one look before the deadline and never past it.

        :param now: epoch seconds.
        """
        return max(min(self.not_before(now), self.look_by(now)) - now, 0.0)

    def not_before(self, now: float) -> float:
        """Epoch seconds of the next poll by the plain schedule, and by what the service asked for.

        :param now: epoch seconds of the last one.
        """
        return max(now + self.schedule.seconds_to_next(now - self.started_at), self._not_before)

    def look_by(self, now: float) -> float:
        """Epoch seconds by which the next poll must come, whatever the schedule says.

        A reported failure is soon read again. The last poll comes before the deadline, or at the deadline when that
        is so near.

        :param now: epoch seconds.
        """
        again_at = now + READ_AGAIN_AFTER if self._reported.is_pending else FOREVER
        if self.deadline is None:
            return again_at
        last_at = self.deadline - LAST_LOOK if now < self.deadline - LAST_LOOK else self.deadline
        return min(again_at, last_at)

    @property
    def doubts_failure(self) -> bool:
        """Whether the last poll reported a failure that is not believed yet."""
        return self._reported.is_pending

    def seconds_at_most(self, now: float) -> float | None:
        """Seconds that the whole wait may still take, None for no end.

        :param now: epoch seconds.
        """
        return None if self.deadline is None else max(self.deadline - now, LAST_LOOK)

    def check_deadline(self, now: float) -> None:
        """End the wait when its time is over.

        :param now: epoch seconds.
        :raises JobDeadlinePassedError: the deadline is over.
        """
        if self.deadline is not None and now >= self.deadline:
            raise self.deadline_passed()

    def deadline_passed(self) -> JobDeadlinePassedError:
        """The error of a wait whose time is over."""
        until = datetime.fromtimestamp(max(self.deadline or 0.0, 0.0), UTC)
        trouble = f" The last poll failed: {self._trouble_told}" if self._trouble else ""
        return JobDeadlinePassedError(
            f"Job {self.job_id} has not ended by its deadline ({until:%Y-%m-%d %H:%M:%S} UTC). "
            f"It may continue at the service: wait for it again by its id, or raise timeout=.{trouble}",
            job_id=self.job_id,
        )
