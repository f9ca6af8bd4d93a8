"""Importing the operators costs a DAG file next to nothing: what is slow is loaded when it is used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ..forked_python import ForkedPython, needs_forked_python

pytestmark = needs_forked_python

Loaded = Callable[[str], list[str]]
OURS = "airflow_video_creation"
SLOW = (
    "aiohttp",
    "feedparser",
    "fsspec",
    "itsdangerous",
    "pydantic",
    "pydantic_ai",
    "requests",
    "trafilatura",
    "urllib3",
    "yaml",
    f"{OURS}.hooks",
    f"{OURS}.provider.articles",
    f"{OURS}.provider.models",
    f"{OURS}.provider.protocol",
    f"{OURS}.provider.waiting.job_wait",
    f"{OURS}.triggers",
)
LIGHT = (
    f"{OURS}.hooks",
    f"{OURS}.hooks.airflow",
    f"{OURS}.hooks.airflow.errors",
    f"{OURS}.hooks.airflow.failure_xcom",
    f"{OURS}.hooks.airflow.job_xcom",
    f"{OURS}.hooks.airflow.links",
    f"{OURS}.hooks.airflow.mapped_data",
    f"{OURS}.hooks.airflow.template",
    f"{OURS}.provider.protocol",
)

OF_AIRFLOWS_FEATURES = (
    "airflow.providers.standard",
    "airflow.sdk.definitions.decorators",
    "airflow.triggers",
    "asgiref",
)
"""What Airflow loads for @task, for deferring and for a person's approval: only a DAG that uses them should pay."""

NEWLY_LOADED = """
import sys
from airflow.sdk import DAG, BaseOperator, BaseSensorOperator

before = set(sys.modules)
{statements}
print("loaded:", *(set(sys.modules) - before))
"""
IMPORTS = "\n".join(
    f"import {OURS}.{module}"
    for module in (
        "notifications.night_summary",
        "operators.articles",
        "operators.aws_connection",
        "operators.download",
        "operators.job_assets",
        "operators.plan",
        "operators.private_media",
        "operators.render",
        "operators.script",
        "operators.storyboard",
        "operators.storyboard_decorator",
        "operators.summary",
        "operators.video",
        "operators.voiceover",
        "sensors.video_job",
    )
)
DAG = """
from datetime import datetime
from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.sensors.video_job import VideoJobSensor

with DAG("d", start_date=datetime(2026, 1, 1)):
    create = CreateStoryboardOperator(
        task_id="create", storyboard={"videoName": "{{ ds }}", "scenes": [{"text": "{{ ds }}"}]}
    )
    render = RenderVideoOperator(task_id="render", storyboard_job_id=create.output)
    wait = VideoJobSensor(task_id="wait", job_id=render.output, deferrable=True)
    wait >> DownloadVideoOperator(task_id="fetch", job_id=render.output, destination="/videos/{{ ds }}.mp4")
    CreateStoryboardOperator.partial(task_id="many").expand(storyboard=[{"videoName": "a"}, {"videoName": "b"}])
"""


NAMES = """
from airflow_video_creation import (
    AddVoiceoverTrackOperator,
    CreatePrivateMediaRoleOperator,
    CreateStoryboardOperator,
    CreateVideoOperator,
    CreateVideosOperator,
    DownloadVideoOperator,
    FetchArticlesOperator,
    NightSummaryNotifier,
    PlanVideosOperator,
    RegisterAwsConnectionOperator,
    RenderVideoOperator,
    SummarizeVideosOperator,
    VideoCreationHook,
    VideoJobSensor,
    airflow_errors,
    video_ready,
)
"""


@pytest.fixture
def loaded_by(forked_python: ForkedPython) -> Loaded:
    """The modules that statements load in a process that knows Airflow."""

    def load(statements: str) -> list[str]:
        ran = forked_python.run(NEWLY_LOADED.format(statements=statements))
        assert ran.status == 0, ran.printed
        return ran.printed.rpartition("loaded:")[2].split()

    return load


def test_a_dag_of_all_operators_loads_nothing_slow(loaded_by: Loaded) -> None:
    loaded = loaded_by(IMPORTS + DAG)

    assert f"{OURS}.sensors.video_job" in loaded
    assert [name for name in loaded if name.startswith(SLOW) and name not in LIGHT] == []


def test_a_dag_of_a_settings_file_loads_no_more_models_than_its_own(
    loaded_by: Loaded, tmp_path: Path
) -> None:
    settings = tmp_path / "news.yaml"
    settings.write_text(
        "feed_url: https://www.example.com/feed.xml\n"
        "delivery: {destination: /videos/}\n"
        "rules: {max_scenes: 5}\n"
        "tell: {email: {to: a@example.com}}\n"
    )
    loaded = loaded_by(f"from {OURS} import videos_from_feed\nvideos_from_feed({str(settings)!r})")

    assert f"{OURS}.provider.pipelines.settings" in loaded
    assert not {f"{OURS}.triggers.feed", f"{OURS}.operators.script"} & {*loaded}, (
        "it has no watch and no script"
    )
    models = ("field_types", "json_value", "problems", "request_text")
    articles = ("articles", "articles.file_kinds", "articles.watching", "articles.watching.watched_address")
    own = {
        f"{OURS}.provider.{name}" for name in ("models", *(f"models.{name}" for name in models), *articles)
    }
    # Below Airflow 3.3 Airflow itself loads each provider's get_provider_info.
    mail = ("airflow.providers.smtp.hooks", "airflow.providers.smtp.notifications")
    slow = [name for name in loaded if name.startswith((*SLOW, *mail))]
    assert [name for name in slow if name not in {*LIGHT, *own}] == []


def test_operators_load_no_feature_of_airflow_that_the_dag_may_not_use(loaded_by: Loaded) -> None:
    loaded = loaded_by(NAMES)

    assert f"{OURS}.sensors.video_job" in loaded
    assert [name for name in loaded if name.startswith(OF_AIRFLOWS_FEATURES)] == []


def test_a_short_name_loads_no_more_than_its_long_path(loaded_by: Loaded) -> None:
    short = loaded_by("from airflow_video_creation import CreateStoryboardOperator")
    long = loaded_by("from airflow_video_creation.operators.storyboard import CreateStoryboardOperator")

    assert {*short} <= {*long}
