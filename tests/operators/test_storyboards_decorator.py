"""``@task.storyboards``: a function returns many storyboards, and the task makes their videos."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import DAG
from airflow.sdk import task as airflow_task

from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.provider.errors import ConfigurationError, VideosFailedError
from airflow_video_creation.provider.info import get_provider_info
from airflow_video_creation.provider.models import Scene, Storyboard

from ..told_errors import raises_telling

JINJA = "{{ 1/0 }} {% raw %} &amp; {title}"
"""Whoever renders it fails."""


def made_of(name: str) -> dict[str, Any]:
    return {"videoName": name, "scenes": [{"text": f"This is {name}: {JINJA}"}]}


@pytest.fixture
def decorated(task: Any, tmp_path: Path) -> Any:
    """Makes the operator of a function, rendered as a worker renders it: ``decorated(function)(deferrable)``."""
    task.ti.xcom_pull = lambda *, task_ids, key, map_indexes: json.loads(json.dumps(task.pushed[key]))

    def of(function: Any) -> Any:
        def make(deferrable: bool = False) -> Any:
            with DAG("d"):
                operator = airflow_task.storyboards(
                    task_id="write",
                    destination=f"{tmp_path}/",
                    deferrable=deferrable,
                    poll_interval=0.05,
                    wake_after=0.2,
                )(function)().operator
            operator.leave_after = 0.0
            operator.render_template_fields({"params": {"kind": "news"}})
            return operator

        return make

    return of


def sent(emulator: Any) -> list[str]:
    return sorted(call["name"] for call in emulator.admin.calls(operation="storyboard"))


def test_airflow_finds_it_by_its_name() -> None:
    names = [named["class-name"] for named in get_provider_info()["task-decorators"]]
    assert f"{airflow_task.storyboards.__module__}.{airflow_task.storyboards.__name__}" in names


def test_the_function_is_called_once_a_try_and_not_again_by_the_worker_that_goes_on(
    emulator: Any, task: Any, run: Any, deferrable: bool, decorated: Any
) -> None:
    calls = []

    def write() -> list[dict[str, Any]]:
        calls.append(1)
        return [made_of("a"), made_of("b")]

    result = run(decorated(write), task, deferrable)

    assert [(row["name"], row["state"]) for row in result] == [("a", "delivered"), ("b", "delivered")]
    assert len(calls) == 1


@pytest.mark.parametrize(
    "made",
    [
        [made_of("a")],
        [Storyboard(video_name="a", scenes=(Scene(text=JINJA),))],
        [json.dumps(made_of("a"))],
        [(Storyboard(video_name="a", scenes=(Scene(text=JINJA),)), {"title": JINJA})],
    ],
    ids=["dict", "model", "text", "model with metadata"],
)
def test_what_the_function_returns_is_sent_and_no_template(
    emulator: Any, task: Any, run: Any, deferrable: bool, decorated: Any, made: Any
) -> None:
    [row] = run(decorated(lambda: made), task, deferrable)

    assert row["state"] == "delivered"
    assert sent(emulator) == ["a"]


class Lazy(Sequence[Any]):
    """What mapped tasks have returned: no list, and nothing that JSON knows."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: Any) -> Any:
        return [made_of("a"), made_of("b")][index]


@pytest.mark.parametrize(
    "write",
    [lambda: (made_of(name) for name in "ab"), Lazy, lambda: {"a": made_of("a"), "b": made_of("b")}.values()],
    ids=["generator", "result of mapped tasks", "view"],
)
def test_whatever_gives_storyboards_one_after_the_other_is_a_list(
    emulator: Any, task: Any, run: Any, deferrable: bool, decorated: Any, write: Any
) -> None:
    result = run(decorated(write), task, deferrable)

    assert [(row["name"], row["state"]) for row in result] == [("a", "delivered"), ("b", "delivered")]


def test_a_retry_calls_the_function_again_and_makes_what_is_missing(
    emulator: Any, task: Any, run: Any, deferrable: bool, decorated: Any
) -> None:
    emulator.admin.add_fault("fail", on="storyboard", video_name="b")
    lists = [["a", "b"], ["new", "b", "a"]]

    def write() -> list[dict[str, Any]]:
        return [made_of(name) for name in lists.pop(0)]

    with pytest.raises(VideosFailedError, match="1 of 2 delivered"):
        run(decorated(write), task, deferrable)
    emulator.admin.clear_faults()
    task.retry()
    result = run(decorated(write), task, deferrable)

    assert [(row["name"], row["state"]) for row in result] == [
        ("new", "delivered"),
        ("b", "delivered"),
        ("a", "delivered"),
    ]
    assert sent(emulator) == ["a", "b", "b", "new"]


def test_the_function_gets_arguments_and_context_which_are_rendered(
    emulator: Any, task: Any, tmp_path: Path
) -> None:
    @airflow_task.storyboards(destination=f"{tmp_path}/{{{{ params.kind }}}}/", poll_interval=0.05)
    def write(name: str, params: Any = None) -> list[dict[str, Any]]:
        return [made_of(f"{name}-{params['kind']}")]

    with DAG("d"):
        operator = write("{{ params.kind }}").operator
    context = {**task.context(), "params": {"kind": "news"}}
    operator.render_template_fields(context)
    [row] = operator.execute(context)

    assert row["file"] == str(tmp_path / "news" / "news-news.mp4")


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (None, "as a list of storyboards; it is None"),
        (made_of("a"), "as a list of storyboards; it is a dict"),
        ([None], r"has None at storyboards\[0\], which is not a storyboard"),
    ],
)
def test_what_is_no_list_of_storyboards_is_named_and_nothing_is_sent(
    emulator: Any, task: Any, run: Any, decorated: Any, made: Any, message: str
) -> None:
    with raises_telling(ConfigurationError, message):
        run(decorated(lambda: made), task)
    assert emulator.admin.calls() == []


def test_it_can_be_mapped() -> None:
    @airflow_task.storyboards(destination="/videos/")
    def write(part: int) -> list[dict[str, Any]]:
        return [made_of(f"part-{part}")]

    with DAG("d"):
        mapped = write.expand(part=[1, 2]).operator
    assert issubclass(mapped.operator_class, CreateVideosOperator)
    assert mapped.operator_class.custom_operator_name == "@task.storyboards"


def test_the_function_may_be_a_generator(
    emulator: Any, task: Any, run: Any, deferrable: bool, decorated: Any
) -> None:
    """XCom could not keep it for the worker that goes on."""

    def write() -> Any:
        yield made_of("a")
        yield made_of("b"), {"title": "A B"}

    result = run(decorated(write), task, deferrable)
    assert [row["state"] for row in result] == ["delivered", "delivered"]
