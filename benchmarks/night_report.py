"""The results of a night, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from figures_kept import Result
from figures_pages import table

DAGS = {
    "group": "the mapped group `video_from_storyboard`",
    "mapped": "mapped `CreateVideoOperator`, then a mapped download",
    "one_task": "`CreateVideosOperator`",
}


def compare(result: Result) -> Mapping[str, str]:
    """The same night in three ways."""
    nights = result.found["found"]
    own = _cpu(nights[-1]) / nights[-1]["videos"]
    bills = [
        [
            DAGS[night["name"]],
            *(f"{spent:.1f}" for spent in night["cpu"].values()),
            f"{_cpu(night):.1f}",
            f"{_cpu(night) / night['videos']:.3f}",
            f"{_cpu(night) / night['videos'] / own:.1f}",
        ]
        for night in nights
    ]
    idle = [
        [
            f"subtracted: {night['seconds']:.0f} s of idle Airflow",
            *(f"{spent:.1f}" for spent in night["idle"].values()),
            f"{sum(night['idle'].values()):.1f}",
        ]
        for night in nights
    ]
    ways = [
        [
            DAGS[night["name"]],
            f"{night['seconds']:.0f}",
            f"{night['to_last_file']:.0f}",
            f"{night['worker_starts']:,}",
            f"{night['worker_starts'] / night['videos']:.2f}",
            f"{night['store_writes']:,}",
            f"{_paid(night)}, {night['delivered']:,} delivered",
        ]
        for night in nights
    ]
    heads = ["CPU seconds", *nights[0]["cpu"], "total", "a video", "x `CreateVideosOperator`"]
    of_ways = [
        "",
        "wall seconds",
        "to the last file",
        "worker starts",
        "a video",
        "writes to the store",
        "paid",
    ]
    return {
        "night-compare": f"{_asked(result)}\n\n{table(heads, *bills, *idle)}\n\n{table(of_ways, *ways)}\n\n"
        "One of the worker starts made the storyboards. CPU seconds include those of child processes."
    }


def long_jobs(result: Result) -> Mapping[str, str]:
    """Jobs that take their time at a service with few slots."""
    night = result.found["found"]
    head = [
        "videos",
        "worker starts",
        "the service's own time, s",
        "trigger to last file, s",
        "ratio",
        "paid",
    ]
    row = [
        f"{night['delivered']:,} of {night['videos']:,}",
        str(night["worker_starts"]),
        f"{night['own']:.0f}",
        f"{night['to_last_file']:.0f}",
        f"{night['to_last_file'] / night['own']:.2f}",
        _paid(night),
    ]
    return {"night-long-jobs": f"{_asked(result)}\n\n{table(head, row)}"}


def large(result: Result) -> Mapping[str, str]:
    """Many videos in one task."""
    night = result.found["found"]
    head = [
        "videos",
        "delivered",
        "paid",
        "peak memory of the task, MB",
        "XCom, bytes",
        "seconds",
        "worker starts",
    ]
    row = [
        f"{night['videos']:,}",
        f"{night['delivered']:,} files; the result says {_states(night)}",
        _paid(night),
        f"{night['peak'] / 1e6:.0f}",
        f"{night['result_bytes']:,}",
        f"{night['seconds']:.0f}",
        str(night["worker_starts"]),
    ]
    return {"night-large": f"{_asked(result)}\n\n{table(head, row)}"}


def kills(result: Result) -> Mapping[str, str]:
    """Parts of Airflow are killed while one task makes the videos."""
    night = result.found["found"]
    head = ["videos", "kills", "paid", "delivered", "in doubt", "tries", "seconds"]
    row = [
        f"{night['videos']:,}",
        ", ".join(f"{count} {name}" for name, count in night["killed"].items()),
        _paid(night),
        f"{night['delivered']:,}",
        str(len(night["doubtful"])),
        str(night["tries"]),
        f"{night['seconds']:.0f}",
    ]
    return {
        "night-kills": f"{_asked(result)}\n\n{table(head, row)}\n\n"
        f"The run ended in state {night['state']}: {_states(night)}. "
        f"In doubt: {', '.join(night['doubtful']) or 'none'}. "
        f"Paid more than once: {', '.join(night['paid_more']) or 'none'}."
    }


def _asked(result: Result) -> str:
    asked = result.found["asked"]
    slots = f"{asked['slots']} jobs at once" if asked["slots"] else "any number of jobs at once"
    jobs = (
        f"jobs of {asked['job_seconds']:g} s (sigma {asked['job_spread']:g})"
        if asked["job_seconds"]
        else "instant jobs"
    )
    return (
        f"{asked['videos']:,} videos, {jobs}, a service that runs {slots} and allows "
        f"{asked['requests_per_minute']:,.0f} requests a minute; `max_active={asked['max_active']}`."
    )


def _cpu(night: Mapping[str, Any]) -> float:
    return sum(night["cpu"].values())


def _paid(night: Mapping[str, Any]) -> str:
    once, more, less = night["paid"]
    return f"{once:,} once, {more} more than once, {less} not in full"


def _states(night: Mapping[str, Any]) -> str:
    return ", ".join(f"{count:,} {state}" for state, count in night["states"].items()) or "no result"
