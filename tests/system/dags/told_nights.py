"""A night with a wrong row and a video that fails; its callbacks write what they send into a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from airflow.providers.standard.operators.python import PythonOperator
from airflow.sdk import DAG

from airflow_video_creation import (
    CreateVideosOperator,
    NightSummaryNotifier,
    PlanVideosOperator,
    SummarizeVideosOperator,
)

FOLDER = Path(os.environ["SYSTEM_TEST_FOLDER"])


def sends(name: str) -> NightSummaryNotifier:
    """Writes the message into a file of that name."""

    def write(context: Any) -> None:
        # Renamed, so that nobody reads a half.
        (FOLDER / f"{name}.part").write_text(context["night"].text)
        (FOLDER / f"{name}.part").rename(FOLDER / name)

    return NightSummaryNotifier(write)


def fail() -> None:
    """Behind the summary."""
    raise ValueError("the password is hunter2")


ROWS: list[dict[str, Any]] = [
    {"videoName": name, "videoWidth": 96, "videoHeight": 64, "scenes": [{"text": "It begins."}]}
    for name in ("kettle", "lamp")
]

with DAG("told_night", schedule=None, on_failure_callback=sends("dag")):
    plan = PlanVideosOperator(task_id="plan", storyboards=[*ROWS, {"videoName": "bad", "scenes": []}])
    make = CreateVideosOperator(task_id="make", storyboards=plan.output, destination=f"{FOLDER}/videos/")
    summary = SummarizeVideosOperator(task_id="summarize", on_success_callback=sends("task"))
    make >> summary >> PythonOperator(task_id="publish", python_callable=fail)
