"""The time limits of a wait: as a DAG author gives them, and which of them came first."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

from ..errors import ConfigurationError

DEFAULT_TIMEOUT = 2 * 3600.0
"""Seconds until a wait is over (ours)."""


def seconds(value: Any, name: str, task_id: str, *, zero: bool = False) -> float:
    """The seconds of an operator's argument.

    :param value: a number of seconds, or a timedelta.
    :param name: of the argument, for messages.
    :param task_id: of the task, for messages.
    :param zero: whether 0 is allowed.
    :raises ConfigurationError: it is no finite number above 0.
    """
    number = value.total_seconds() if isinstance(value, timedelta) else value
    if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
        raise ConfigurationError(f"{name} of task {task_id!r} must be a number of seconds, not {value!r}.")
    if number < 0 or (number == 0 and not zero):
        raise ConfigurationError(f"{name} of task {task_id!r} must be above 0 seconds, not {value!r}.")
    return float(number)


def execution_timeout_came_first(
    task_id: str, *, execution_timeout: timedelta | None, timeout: float, job_id: str
) -> str:
    """What to say when a try was over before the wait was.

    :param task_id: of the task.
    :param execution_timeout: of one try, deferred time included.
    :param timeout: seconds of the wait.
    :param job_id: the job that was waited for; empty when it is not known.
    """
    limit = f" ({execution_timeout.total_seconds():.0f} s a try)" if execution_timeout else ""
    return (
        f"execution_timeout of task {task_id!r}{limit} came before its timeout ({timeout:.0f} s): "
        f"{f'job {job_id}' if job_id else 'the job'} has not ended and continues at the service. Raise "
        "execution_timeout=, or leave it out: timeout= ends the wait as well."
    )
