"""A pipeline's settings file: what it may say, and what a person gets to read for each mistake."""

from __future__ import annotations

from datetime import timedelta
from pathlib import PurePosixPath
from typing import Any

import pytest

from airflow_video_creation.provider.errors import InvalidRequestError
from airflow_video_creation.provider.pipelines.settings import PipelineSettings

FILE = PurePosixPath("/dags/news.yaml")
FEED = "feed_url: https://www.example.com/feed.xml\n"
DELIVERY = "delivery: {destination: s3://my_aws@my-bucket/videos/}\n"


def read(text: str) -> PipelineSettings:
    return PipelineSettings.read(text, FILE)


def refused(text: str) -> list[str]:
    with pytest.raises(InvalidRequestError) as raised:
        read(text)
    assert str(raised.value).startswith("The pipeline /dags/news.yaml has ")
    return [str(problem) for problem in raised.value.problems]


def test_a_source_and_a_place_are_enough() -> None:
    settings = read(FEED + DELIVERY)

    assert settings.dag_id == "news", "the name of the file"
    assert settings.source == "feed_url"
    assert settings.schedule is None, "it spends nothing before somebody says when"
    assert (settings.budget.max_videos, settings.budget.max_minutes) == (20, 60)
    assert settings.approval is False
    assert settings.video_creation_conn_id == "video_creation_default"
    assert settings.default_args.to_airflow() == {
        "owner": "airflow",
        "retries": 2,
        "retry_delay": timedelta(minutes=1),
        "pool": "default_pool",
    }


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("schedule: 0 3 * * *", {"schedule": "0 3 * * *"}),
        ("schedule: '@daily'", {"schedule": "@daily"}),
        ("schedule: '@quarterly'", {"schedule": "@quarterly"}),
        ("schedule: 30 5 * * MON-FRI", {"schedule": "30 5 * * MON-FRI"}),
        ("timezone: Europe/Berlin", {"timezone": "Europe/Berlin"}),
        ("lookback: PT6H", {"lookback": "PT6H"}),
        ("tags: news", {"tags": ("news",)}),
        ("tags: [news, video]", {"tags": ("news", "video")}),
        ("dag_id: nightly.news", {"dag_id": "nightly.news"}),
        ("template: style.yaml", {"template": "/dags/style.yaml"}),
        ("template: ../styles/a.yaml", {"template": "/dags/../styles/a.yaml"}),
        ("template: /styles/a.yaml", {"template": "/styles/a.yaml"}),
        ("rules: {max_scenes: 5}", {"rules": {"max_scenes": 5}}),
        ("approval: true", {"approval": True}),
    ],
)
def test_what_may_be_said(text: str, found: dict[str, Any]) -> None:
    settings = read(f"{FEED}{DELIVERY}{text}\n")

    assert {name: getattr(settings, name) for name in found} == found


@pytest.mark.parametrize(
    ("written", "destination"),
    [
        ("videos/", "/dags/videos/"),
        ("/srv/videos/", "/srv/videos/"),
        ("s3://my_aws@my-bucket/videos/", "s3://my_aws@my-bucket/videos/"),
        ("'{{ var.value.videos_folder }}/'", "{{ var.value.videos_folder }}/"),
    ],
)
def test_a_relative_path_begins_at_the_file(written: str, destination: str) -> None:
    assert read(f"{FEED}delivery: {{destination: {written}}}").delivery.destination == destination


def test_files_of_several_places() -> None:
    settings = read(DELIVERY + "files: [articles/, 's3://a@b/texts/*.html']")

    assert settings.files == ("/dags/articles/", "s3://a@b/texts/*.html")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("schedul: '@daily'", "schedul: is not a key here; did you mean 'schedule'?"),
        ("colour: red", "colour: is not a key here; the keys are dag_id, feed_url,"),
        ("schedule: 0 3 * *", "schedule: must be a cron expression, such as '0 3 * * *', or one of @hourly,"),
        ("schedule: 61 3 * * *", "schedule: must be a cron expression"),
        ("schedule: every night", "schedule: must be a cron expression"),
        ("schedule: '@continuous'", "schedule: must be a cron expression"),
        ("schedule: '@midnight'", "schedule: must be a cron expression"),
        ("schedule: 3", "schedule: must be text (given: 3)"),
        ("timezone: Mars", "timezone: must be the name of a time zone, such as Europe/Berlin"),
        ("timezone: /etc/passwd", "timezone: must be the name of a time zone"),
        ("lookback: two days", "lookback: must be a time span, such as P2D (two days)"),
        ("lookback: -P1D", "lookback: must be a time span"),
        ("dag_id: my news", "dag_id: may hold letters, digits, '-', '_' and '.' only (given: 'my news')"),
        ("template: s3://a/style.yaml", "template: must be a file on disk"),
        ("template: ''", "template: must not be empty"),
        ("rules: max_scenes", "rules: must be an object with fields"),
        ("budget: {max_video: 3}", "budget.max_video: is not a key here; did you mean 'max_videos'?"),
        ("budget: {max_videos: 0}", "budget.max_videos: must be greater than or equal to 1"),
        ("budget: {max_minutes: many}", "budget.max_minutes: must be a number"),
        ("budget: {max_minutes: .inf}", "budget.max_minutes: must be a finite number"),
        ("approval: perhaps", "approval: must be true or false"),
        (
            "tell: {slack: '#news'}",
            "tell.slack: is not a key here; the keys are slack_webhook_conn_id, email",
        ),
        ("tell: {email: a@example.com}", "tell.email: must be an object with fields"),
        ("tell: {email: {to: []}}", "tell.email.to: must have at least one element"),
        ("default_args: {retrys: 3}", "default_args.retrys: is not a key here; did you mean 'retries'?"),
        ("default_args: {retry_delay: soon}", "default_args.retry_delay: must be a time span"),
        (
            "urls: [https://example.com/a]",
            "the pipeline: needs one of feed_url, urls, files, and has feed_url and",
        ),
    ],
)
def test_a_mistake_is_told_with_its_path(text: str, said: str) -> None:
    [problem] = refused(f"{FEED}{DELIVERY}{text}\n")

    assert problem.startswith(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FEED, "delivery: is required"),
        (FEED + "delivery: {}", "delivery.destination: is required"),
        (FEED + "delivery: {destination: videos}", "delivery.destination: must end with a slash"),
        (
            FEED + "delivery: {destination: v/, subtitles: [doc]}",
            "delivery.subtitles[0]: must be 'srt' or 'vtt'",
        ),
        (DELIVERY, "the pipeline: needs one of feed_url, urls, files, and has none of them"),
        (DELIVERY + "files: []", "files: must have at least one element"),
        (
            FEED + "approval: true\ndelivery: {destination: v/, manifest: m.jsonl}",
            "the pipeline: has approval and delivery.manifest",
        ),
        ("", "the file: must be an object with fields, but is empty"),
        ("- a", "the file: must be an object with fields, but is a list"),
        ("delivery: {", "the file: is text that is neither JSON nor YAML"),
        ("schedule: * 3 * * *", "the file: is text that is neither JSON nor YAML"),
    ],
)
def test_what_is_missing_or_no_settings_at_all(text: str, said: str) -> None:
    [problem] = refused(text)

    assert problem.startswith(said)


def test_all_mistakes_are_told_at_once() -> None:
    told = refused("feed_ulr: x\nschedule: '@never'\ndelivery: {destination: v}\n")

    assert [line.partition(":")[0] for line in told] == ["schedule", "delivery.destination", "feed_ulr"]


@pytest.mark.parametrize(
    "text",
    [
        "feed_url: https://me:hush@www.example.com/feed.xml\n" + DELIVERY,
        FEED + "delivery: {destination: 's3://key:hush@my-bucket/videos/'}\n",
    ],
)
def test_a_password_does_not_belong_in_it_and_is_not_shown(text: str) -> None:
    [problem] = refused(text)

    assert "holds a password, and this file is no place for one" in problem
    assert "hush" not in problem
