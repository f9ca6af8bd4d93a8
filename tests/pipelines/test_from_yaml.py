"""Two lines of Python and a settings file are a DAG, which Airflow runs against the emulator."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import DAG
from airflow.serialization import serialized_objects

from airflow_video_creation import FeedEventTrigger, PipelineSettings, videos_from_feed, videos_from_files
from airflow_video_creation.pipelines import needed_packages
from airflow_video_creation.provider.articles.template import StoryboardTemplate
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


def serialized(dag: DAG) -> dict[str, Any]:
    """What Airflow stores of a DAG."""
    serializer: Any = (
        getattr(serialized_objects, "DagSerialization", None) or serialized_objects.SerializedDAG
    )
    stored: dict[str, Any] = serializer.to_dict(dag)
    return stored


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


def test_what_runs_share_is_up_to_the_settings(settings_file: Any) -> None:
    budget = (
        "budget: {max_minutes_per_day: 30, carry_over: true, max_age: P3D, budget_timezone: Europe/Paris}\n"
    )
    dag = videos_from_feed(settings_file(FEED + DELIVERY + budget))

    plan = dag.task_dict["plan_videos"]
    assert (plan.max_minutes_per_day, plan.carry_over, plan.max_age) == (30, True, timedelta(days=3))
    assert (plan.max_minutes_per_month, plan.budget_timezone) == (None, "Europe/Paris")
    assert dag.task_dict["fetch_articles"].max_articles == 1000, "what is not read cannot be carried over"
    videos = dag.task_dict["make_videos"]
    assert videos.video_creation_conn_id == plan.video_creation_conn_id


@pytest.mark.parametrize(
    ("budget", "read"),
    [
        ("", "{{ params.max_videos or 1000 }}"),
        ("max_articles: 30\nbudget: {carry_over: true}", 30),
    ],
)
def test_a_run_reads_as_many_articles_as_it_may_make(settings_file: Any, budget: str, read: Any) -> None:
    dag = videos_from_feed(settings_file(FEED + DELIVERY + budget))

    assert dag.task_dict["fetch_articles"].max_articles == read


def test_a_language_model_writes_where_the_settings_say_so(settings_file: Any) -> None:
    pytest.importorskip("airflow.providers.common.ai", reason="not installed: pip install '.[ai]'")
    script = "script: {llm_conn_id: llm, seconds: 45, on_unsupported: drop, instructions: style.yaml}\n"
    file = settings_file(FEED + DELIVERY + script + "template: style.yaml\nrules: {max_scenes: 3}\n")
    dag = videos_from_feed(file)

    assert [*tasks(dag)][:3] == ["fetch_articles", "write_scripts", "plan_videos"]
    given = dag.task_dict["write_scripts"].partial_kwargs
    assert (given["llm_conn_id"], given["seconds"], given["on_unsupported"]) == ("llm", 45, "drop")
    assert given["instructions"] == file.parent / "style.yaml"
    assert StoryboardTemplate.read(given["template"]).max_scenes == 3, "the rules replace the file's"


def test_without_the_extra_a_script_is_refused_by_name(
    settings_file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(needed_packages, "SCRIPT_PACKAGES", ("no_such_package",))

    with pytest.raises(
        ConfigurationError, match=r"'news' has script, which needs the extra \[ai\]: run pip install"
    ):
        videos_from_feed(settings_file(FEED + DELIVERY + "script: {llm_conn_id: llm}\n"))


def test_a_watched_feed_starts_a_run(settings_file: Any) -> None:
    dag = videos_from_feed(
        settings_file(FEED + DELIVERY + "watch: {poll_interval: 30, respect_ttl: false}\n")
    )

    asset: Any = dag.schedule
    [watcher] = asset.watchers
    assert asset.name == "news.published"
    assert isinstance(watcher.trigger, FeedEventTrigger)
    assert (watcher.trigger.feed_url, watcher.trigger.poll_interval) == (
        "https://www.example.com/feed.xml",
        30,
    )
    assert (watcher.trigger.respect_ttl, watcher.trigger.remember) == (False, "feed_told.news")


def test_a_watched_feed_may_have_a_schedule_too(settings_file: Any) -> None:
    dag = videos_from_feed(
        settings_file(FEED + DELIVERY + "watch: true\nschedule: '@daily'\ntimezone: Europe/Berlin\n")
    )

    assert type(dag.timetable).__name__ == "AssetOrTimeSchedule"
    stored = json.dumps(serialized(dag)["dag"]["timetable"])
    assert "news.published" in stored
    assert "Europe/Berlin" in stored


def test_a_dag_is_stored_the_same_each_time(settings_file: Any) -> None:
    """Airflow makes a new version of a DAG that is not."""
    file = settings_file(FEED + DELIVERY + "watch: true\nschedule: '@daily'\nbudget: {carry_over: true}\n")

    assert serialized(videos_from_feed(file)) == serialized(videos_from_feed(file))


def test_an_answer_may_take_its_time(settings_file: Any) -> None:
    approval = "approval: {response_timeout: PT12H, defaults: Approve}\ntimeout: PT3H\n"
    dag = videos_from_feed(settings_file(FEED + DELIVERY + approval))

    question = dag.task_dict["approved_video.approval"]
    assert question.defaults == ["Approve"]
    assert timedelta(hours=12) in (getattr(question, "response_timeout", None), question.execution_timeout)
    assert dag.task_dict["approved_video.render"].timeout == 3 * 3600


def test_how_the_run_ends_is_up_to_the_settings(settings_file: Any) -> None:
    dag = videos_from_feed(
        settings_file(FEED + DELIVERY + "fail_when: any\non_left_out: fail\nmax_active: 5\n")
    )

    summary = dag.task_dict["summarize"]
    assert (summary.fail_when, summary.on_left_out) == ("any", "fail")
    assert dag.task_dict["make_videos"].max_active == 5


@pytest.mark.parametrize(
    ("function", "text", "said"),
    [
        (videos_from_feed, FEED, "delivery: is required"),
        (videos_from_feed, FEED + DELIVERY + "schedule: nightly", "schedule: must be a cron expression"),
        (videos_from_feed, FEED + DELIVERY + "template: gone.yaml", "template: is no file that can be read"),
        (
            videos_from_feed,
            FEED + DELIVERY + "script: {llm_conn_id: m, instructions: gone.txt}",
            "script.instructions: is no file that can be read",
        ),
        (
            videos_from_feed,
            "files: a/\n" + DELIVERY,
            "has files, which videos_from_feed does not take: write videos_",
        ),
        (videos_from_files, FEED + DELIVERY, "write videos_from_feed(...) in test_from_yaml.py"),
        (
            videos_from_feed,
            FEED + DELIVERY + "tell: {slack_webhook_conn_id: slack}",
            "tell.slack_webhook_conn_id, which needs another provider: run pip install -c airflow.txt "
            "apache-airflow-providers-slack (",
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
