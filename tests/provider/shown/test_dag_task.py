"""Which tasks of a DAG work on videos, by what Airflow's API lists of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.operators.approval import ApproveVideoOperator
from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.plan import PlanVideosOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.storyboard_decorator import _StoryboardDecoratedOperator
from airflow_video_creation.operators.storyboards_decorator import _StoryboardsDecoratedOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.provider.shown.dag_task import dag_tasks, role_of
from airflow_video_creation.sensors.video_job import VideoJobSensor

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@pytest.mark.parametrize(
    ("operator", "role"),
    [
        (CreateStoryboardOperator, "storyboard"),
        (_StoryboardDecoratedOperator, "storyboard"),
        (ApproveVideoOperator, "approval"),
        (RenderVideoOperator, "render"),
        (CreateVideoOperator, "video"),
        (VideoJobSensor, "watch"),
        (DownloadVideoOperator, "download"),
        (CreateVideosOperator, "many"),
        (_StoryboardsDecoratedOperator, "many"),
        (PlanVideosOperator, None),
    ],
)
def test_each_operator_is_known_by_its_template_fields_and_so_is_a_subclass(
    operator: Any, role: str | None
) -> None:
    assert role_of(operator.template_fields) == role
    assert role_of([*operator.template_fields, "of_a_subclass"]) == role


def listed(*tasks: tuple[str, Any, list[str]]) -> dict[str, Any]:
    return {
        "tasks": [
            {
                "task_id": name,
                "template_fields": list(operator.template_fields) if operator else ["bash_command"],
                "downstream_task_ids": after,
            }
            for name, operator, after in tasks
        ]
    }


def test_other_tasks_between_two_of_ours_do_not_hide_the_one_from_the_other() -> None:
    tasks = dag_tasks(
        listed(
            ("download", DownloadVideoOperator, []),
            ("between", None, ["render"]),
            ("render", RenderVideoOperator, ["download"]),
            ("storyboard", CreateStoryboardOperator, ["between"]),
        )
    )
    assert [(task.task_id, sorted(task.before)) for task in tasks] == [
        ("storyboard", []),
        ("render", ["storyboard"]),
        ("download", ["render"]),
    ]


def test_a_task_that_was_renamed_keeps_its_place_between_the_others() -> None:
    def version(render: str) -> dict[str, Any]:
        return listed(
            ("storyboard", CreateStoryboardOperator, [render]),
            (render, RenderVideoOperator, ["download"]),
            ("download", DownloadVideoOperator, []),
        )

    tasks = dag_tasks(version("render_now"), version("render_before"))
    assert [(task.task_id, sorted(task.before)) for task in tasks] == [
        ("storyboard", []),
        ("render_before", ["storyboard"]),
        ("render_now", ["storyboard"]),
        ("download", ["render_before", "render_now"]),
    ]


@given(JSON | st.builds(lambda tasks: {"tasks": tasks}, JSON))
def test_an_answer_of_another_form_has_no_tasks(answer: Any) -> None:
    assert isinstance(dag_tasks(answer), list)
