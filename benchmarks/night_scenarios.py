"""What is measured of a night, each as Markdown."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from night_airflow import Bill, Night, NightAirflow, started
from night_kills import Killer

DAGS = {
    "group": "the mapped group `video_from_storyboard`",
    "mapped": "mapped `CreateVideoOperator`, then a mapped download",
    "one_task": "`CreateVideosOperator`",
}


@dataclass(frozen=True)
class Scenario:
    """One measurement, with what it takes when the command line says nothing else.

    :param title: of its part of the page.
    :param play: gives the Markdown, of an Airflow that is up and the command line.
    :param videos: how many.
    :param job_seconds: the median time of a job at the service.
    :param slots: jobs that the service makes at a time; None: any number.
    :param max_active: of the one task.
    """

    title: str
    play: Callable[[NightAirflow, Namespace], str]
    videos: int
    job_seconds: float = 0.0
    slots: int | None = None
    max_active: int = 50


def compare(airflow: NightAirflow, given: Namespace) -> str:
    """The same night in three ways: what each costs Airflow."""
    airflow.warm_up()
    airflow.measure_idle(given.idle)
    nights = [_played(airflow, dag_id, given) for dag_id in given.dags]
    parts = list(nights[0].cpu)
    head = ["CPU seconds", *parts, "in all", "a video", "times the last one"]
    own = nights[-1].cpu_a_video
    rows = [
        [
            DAGS[night.name],
            *(f"{spent:.1f}" for spent in night.cpu.values()),
            f"{sum(night.cpu.values()):.1f}",
            f"{night.cpu_a_video:.3f}",
            f"{night.cpu_a_video / own:.1f}",
        ]
        for night in nights
    ]
    idle = [
        [
            f"taken off: idle for {night.seconds:.0f} s",
            *(f"{spent:.1f}" for spent in night.idle.values()),
            f"{sum(night.idle.values()):.1f}",
        ]
        for night in nights
    ]
    return (
        f"{table(head, *rows, *idle)}\n\n{_ways(airflow, nights)}\n\n"
        "One of the worker starts made the storyboards. A part's CPU is that of its processes and of their children."
    )


def long_jobs(airflow: NightAirflow, given: Namespace) -> str:
    """Jobs that take their time at a service with few slots: how far from the service's own time."""
    night = _played(airflow, "one_task", given)
    bill = airflow.bill(night)
    own = bill.job_seconds / given.slots
    return table(
        ["videos", "worker starts", "the service's own time, s", "trigger to last file, s", "times", "paid"],
        [
            f"{night.delivered:,} of {night.videos:,}",
            str(night.worker_starts),
            f"{own:.0f}",
            f"{night.to_last_file:.0f}",
            f"{night.to_last_file / own:.2f}",
            _paid(bill),
        ],
    )


def large(airflow: NightAirflow, given: Namespace) -> str:
    """Many videos in one task: what it holds, and what it says."""
    night = _played(airflow, "one_task", given)
    outcomes, size = airflow.result(night)
    return table(
        [
            "videos",
            "delivered",
            "paid",
            "peak memory of the task, MB",
            "XCom, bytes",
            "seconds",
            "worker starts",
        ],
        [
            f"{night.videos:,}",
            f"{night.delivered:,}, {_states(outcome['state'] for outcome in outcomes)} by its result",
            _paid(airflow.bill(night)),
            f"{night.peak / 1e6:.0f}",
            f"{size:,}",
            f"{night.seconds:.0f}",
            str(night.worker_starts),
        ],
    )


def kills(airflow: NightAirflow, given: Namespace) -> str:
    """Parts of Airflow are killed while one task makes the videos."""
    killer = Killer(airflow, given.kills, given.seed)
    night = _played(airflow, "one_task", given, meanwhile=killer.look)
    outcomes, _ = airflow.result(night)
    bill = airflow.bill(night)
    doubtful = [outcome["name"] for outcome in outcomes if outcome["state"] == "in-doubt"]
    found = table(
        ["videos", "kills", "paid", "delivered", "in doubt", "tries", "seconds"],
        [
            f"{night.videos:,}",
            ", ".join(f"{count} {name}" for name, count in killer.killed.items()),
            _paid(bill),
            f"{night.delivered:,}",
            str(len(doubtful)),
            str(airflow.tries(night)),
            f"{night.seconds:.0f}",
        ],
    )
    others = _states(outcome["state"] for outcome in outcomes)
    return (
        f"{found}\n\nThe run ended as {night.state}: {others}. In doubt: {', '.join(doubtful) or 'none'}. "
        f"Paid more than once: {', '.join(bill.more) or 'none'}."
    )


SCENARIOS = {
    "compare": Scenario("The same night in three ways", compare, 300),
    "long-jobs": Scenario(
        "Long jobs at a service with few slots", long_jobs, 1000, job_seconds=30.0, slots=100, max_active=250
    ),
    "large": Scenario("A long list in one task", large, 2000),
    "kills": Scenario("Killed at random", kills, 300, job_seconds=10.0),
}


def measured(name: str, given: Namespace) -> str:
    """Play a scenario in an Airflow of its own.

    :param name: of the scenario.
    :param given: the command line; what it leaves open comes from the scenario.
    :return: Markdown.
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
        return f"{_said(chosen)}\n\n{scenario.play(airflow, chosen)}"


def table(head: Sequence[str], *rows: Sequence[str]) -> str:
    """A Markdown table; rows that are too short are filled up.

    :param head: its first row.
    :param rows: the others.
    """
    full = [[*row, *[""] * (len(head) - len(row))] for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *full))


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


def _said(given: Namespace) -> str:
    slots = f"{given.slots} jobs at a time" if given.slots else "any number of jobs at a time"
    jobs = (
        f"jobs of {given.job_seconds:g} s (sigma {given.job_spread:g})"
        if given.job_seconds
        else "instant jobs"
    )
    return (
        f"{given.videos:,} videos, {jobs}, a service that makes {slots} and allows "
        f"{given.requests_per_minute:,.0f} requests a minute; `max_active={given.max_active}`."
    )


def _ways(airflow: NightAirflow, nights: Sequence[Night]) -> str:
    head = ["", "wall seconds", "to the last file", "worker starts", "a video", "writes to the store", "paid"]
    rows = [
        [
            DAGS[night.name],
            f"{night.seconds:.0f}",
            f"{night.to_last_file:.0f}",
            f"{night.worker_starts:,}",
            f"{night.worker_starts / night.videos:.2f}",
            f"{night.store_writes:,}",
            f"{_paid(airflow.bill(night))}, {night.delivered:,} delivered",
        ]
        for night in nights
    ]
    return table(head, *rows)


def _paid(bill: Bill) -> str:
    return f"{bill.once:,} once, {len(bill.more)} more often, {len(bill.less)} not all"


def _states(states: Iterable[str]) -> str:
    counts: Mapping[str, int] = Counter(states)
    return ", ".join(f"{count:,} {state}" for state, count in counts.items()) or "no result"
