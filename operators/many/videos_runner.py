"""Makes many videos at the same time, independently: none holds up another."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakSet

from airflow.providers.common.compat.sdk import (
    AirflowException,
    AirflowFailException,
    AirflowSensorTimeout,
)

from ...hooks.records.left_record import is_replaced
from ...hooks.records.video_records import VideoRecords
from ...provider.errors import (
    AnotherSubjectError,
    InvalidRequestError,
    SpendingStoppedError,
    TryReplacedError,
    VideoCreationError,
)
from ...provider.spending.failure import shared_cause
from ...provider.submission.task_try import TaskTry
from ...provider.videos.video_outcome import State, VideoOutcome, message_of, state_of
from ...provider.videos.videos_report import progress_line
from ...provider.waiting.request_budget import RequestBudget
from .brake import Brake
from .inbox import Inbox
from .job_ends import JobEnds
from .video_making import Need, ToDeliver, ToSubmit, ToWait, VideoMaking, Way

AT_A_TIME: Mapping[type[Need], int] = {ToSubmit: 4, ToWait: 8, ToDeliver: 4}
"""How many steps of each kind run at the same time. A worker that dies leaves only the videos in doubt that it was
submitting, at most four (ours)."""
GATHER_SECONDS = 0.01
"""How long a write to the store waits for others (ours)."""
TELL_EVERY = 30.0
"""Seconds between two log lines about the overall progress (ours)."""
STOPPED = "This try of the task was stopped before it sent this. A retry sends it."


@dataclass(eq=False)
class _BegunVideo:
    """One video that has been started.

    :param making: of the video.
    :param way: its steps, as far as they have run.
    :param need: what its next step needs.
    :param event: what its next step takes.
    :param error: what ends it instead.
    """

    making: VideoMaking
    way: Way
    need: Need | None = None
    event: Mapping[str, Any] | None = None
    error: VideoCreationError | None = None


class VideosRunner:
    """Runs the steps of many videos; ``run`` belongs to the main thread of the task.

    :param makings: the videos that are neither delivered nor ended in this try.
    :param ended: the other videos.
    :param records: of all.
    :param inbox: of the main thread.
    :param brake: stops submissions.
    :param budget: the connection's request budget, for submissions.
    :param max_active: how many videos may have a job at the service at the same time.
    :param ends: events that a trigger has brought, by job.
    :param leave_after: seconds without an ended job, or anything to do, after which waits are left to the triggerer;
        None: never.
    :param seconds_to_stop: how long to wait for the answers of pending requests when the task is stopped, so that they
        are recorded.
    :param task_try: this try.
    :param state_when_invalid: the state of a video whose storyboard is wrong.
    :param job_ends: makes the waiter on this worker, given what to call at each end.
    :param told: called with each outcome, in the main thread.
    :param clock: gives epoch seconds.
    :param log: the task's log.
    """

    def __init__(
        self,
        makings: Sequence[VideoMaking],
        ended: Sequence[VideoOutcome],
        records: VideoRecords,
        inbox: Inbox,
        brake: Brake,
        budget: RequestBudget,
        *,
        max_active: int,
        ends: Mapping[str, Mapping[str, Any]],
        leave_after: float | None,
        seconds_to_stop: float,
        task_try: TaskTry,
        state_when_invalid: State,
        job_ends: Callable[[Callable[[str, Mapping[str, Any]], None]], JobEnds],
        told: Callable[[VideoOutcome], None],
        clock: Callable[[], float],
        log: Any,
    ) -> None:
        self.outcomes = list(ended)
        self.replaced: TryReplacedError | None = None
        self._total = len(makings) + len(self.outcomes)
        self._to_begin = deque(makings)
        self._ready: dict[type[Need], deque[_BegunVideo]] = {kind: deque() for kind in AT_A_TIME}
        self._running: dict[type[Need], int] = dict.fromkeys(AT_A_TIME, 0)
        self._waiting: dict[str, list[tuple[_BegunVideo, ToWait]]] = {}
        self._video_of = {
            job_id: outcome.name
            for outcome in ended
            for job_id in (outcome.storyboard_job_id, outcome.render_job_id)
            if job_id
        }
        self._active: set[_BegunVideo] = set()
        self._records = records
        self._inbox = inbox
        self._brake = brake
        self._budget = budget
        self._max_active = max_active
        self._ends = dict(ends)
        self._leave_after = math.inf if leave_after is None else leave_after
        self._seconds_to_stop = seconds_to_stop
        self._try = task_try
        self._state_when_invalid: State = state_when_invalid
        self._told = told
        self._clock = clock
        self._log = log
        self._began_at = self._told_at = self._busy_at = clock()
        self._ended_before = len(self.outcomes)
        self._job_ends = job_ends(self._job_ended)
        self._threads: WeakSet[threading.Thread] = WeakSet()
        self._stopping = False
        self.sends_nothing = False
        """Set when the task is told to stop: it ends when all pending requests have their answer."""

    def run(self) -> list[ToWait]:
        """Make the videos.

        :return: the waits that are left to the triggerer; none when all videos have ended.
        """
        try:
            while not self._is_done():
                pause = self._start_steps()
                if self._inbox.serve(min(pause, 1.0)):
                    # A thread that comes a moment later shares the write.
                    self._inbox.serve(GATHER_SECONDS)
                    self._records.store_awaited()
                self._tell()
                if self._is_quiet():
                    return [wait for waits in self._waiting.values() for _, wait in waits]
        finally:
            self._stop()
        return []

    @property
    def jobs_under_way(self) -> list[str]:
        """The jobs that continue at the service when this task is stopped."""
        return list(self._waiting)

    @property
    def left_undone(self) -> int:
        """How many videos have no outcome yet."""
        return self._total - len(self.outcomes)

    def _is_done(self) -> bool:
        if self.replaced or (self.sends_nothing and not any(self._running.values())):
            return True
        return not (
            self._to_begin or self._active or any(self._running.values()) or any(self._ready.values())
        )

    def _is_quiet(self) -> bool:
        """Whether only waits are left, and nothing has happened for a while."""
        if any(self._running.values()) or any(self._ready.values()) or not self._waiting:
            return False
        if self._to_begin and len(self._active) < self._max_active and not self._brake.is_closed:
            return False
        return self._clock() - self._busy_at >= self._leave_after

    def _start_steps(self) -> float:
        """Start what can be started; return the seconds until there may be more, if nothing happens before."""
        if self.sends_nothing:
            return TELL_EVERY
        for kind in (ToDeliver, ToWait):
            while self._ready[kind] and self._running[kind] < AT_A_TIME[kind]:
                self._start(self._ready[kind].popleft(), kind)
        while self._running[ToSubmit] < AT_A_TIME[ToSubmit]:
            now = self._clock()
            # Videos under way come first: a render is worth more than a new storyboard.
            if not self._ready[ToSubmit] and not self._may_begin():
                break
            if not self._brake.is_closed and (at := self._budget.next_at(now)) > now:
                return at - now
            if self._ready[ToSubmit]:
                self._budget.take(now)
                self._start(self._ready[ToSubmit].popleft(), ToSubmit)
            else:
                self._begin(self._to_begin.popleft())
        return TELL_EVERY

    def _may_begin(self) -> bool:
        if not self._to_begin or self._running[ToWait] >= AT_A_TIME[ToWait]:
            return False
        return len(self._active) < self._max_active or self._brake.is_closed

    def _begin(self, making: VideoMaking) -> None:
        """Begin a video: its first step only reads the records, or says that it must be submitted."""
        begun = _BegunVideo(making, making.way())
        self._active.add(begun)
        self._start(begun, ToWait)

    def _start(self, begun: _BegunVideo, kind: type[Need]) -> None:
        self._running[kind] += 1
        event, begun.event = begun.event, None

        def step() -> None:
            outcome: VideoOutcome | None = None
            try:
                try:
                    begun.need = begun.way.throw(begun.error) if begun.error else begun.way.send(event)
                except StopIteration as end:
                    outcome = end.value
                    self._keep(begun, end.value)
                except BaseException as error:
                    outcome = self._failed(begun, error)
                    self._keep(begun, outcome, error)
            except BaseException as error:
                # Such as a log that is gone. The task would wait forever for a thread that ends silently.
                self._inbox.put(partial(_raise, error))
                return
            self._inbox.put(lambda: self._stepped(begun, kind, outcome))

        thread = threading.Thread(target=step, name=f"video-creation-{kind.__name__}", daemon=True)
        self._threads.add(thread)
        thread.start()

    def _stepped(self, begun: _BegunVideo, kind: type[Need], outcome: VideoOutcome | None) -> None:
        """Handle the result of a step, in the main thread."""
        self._running[kind] -= 1
        self._busy_at = self._clock()
        if outcome:
            self._active.discard(begun)
            self.outcomes.append(outcome)
            self._told(outcome)
        elif isinstance(begun.need, ToWait):
            self._wait(begun, begun.need)
        elif begun.need:
            if isinstance(begun.need, ToDeliver):
                # Its jobs have ended: another video may take its place at the service.
                self._active.discard(begun)
            self._ready[type(begun.need)].append(begun)

    def _wait(self, begun: _BegunVideo, need: ToWait) -> None:
        job_id, name = need.wait.job_id, begun.making.name
        if (other := self._video_of.setdefault(job_id, name)) != name:
            begun.error = AnotherSubjectError(
                f"Job {job_id} belongs to video {other!r}, but was named for video {name!r}, too. So nothing more is "
                f"done for {name!r}, which may be paid for. Look for its own job at the service. If it is there, "
                "adopt it; if not, name the video in make_again= and clear the task.",
                job_id=job_id,
            )
            self._ready[ToWait].append(begun)
            return
        if event := self._ends.pop(job_id, None):
            begun.event = event
            self._ready[ToWait].append(begun)
            return
        self._waiting.setdefault(job_id, []).append((begun, need))
        if not self._stopping:
            self._job_ends.wait_for(need.wait, webhook=need.webhook)

    def _job_ended(self, job_id: str, event: Mapping[str, Any]) -> None:
        """Called in the thread that waits."""
        self._inbox.put(lambda: self._hand_over(job_id, event))

    def _hand_over(self, job_id: str, event: Mapping[str, Any]) -> None:
        self._busy_at = self._clock()
        for begun, _ in self._waiting.pop(job_id, ()):
            begun.event = event
            self._ready[ToWait].append(begun)

    def _failed(self, begun: _BegunVideo, error: BaseException) -> VideoOutcome:
        making = begun.making
        state = state_of(error)
        if isinstance(error, InvalidRequestError) and making.storyboard_job_id is None:
            state = self._state_when_invalid
        if not isinstance(error, VideoCreationError):
            self._log.error("Video %r ended with an error of this provider", making.name, exc_info=error)
        return VideoOutcome(
            making.name,
            state,
            making.storyboard_job_id,
            making.render_job_id,
            error=type(error).__name__,
            message=message_of(error),
            cause=shared_cause(error),
            retryable=may_be_fixed(error),
            metadata=making.video.metadata,
        )

    def _keep(self, begun: _BegunVideo, outcome: VideoOutcome, error: BaseException | None = None) -> None:
        """Record how a video ended. What the store does not accept, a retry finds out again without paying."""
        self._brake.take_in(outcome)
        if isinstance(error, TryReplacedError):
            self.replaced = error
            return
        records, kept = begun.making.records, outcome.to_json(self._try)
        try:
            if outcome.state == "skipped":
                # No retry needs it, only this try, when it resumes after a wait.
                records.keep_outcome_later(kept)
            else:
                records.keep_outcome(kept)
        except Exception as unkept:
            self._log.warning(
                "It could not be recorded that video %r is %s: %s", outcome.name, outcome.state, unkept
            )
            if is_replaced(unkept):
                self.replaced = TryReplacedError(
                    "Airflow has replaced this try with another one, and accepts nothing more from it. The other try "
                    "continues."
                )

    def _tell(self) -> None:
        now = self._clock()
        if now - self._told_at < TELL_EVERY:
            return
        self._told_at = now
        under_way = len(self._active) + len(self._ready[ToDeliver]) + self._running[ToDeliver]
        line = progress_line(
            self.outcomes,
            total=self._total,
            under_way=under_way,
            ended_here=len(self.outcomes) - self._ended_before,
            seconds=now - self._began_at,
        )
        self._log.info("%s", line)

    def _stop(self) -> None:
        """Wait for pending requests to the service, and record their answers; then leave."""
        self._stopping = True
        self._records.let_nothing_be_sent(STOPPED)
        until = self._clock() + self._seconds_to_stop
        try:
            # A step that was counted when the interrupt came may have no thread.
            while any(self._running.values()) and self._has_threads() and self._clock() < until:
                # What an interrupted write has left is in no inbox.
                self._records.store_awaited()
                self._inbox.serve(1.0)
            self._records.store_awaited(also_later=True)
        finally:
            self._records.close(STOPPED)
            self._inbox.close(STOPPED)
            self._job_ends.stop()

    def _has_threads(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)


def _raise(error: BaseException) -> None:
    raise error


def may_be_fixed(error: BaseException) -> bool:
    """Whether a retry of the task may fix what ended a video.

    :param error: what ended it: our error, or Airflow's version of it.
    """
    if isinstance(error, AirflowException):
        return not isinstance(error, AirflowFailException | AirflowSensorTimeout)
    if isinstance(error, VideoCreationError):
        # After an outage, this try's brake does not stop the next try.
        return error.retryable or isinstance(error, SpendingStoppedError)
    return True
