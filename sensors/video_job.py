"""Waits for a storyboard or render job to end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from airflow.providers.common.compat.sdk import (
    AirflowSensorTimeout,
    AirflowSkipException,
    AirflowTaskTimeout,
    BaseSensorOperator,
    conf,
)

from ..provider.info import DEFAULT_CONNECTION_ID

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, PokeReturnValue, XComArg

    from ..hooks.video_creation import VideoCreationHook
    from ..provider.models.job import Job
    from ..provider.waiting.job_wait import JobWait

DEFAULT_TIMEOUT = 2 * 3600.0


class VideoJobSensor(BaseSensorOperator):
    """Waits until a job ends and returns it, in poke, reschedule or deferrable mode.

    What each poll means is the same in every mode: see the table in ``provider.waiting.job_wait``.

    :param job_id: a storyboard or render job.
    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    :param poll_interval: seconds between polls; absent: a schedule that grows with the time waited.
    :param timeout: seconds until the wait is over, default 2 hours; the job may go on.
    :param deferrable: wait in the triggerer; default from ``[operators] default_deferrable``.
    :return: the finished job as a dict, see ``provider.models.job.Job``.
    :raises JobFailedError: the service says that the job failed.
    :raises JobResultPurgedError: the result is gone.
    :raises JobLostError: the service does not know the job any more.
    :raises JobDeadlinePassedError: the time is over; with ``soft_fail`` the task is skipped, in every mode on
        a time-out only.
    """

    template_fields: Sequence[str] = ("job_id", "video_creation_conn_id", "user_id")
    ui_color = "#d9edf7"
    clock: Callable[[], float] = time.time

    def __init__(
        self,
        *,
        job_id: str | XComArg,
        video_creation_conn_id: str = DEFAULT_CONNECTION_ID,
        user_id: str | None = None,
        poll_interval: float | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        deferrable: bool = conf.getboolean("operators", "default_deferrable", fallback=False),
        **kwargs: Any,
    ) -> None:
        if poll_interval is None and kwargs.get("poke_interval") is not None:
            given = kwargs["poke_interval"]
            poll_interval = given.total_seconds() if hasattr(given, "total_seconds") else given
        super().__init__(timeout=timeout, **kwargs)
        if poll_interval is not None and not poll_interval > 0:
            raise ValueError(
                f"poll_interval of task {self.task_id!r} must be above 0 seconds, not {poll_interval!r}"
            )
        self.job_id: Any = job_id
        self.video_creation_conn_id = video_creation_conn_id
        self.user_id = user_id
        self.poll_interval = poll_interval
        self.deferrable = deferrable
        self._wait: JobWait | None = None

    @cached_property
    def hook(self) -> VideoCreationHook:
        """The hook of this task's connection."""
        from ..hooks.video_creation import VideoCreationHook

        return VideoCreationHook(self.video_creation_conn_id, self.user_id)

    def execute(self, context: Context) -> Any:
        """Wait for the job, or defer."""
        self._wait = self._begin(context)
        with self._time_outs():
            return super().execute(context)

    def poke(self, context: Context) -> bool | PokeReturnValue:
        """Ask for the job once, and defer when it has not ended and the sensor is deferrable."""
        from airflow.providers.common.compat.sdk import PokeReturnValue

        if self._wait is None:
            self._wait = self._begin(context)
        job = self._poll(self._wait)
        if job is None and self.deferrable:
            self._defer(self._wait)
        return PokeReturnValue(True, job.to_xcom()) if job else False

    def execute_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        """Read the finished job that the trigger saw, or raise what ended the wait."""
        from ..hooks.airflow_errors import airflow_errors
        from ..provider.models.job import ended_badly
        from ..provider.protocol.errors import UnreadableReplyError
        from ..provider.waiting.outcome import job_id_of_event

        with airflow_errors():
            job = self.hook.get_job(job_id_of_event(event))
            if job.state in ("failed", "cleaned"):
                raise ended_badly(job)
            if job.state != "completed":
                raise UnreadableReplyError(
                    f"The service has called job {job.job_id} completed, and now {job.state}: "
                    "clear this task to wait for it again.",
                    operation="get job",
                    job_id=job.job_id,
                )
        self.log.info("Job %s is completed", job.job_id)
        return job.to_xcom()

    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Context) -> Any:
        """Go on after the deferral, with the same rule for skipping as the other modes."""
        with self._time_outs():
            return super().resume_execution(next_method, next_kwargs, context)

    def _begin(self, context: Context) -> JobWait:
        from ..provider.waiting.job_wait import JobWait
        from ..provider.waiting.schedule import PollSchedule

        rescheduled = self.reschedule and not self.deferrable
        first: datetime | None = context["ti"].get_first_reschedule_date(context) if rescheduled else None
        started_at = first.timestamp() if first else self.clock()
        return JobWait(
            str(self.job_id),
            started_at=started_at,
            deadline=started_at + self.timeout,
            schedule=PollSchedule(self.poll_interval),
            remembers=not rescheduled,
        )

    def _poll(self, wait: JobWait) -> Job | None:
        """Ask once; the finished job, or None when the wait goes on."""
        from ..hooks.airflow_errors import airflow_errors
        from ..provider.protocol.errors import UnreadableReplyError, VideoCreationError

        # A poke that cannot remember would end at the first answer that a proxy garbles.
        repeat_on = () if wait.remembers else (UnreadableReplyError,)
        with airflow_errors():
            wait.check_deadline(self.clock())
            try:
                job, unknown = self.hook.poll_job(
                    self.job_id, repeat_on=repeat_on, until=wait.deadline or math.inf
                )
            except VideoCreationError as error:
                if message := wait.after_error(error, self.clock()):
                    self.log.warning("%s", message)
            else:
                if unknown and (message := wait.unknown_state(unknown)):
                    self.log.warning("%s", message)
                if finished := wait.after_job(job):
                    self.log.info("Job %s is completed", finished.job_id)
                    return finished
                progress = f", {job.progress:.0f} %" if job.progress is not None else ""
                self.log.info("Job %s is %s%s", job.job_id, job.state, progress)
            wait.check_deadline(self.clock())
        return None

    def _defer(self, wait: JobWait) -> NoReturn:
        from ..triggers.video_job import VideoJobTrigger

        trigger = VideoJobTrigger(
            wait.job_id,
            video_creation_conn_id=self.video_creation_conn_id,
            user_id=self.user_id,
            poll_interval=self.poll_interval,
            deadline=wait.deadline,
            submitted_at=wait.started_at,
        )
        self.log.info("Waiting for job %s in the triggerer, for at most %.0f s", wait.job_id, self.timeout)
        self.defer(trigger=trigger, method_name="execute_complete", timeout=self.execution_timeout)

    def _get_next_poke_interval(
        self, started_at: datetime | float, run_duration: Callable[[], float], poke_count: int
    ) -> float:
        assert self._wait is not None
        return self._wait.seconds_to_next_poll(self.clock())

    @contextmanager
    def _time_outs(self) -> Iterator[None]:
        """Let each time-out name the job, and soft_fail skip on nothing else: Airflow's own rule is wider."""
        from ..hooks.airflow_errors import airflow_errors
        from ..provider.protocol.errors import JobDeadlinePassedError

        soft_fail, self.soft_fail = self.soft_fail, False
        try:
            yield
        except (AirflowSensorTimeout, AirflowTaskTimeout) as error:
            if soft_fail:
                raise AirflowSkipException(f"Skipped, since it timed out: {error}") from error
            if isinstance(error, JobDeadlinePassedError | AirflowTaskTimeout):
                raise
            with airflow_errors():
                raise JobDeadlinePassedError(
                    f"Job {self.job_id} has not ended in time ({error}). It may go on at the service: wait for it "
                    "again by its id, or raise timeout= or execution_timeout=.",
                    job_id=str(self.job_id),
                ) from error
        finally:
            self.soft_fail = soft_fail
