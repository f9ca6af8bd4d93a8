"""Runs one peer's trigger under one fault after another, in a separate process, and times its event loop.

Not run by hand: ``faults.py`` starts it, writes the name of a fault to its standard input, and reads one line of
JSON for each.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any

from faults_peers import CONNECTION_ID, PEERS, Peer
from faults_table import FAULTS, Fault

HEARTBEAT = 0.01


@dataclass
class Run:
    """How one wait went.

    :param end: ``ok``, ``time-out``, ``task fails``, ``trigger raises`` or ``never ends``.
    :param seconds: until then.
    :param cpu: the most CPU seconds that one callback of the event loop took.
    :param wall: the most seconds that one callback took.
    :param late: the most seconds by which a task woke too late that sleeps 10 ms again and again.
    :param said: the event, or the exception.
    """

    end: str = "never ends"
    seconds: float = 0.0
    cpu: float = 0.0
    wall: float = 0.0
    late: float = 0.0
    said: str = ""


@contextmanager
def timed_callbacks(run: Run) -> Iterator[None]:
    """Note the longest callback of every event loop; all of them go through ``asyncio.Handle._run``."""
    original = asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        cpu, wall = time.thread_time(), time.perf_counter()
        original(handle)
        run.cpu = max(run.cpu, time.thread_time() - cpu)
        run.wall = max(run.wall, time.perf_counter() - wall)

    asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        asyncio.Handle._run = original  # type: ignore[method-assign]


async def _beat(run: Run) -> None:
    while True:
        due = time.monotonic() + HEARTBEAT
        try:
            await asyncio.sleep(HEARTBEAT)
        finally:
            # The wait's own last callback may be the long one: being cancelled after it counts too.
            run.late = max(run.late, time.monotonic() - due)


async def _event(peer: Peer, fault: Fault) -> Any:
    # Made inside the loop, as a triggerer makes it: what its import and its constructor cost is seen.
    trigger = peer.trigger(CONNECTION_ID if fault.connection else "nowhere", fault.deadline)
    events = trigger.run()
    try:
        return (await anext(events)).payload
    finally:
        await events.aclose()


async def _wait(peer: Peer, fault: Fault, run: Run) -> None:
    heart = asyncio.create_task(_beat(run))
    begin = time.monotonic()
    waiting = asyncio.create_task(_event(peer, fault))
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, waiting.cancel)
    await asyncio.wait([waiting], timeout=fault.watched)
    run.seconds = time.monotonic() - begin
    if not waiting.done():
        waiting.cancel()
        await asyncio.wait([waiting])
    elif not waiting.cancelled() and (error := waiting.exception()):
        run.end, run.said = "trigger raises", f"{type(error).__name__}: {error}"
    elif not waiting.cancelled():
        run.end, run.said = peer.end(waiting.result()), str(waiting.result())
    heart.cancel()
    with suppress(asyncio.CancelledError):
        await heart


def measured(peer: Peer, fault: Fault) -> Run:
    """One wait in a new event loop, with all existing objects kept from the garbage collector."""
    run = Run()
    gc.collect()
    gc.freeze()
    with timed_callbacks(run):
        asyncio.run(_wait(peer, fault, run))
    return run


def main() -> None:
    """Load what a triggerer has loaded, then answer on standard output; other output goes to standard error."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    import_module("airflow.jobs.triggerer_job_runner")
    peer, faults = PEERS[sys.argv[1]], {fault.name: fault for fault in FAULTS}
    for line in sys.stdin:
        print(json.dumps(asdict(measured(peer, faults[line.strip()]))), file=answers)


if __name__ == "__main__":
    main()
