"""What the learned schedule, the queue and the request budget save, in simulated time. Takes about a minute.

Nothing is sent, and nothing sleeps. ``schedule_jobs.py`` runs one job after another, ``schedule_service.py`` many jobs
at a service with a queue and a limit, ``schedule_points.py`` makes the points of the plots. polling.md explains the
model. The constants of the model were chosen on seeds below 100; the tables use others.
"""

# ruff: noqa: S311 - simulated chance, nothing secret
from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import schedule_jobs as one
import schedule_service as many
from figures_kept import Measuring, Result, end
from figures_pages import table
from schedule_points import points

from airflow_video_creation.provider.waiting.job_durations import (
    POLLS_A_JOB,
    JobDurations,
)
from airflow_video_creation.provider.waiting.poll_queue import PollQueue

SIGMAS = (0.3, 0.5)
TAUGHT, MEASURED = 200, 3000
SEEDS = range(1000, 1006)
NIGHTS = (
    *((jobs, seconds, 20, POLLS_A_JOB) for jobs in (200, 2000) for seconds in (20, 60, 300)),
    (200, 300, 20, 16.0),
    (2000, 1800, 2000, POLLS_A_JOB),
)
"""Jobs, seconds that each takes, how many run at a time, ``polls_a_job``."""
REPORTS: dict[str, Callable[[random.Random], one.Progress]] = {
    "each report off by up to 10 %": one.noisy,
    "a job's reports all off by up to 10 %": one.skewed,
    "each report off by up to 10 points": one.off_by_points,
    "stuck at 99 % from the first report": one.stuck_at_once,
    "stuck at 99 % midway": one.stuck_midway,
    "every seventh job stuck midway": one.stuck_sometimes,
}


Table = dict[str, list[Any]]
"""Its ``head``, and its ``rows``."""


def after_learning(
    sigma: float, progress: Callable[[random.Random], one.Progress] | None, seed: int
) -> tuple[one.Cost, list[float]]:
    """What jobs cost after ``TAUGHT`` others have ended, and how long these jobs took."""
    chance, known = random.Random(seed), JobDurations()
    one.learned(one.durations(TAUGHT, sigma, chance), known, progress, chance)
    jobs = one.durations(MEASURED, sigma, chance)
    return one.learned(jobs, known, progress, chance), jobs


def mean(values: Sequence[float]) -> float:
    """Of some numbers."""
    return sum(values) / len(values)


def learned_table() -> Table:
    """Polls x delay after learning, beside the oracle and a fixed interval with as many polls, over the same jobs."""
    head = [
        "sigma",
        "polls a job",
        "delay, s",
        "against fixed",
        "oracle against fixed",
        "against the oracle",
        "worst",
    ]
    rows: list[Any] = []
    for sigma in SIGMAS:
        taught = [after_learning(sigma, None, seed) for seed in SEEDS]
        ages = one.oracle(sigma, mean([cost.polls_a_job for cost, _ in taught]))
        cells = []
        for cost, jobs in taught:
            best = one.at_ages(jobs, ages).product
            even = one.fixed(jobs, cost.polls_a_job).product
            of_oracle = cost.product / best
            cells.append((cost.polls_a_job, cost.delay, cost.product / even, best / even, of_oracle))
        rows.append(
            [sigma, *(mean(column) for column in zip(*cells, strict=True)), max(cell[-1] for cell in cells)]
        )
    return {"head": head, "rows": rows}


def cold_table() -> Table:
    """Polls x delay of the first jobs ever, beside a fixed interval with as many polls, over the same jobs."""
    parts = {"jobs 1-5, cold": 5, "6-10": 5, "11-20": 10, "21-50": 30, "51-200": 150}
    head = [
        "sigma",
        *(f"{name}: polls a job, against fixed" for name in parts),
    ]
    rows: list[Any] = []
    for sigma in SIGMAS:
        costs: dict[str, list[one.Cost]] = {name: [] for name in parts}
        seen: dict[str, list[float]] = {name: [] for name in parts}
        for seed in range(1000, 1100):
            chance, known = random.Random(seed), JobDurations()
            for name, count in parts.items():
                jobs = one.durations(count, sigma, chance)
                seen[name] += jobs
                costs[name].append(one.learned(jobs, known))
        cells = []
        for name in parts:
            cost = one.Cost(
                [polls for part in costs[name] for polls in part.polls],
                [delay for part in costs[name] for delay in part.delays],
            )
            even = one.fixed(seen[name], cost.polls_a_job)
            cells.append(f"{cost.polls_a_job:.1f}, {cost.product / even.product:.2f}")
        rows.append([sigma, *cells])
    return {"head": head, "rows": rows}


def progress_table() -> Table:
    """Polls x delay where jobs report whole percents."""
    head = [
        "sigma",
        "reports",
        "polls a job",
        "delay, s",
        "against fixed",
        "against ours without progress",
    ]
    rows: list[Any] = []
    for sigma in SIGMAS:
        plain = mean([after_learning(sigma, None, seed)[0].product for seed in SEEDS])
        for name, progress in REPORTS.items():
            cells = []
            for seed in SEEDS:
                cost, jobs = after_learning(sigma, progress, seed)
                of_fixed = cost.product / one.fixed(jobs, cost.polls_a_job).product
                cells.append((cost.polls_a_job, cost.delay, of_fixed, cost.product / plain))
            rows.append([sigma, name, *(mean(column) for column in zip(*cells, strict=True))])
    return {"head": head, "rows": rows}


def service_table() -> Table:
    """Many jobs at once under a limit, beside round-robin with the same budget."""
    head = [
        "jobs",
        "seconds each",
        "run at a time",
        "polls_a_job",
        "found",
        "429, worst",
        "requests: ours, round-robin",
        "mean delay, s: ours, round-robin",
        "against round-robin",
        "worst",
    ]
    rows: list[Any] = []
    for jobs, seconds, slots, polls in NIGHTS:
        cells: list[list[float]] = []
        for seed, (name, limit) in zip(SEEDS, [*many.limits(), *many.limits()], strict=True):
            ends = many.ends_in_order(jobs, seconds, random.Random(seed), slots)
            night = many.ours(ends, limit, random.Random(seed), polls)
            other = many.round_robin(ends, dict(many.limits())[name], random.Random(seed))
            found = len(night.noticed) / jobs
            refused = 100 * night.refused / len(night.asked)
            cells.append([found, refused, len(night.asked), len(other.asked), night.delay, other.delay])
        found, _, asked, other_asked, delay, other_delay = map(mean, zip(*cells, strict=True))
        rows.append(
            [
                jobs,
                seconds,
                slots,
                f"{polls:.0f}",
                f"{100 * found:.0f} %",
                f"{max(cell[1] for cell in cells):.2f} %",
                f"{asked:.0f}, {other_asked:.0f}",
                f"{delay:.0f}, {other_delay:.0f}",
                delay / other_delay,
                max(cell[4] / cell[5] for cell in cells),
            ]
        )
    return {"head": head, "rows": rows}


def share_table() -> Table:
    """Several processes at one limit."""
    head = [
        "limit",
        "processes",
        "allowed a minute",
        "429",
        "fairness (1: equal)",
    ]
    rows: list[Any] = []
    for processes in (1, 3):
        for name, limit in many.limits():
            shared = many.share(limit, processes, 180, random.Random(SEEDS[0]))
            through = sum(shared.let_through)
            refused = f"{100 * shared.refused / (through + shared.refused):.2f} %"
            rows.append([name, processes, through / 180, refused, shared.fairness])
    return {"head": head, "rows": rows}


def cpu_table() -> Table:
    """CPU of every decision: budget, queue, schedule and learning together."""
    head = [
        "waits",
        "to register a wait",
        "a poll",
        "slowest, ms",
    ]
    rows: list[Any] = []
    for waits in (1000, 5000, 20000):
        chance, known, queue = random.Random(1), JobDurations(), PollQueue[int]()
        began = time.process_time()
        watches = [known.watch(0.0, kind="render") for _ in range(waits)]
        for wait, watch in enumerate(watches):
            queue.put(wait, watch)
        registered = time.process_time() - began
        ends = [waits * math.exp(chance.gauss(0, 0.5)) for _ in range(waits)]
        polls, slowest, now, began = 0, 0.0, 0.0, time.process_time()
        while len(queue) and polls < 5 * waits:
            start = time.process_time()
            if (job := queue.take(now)) is None:
                now = queue.next_at(now)
            elif now >= ends[job]:
                watches[job].ended(now)
            else:
                watches[job].running(now, float(100 * now // ends[job]))
                queue.put(job, watches[job])
            polls += job is not None
            slowest = max(slowest, time.process_time() - start)
            now += 1.0
        took = time.process_time() - began
        rows.append([waits, registered / waits * 1e6, took / polls * 1e6, slowest * 1e3])
    return {"head": head, "rows": rows}


TABLES: Mapping[str, Callable[[], Table]] = {
    "learned": learned_table,
    "cold": cold_table,
    "progress": progress_table,
    "service": service_table,
    "share": share_table,
    "cpu": cpu_table,
}


def parts(result: Result) -> Mapping[str, str]:
    """The tables."""
    return {
        f"schedule-{name}": table(
            found["head"],
            *(
                [f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row]
                for row in found["rows"]
            ),
        )
        for name, found in result.found["tables"].items()
    }


def main() -> None:
    """Simulate all, including the points of the plots."""
    global MEASURED
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=MEASURED, help="that are measured after learning")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    chosen = parser.parse_args()
    MEASURED = chosen.jobs
    measuring = Measuring()
    found = {"tables": {name: made() for name, made in TABLES.items()}, "plots": points()}
    end(measuring.ended(found), parts, chosen.keep)


if __name__ == "__main__":
    main()
