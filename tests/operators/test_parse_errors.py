"""A wrong argument is told while the DAG is parsed, or when its template is rendered: by Airflow's error, and in one
form."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import DAG, AirflowFailException

from airflow_video_creation.hooks.airflow.template import is_template
from airflow_video_creation.operators.articles import FetchArticlesOperator
from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.plan import PlanVideosOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.script import WriteScriptOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.summary import SummarizeVideosOperator
from airflow_video_creation.operators.video import video_from_storyboard
from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.sensors.video_job import VideoJobSensor

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}


def plan(**arguments: Any) -> Any:
    return PlanVideosOperator(task_id="t", storyboards=[STORYBOARD], **arguments)


def fetch(**arguments: Any) -> Any:
    return FetchArticlesOperator(task_id="t", **{"feed_url": "https://example.com/feed", **arguments})


def storyboard(**arguments: Any) -> Any:
    return CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD, **arguments)


NUMBERS = [
    *((plan, "max_videos", value) for value in (0, 1.5, "ten", "", True, float("nan"), "nan")),
    *((plan, "max_minutes", value) for value in (0, "-3", "nan", "inf", [1])),
    *((fetch, "max_articles", value) for value in (0, 1.5, "ten", "", True, None, "None")),
    *((fetch, "shortest_text", value) for value in (0, 1.5, "ten", "", True, None, "None")),
    *((plan, "dry_run", value) for value in ("ture", "", 1, None)),
]


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [
        *NUMBERS,
        *((fetch, "pause", value) for value in ("2", -1, None, True, float("nan"), float("inf"))),
        *((storyboard, "stop_after", value) for value in (0, -1, 1.5, "3", True)),
        (lambda **given: SummarizeVideosOperator(task_id="t", **given), "fail_when", "some"),
        (lambda **given: SummarizeVideosOperator(task_id="t", **given), "on_left_out", "skip"),
    ],
)
def test_it_is_named_while_the_dag_is_parsed(make: Any, name: str, value: Any) -> None:
    with pytest.raises(ConfigurationError) as wrong:
        make(**{name: value})

    assert isinstance(wrong.value, AirflowFailException)
    assert str(wrong.value).startswith(f"Task 't' has {name}={value!r}; give ")


@pytest.mark.parametrize(
    "make",
    [
        lambda: storyboard(timeout=-1),
        lambda: storyboard(poll_interval="5"),
        lambda: VideoJobSensor(task_id="t", job_id="j", timeout="1h"),
        lambda: VideoJobSensor(task_id="t", job_id="j", poll_interval=0),
        lambda: DownloadVideoOperator(task_id="t", job_id="j", destination="/v/", subtitles=("sub",)),
        lambda: RenderVideoOperator(task_id="t"),
        lambda: FetchArticlesOperator(task_id="t"),
        lambda: video_from_storyboard(storyboard=STORYBOARD, destination="/v/", download=["sidecar"]),
    ],
)
def test_so_is_what_is_wrong_otherwise(make: Any) -> None:
    with DAG("d"), pytest.raises(ConfigurationError) as wrong:
        make()

    assert isinstance(wrong.value, AirflowFailException)


TEMPLATE = "{{ params.on }}"


@pytest.mark.parametrize(
    ("operator", "name"),
    [
        (WriteScriptOperator, "on_unsupported"),
        (CreateVideosOperator, "on_invalid"),
        (CreateVideosOperator, "on_failure"),
        (PlanVideosOperator, "on_low_quota"),
    ],
)
def test_a_template_where_none_is_rendered_is_named_of_a_mapped_task_too(operator: Any, name: str) -> None:
    with DAG("d"), pytest.raises(ConfigurationError) as wrong:
        operator.partial(task_id="t", **{name: TEMPLATE})

    assert str(wrong.value).startswith(f"Task 't' has {name}={TEMPLATE!r}; give ")
    assert str(wrong.value).endswith(", written out: it is no template field.")


def context(**params: Any) -> Any:
    ti = SimpleNamespace(
        dag_id="d",
        task_id="t",
        run_id="r",
        map_index=-1,
        max_tries=0,
        try_number=1,
        get_previous_dagrun=lambda state: None,
        xcom_push=lambda key, value: None,
    )
    dag_run = SimpleNamespace(run_after=datetime.now(UTC), run_type="manual", run_id="r")
    return {"ti": ti, "dag_run": dag_run, "params": params}


@pytest.mark.parametrize(("make", "name", "value"), [each for each in NUMBERS if isinstance(each[2], str)])
def test_or_when_its_template_is_rendered(make: Any, name: str, value: str) -> None:
    operator, rendered = make(**{name: "{{ params.given }}"}), context(given=value)
    operator.render_template_fields(rendered)

    with pytest.raises(ConfigurationError) as wrong:
        operator.execute(rendered)
    assert str(wrong.value).startswith(f"Task 't' has {name}={value!r}; give ")


def test_the_number_of_articles_may_be_a_template(tmp_path: Path) -> None:
    pytest.importorskip("trafilatura")
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.txt").write_text(
            f"{name}\n\n{'Something happened, and it took its time. ' * 10}"
        )
    operator = FetchArticlesOperator(
        task_id="t", files=str(tmp_path), remember=False, max_articles="{{ params.most }}"
    )
    rendered = context(most=2)
    operator.render_template_fields(rendered)

    assert len(operator.execute(rendered)) == 2


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain {text}", False),
        ("{{ ds }}", True),
        ("{% if x %}a{% endif %}", True),
        ("{# a comment #}", True),
        ({"a": [{"b": "{{ ds }}"}]}, True),
        ({"{{ a key }}": 1}, False),
        (("a", "{% x %}"), True),
        ([None, True, 5, 1.5, "a"], False),
        (None, False),
    ],
)
def test_what_a_template_is(value: Any, expected: bool) -> None:
    assert is_template(value) is expected


def test_another_tasks_result_is_one() -> None:
    with DAG("d"):
        output = plan().output

    assert is_template(output)
    assert is_template({"scenes": [output["scene"]]})
