"""Keeps a token that was fetched at run time out of Airflow's logs, in any thread, without blocking the event loop."""

from __future__ import annotations

import sys
import threading


def mask_in_task(token: str) -> None:
    """Let a task's log show a token as ``***``.

    :param token: fetched at run time, by any thread of the task.
    """
    from airflow.sdk.log import mask_secret

    if may_tell(_supervisor_comms()):
        mask_secret(token)


def may_tell(comms: object | None) -> bool:
    """Whether this thread may talk to the supervisor, which masks the log.

    Airflow 3.1 has no lock there (run: of four threads most got each other's answers, and three hung). A token that a
    thread must not send is left unmasked; none of our messages holds a token.

    :param comms: Airflow's way to the supervisor; None where there is none.
    """
    is_main = threading.current_thread() is threading.main_thread()
    return comms is None or is_main or hasattr(comms, "_thread_lock")


async def mask_token(token: str) -> None:
    """Let Airflow's logs show a token as ``***``.

    :param token: fetched at run time, in the triggerer's event loop or in one that a task has in a thread.
    """
    if not may_tell(_supervisor_comms()):
        return
    try:
        from airflow.sdk.log import amask_secret
    except ImportError:
        from airflow.sdk.log import mask_secret
        from asgiref.sync import sync_to_async

        # Below 3.3 a call of any other thread to the supervisor ends the triggerer ("Response read out of order",
        # apache/airflow#64620); that of asgiref's thread is made on the triggerer's own loop.
        await sync_to_async(mask_secret)(token)
    else:
        await amask_secret(token)


def _supervisor_comms() -> object | None:
    """Airflow's way to the supervisor; None where there is none."""
    runner = sys.modules.get("airflow.sdk.execution_time.task_runner")
    return getattr(runner, "SUPERVISOR_COMMS", None)
