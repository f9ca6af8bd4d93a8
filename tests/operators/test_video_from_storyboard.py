"""The building block ``video_from_storyboard``, unmapped and mapped; example_dags shows it run by Airflow."""

from __future__ import annotations

import ast
from datetime import timedelta
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import DAG, Asset

from airflow_video_creation.operators.plan import PlanVideosOperator
from airflow_video_creation.operators.storyboard import VIDEO_NAME_KEY, CreateStoryboardOperator
from airflow_video_creation.operators.summary import SummarizeVideosOperator, is_kind
from airflow_video_creation.operators.video import CreateVideoOperator, video_from_storyboard
from airflow_video_creation.provider.errors import AmbiguousSubmissionError

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}
VIDEOS = Asset("videos")
TASKS = ["create_storyboard", "render_video", "download_video"]


def test_one_video_is_a_chain_of_three_tasks() -> None:
    with DAG("d") as dag:
        video = video_from_storyboard(
            storyboard=STORYBOARD,
            destination="s3://media@bucket/videos/",
            video_creation_conn_id="other",
            user_id="ada",
            poll_interval=30,
            timeout=timedelta(hours=1),
            stop_after=None,
            on_ambiguous="resubmit",
            download={"subtitles": "srt", "thumbnail": True, "outlets": [VIDEOS]},
        )
        video >> SummarizeVideosOperator(task_id="summarize")

    create, render, download = (dag.get_task(f"video_from_storyboard.{name}") for name in TASKS)
    assert create.downstream_task_ids == {render.task_id}
    assert render.downstream_task_ids == {download.task_id}
    assert download.downstream_task_ids == {"summarize"}
    for job in (create, render):
        assert (job.wait_for_completion, job.deferrable, job.poll_interval, job.timeout, job.stop_after) == (
            True,
            True,
            30,
            3600,
            None,
        )
        assert job.on_ambiguous == "resubmit"
    assert {task.video_creation_conn_id for task in (create, render, download)} == {"other"}
    assert {task.user_id for task in (create, render, download)} == {"ada"}
    assert download.destination == "s3://media@bucket/videos/"
    assert (download.subtitles, download.thumbnail, download.outlets) == (("srt",), True, [VIDEOS])


def test_it_is_mapped_over_a_plan_and_takes_default_args() -> None:
    with DAG("d", default_args={"retries": 5}) as dag:
        plan = PlanVideosOperator(task_id="plan", storyboards=[STORYBOARD])
        news = video_from_storyboard.override(
            group_id="news", default_args={"pool": "videos", "on_execute_callback": print}
        )
        videos = news.partial(destination="/videos/", download={"sidecar": True}).expand(
            storyboard=plan.output
        )
        videos >> SummarizeVideosOperator(task_id="summarize")

    tasks = [dag.get_task(f"news.{name}") for name in TASKS]
    assert {task.pool for task in tasks} == {"videos"}
    assert {task.retries for task in tasks} == {5}
    assert all(task.on_execute_callback == [print] for task in tasks)
    assert tasks[2].sidecar is True
    assert all(list(task.iter_mapped_task_groups()) for task in tasks)
    assert tasks[2].downstream_task_ids == {"summarize"}


@pytest.mark.parametrize("task_id", TASKS)
def test_each_map_index_is_shown_by_the_videos_name(task_id: str) -> None:
    with DAG("d") as dag:
        video_from_storyboard(storyboard=STORYBOARD, destination="/videos/")
    task: Any = dag.get_task(f"video_from_storyboard.{task_id}")

    class Ti:
        map_index = 7

        def xcom_pull(self, *, task_ids: str, key: str, map_indexes: int) -> str:
            assert (task_ids, key, map_indexes) == (
                "video_from_storyboard.create_storyboard",
                VIDEO_NAME_KEY,
                7,
            )
            return "pulled"

    if task_id != "create_storyboard":
        # Not what depends on other tasks' results.
        task.video_name = task.render_template(task.video_name, {"ti": Ti()})
    shown = task.render_template(task.map_index_template, {"task": task})
    assert shown == ("v" if task_id == "create_storyboard" else "pulled")


@pytest.mark.parametrize("xcom_is_away", [False, True])
def test_the_first_task_tells_the_name_to_those_after_it(
    emulator: Any, task: Any, log: Any, xcom_is_away: bool
) -> None:
    task.xcom_is_away = xcom_is_away
    assert CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD).execute(task.context())

    assert task.pushed.get(VIDEO_NAME_KEY) == (None if xcom_is_away else "v")
    assert ("video's name could not be written to XCom: ConnectionError" in log()) is xcom_is_away


def test_it_may_stand_twice_in_a_dag() -> None:
    with DAG("d") as dag:
        video_from_storyboard(storyboard=STORYBOARD, destination="/videos/")
        video_from_storyboard(storyboard=STORYBOARD, destination="/videos/")

    second = dag.get_task("video_from_storyboard__1.render_video")
    assert "'video_from_storyboard__1.create_storyboard'" in second.video_name


def test_a_task_is_known_by_its_operator_mapped_or_not() -> None:
    with DAG("d"):
        one = CreateVideoOperator(task_id="one", storyboard=STORYBOARD)
        many = CreateVideoOperator.partial(task_id="many").expand(storyboard=[STORYBOARD])

    assert is_kind(one, (CreateVideoOperator,))
    assert is_kind(many, (CreateVideoOperator,))
    assert not is_kind(one, (PlanVideosOperator,))


def test_its_own_errors_can_be_followed(emulator: Any, task: Any) -> None:
    """A storyboard in doubt names the group's argument, and what is pasted there is adopted."""
    emulator.admin.add_fault("reset", on="storyboard", when="after", nth=[1])
    task.ti.map_index = 1

    def group(**arguments: Any) -> Any:
        with DAG("d") as dag:
            videos = video_from_storyboard.partial(destination="/v/", **arguments)
            videos.expand(storyboard=[STORYBOARD | {"videoName": "a"}, STORYBOARD])
        create, render, _ = (dag.get_task(f"video_from_storyboard.{name}") for name in TASKS)
        return create, render

    create, _ = group()
    create.storyboard, create.deferrable = STORYBOARD, False
    with pytest.raises(AmbiguousSubmissionError) as doubt:
        create.execute(task.context())
    [job] = emulator.admin.jobs()
    line = str(doubt.value).partition(" as\n")[2].partition("\nand clear")[0].strip()
    name, _, template = line.replace("JOB_ID", job["job_id"]).partition("=")
    assert name == "adopt_storyboard_job_id"

    task.clear()
    create, render = group(**{name: ast.literal_eval(f"({template})")})
    create.storyboard, create.deferrable = STORYBOARD, False
    create.adopt_job_id = create.render_template(create.adopt_job_id, {"run_id": "manual__1", "ti": task.ti})
    assert create.execute(task.context())["job_id"] == job["job_id"]
    assert render.adopt_job_id is None
    assert len(emulator.admin.jobs()) == 1
