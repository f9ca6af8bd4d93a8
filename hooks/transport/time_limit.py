"""Ends a wait for the network in time: neither a hanging socket nor a very slow one can hold the caller."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

Result = TypeVar("Result")


class OutOfTimeError(Exception):
    """The work was not done in time; its thread may still be running."""


def in_thread(work: Callable[[], Result], thread_name: str) -> Future[Result]:
    """Do work in a thread of its own, which keeps no process alive (source: ours).

    :param work: what is done.
    :param thread_name: for whoever looks at the process.
    :return: returns or raises what the work returned or raised, of any kind.
    """
    pending: Future[Result] = Future()

    def carry_out() -> None:
        try:
            pending.set_result(work())
        # The caller must get any error, or would mistake it for silence.
        except BaseException as error:
            pending.set_exception(error)

    threading.Thread(target=carry_out, name=thread_name, daemon=True).start()
    return pending


def within(seconds: float, work: Callable[[], Result], thread_name: str) -> Result:
    """Do work in a thread of its own, and wait for it at most that many seconds (source: ours).

    :param seconds: the limit.
    :param work: what is done; its errors of any kind are raised.
    :param thread_name: for whoever looks at the process.
    :raises OutOfTimeError: it timed out.
    """
    pending = in_thread(work, thread_name)
    if not wait([pending], seconds).done:
        raise OutOfTimeError
    return pending.result()
