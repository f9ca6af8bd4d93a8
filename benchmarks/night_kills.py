"""Kills parts of an Airflow at random while it makes a night's videos."""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import psutil
from night_airflow import Night, NightAirflow

AT_MOST_LATER = 3.0
"""Seconds by which a kill comes later than it could, at random."""


class Killer:
    """Kills all parts equally often, in a random order, spread over a night's submissions, and restarts each.

    :param airflow: whose parts.
    :param kills: how many.
    :param seed: of the chance.
    """

    def __init__(self, airflow: NightAirflow, kills: int, seed: int) -> None:
        self.killed: Counter[str] = Counter()
        self._airflow = airflow
        self._kills = kills
        self._chance = random.Random(seed)  # noqa: S311 - not a secret
        self._ways: dict[str, Callable[[], bool]] = {
            "worker": self._kill_worker,
            "triggerer": self._kill_triggerer,
            "scheduler": self._kill_scheduler,
            "API server": self._kill_api_server,
        }
        names = list(self._ways)
        self._order = [names[kill % len(names)] for kill in range(kills)]
        self._chance.shuffle(self._order)

    def look(self, night: Night) -> None:
        """Kill something if it is time to.

        :param night: whose submissions tell the time.
        """
        done = sum(self.killed.values())
        # A video is two submissions. The first kill comes after the first of them, the last before the last.
        due = (done + 0.5) * 2 * night.videos / self._kills
        if done == self._kills or self._airflow.submissions() < due:
            return
        time.sleep(self._chance.uniform(0, AT_MOST_LATER))
        name = self._order[done]
        if self._airflow.has_ended(night) or not self._ways[name]():
            return
        self.killed[name] += 1
        print(f"kill {done + 1}: {name}, after {self._airflow.submissions()} submissions", file=sys.stderr)

    def _kill_worker(self) -> bool:
        """Kill a task, every other time with the process that supervises it; False if there was none."""
        workers = self._airflow.workers()
        if not workers:
            return False
        with suppress(psutil.NoSuchProcess):
            worker = self._chance.choice(workers)
            supervisor = worker.parent()
            if supervisor and self._chance.random() < 0.5:
                supervisor.kill()
            worker.kill()
        return True

    def _kill_triggerer(self) -> bool:
        for job_id in list(self._airflow.cluster.triggerers):
            self._airflow.cluster.kill_triggerer(job_id)
        self._airflow.cluster.add_triggerer()
        return True

    def _kill_scheduler(self) -> bool:
        """Kill the scheduler alone: LocalExecutor's workers live on."""
        self._airflow.cluster.scheduler.kill_alone()
        self._airflow.cluster.scheduler.start()
        return True

    def _kill_api_server(self) -> bool:
        self._airflow.cluster.api_server.kill()
        self._airflow.cluster.start_api_server()
        return True
