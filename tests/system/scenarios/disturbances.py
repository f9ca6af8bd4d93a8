"""What is done to a whole cluster while several runs wait."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from .run import Run


def kill_the_triggerer(runs: Sequence[Run]) -> None:
    """Kill the only triggerer, then restart it."""
    cluster = runs[0].cluster
    for job_id in list(cluster.triggerers):
        cluster.kill_triggerer(job_id)
    cluster.add_triggerer()


def kill_one_of_two_triggerers(runs: Sequence[Run]) -> None:
    """Start a second triggerer, and kill the one that waits for the first run; it is not restarted."""
    cluster = runs[0].cluster
    (holder,) = runs[0].triggerers()
    cluster.add_triggerer()
    cluster.kill_triggerer(holder)
    for run in runs:
        run.until("another triggerer", partial(_has_another, run, holder))


def kill_the_scheduler(runs: Sequence[Run]) -> None:
    """Kill the scheduler alone, then restart it; LocalExecutor's workers keep running."""
    scheduler = runs[0].cluster.scheduler
    scheduler.kill_alone()
    scheduler.start()


def kill_the_workers_host(runs: Sequence[Run]) -> None:
    """Kill the workers with their tasks and whatever runs them, then restart all."""
    workers = runs[0].cluster.workers
    workers.kill()
    workers.start()


def take_the_api_server_away(runs: Sequence[Run]) -> None:
    """Kill the API server, let the tasks run until they miss it, then restart it."""
    cluster = runs[0].cluster
    cluster.api_server.kill()
    for run in runs:
        run.let_go()
        run.until_logged(run.scenario.says)
    cluster.start_api_server()


def take_the_api_server_away_until_recorded(runs: Sequence[Run]) -> None:
    """Kill the API server, let the tasks record their jobs in the folder without it, then restart it."""
    cluster = runs[0].cluster
    cluster.api_server.kill()
    for run in runs:
        run.let_go()
        run.until_recorded()
    cluster.start_api_server()


def kill_the_triggerer_twice(runs: Sequence[Run]) -> None:
    """Kill the triggerer while the night is being submitted, and again when all of it waits."""
    (night,) = runs
    cluster = night.cluster
    night.until("a quarter deferred", lambda: _share(night, "deferred") > 0.25)
    kill_the_triggerer(runs)
    night.until("all deferred", lambda: _share(night, "deferred") == 1)
    for job_id in list(cluster.triggerers):
        cluster.kill_triggerer(job_id)
    night.services.complete(night.scenario, at_most=len(night.states()) // 2)
    cluster.add_triggerer()


def _has_another(run: Run, triggerer: int) -> bool:
    return bool(run.triggerers() - {triggerer})


def _share(run: Run, state: str) -> float:
    states = run.states()
    return states.count(state) / len(states) if states else 0.0
