"""How a task hands its wait over to the triggerer, and how it learns that it timed out there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

try:
    from airflow.sdk.exceptions import TaskDeferralTimeout
except ImportError:  # below Airflow 3.2
    from airflow.exceptions import TaskDeferralTimeout  # type: ignore[no-redef]

if TYPE_CHECKING:
    from airflow.triggers.base import BaseTrigger

    from ..hooks.video_creation import VideoCreationHook
    from ..provider.waiting.job_wait import JobWait

__all__ = ["TaskDeferralTimeout", "WaitingTask", "defer_until_ended", "defer_until_some_ended"]


class WaitingTask(Protocol):
    """What an operator or sensor needs to wait in the triggerer."""

    video_creation_conn_id: str
    user_id: str | None
    clock: Callable[[], float]

    @property
    def hook(self) -> VideoCreationHook:
        """The hook of the task's connection."""

    @property
    def log(self) -> Any:
        """The task's log."""

    def defer(self, *, trigger: BaseTrigger, method_name: str, timeout: timedelta | None) -> NoReturn:
        """Airflow's own."""


def defer_until_ended(
    task: WaitingTask,
    wait: JobWait,
    *,
    then: str,
    timeout: timedelta | None,
    asked_for_callback: bool,
    cancel_on_kill: bool = True,
) -> NoReturn:
    """Defer a task until its job ends (source: ours).

    :param task: the task that waits.
    :param wait: the wait for the job.
    :param then: the method that Airflow calls after the deferral.
    :param timeout: what is left of the try's execution_timeout, which Airflow does not count while a task is deferred.
    :param asked_for_callback: whether the service may have been asked to call back.
    :param cancel_on_kill: whether the job belongs to this task.
    :raises TaskDeferred: always.
    """
    from .video_job import VideoJobTrigger

    trigger = VideoJobTrigger(
        **_described(wait),
        video_creation_conn_id=task.video_creation_conn_id,
        user_id=task.user_id,
        poll_interval=wait.schedule.fixed_interval,
        cancel_on_kill=cancel_on_kill,
        webhook=asked_for_callback and task.hook.profile.takes_webhooks,
    )
    left = max((wait.deadline or 0.0) - task.clock(), 0.0)
    task.log.info("Waiting for job %s in the triggerer, for at most %.0f s", wait.job_id, left)
    task.defer(trigger=trigger, method_name=then, timeout=timeout)


def defer_until_some_ended(
    task: WaitingTask,
    waits: Sequence[JobWait],
    *,
    then: str,
    timeout: timedelta | None,
    poll_interval: float | None,
    wake_after: float,
    webhooks: Collection[str] = (),
    cancel_on_kill: bool = True,
) -> NoReturn:
    """Defer a task until all its jobs have ended, or until a while after the first one has (source: ours).

    :param task: the task that waits.
    :param waits: the waits for the jobs.
    :param then: the method that Airflow calls after the deferral.
    :param timeout: what is left of the try's execution_timeout, which Airflow does not count while a task is deferred.
    :param poll_interval: seconds between polls of a job; None for the learned schedule.
    :param wake_after: seconds to wait for more jobs to end after the first.
    :param webhooks: the ids of the jobs for which the service may have been asked to call back.
    :param cancel_on_kill: whether the jobs belong to this task.
    :raises TaskDeferred: always.
    """
    from .video_jobs import VideoJobsTrigger

    called_back = frozenset(webhooks) if webhooks and task.hook.profile.takes_webhooks else frozenset()
    trigger = VideoJobsTrigger(
        [{**_described(wait), "webhook": wait.job_id in called_back} for wait in waits],
        video_creation_conn_id=task.video_creation_conn_id,
        user_id=task.user_id,
        poll_interval=poll_interval,
        wake_after=wake_after,
        cancel_on_kill=cancel_on_kill,
    )
    left = max([0.0, *((wait.deadline or 0.0) - task.clock() for wait in waits)])
    task.log.info("Waiting for %d jobs in the triggerer, for at most %.0f s", len(waits), left)
    task.defer(trigger=trigger, method_name=then, timeout=timeout)


def _described(wait: JobWait) -> dict[str, Any]:
    """What a trigger must know about a wait."""
    return {
        "job_id": wait.job_id,
        "deadline": wait.deadline,
        "kind": wait.kind or None,
        "submitted_at": wait.started_at if wait.submitted_at is None else wait.submitted_at,
    }
