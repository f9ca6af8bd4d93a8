"""``@task.storyboard``: a function returns the storyboard, and the task submits it."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import DAG
from airflow.sdk import task

from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.provider.errors import InvalidRequestError
from airflow_video_creation.provider.info import get_provider_info
from airflow_video_creation.provider.models import Scene, Storyboard

HEADLINE = "{{ 1/0 }} {% raw %} &amp; {title}"


def in_a_dag(make: Any) -> Any:
    """The operator that a decorated function becomes."""
    with DAG("d"):
        return make().operator


def run(operator: Any, context: Any) -> Any:
    """Render and execute, as a worker does."""
    operator.render_template_fields(context)
    return operator.execute(context)


def sent(emulator: Any) -> list[dict[str, Any]]:
    return [call["body"] for call in emulator.admin.calls(operation="storyboard")]


def test_airflow_finds_it_by_its_name() -> None:
    [named] = [each for each in get_provider_info()["task-decorators"] if each["name"] == "storyboard"]
    assert f"{task.storyboard.__module__}.{task.storyboard.__name__}" == named["class-name"]


@pytest.mark.parametrize(
    "made",
    [
        {"videoName": "v", "scenes": [{"text": HEADLINE}]},
        Storyboard(video_name="v", scenes=(Scene(text=HEADLINE),)),
        '{"videoName": "v", "scenes": [{"text": "' + HEADLINE + '"}]}',
    ],
    ids=["dict", "model", "text"],
)
def test_what_the_function_returns_is_sent_and_no_template(emulator: Any, made: Any) -> None:
    @task.storyboard
    def write() -> dict[str, Any]:
        return made  # type: ignore[no-any-return]

    operator = in_a_dag(write)
    job_id = run(operator, {})

    assert operator.task_id == "write"
    assert isinstance(operator, CreateStoryboardOperator)
    assert not operator.multiple_outputs
    assert [job["job_id"] for job in emulator.admin.jobs()] == [job_id]
    assert operator.video_name == "v"


def test_the_function_gets_arguments_and_context_which_are_rendered_unlike_what_it_returns(
    emulator: Any,
) -> None:
    @task.storyboard(wait_for_completion=True, poll_interval=0.05)
    def write(name: str, params: Any = None) -> dict[str, Any]:
        return {"videoName": f"{name}-{params['kind']}", "scenes": [{"text": HEADLINE}]}

    operator = in_a_dag(lambda: write("{{ params.kind }}"))
    job = run(operator, {"params": {"kind": "news"}})

    assert job["state"] == "completed"
    [made] = emulator.admin.jobs()
    assert made["video_name"] == "news-news"


def test_a_retry_calls_the_function_again_and_goes_on_from_its_job(emulator: Any, make_task: Any) -> None:
    calls = []

    @task.storyboard(retries=2)
    def write() -> dict[str, Any]:
        calls.append(1)
        return {"videoName": "v", "scenes": [{"text": f"try {len(calls)}"}]}

    state = make_task()
    first = run(in_a_dag(write), state.context())
    state.retry()

    assert run(in_a_dag(write), state.context()) == first
    assert len(calls) == 2
    assert len(emulator.admin.jobs()) == 1
    assert state.record()["job_id"] == first


@pytest.mark.parametrize(
    "made", [None, 5, {"videoName": "v"}, {"videoName": "v", "scenes": [{"textt": "x"}]}]
)
def test_what_is_no_storyboard_is_named_and_nothing_is_sent(emulator: Any, made: Any) -> None:
    @task.storyboard
    def write() -> Any:
        return made

    with pytest.raises(InvalidRequestError):
        run(in_a_dag(write), {})
    assert emulator.admin.calls(operation="storyboard") == []


def test_it_can_be_mapped() -> None:
    @task.storyboard(stop_after=5)
    def write(name: str) -> dict[str, Any]:
        return {"videoName": name, "scenes": [{"text": "x"}]}

    with DAG("d"):
        mapped = write.expand(name=["a", "b"]).operator
    assert mapped.is_mapped
    assert mapped.operator_class.custom_operator_name == "@task.storyboard"
