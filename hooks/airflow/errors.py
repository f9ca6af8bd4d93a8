"""Our errors as Airflow's: which ones a retry may fix, and which fail the task at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException, AirflowSensorTimeout

from ...provider.errors import JobDeadlinePassedError, VideoCreationError, restored
from ...provider.message_lines import in_lines
from ...provider.quoting import sentence


@contextmanager
def airflow_errors(*, retryable: tuple[type[VideoCreationError], ...] = ()) -> Iterator[None]:
    """Raise our errors inside the block as Airflow's, with the same message, class and attributes.

    An error that a retry may fix becomes an AirflowException, one that it cannot fix an AirflowFailException, and a
    deadline that passed an AirflowSensorTimeout. ``except JobFailedError`` works on the result too.

    :param retryable: what a retry of this task may fix, besides the errors that are retryable themselves.
    """
    try:
        yield
    except VideoCreationError as error:
        if isinstance(error, AirflowException) and not isinstance(error, retryable):
            raise
        raise airflow_error(error, retryable=isinstance(error, retryable)) from error.__cause__


def airflow_error(error: VideoCreationError, retryable: bool = False) -> AirflowException:
    """One of our errors as Airflow's, see ``airflow_errors`` (source: ours).

    :param error: what our own code raised.
    :param retryable: whether a retry may fix it here, even if the error itself is not retryable.
    """
    own = (kind for kind in type(error).__mro__ if issubclass(kind, VideoCreationError))
    kind = next(kind for kind in own if not issubclass(kind, AirflowException))
    return restored(_airflow_kind(kind, retryable), error.args, vars(error))


def as_logged(error: VideoCreationError, subjects: Mapping[str, Any]) -> AirflowException:
    """One of our errors in the form that Airflow's log shows best: in short lines, and without our stack (source:
    ours).

    :param error: that ends a try.
    :param subjects: what the task works on: what it is -> its name or id, as given. Added if the message does not name
        it.
    :return: the same error where it is Airflow's already.
    """
    shown = error if isinstance(error, AirflowException) else airflow_error(error)
    told = str(error)
    unnamed = [
        f"{what} {str(name)!r}"
        for what, name in subjects.items()
        if name and not _names(told, what, str(name))
    ]
    about = sentence(f"{', '.join(unnamed)}.") if unnamed else ""
    shown.args = (in_lines(told, about, after=f"{type(shown).__name__}: "), *error.args[1:])
    shown.__cause__ = None
    return shown.with_traceback(None)


def _names(told: str, what: str, name: str) -> bool:
    """Whether a message names something; the name alone may be a word of it, or a part of one."""
    return repr(name) in told or bool(re.search(rf"\b(?i:{what}) {re.escape(name)}(?![\w-])", told))


_made: dict[tuple[type[VideoCreationError], bool], type[AirflowException]] = {}


def _airflow_kind(kind: type[VideoCreationError], retryable: bool) -> type[AirflowException]:
    if (kind, retryable) in _made:
        return _made[kind, retryable]
    if issubclass(kind, JobDeadlinePassedError):
        base: type[AirflowException] = AirflowSensorTimeout
    else:
        base = AirflowException if retryable or kind.retryable else AirflowFailException

    def reduce(twin: VideoCreationError) -> tuple[Any, ...]:
        # By the class that can be imported: a twin's class has no name of its own.
        return airflow_error, (restored(kind, twin.args, vars(twin)), retryable)

    members = {"__module__": kind.__module__, "__doc__": kind.__doc__, "__reduce__": reduce}
    return _made.setdefault((kind, retryable), type(kind.__name__, (kind, base), members))
