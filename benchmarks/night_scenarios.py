"""What is measured of a night."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from night_airflow import Night, NightAirflow, started
from night_kills import Killer

ASKED = ("videos", "job_seconds", "job_spread", "slots", "max_active", "requests_per_minute")


@dataclass(frozen=True)
class Scenario:
    """One measurement, with its defaults for the command line.

    :param play: measures, with an Airflow that is up and the command line.
    :param videos: how many.
    :param job_seconds: the median time of a job at the service.
    :param slots: jobs that the service runs at once; None: any number.
    :param max_active: of the one task.
    """

    play: Callable[[NightAirflow, Namespace], Any]
    videos: int
    job_seconds: float = 0.0
    slots: int | None = None
    max_active: int = 50


def compare(airflow: NightAirflow, given: Namespace) -> Any:
    """The same night in three ways: what each costs Airflow."""
    airflow.warm_up()
    airflow.measure_idle(given.idle)
    nights = [_played(airflow, dag_id, given) for dag_id in given.dags]
    return [_told(airflow, night) for night in nights]


def long_jobs(airflow: NightAirflow, given: Namespace) -> Any:
    """Jobs that take their time at a service with few slots: how far from the service's own time."""
    night = _played(airflow, "one_task", given)
    return {**_told(airflow, night), "own": airflow.bill(night).job_seconds / given.slots}


def large(airflow: NightAirflow, given: Namespace) -> Any:
    """Many videos in one task: its memory and its result."""
    night = _played(airflow, "one_task", given)
    outcomes, size = airflow.result(night)
    return {**_told(airflow, night), "states": _states(outcomes), "result_bytes": size}


def kills(airflow: NightAirflow, given: Namespace) -> Any:
    """Parts of Airflow are killed while one task makes the videos."""
    killer = Killer(airflow, given.kills, given.seed)
    night = _played(airflow, "one_task", given, meanwhile=killer.look)
    outcomes, _ = airflow.result(night)
    return {
        **_told(airflow, night),
        "killed": killer.killed,
        "states": _states(outcomes),
        "doubtful": [outcome["name"] for outcome in outcomes if outcome["state"] == "in-doubt"],
        "tries": airflow.tries(night),
    }


SCENARIOS = {
    "compare": Scenario(compare, 300),
    "long-jobs": Scenario(long_jobs, 1000, job_seconds=30.0, slots=100, max_active=250),
    "large": Scenario(large, 2000),
    "kills": Scenario(kills, 300, job_seconds=10.0),
}


def measured(name: str, given: Namespace) -> dict[str, Any]:
    """Play a scenario in a new Airflow.

    :param name: of the scenario.
    :param given: the command line; what it leaves open comes from the scenario.
    :return: what was asked for, and the results.
    """
    scenario = SCENARIOS[name]
    chosen = Namespace(**vars(given))
    for option in ("videos", "job_seconds", "slots", "max_active"):
        if getattr(chosen, option) is None:
            setattr(chosen, option, getattr(scenario, option))
    service = {
        "job_seconds": chosen.job_seconds,
        "job_spread": given.job_spread if chosen.job_seconds else 0.0,
        "job_slots": chosen.slots,
        # Without a limit to both kinds of jobs there is none to renders alone.
        "render_slots": max(chosen.videos, 1),
        "seed": given.seed,
    }
    logs = given.logs / name if given.logs else None
    with started(
        max_active=chosen.max_active,
        requests_per_minute=given.requests_per_minute,
        logs=logs,
        **service,
    ) as airflow:
        asked = {option: getattr(chosen, option) for option in ASKED}
        return {"asked": asked, "found": scenario.play(airflow, chosen)}


def _played(
    airflow: NightAirflow,
    dag_id: str,
    given: Namespace,
    meanwhile: Callable[[Night], object] = lambda _: None,
) -> Night:
    print(f"{dag_id}: {given.videos} videos", file=sys.stderr)
    night = airflow.play(dag_id, given.videos, meanwhile)
    print(night, file=sys.stderr)
    return night


def _told(airflow: NightAirflow, night: Night) -> dict[str, Any]:
    bill = airflow.bill(night)
    return {
        **asdict(night),
        "paid": [bill.once, len(bill.more), len(bill.less)],
        "paid_more": list(bill.more),
    }


def _states(outcomes: Iterable[Mapping[str, Any]]) -> Mapping[str, int]:
    return Counter(outcome["state"] for outcome in outcomes)
