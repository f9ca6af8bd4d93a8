"""Example DAGs are run by Airflow itself, against the emulator, and what came out is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from ..airflow_process import AirflowProcess, needs_airflow_process

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


@dataclass(frozen=True)
class Run:
    """A DAG run that has ended; the map index of a task that is not mapped is -1."""

    state: str
    tasks: Mapping[tuple[str, int], str]
    xcoms: Mapping[tuple[str, str, int], Any]
    log: str

    def xcom(self, task_id: str, key: str = "return_value", map_index: int = -1) -> Any:
        """What a task returned, or pushed under another key; None for nothing."""
        return self.xcoms.get((task_id, key, map_index))


@pytest.fixture
def run_example(
    airflow_process: AirflowProcess, video_creation_emulator: Any, tmp_path: Path
) -> Callable[..., Run]:
    """Runs an example DAG once; ``variables`` and ``connections`` are those that it asks for, by their ids."""
    numbers = count()

    def run(
        dag_id: str,
        *,
        variables: Mapping[str, str] | None = None,
        params: Mapping[str, Any] | None = None,
        connections: Mapping[str, str] | None = None,
    ) -> Run:
        log = tmp_path / f"run-{next(numbers)}.log"
        connections = {
            "video_creation_default": video_creation_emulator.connection_json,
            **(connections or {}),
        }
        environment = {
            **{f"AIRFLOW_CONN_{conn_id.upper()}": text for conn_id, text in connections.items()},
            **{f"AIRFLOW_VAR_{name.upper()}": text for name, text in (variables or {}).items()},
        }
        told = airflow_process.run(
            dag_id, dags=ROOT / "example_dags", environment=environment, log=log, params=params
        )
        return Run(
            state=told["state"],
            tasks={(task_id, map_index): state for task_id, map_index, state in told["tasks"]},
            xcoms={(task_id, key, index): value for task_id, key, index, value in told["xcoms"]},
            log=log.read_text(),
        )

    return run
