"""Every example DAG can be parsed by Airflow, and nothing of ours warns while it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "example_dags"
EXAMPLES = sorted(path.name for path in FOLDER.glob("*.py") if path.name != "__init__.py")

PARSE = """
import json, sys, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    try:
        from airflow.dag_processing.dagbag import DagBag
    except ImportError:
        from airflow.models.dagbag import DagBag
    bag = DagBag(dag_folder=sys.argv[1])
CLOCKLESS = ("NullTimetable", "AssetTriggeredTimetable")
clocks = [dag.dag_id for dag in bag.dags.values() if type(dag.timetable).__name__ not in CLOCKLESS]
files = [dag.fileloc for dag in bag.dags.values()]
OURS = "airflow_video_creation."
tasks = [task for dag in bag.dags.values() for task in dag.tasks if not task.retries]
kinds = [(task, getattr(task, "operator_class", type(task))) for task in tasks]
once = [f"{task.dag_id}.{task.task_id}" for task, kind in kinds if kind.__module__.startswith(OURS)]
warned = [{"file": w.filename, "message": str(w.message)} for w in caught]
print(json.dumps({"errors": bag.import_errors, "files": files, "clocks": clocks, "warnings": warned, "once": once}))
"""


@pytest.fixture(scope="session")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What Airflow found in the folder, in a process of its own."""
    home = tmp_path_factory.mktemp("parse")
    ended = subprocess.run(
        [sys.executable, "-c", PARSE, str(FOLDER)],
        env={**os.environ, "AIRFLOW_HOME": str(home), "AIRFLOW__CORE__LOAD_EXAMPLES": "False"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout.splitlines()[-1])


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_parsed(parsed: Any, example: str) -> None:
    assert parsed["errors"] == {}
    assert str(FOLDER / example) in parsed["files"]


def test_a_short_trouble_fails_no_task_of_ours_as_each_has_retries(parsed: Any) -> None:
    assert parsed["once"] == []


def test_nothing_of_ours_warns(parsed: Any) -> None:
    foreign = ("site-packages", "/lib/python")
    assert [w for w in parsed["warnings"] if not any(part in w["file"] for part in foreign)] == []


def test_none_is_started_by_the_clock_so_that_switching_it_on_pays_for_nothing(parsed: Any) -> None:
    assert parsed["clocks"] == []
