"""Runs one contender's waits in a separate process, and prints what they cost as JSON.

Not run by hand: ``waiting.py`` starts it with a contender, the waits, the interval, the jobs' seconds and what to
measure: ``costs`` leaves the event loop as it is. ``loop`` times each of its callbacks, which costs CPU.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import psutil
import structlog
from faults_peers import CONNECTION_ID
from waiting_contenders import CONTENDERS
from waiting_service import SPREAD, job_seconds

HEARTBEAT = 0.01
WARM_UP = 200
"""Waits before those that are measured."""


@dataclass
class Cost:
    """What the waits cost.

    :param polls: that the service saw.
    :param opened: connections that it saw opened.
    :param lost: waits that did not find their job completed.
    :param cpu: CPU seconds of the process.
    :param memory: bytes that a wait holds, shortly before the first job ends.
    :param registered: seconds until the last wait had begun.
    :param delays: seconds from the end of each job until its wait said so.
    :param callback: the most CPU seconds of one callback, without the collector's.
    :param collector: the most CPU seconds of one pause of the garbage collector.
    :param collected: CPU seconds of all its pauses.
    :param late: the most seconds by which a task woke too late that sleeps 10 ms again and again.
    """

    polls: int = 0
    opened: int = 0
    lost: int = 0
    cpu: float = 0.0
    memory: float = 0.0
    registered: float = 0.0
    delays: list[float] = field(default_factory=list)
    callback: float = 0.0
    collector: float = 0.0
    collected: float = 0.0
    late: float = 0.0


class Run:
    """One contender's waits.

    :param name: of the contender.
    :param waits: how many.
    :param interval: seconds between two polls of a wait.
    :param seconds: that a job takes.
    :param port: of the service.
    :param loop_timed: whether callbacks are timed.
    """

    def __init__(
        self, name: str, waits: int, interval: float, seconds: float, port: int, loop_timed: bool
    ) -> None:
        self.contender = CONTENDERS[name]
        self.waits, self.interval, self.seconds = waits, interval, seconds
        self.port, self.loop_timed = port, loop_timed
        self.cost = Cost()
        self.not_counted = 0.0

    def ask(self, path: str) -> Any:
        """Ask the service something beside the polls."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}") as reply:
            return json.load(reply)

    def memory(self) -> int:
        """Resident bytes of this process, without what the collector finds."""
        began = time.process_time()
        collected, collector = self.cost.collected, self.cost.collector
        gc.collect()
        resident: int = psutil.Process().memory_info().rss
        self.cost.collected, self.cost.collector = collected, collector
        self.not_counted += time.process_time() - began
        return resident

    async def all_waits(self) -> None:
        """Begin the waits as a triggerer does, one in each turn of the loop, and see them end."""
        before = 0 if self.loop_timed else self.memory()
        jobs_began = self.ask(f"/begin/{self.seconds}")["began"]
        self.cost, self.not_counted = Cost(), 0.0
        heart = asyncio.create_task(self.beat()) if self.loop_timed else None
        cpu, began = time.process_time(), time.time()
        async with self.contender.waits(self.port, self.interval) as wait:

            async def one(number: int) -> None:
                completed = await wait(number)
                self.cost.delays.append(time.time() - jobs_began - job_seconds(number, self.seconds))
                self.cost.lost += not completed

            tasks = []
            for number in range(self.waits):
                await asyncio.sleep(0)
                tasks.append(asyncio.create_task(one(number)))
            await asyncio.sleep(0)
            self.cost.registered = time.time() - began
            if not self.loop_timed:
                first_end = jobs_began + self.seconds * (1 - SPREAD / 2)
                await asyncio.sleep(max(first_end - time.time() - 0.2, 0))
                self.cost.memory = (self.memory() - before) / self.waits
            ends = await asyncio.gather(*tasks, return_exceptions=True)
            self.cost.lost += sum(isinstance(end, Exception) for end in ends)
        self.cost.cpu = time.process_time() - cpu - self.not_counted
        if heart:
            heart.cancel()
        counts = self.ask("/counts")
        # Those two questions were connections too.
        self.cost.polls, self.cost.opened = counts["polls"], counts["opened"] - 1

    async def beat(self) -> None:
        """Note how late a task wakes that sleeps beside the waits."""
        while True:
            due = time.monotonic() + HEARTBEAT
            await asyncio.sleep(HEARTBEAT)
            self.cost.late = max(self.cost.late, time.monotonic() - due)

    @contextmanager
    def collector_timed(self) -> Iterator[None]:
        """Note the pauses of the garbage collector, which hit whoever allocates."""
        began = 0.0

        def collector(phase: str, _: object) -> None:
            nonlocal began
            if phase == "start":
                began = time.thread_time()
            else:
                pause = time.thread_time() - began
                self.cost.collected += pause
                self.cost.collector = max(self.cost.collector, pause)

        gc.callbacks.append(collector)
        try:
            yield
        finally:
            gc.callbacks.remove(collector)

    @contextmanager
    def callbacks_timed(self) -> Iterator[None]:
        """Note the longest callback of the loop; all of them go through ``asyncio.Handle._run``."""
        original = asyncio.Handle._run

        def timed(handle: asyncio.Handle) -> None:
            began = time.thread_time() - self.cost.collected
            original(handle)
            self.cost.callback = max(self.cost.callback, time.thread_time() - self.cost.collected - began)

        asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]
        try:
            yield
        finally:
            asyncio.Handle._run = original  # type: ignore[method-assign]

    async def measured(self) -> Cost:
        """Warm up, then measure."""
        asked = self.waits, self.interval, self.seconds
        self.waits, self.interval, self.seconds = min(WARM_UP, self.waits), 0.5, 1.0
        await self.all_waits()
        self.waits, self.interval, self.seconds = asked
        with self.collector_timed(), self.callbacks_timed() if self.loop_timed else nullcontext():
            await self.all_waits()
        return self.cost


def main() -> None:
    """Start the service, load what a triggerer has loaded, and measure."""
    name, waits, interval, seconds, what = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    contender = CONTENDERS[name]
    service = subprocess.Popen(  # noqa: S603 - our own program
        [
            sys.executable,
            str(Path(__file__).with_name("waiting_service.py")),
            json.dumps(contender.answers()),
        ],
        stdout=subprocess.PIPE,
    )
    try:
        assert service.stdout
        port = int(service.stdout.readline())
        os.environ[f"AIRFLOW_CONN_{CONNECTION_ID.upper()}"] = json.dumps(contender.connection(port))
        import_module("airflow.jobs.triggerer_job_runner")
        # Some log each poll; the handling of a log line is not measured.
        logging.disable(logging.WARNING)
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
        run = Run(name, int(waits), float(interval), float(seconds), port, what == "loop")
        print(json.dumps(asdict(asyncio.run(run.measured()))), file=answers, flush=True)
    finally:
        service.kill()
        service.wait()


if __name__ == "__main__":
    main()
