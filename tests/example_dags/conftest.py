"""Example DAGs are run by Airflow itself, against the emulator, and what came out is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from ..airflow_process import Run, needs_airflow_process

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Let all tests of this folder share one Airflow, on however many processes the tests run."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(needs_airflow_process)
    # pytest-xdist reads the marks in this hook too: they must be there before.
    yield


@pytest.fixture
def run_example(run_dag: Callable[..., Run]) -> Callable[..., Run]:
    """Runs an example DAG once; ``variables`` and ``connections`` are those that it asks for, by their ids."""
    return partial(run_dag, dags=ROOT / "example_dags")
