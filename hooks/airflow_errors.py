"""Our errors as Airflow's: which ones a retry may mend, and which end the task at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException, AirflowSensorTimeout

from ..provider.protocol.errors import JobDeadlinePassedError, VideoCreationError


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
    """One of our errors as Airflow's, see ``airflow_errors``."""
    kind = _airflow_kind(type(error))
    twin = kind.__new__(kind)
    twin.args = error.args
    twin.__dict__.update(error.__dict__)
    return twin


def _airflow_kind(kind: type[VideoCreationError]) -> type[AirflowException]:
    if issubclass(kind, JobDeadlinePassedError):
        base: type[AirflowException] = AirflowSensorTimeout
    else:
        base = AirflowException if kind.retryable else AirflowFailException
    return type(kind.__name__, (kind, base), {"__module__": kind.__module__, "__doc__": kind.__doc__})
