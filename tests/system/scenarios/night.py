"""Plays the scenarios of the table on one cluster: those that disturb no other run side by side, the rest in turn."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from itertools import groupby
from pathlib import Path

from cluster.airflow_cluster import AirflowCluster

from .run import Run
from .scenario import Outcome, Scenario
from .services import Services

TOGETHER = 8
"""Runs that are under way at the same time (the machine may have two cores)."""


def play(
    scenarios: Sequence[Scenario], cluster: AirflowCluster, services: Services, folder: Path
) -> dict[str, Outcome]:
    """Play scenarios, and return the outcome of each by its name.

    :param scenarios: rows of the table.
    :param cluster: where.
    :param services: what the tasks talk to.
    :param folder: shared with the tasks.
    """
    outcomes: dict[str, Outcome] = {}
    begun = time.monotonic()

    def told(run: Run, trouble: str) -> None:
        outcomes[run.scenario.name] = outcome = run.outcome(trouble)
        sys.stdout.write(
            f"{time.monotonic() - begun:6.0f} s  {cluster.executor} {run.scenario.name}: "
            f"{outcome.submissions} submitted, {outcome.state} {trouble.strip().splitlines()[-1:]}\n"
        )
        sys.stdout.flush()

    runs = [Run(scenario, cluster, services, folder) for scenario in scenarios]
    with ThreadPoolExecutor(TOGETHER) as threads:
        alone = [threads.submit(_alone, run) for run in runs if not run.scenario.disturbance]
        for future in as_completed(alone):
            told(*future.result())
    disturbed = [run for run in runs if run.scenario.disturbance]
    for _, group in groupby(disturbed, key=lambda run: run.scenario.disturbance):
        for run, trouble in _together(list(group)):
            told(run, trouble)
    return outcomes


def _alone(run: Run) -> tuple[Run, str]:
    def whole() -> None:
        run.start()
        run.scenario.act(run)
        run.until_ended()

    return run, _trouble(whole)


def _together(runs: list[Run]) -> list[tuple[Run, str]]:
    """Start runs, disturb all of them at once when they are ready, and wait for their end."""
    disturbance = runs[0].scenario.disturbance
    assert disturbance
    troubles = {run: _trouble(partial(_made_ready, run)) for run in runs}
    ready = [run for run in runs if not troubles[run]]
    common = _trouble(partial(disturbance.happen, ready)) if ready else ""
    for run in ready:
        troubles[run] = common or _trouble(partial(_seen_to_its_end, run))
    return list(troubles.items())


def _made_ready(run: Run) -> None:
    run.start()
    run.scenario.act(run)


def _seen_to_its_end(run: Run) -> None:
    run.scenario.after(run)
    run.until_ended()


def _trouble(do: Callable[[], object]) -> str:
    try:
        do()
    except Exception:
        return traceback.format_exc()
    return ""
