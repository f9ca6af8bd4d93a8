"""Two lines of Python and a settings file are a DAG, which Airflow runs against the emulator."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import DAG

from airflow_video_creation import PipelineSettings, videos_from_feed, videos_from_files
from airflow_video_creation.provider.errors import ConfigurationError, InvalidRequestError

FEED = "feed_url: https://www.example.com/feed.xml\n"
DELIVERY = "delivery: {destination: /srv/videos/}\n"


@pytest.fixture
def settings_file(tmp_path: Path) -> Callable[[str], Path]:
    """Writes the settings of a pipeline; ``style.yaml`` stands beside them."""
    (tmp_path / "style.yaml").write_text("max_scenes: 5\n")

    def write(text: str) -> Path:
        file = tmp_path / "news.yaml"
        file.write_text(text)
        return file

    return write


def tasks(dag: DAG) -> dict[str, str]:
    """Task -> its operator."""
    return {task.task_id: getattr(task, "operator_class", type(task)).__name__ for task in dag.tasks}


def test_each_step_is_a_task_of_its_own(settings_file: Any) -> None:
    dag = videos_from_feed(settings_file(FEED + DELIVERY + "template: style.yaml\ntags: [news]\n"))

    assert (dag.dag_id, dag.tags) == ("news", {"news"})
    assert tasks(dag) == {
        "fetch_articles": "FetchArticlesOperator",
        "make_storyboards": "_PythonDecoratedOperator",
        "plan_videos": "PlanVideosOperator",
        "make_videos": "CreateVideosOperator",
        "summarize": "SummarizeVideosOperator",
    }
    assert dag.task_dict["fetch_articles"].feed_url == "https://www.example.com/feed.xml"
    assert dag.task_dict["make_videos"].destination == "/srv/videos/"
    assert dag.task_dict["make_videos"].retries == 2


def test_nothing_is_started_by_the_clock_unless_the_settings_say_so(settings_file: Any) -> None:
    assert videos_from_feed(settings_file(FEED + DELIVERY)).schedule is None

    nightly = videos_from_feed(
        settings_file(FEED + DELIVERY + "schedule: 0 3 * * *\ntimezone: Europe/Berlin\n")
    )
    assert (nightly.schedule, str(nightly.timezone)) == ("0 3 * * *", "Europe/Berlin")
    assert (nightly.catchup, nightly.max_active_runs) == (False, 1)


def test_with_approval_a_person_stands_between_preview_and_render(settings_file: Any) -> None:
    dag = videos_from_files(settings_file("files: texts/\napproval: true\n" + DELIVERY))

    assert [*tasks(dag)][3:] == [
        "approved_video.preview",
        "approved_video.approval",
        "approved_video.render",
        "approved_video.download",
        "summarize",
    ]
    assert dag.task_dict["approved_video.render"].upstream_task_ids == {"approved_video.approval"}


def test_a_run_by_hand_may_change_the_limits(settings_file: Any) -> None:
    budget = "budget: {max_videos: null, max_minutes: 7.5}\nlookback: P2D\n"
    dag = videos_from_feed(settings_file(FEED + DELIVERY + budget))

    assert dict(dag.params) == {"lookback": "P2D", "max_videos": None, "max_minutes": 7.5, "dry_run": False}


def test_paths_begin_at_the_settings_file(settings_file: Any) -> None:
    file = settings_file("files: [texts/, 's3://a@b/*.txt']\ndelivery: {destination: videos/}\n")
    dag = videos_from_files(file)

    assert dag.task_dict["fetch_articles"].files == [f"{file.parent}/texts/", "s3://a@b/*.txt"]
    assert dag.task_dict["make_videos"].destination == f"{file.parent}/videos/"


def test_the_page_of_the_dag_shows_its_settings(settings_file: Any) -> None:
    assert FEED in (videos_from_feed(settings_file(FEED + DELIVERY)).doc_md or "")


def test_settings_may_be_made_in_python() -> None:
    settings = PipelineSettings(
        dag_id="news", feed_url="https://www.example.com/feed.xml", delivery={"destination": "/v/"}
    )

    assert videos_from_feed(settings).dag_id == "news"


@pytest.mark.parametrize(
    ("function", "text", "said"),
    [
        (videos_from_feed, FEED, "delivery: is required"),
        (videos_from_feed, FEED + DELIVERY + "schedule: nightly", "schedule: must be a cron expression"),
        (videos_from_feed, FEED + DELIVERY + "template: gone.yaml", "template: is no file that can be read"),
        (
            videos_from_feed,
            "files: a/\n" + DELIVERY,
            "has files, which videos_from_feed does not take: write videos_",
        ),
        (videos_from_files, FEED + DELIVERY, "write videos_from_feed(...) in test_from_yaml.py"),
        (
            videos_from_feed,
            FEED + DELIVERY + "tell: {slack_webhook_conn_id: slack}",
            "tell.slack_webhook_conn_id, which needs another provider: pip install apache-airflow-providers-slack",
        ),
    ],
)
def test_a_mistake_is_told_while_airflow_reads_the_dag(
    settings_file: Any, function: Any, text: str, said: str
) -> None:
    with pytest.raises((InvalidRequestError, ConfigurationError)) as raised:
        function(settings_file(text))
    assert said in str(raised.value)


def test_a_settings_file_that_is_not_there() -> None:
    with pytest.raises(ConfigurationError, match=r"tests/pipelines/gone.yaml, cannot be read: No such file"):
        videos_from_feed("gone.yaml")
