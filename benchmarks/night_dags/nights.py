"""The same night three times: as the mapped group, as mapped tasks, and as one task."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from typing import Any

from airflow.sdk import DAG, task

from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.operators.video_group import video_from_storyboard
from airflow_video_creation.operators.videos import CreateVideosOperator

FOLDER = f"{os.environ['NIGHT_FOLDER']}/{{{{ run_id }}}}/"


def dag(dag_id: str) -> DAG:
    """A DAG that only the benchmark starts."""
    # Under load Airflow loses the results of short tries; a retry resumes from the record.
    defaults = {"retries": 30, "retry_delay": timedelta(seconds=1)}
    return DAG(dag_id, schedule=None, start_date=datetime(2026, 1, 1), default_args=defaults)


@task
def storyboards(dag_run: Any = None) -> list[dict[str, Any]]:
    """As many as the run's configuration says, named after the run."""
    return [
        {
            "videoName": f"{dag_run.run_id}-{number:04}",
            "scenes": [
                {"text": f"This is article {number} of tonight's news.", "voiceOver": True},
                {
                    "text": "The city plants ten thousand trees, and asks everybody to help.",
                    "voiceOver": True,
                },
            ],
        }
        for number in range(dag_run.conf["videos"])
    ]


with dag("group"):
    video_from_storyboard.partial(destination=FOLDER).expand(storyboard=storyboards())

with dag("mapped"):
    made = CreateVideoOperator.partial(task_id="make", deferrable=True).expand(storyboard=storyboards())
    DownloadVideoOperator.partial(task_id="download", destination=FOLDER).expand(job_id=made.output)

with dag("one_task"):
    CreateVideosOperator(
        task_id="videos",
        storyboards=storyboards(),
        destination=FOLDER,
        max_active=int(os.environ["NIGHT_MAX_ACTIVE"]),
        manifest=FOLDER + "manifest.jsonl",
        deferrable=True,
    )
