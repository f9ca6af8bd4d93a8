"""Nights with less room than the feed gives, each killed at a different moment of its second run."""

from __future__ import annotations

import os
import signal
from datetime import datetime, timedelta
from pathlib import Path
from threading import Timer
from typing import Any

from airflow.sdk import DAG, task

from airflow_video_creation.hooks.records import shared_notes
from airflow_video_creation.operators.articles import FetchArticlesOperator
from airflow_video_creation.operators.plan import PlanVideosOperator
from airflow_video_creation.operators.videos import CreateVideosOperator

FOLDER = Path(os.environ["CARRIED_FOLDER"])
RETURNED = 1000
MOMENTS = {
    "asked_for_the_budget": 1,
    "reserved_the_budget": 2,
    "claimed_two_of_three": 4,
    "left_to_the_next": 6,
    "noted_all": 7,
    "returned": RETURNED,
    "making": None,
}
"""Which note of the plan is the last that is written; None: the task that makes the videos is killed."""
WORKERS = ("claimed_two_of_three", "making")
"""Where the worker dies with its task; Airflow then notices only that the task is silent."""


def is_first(context: Any) -> bool:
    """Whether this is the try that dies."""
    return bool(context["dag_run"].run_id == "night-2" and context["ti"].try_number == 1)


def die(moment: str) -> None:
    """Kill this task, perhaps with its worker."""
    if moment in WORKERS:
        os.kill(os.getppid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


class KilledPlan(PlanVideosOperator):
    """A plan that dies after a number of notes."""

    def execute(self, context: Any) -> Any:
        """Plan, and perhaps die on the way."""
        moment = MOMENTS[self.dag_id]
        if moment is None or not is_first(context):
            return super().execute(context)
        written = 0
        notes = shared_notes.shared_notes("any", "any").__class__
        write = notes.write

        def counted(self: Any, name: str, text: str) -> None:
            nonlocal written
            write(self, name, text)
            written += 1
            if written == moment:
                die(context["dag"].dag_id)

        notes.write = counted  # type: ignore[method-assign]
        result = super().execute(context)
        assert moment == RETURNED, f"{written} notes were written"
        die(self.dag_id)
        return result


class KilledVideos(CreateVideosOperator):
    """Dies while its videos are being made."""

    def execute(self, context: Any) -> Any:
        """Make videos, and perhaps die on the way."""
        if MOMENTS[self.dag_id] is None and is_first(context):
            Timer(4.0, lambda: die(self.dag_id)).start()
        return super().execute(context)


@task
def make_storyboards(articles: list[dict[str, Any]], dag_run: Any = None) -> list[dict[str, Any]]:
    """One scene of each article; its name tells the DAG."""
    return [
        {"videoName": f"{dag_run.dag_id} {article['title']}", "scenes": [{"text": article["title"]}]}
        for article in articles
    ]


@task
def make_many(dag_run: Any = None) -> list[dict[str, Any]]:
    """As many storyboards as the run says, each as long as that of an article."""
    scenes = [{"text": "The city plants ten thousand trees, and asks all to help. " * 2}] * 20
    return [
        {"videoName": f"{dag_run.run_id} {number}", "scenes": scenes}
        for number in range(dag_run.conf["videos"])
    ]


def dag(dag_id: str) -> DAG:
    """A DAG that only the benchmark starts."""
    defaults = {"retries": 3, "retry_delay": timedelta(seconds=1)}
    return DAG(dag_id, schedule=None, start_date=datetime(2026, 1, 1), default_args=defaults)


for dag_id in MOMENTS:
    with dag(dag_id):
        articles = FetchArticlesOperator(
            task_id="fetch",
            feed_url=os.environ["CARRIED_FEED"],
            allow_private_addresses=True,
            pause=0.0,
            shortest_text=20,
        )
        plan = KilledPlan(
            task_id="plan",
            storyboards=make_storyboards(articles.output),
            max_videos=4,
            carry_over=True,
            max_minutes_per_day=100,
            video_creation_conn_id="video_creation_default",
        )
        KilledVideos(
            task_id="make",
            storyboards=plan.output,
            destination=f"{FOLDER}/{dag_id}/",
            max_active=1,
            poll_interval=1.0,
        )

with dag("many"):
    PlanVideosOperator(task_id="plan", storyboards=make_many(), max_videos=1, carry_over=True)
