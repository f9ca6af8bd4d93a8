"""How a failing task reports its failure: first in XCom, then in Airflow's log.

XCom gets the message as it is, so that siblings can stop in time, and pages and a summary can name the cause. Airflow,
which logs it, gets the same error in short lines (``errors.as_logged``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import AirflowSkipException, AirflowTaskTimeout

from ...provider.errors import VideoCreationError
from .errors import as_logged

try:
    from airflow.sdk.exceptions import AirflowRescheduleException
except ImportError:  # below Airflow 3.2
    from airflow.exceptions import AirflowRescheduleException

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import BaseOperator, Context

    from ...provider.spending.failure import Failure

FAILURE_KEY = "failure"
"""The key under which a failing task pushes how it failed, see ``provider.spending.failure.Failure``."""
SHARED_FAILURE_KEY = "shared_failure"
"""The key under which it pushes the same again if others would fail alike: few do, so that reading them costs
little."""


def telling_failures(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of an operator or sensor that reports its failures in XCom and, in short lines, in the log (source:
    ours).

    Use it once in a call: a method that calls another such method would report a failure twice. The task's attributes
    ``video_name`` and ``video_creation_conn_id``, where it has them, say which video it is, and which connection.

    :param method: the method that Airflow calls to run or resume the task; takes ``context``.
    :return: the method to put in the class.
    """

    @wraps(method)
    def wrapper(self: BaseOperator, *args: Any, **kwargs: Any) -> Any:
        context = kwargs["context"] if "context" in kwargs else args[-1]
        try:
            with _told(self, context):
                return method(self, *args, **kwargs)
        except VideoCreationError as error:
            self.log.debug("Where it failed", exc_info=True)
            subjects = {
                "connection": getattr(self, "video_creation_conn_id", None),
                "video": getattr(self, "video_name", None),
                "job": getattr(error, "job_id", None),
            }
            raise as_logged(error, subjects) from None

    return wrapper


def stop_if_siblings_failed(context: Context, stop_after: int, what: str, log: Any) -> None:
    """Stop a mapped task before it sends, if enough others failed for a cause that they all share.

    Costs one small request to Airflow's API server; if that fails, it is logged, and the task continues.

    :param context: the task's context.
    :param stop_after: how many map indexes must have failed alike.
    :param what: what is about to be sent, for messages.
    :param log: the task's log.
    :raises SpendingStoppedError: nothing is sent.
    """
    from ...provider.spending.failure import require_no_shared_failure

    ti: Any = context.get("ti")
    map_index = getattr(ti, "map_index", -1)
    if map_index < 0:
        return
    try:
        found = failures_of(ti, ti.task_id, SHARED_FAILURE_KEY)
    except Exception as error:
        log.warning("Could not read whether others of this run failed alike: %s", type(error).__name__)
        return
    require_no_shared_failure(
        found,
        stop_after=stop_after,
        map_index=map_index,
        clears=_clears_of(context),
        what=what,
    )


def failures_of(ti: Any, task_id: str, key: str = FAILURE_KEY) -> list[Failure]:
    """How the map indexes of a task of this run failed.

    :param ti: the asking task's instance.
    :param task_id: whose failures.
    :param key: their XCom key.
    """
    from ...provider.spending.failure import Failure

    stored = ti.xcom_pull(task_ids=[task_id], key=key) or ()
    return [failure for failure in map(Failure.from_json, stored) if failure]


@contextmanager
def _told(task: BaseOperator, context: Context) -> Iterator[None]:
    try:
        yield
    except (AirflowSkipException, AirflowRescheduleException):
        raise
    # A time-out is a BaseException, so that no task mistakes it for an error of its own; so is a deferral.
    except (Exception, AirflowTaskTimeout) as error:
        _tell(task, context, error)
        raise


def _clears_of(context: Context) -> int:
    """How often tasks of the run had been cleared; Airflow 3.1 does not count clears of a run that has not ended."""
    return int(getattr(context.get("dag_run"), "clear_number", None) or 0)


def _tell(task: BaseOperator, context: Context, error: BaseException) -> None:
    from ...provider.spending.failure import Failure

    ti: Any = context.get("ti")
    if ti is None:
        return
    try:
        failure = Failure.of(
            error,
            task_id=ti.task_id,
            map_index=ti.map_index,
            video=getattr(task, "video_name", None) or None,
            clears=_clears_of(context),
        )
        ti.xcom_push(key=FAILURE_KEY, value=failure.to_json())
        if failure.cause:
            ti.xcom_push(key=SHARED_FAILURE_KEY, value=failure.to_json())
    except Exception as unpushed:
        task.log.warning("The failure of this task could not be written to XCom: %s", type(unpushed).__name__)
