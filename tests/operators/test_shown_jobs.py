"""Tasks tell Airflow's UI which job is theirs, before they are deferred."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred

from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.provider.submission.shown_job import JOB_KEY, ShownJob

STORYBOARD = {"videoName": "tide-mill", "scenes": [{"text": "t"}]}
CONN_ID = "video_creation_default"


def test_a_submitted_job_is_told_before_the_task_is_deferred(ask: Any, task: Any) -> None:
    operator = CreateStoryboardOperator(
        task_id="t", storyboard=STORYBOARD, wait_for_completion=True, deferrable=True
    )
    with pytest.raises(TaskDeferred):
        operator.execute(task.context())
    sent_at = task.record()["sent_at"]
    assert ShownJob.from_json(task.pushed[JOB_KEY]) == ShownJob(
        "s-1", "storyboard", CONN_ID, submitted_at=sent_at, video_name="tide-mill"
    )


def test_when_an_adopted_job_was_submitted_nobody_knows(ask: Any, task: Any) -> None:
    CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD, adopt_job_id="s-9").execute(task.context())
    assert ShownJob.from_json(task.pushed[JOB_KEY]) == ShownJob(
        "s-9", "storyboard", CONN_ID, video_name="tide-mill"
    )


def test_a_render_names_the_storyboard_job_behind_it(ask: Any, task: Any) -> None:
    CreateVideoOperator(task_id="t", storyboard=STORYBOARD).execute(task.context())
    shown = ShownJob.from_json(task.pushed[JOB_KEY])
    assert shown
    assert (shown.job_id, shown.kind, shown.storyboard_job_id) == ("r-1", "render", "s-1")
