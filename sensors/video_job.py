"""Waits for a storyboard or render job to end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NoReturn

from airflow.providers.common.compat.sdk import (
    AirflowSensorTimeout,
    AirflowSkipException,
    AirflowTaskTimeout,
    BaseSensorOperator,
    conf,
)

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.failure_xcom import telling_failures
from ..hooks.airflow.job_xcom import tell_of_job
from ..hooks.airflow.links import PreviewLink, VideoLink
from ..hooks.airflow.mapped_data import MappedDataMixin
from ..provider.info import DEFAULT_CONNECTION_ID
from ..provider.waiting.time_limits import DEFAULT_TIMEOUT, execution_timeout_came_first, seconds

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, PokeReturnValue, XComArg

    from ..hooks.video_creation import VideoCreationHook
    from ..provider.waiting.job_wait import JobWait

FIRST_START_KEY = "video_creation.first_start"
"""The key under which the task state store keeps when a generation of the task began to wait."""


class VideoJobSensor(MappedDataMixin, BaseSensorOperator):
    """Waits until a job ends and returns it, in poke, reschedule or deferrable mode.

    What each poll means is the same in every mode: see the table in ``provider.waiting.job_wait``.

    :param job_id: a storyboard or render job: its id, or the dict that an operator which waits returned. Templated.
    :param video_creation_conn_id: the connection. Templated.
    :param user_id: fills the user-id header instead of the connection's ``user_id``. Templated.
    :param poll_interval: seconds between polls, as is ``poke_interval``; absent: on a worker a schedule that grows
        with the time waited, in the triggerer one that learns from the jobs of the connection
        (docs/measured/polling.md).
    :param timeout: seconds until the wait is over, default 2 hours, counted from the task's first try where Airflow
        keeps a task's state (3.3 and newer, or with a record folder); the job may go on.
    :param deferrable: wait in the triggerer; default from ``[operators] default_deferrable``.
    :return: the finished job as a dict, see ``provider.models.job.Job``.
    :raises JobFailedError: the service says that the job failed.
    :raises JobResultPurgedError: the result is gone.
    :raises JobLostError: the service no longer knows the job.
    :raises JobDeadlinePassedError: the time is over; with ``soft_fail`` the task is skipped, in every mode on a
        time-out only. Raised too when ``execution_timeout`` comes first while the sensor is deferred.
    :raises ExecutionTimeoutError: ``execution_timeout`` came first on the worker; a retry waits again.
    """

    operator_extra_links = (PreviewLink(), VideoLink())
    template_fields: Sequence[str] = ("job_id", "video_creation_conn_id", "user_id")
    ui_color = "#d9edf7"
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep

    def __init__(
        self,
        *,
        job_id: str | XComArg,
        video_creation_conn_id: str = DEFAULT_CONNECTION_ID,
        user_id: str | None = None,
        poll_interval: float | timedelta | None = None,
        timeout: float | timedelta = DEFAULT_TIMEOUT,
        deferrable: bool = conf.getboolean("operators", "default_deferrable", fallback=False),
        **kwargs: Any,
    ) -> None:
        if poll_interval is None and kwargs.get("poke_interval") is not None:
            poll_interval = kwargs["poke_interval"]
        task_id = kwargs.get("task_id", "")
        with airflow_errors():
            timeout = seconds(timeout, "timeout", task_id, zero=True)
        super().__init__(timeout=timeout, **kwargs)
        self.job_id: Any = job_id
        self.video_creation_conn_id = video_creation_conn_id
        self.user_id = user_id
        with airflow_errors():
            self.poll_interval = (
                None if poll_interval is None else seconds(poll_interval, "poll_interval", self.task_id)
            )
        self.deferrable = deferrable
        self._wait: JobWait | None = None

    @cached_property
    def hook(self) -> VideoCreationHook:
        """The hook of this task's connection."""
        from ..hooks.video_creation import VideoCreationHook

        return VideoCreationHook(self.video_creation_conn_id, self.user_id)

    @property
    def _asked_job_id(self) -> str:
        from ..provider.models.job import job_id_of

        return job_id_of(self.job_id)

    @telling_failures
    def execute(self, context: Context) -> Any:
        """Wait for the job, or defer."""
        self._wait = self._begin(context)
        from ..provider.submission.shown_job import ShownJob

        shown = ShownJob(self._wait.job_id, None, self.video_creation_conn_id, user_id=self.user_id)
        tell_of_job(context, shown, self.log)
        with self._time_outs():
            return super().execute(context)

    def poke(self, context: Context) -> bool | PokeReturnValue:
        """Ask for the job once, and defer when it has not ended and the sensor is deferrable."""
        from airflow.providers.common.compat.sdk import PokeReturnValue

        from ..hooks.job_poll import poll

        if self._wait is None:
            self._wait = self._begin(context)
        with airflow_errors():
            job = poll(self.hook, self._wait, self.clock, self.log, self.sleep)
        if job is None and self.deferrable:
            self._defer(context, self._wait)
        return PokeReturnValue(True, job.to_xcom()) if job else False

    def execute_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        """Read the finished job that the trigger saw, or raise what ended the wait."""
        from ..hooks.job_poll import job_of_event

        wait_again = partial(self._defer, context)
        with airflow_errors():
            job = job_of_event(self.hook, event, self.clock, self.log, wait_again, sleep=self.sleep)
            return job.to_xcom()

    @telling_failures
    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Context) -> Any:
        """Continue after the deferral, with the same rule for skipping as the other modes."""
        with self._time_outs():
            return super().resume_execution(next_method, next_kwargs, context)

    def _begin(self, context: Context) -> JobWait:
        from ..provider.waiting.job_wait import JobWait
        from ..provider.waiting.schedule import PollSchedule

        rescheduled = self.reschedule and not self.deferrable
        first: datetime | None = context["ti"].get_first_reschedule_date(context) if rescheduled else None
        started_at = first.timestamp() if first else self._first_start(context)
        return JobWait(
            self._asked_job_id,
            started_at=started_at,
            deadline=started_at + self.timeout,
            schedule=PollSchedule(self.poll_interval),
            remembers=not rescheduled,
        )

    def _first_start(self, context: Context) -> float:
        """Epoch seconds at which this generation of the task began to wait: a retry keeps the deadline."""
        now = self.clock()
        from ..hooks.records.task_store import task_store

        store = task_store(context)
        if store is None:
            return now
        generation = context["ti"].max_tries
        try:
            stored = store.get(FIRST_START_KEY)
            if isinstance(stored, dict) and stored.get("generation") == generation:
                return float(stored["started_at"])
            store.set(FIRST_START_KEY, {"version": 1, "generation": generation, "started_at": now})
        except Exception as error:
            self.log.warning(
                "When this wait began cannot be recorded (%s): timeout counts from this try", error
            )
        return now

    def _defer(self, context: Context, wait: JobWait) -> NoReturn:
        from ..triggers.deferral import defer_until_ended

        defer_until_ended(
            self,
            wait,
            then="execute_complete",
            timeout=self.execution_timeout,
            # Without Airflow's own store no operator has asked for a callback.
            asked_for_callback=context.get("task_state_store") is not None,
            cancel_on_kill=False,
        )

    def _get_next_poke_interval(
        self, started_at: datetime | float, run_duration: Callable[[], float], poke_count: int
    ) -> float:
        assert self._wait is not None
        return self._wait.seconds_to_next_poll(self.clock())

    @contextmanager
    def _time_outs(self) -> Iterator[None]:
        """Let each time-out name the job and the limit, and soft_fail skip on nothing else: Airflow's rule is wider."""
        from ..provider.errors import ExecutionTimeoutError, JobDeadlinePassedError
        from ..triggers.deferral import TaskDeferralTimeout

        job_id = self._asked_job_id
        soft_fail, self.soft_fail = self.soft_fail, False
        try:
            yield
        except (AirflowSensorTimeout, AirflowTaskTimeout) as error:
            if isinstance(error, JobDeadlinePassedError):
                message = str(error)
            elif isinstance(error.__cause__, TaskDeferralTimeout) or isinstance(error, AirflowTaskTimeout):
                message = execution_timeout_came_first(
                    self.task_id,
                    execution_timeout=self.execution_timeout,
                    timeout=self.timeout,
                    job_id=job_id,
                )
            else:
                message = f"Job {job_id} has not ended in time ({error}). It may continue at the service."
            # Airflow's own time-out comes after its rule for never_fail.
            if soft_fail or (self.never_fail and isinstance(error, AirflowSensorTimeout)):
                raise AirflowSkipException(f"Skipped because it timed out: {message}") from error
            if isinstance(error, JobDeadlinePassedError):
                raise
            # Airflow retries a sensor that its execution_timeout ends while it runs, not while it is deferred.
            retried = isinstance(error, AirflowTaskTimeout)
            kind = ExecutionTimeoutError if retried else JobDeadlinePassedError
            with airflow_errors():
                raise kind(message, job_id=job_id) from error
        finally:
            self.soft_fail = soft_fail
