"""Ends a wait for the network in time: neither a socket that hangs nor one that drips can hold the caller."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

Result = TypeVar("Result")


class OutOfTimeError(Exception):
    """The work was not done in time; its thread may still go on."""


def in_thread(work: Callable[[], Result], thread_name: str) -> Future[Result]:
    """Do work in a thread of its own, which keeps no process alive (source: ours).

    :param work: what is done.
    :param thread_name: for whoever looks at the process.
    :return: gives what the work returned or raised, be it of any kind.
    """
    pending: Future[Result] = Future()

    def carry_out() -> None:
        try:
            pending.set_result(work())
        # Whatever it is, the caller must get it, or would take it for silence.
        except BaseException as error:
            pending.set_exception(error)

    threading.Thread(target=carry_out, name=thread_name, daemon=True).start()
    return pending


def within(seconds: float, work: Callable[[], Result], thread_name: str) -> Result:
    """Do work in a thread of its own, and wait for it no longer than so many seconds (source: ours).

    :param seconds: the limit.
    :param work: what is done; raises what it raises, be it of any kind.
    :param thread_name: for whoever looks at the process.
    :raises OutOfTimeError: the time is over.
    """
    pending = in_thread(work, thread_name)
    if not wait([pending], seconds).done:
        raise OutOfTimeError
    return pending.result()
