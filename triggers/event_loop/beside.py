"""Blocking work, done outside the triggerer's event loop, and ended when nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from ...hooks.transport.time_limit import in_thread

ENDING = 5.0
"""Seconds that work has to end when its trigger is stopped; Airflow stops a triggerer after ten (ours)."""

Result = TypeVar("Result")


async def beside_the_loop(work: Callable[[], Result], *, end: Callable[[], None], name: str) -> Result:
    """Do work in a thread of its own, which keeps no process alive.

    :param work: what is done; raises what it raises.
    :param end: makes the work end at once, from another thread; called when the waiting is cancelled.
    :param name: of the thread, for whoever looks at the process.
    """
    done = asyncio.wrap_future(in_thread(work, name))
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        end()
        await asyncio.wait([done], timeout=ENDING)
        if done.done() and not done.cancelled():
            # Otherwise asyncio would warn that it was never retrieved.
            done.exception()
        raise
