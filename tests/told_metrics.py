"""Stands where Airflow sends its metrics."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any
from unittest.mock import MagicMock

import pytest
from airflow.providers.common.compat.sdk import Stats

from airflow_video_creation.hooks.airflow.metrics import triggerer_stats

AIRFLOW = tuple(int(part) for part in version("apache-airflow-core").split(".")[:2])


class Told:
    """Stands where statsd would."""

    def __init__(self) -> None:
        self.metrics: list[tuple[str, float, dict[str, str]]] = []

    def incr(self, stat: str, count: int = 1, *, tags: dict[str, str]) -> None:
        self.metrics.append((stat, count, tags))

    def gauge(self, stat: str, value: float, *, tags: dict[str, str]) -> None:
        self.metrics.append((stat, value, tags))

    timing = gauge

    def of(self, name: str) -> list[tuple[float, dict[str, str]]]:
        return [(value, tags) for stat, value, tags in self.metrics if stat == f"video_creation.{name}"]


def make_ready(stats: Any, make: Callable[[], Any]) -> None:
    """Say where metrics go, as Airflow does when it starts; 3.1, 3.2 and 3.3 have each a way of their own."""
    if AIRFLOW < (3, 2):
        stats.instance, stats._instance_pid = make(), os.getpid()
    else:
        stats.initialize(factory=make, **({} if AIRFLOW < (3, 3) else {"export_legacy_names": False}))


@pytest.fixture
def told() -> Iterator[Told]:
    """What goes to Airflow's stats, in a worker and in the triggerer."""
    backend = Told()
    both = {id(stats): stats for stats in (Stats, triggerer_stats())}.values()
    for stats in both:
        make_ready(stats, lambda: backend)
    yield backend
    for stats in both:
        make_ready(stats, MagicMock)
