"""Nights that end in different ways; each tells it through a notifier, as Slack's and the others are, into a file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from airflow.sdk import DAG, BaseNotifier

from airflow_video_creation import (
    CreateVideoOperator,
    CreateVideosOperator,
    NightSummaryNotifier,
    PlanVideosOperator,
    SummarizeVideosOperator,
)


class FileNotifier(BaseNotifier):
    """Writes a line of JSON; ``text`` is templated, as in any of Airflow's notifiers."""

    template_fields = ("text",)

    def __init__(self, text: str, callback: str) -> None:
        super().__init__()
        self.text = text
        self.callback = callback

    def notify(self, context: Any) -> None:
        """Write it."""
        with Path(os.environ["MESSAGES"]).open("a") as file:
            print(json.dumps({"callback": self.callback, "text": self.text}), file=file)


def tells(callback: str, text: str = "{{ night.text }}") -> NightSummaryNotifier:
    """A notifier that names the callback it was."""
    return NightSummaryNotifier(FileNotifier(text, callback))


def row(name: str, **fields: Any) -> dict[str, Any]:
    """A storyboard."""
    return {
        "videoName": name,
        "videoWidth": 96,
        "videoHeight": 64,
        "scenes": [{"text": "It begins."}],
        **fields,
    }


ROWS = [row("kettle"), row("lamp"), row("radio"), row("bad", scenes=[]), row("teapot")]

for dag_id, arguments in {"green": {}, "red": {"on_left_out": "fail"}}.items():
    with DAG(dag_id):
        plan = PlanVideosOperator(task_id="plan", storyboards=ROWS, max_videos=3)
        make = CreateVideosOperator(
            task_id="make", storyboards=plan.output, destination="{{ var.value.videos_folder }}/"
        )
        summary = SummarizeVideosOperator(
            task_id="summarize",
            on_success_callback=tells("task succeeded"),
            on_failure_callback=tells("task failed", "{{ night.html }}"),
            **arguments,
        )
        make >> summary

with DAG("one"):
    CreateVideoOperator(task_id="film", storyboard=row("lamp"), on_failure_callback=tells("task failed"))
