"""DAGs of whole nights, paused: the tests write what came of them into Airflow's database."""

from __future__ import annotations

from airflow.sdk import DAG

from airflow_video_creation.operators.video_group import video_from_storyboard
from airflow_video_creation.operators.videos import CreateVideosOperator

FILMS = [{"videoName": f"film-{n:04}", "scenes": [{"text": "It begins."}]} for n in range(200)]

with DAG("night_of_tasks", schedule=None, is_paused_upon_creation=True):
    video_from_storyboard.override(group_id="film").partial(destination="/videos/").expand(storyboard=FILMS)

with DAG("night_of_one", schedule=None, is_paused_upon_creation=True):
    CreateVideosOperator(task_id="all", storyboards=[], destination="/videos/")
