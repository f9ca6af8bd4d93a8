"""Our errors as Airflow's: which ones a retry may mend, and which end the task at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException, AirflowSensorTimeout

from ..provider.protocol.errors import JobDeadlinePassedError, VideoCreationError, restored


@contextmanager
def airflow_errors() -> Iterator[None]:
    """Raise our errors inside the block as Airflow's, with the same message, class and attributes.

    What a retry may mend becomes an AirflowException, what it cannot an AirflowFailException, and a
    deadline that passed an AirflowSensorTimeout. ``except JobFailedError`` works on the result too.
    """
    try:
        yield
    except AirflowException:
        raise
    except VideoCreationError as error:
        raise airflow_error(error) from error.__cause__


def airflow_error(error: VideoCreationError) -> AirflowException:
    """One of our errors as Airflow's, see ``airflow_errors`` (source: ours).

    :param error: what our own code raised.
    """
    return restored(_airflow_kind(type(error)), error.args, vars(error))


_made: dict[type[VideoCreationError], type[AirflowException]] = {}


def _airflow_kind(kind: type[VideoCreationError]) -> type[AirflowException]:
    if kind in _made:
        return _made[kind]
    if issubclass(kind, JobDeadlinePassedError):
        base: type[AirflowException] = AirflowSensorTimeout
    else:
        base = AirflowException if kind.retryable else AirflowFailException

    def reduce(twin: VideoCreationError) -> tuple[Any, ...]:
        # By the class that can be imported: a twin's own has no name of its own.
        return airflow_error, (restored(kind, twin.args, vars(twin)),)

    members = {"__module__": kind.__module__, "__doc__": kind.__doc__, "__reduce__": reduce}
    return _made.setdefault(kind, type(kind.__name__, (kind, base), members))
