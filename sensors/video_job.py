"""Waits for a storyboard or render job to end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from airflow.providers.common.compat.sdk import (
    AirflowSensorTimeout,
    AirflowSkipException,
    BaseSensorOperator,
    conf,
)

from ..provider.info import DEFAULT_CONNECTION_ID

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, PokeReturnValue

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
    :raises JobDeadlinePassedError: the time is over; with ``soft_fail`` the task is skipped.
    """

    template_fields: Sequence[str] = ("job_id", "video_creation_conn_id", "user_id")
    ui_color = "#d9edf7"

    def __init__(
        self,
        *,
        job_id: str,
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
        self.job_id = job_id
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
        with self._skip_on_timeout_only():
            self._wait = self._begin(context)
            if not self.deferrable:
                return super().execute(context)
            job = self._poll()
            if job is None:
                self._defer(self._wait)
            return job.to_xcom()

    def poke(self, context: Context) -> bool | PokeReturnValue:
        """Ask for the job once."""
        from airflow.providers.common.compat.sdk import PokeReturnValue

        if self._wait is None:
            self._wait = self._begin(context)
        job = self._poll()
        return PokeReturnValue(True, job.to_xcom()) if job else False

    def execute_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:
        """Read the finished job that the trigger saw, or raise what ended the wait."""
        from ..hooks.airflow_errors import airflow_errors
        from ..provider.models.job import ended_badly
        from ..provider.waiting.outcome import job_id_of_event

        with airflow_errors():
            job = self.hook.get_job(job_id_of_event(event))
            if job.state in ("failed", "cleaned"):
                raise ended_badly(job)
        self.log.info("Job %s is completed", job.job_id)
        return job.to_xcom()

    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Context) -> Any:
        """Go on after the deferral, with the same rule for skipping as the other modes."""
        with self._skip_on_timeout_only():
            return super().resume_execution(next_method, next_kwargs, context)

    def _begin(self, context: Context) -> JobWait:
        from ..hooks.airflow_errors import airflow_errors
        from ..provider.protocol.errors import ConfigurationError
        from ..provider.waiting.job_wait import JobWait
        from ..provider.waiting.schedule import PollSchedule

        if not isinstance(self.job_id, str | int) or not str(self.job_id).strip():
            with airflow_errors():
                raise ConfigurationError(
                    f"job_id of task {self.task_id!r} is {self.job_id!r}: pass the id that a storyboard or render "
                    "task returned, such as CreateStoryboardOperator(...).output."
                )
        first: datetime | None = context["ti"].get_first_reschedule_date(context) if self.reschedule else None
        started_at = first.timestamp() if first else time.time()
        return JobWait(
            str(self.job_id),
            started_at=started_at,
            deadline=started_at + self.timeout,
            schedule=PollSchedule(self.poll_interval),
            remembers=not self.reschedule,
        )

    def _poll(self) -> Job | None:
        """Ask once; the finished job, or None when the wait goes on."""
        from ..hooks.airflow_errors import airflow_errors
        from ..provider.protocol.errors import VideoCreationError

        assert self._wait is not None
        wait = self._wait
        with airflow_errors():
            try:
                job, unknown = self.hook.poll_job(
                    wait.job_id, repeat=not wait.remembers, limit=wait.seconds_left(time.time())
                )
            except VideoCreationError as error:
                if message := wait.after_error(error, time.time()):
                    self.log.warning("%s", message)
            else:
                if unknown and (message := wait.unknown_state(unknown)):
                    self.log.warning("%s", message)
                if finished := wait.after_job(job, time.time()):
                    self.log.info("Job %s is completed", finished.job_id)
                    return finished
                progress = f", {job.progress:.0f} %" if job.progress is not None else ""
                self.log.info("Job %s is %s%s", job.job_id, job.state, progress)
            wait.check_deadline(time.time())
        return None

    def _defer(self, wait: JobWait) -> NoReturn:
        from ..triggers.video_job import VideoJobTrigger

        trigger = VideoJobTrigger(
            wait.job_id,
            video_creation_conn_id=self.video_creation_conn_id,
            user_id=self.user_id,
            poll_interval=self.poll_interval,
            deadline=wait.deadline,
        )
        self.log.info("Waiting for job %s in the triggerer, for at most %.0f s", wait.job_id, self.timeout)
        self.defer(trigger=trigger, method_name="execute_complete", timeout=self.execution_timeout)

    def _get_next_poke_interval(
        self, started_at: datetime | float, run_duration: Callable[[], float], poke_count: int
    ) -> float:
        assert self._wait is not None
        return self._wait.seconds_to_next_poll(time.time())

    @contextmanager
    def _skip_on_timeout_only(self) -> Iterator[None]:
        """Airflow's own rule differs by mode: after a deferral it skips on any error (AIRFLOW.md)."""
        from ..provider.protocol.errors import VideoCreationError

        soft_fail, never_fail = self.soft_fail, self.never_fail
        self.soft_fail = self.never_fail = False
        try:
            yield
        except AirflowSensorTimeout as error:
            if soft_fail or never_fail:
                raise AirflowSkipException(f"Skipped, since it timed out: {error}") from error
            raise
        except VideoCreationError as error:
            if never_fail:
                raise AirflowSkipException(f"Skipped, since never_fail is set: {error}") from error
            raise
        finally:
            self.soft_fail, self.never_fail = soft_fail, never_fail
