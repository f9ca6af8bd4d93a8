"""A pipeline's settings file: what it may say, and what a person gets to read for each mistake."""

from __future__ import annotations

from datetime import timedelta
from pathlib import PurePosixPath
from typing import Any

import pytest

from airflow_video_creation.provider.errors import InvalidRequestError
from airflow_video_creation.provider.pipelines.parts import Approval, Script, Watch
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
    assert (settings.approval, settings.watch, settings.script) == (None, None, None)
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
        ("approval: true", {"approval": Approval()}),
        ("approval: no", {"approval": None}),
        ("approval: {response_timeout: PT12H}", {"approval": Approval(response_timeout="PT12H")}),
        ("watch: true", {"watch": Watch(poll_interval=60, respect_ttl=True)}),
        ("watch: {poll_interval: 30}", {"watch": Watch(poll_interval=30)}),
        ("watch: true\nschedule: '@daily'", {"schedule": "@daily"}),
        ("script: {llm_conn_id: llm, seconds: 45}", {"script": Script(llm_conn_id="llm", seconds=45)}),
        ("timeout: PT3H\nmax_active: 5\nfail_when: any", {"max_active": 5, "fail_when": "any"}),
        ("budget: {max_minutes_per_day: 30, carry_over: true, max_age: P3D}", {"max_articles": None}),
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
        ("schedule: 3", "schedule: must be text: write it in quotes (given: 3)"),
        ("timezone: Mars", "timezone: must be the name of a time zone, such as Europe/Berlin"),
        ("timezone: /etc/passwd", "timezone: must be the name of a time zone"),
        ("lookback: two days", "lookback: must be a time span, such as P2D (two days)"),
        ("lookback: -P1D", "lookback: must be a time span"),
        (
            "dag_id: my news",
            "dag_id: may hold letters, digits, '-', '_' and '.' only; it is the name of the file",
        ),
        ("template: s3://a/style.yaml", "template: must be a file on disk"),
        ("template: ''", "template: must not be empty"),
        ("rules: max_scenes", "rules: must be an object with fields"),
        ("budget: {max_video: 3}", "budget.max_video: is not a key here; did you mean 'max_videos'?"),
        ("budget: {max_videos: 0}", "budget.max_videos: must be greater than or equal to 1"),
        ("budget: {max_minutes: many}", "budget.max_minutes: must be a number"),
        ("budget: {max_minutes: .inf}", "budget.max_minutes: must be a finite number"),
        ("approval: perhaps", "approval: must be true or false"),
        ("tags: [no]", "tags[0]: must be text: write it in quotes (given: False)"),
        ("tags: [2026-11-22]", "tags[0]: must be text: write it in quotes (given: 2026-11-22)"),
        ("tags: 3", "tags: must be a list (given: 3)"),
        ("lookback: 12:30:00", "lookback: must be a time span, such as P2D"),
        ("timeout: PT0S", "timeout: must be longer than nothing"),
        (
            "budget: {max_minutes_per_dya: 3}",
            "budget.max_minutes_per_dya: is not a key here; did you mean 'max_minutes_per",
        ),
        ("budget: {budget_timezone: Mars}", "budget.budget_timezone: must be the name of a time zone"),
        ("script: true", "script: must be an object with fields"),
        ("script: {}", "script.llm_conn_id: is required"),
        (
            "script: {llm_conn_id: m, on_unsupported: x}",
            "script.on_unsupported: must be 'fall_back', 'drop' or",
        ),
        (
            "script: {llm_conn_id: m}\nbudget: {carry_over: true}",
            "the pipeline: has script and budget.carry_over: give max_articles",
        ),
        ("watch: often", "watch: must be true or false, or have keys of its own (given: 'often')"),
        ("watch: {poll_interval: 5}", "watch.poll_interval: must be greater than or equal to 15"),
        ("approval: true\nmax_active: 3", "the pipeline: has approval and max_active"),
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
        ("", "the file: is empty"),
        ("# nothing yet", "the file: must be an object with fields, but is empty"),
        (FEED + FEED + DELIVERY, "the file: has the key 'feed_url' twice, in lines 1 and 2"),
        ('{"files": "a/", "files": "b/"}', "the file: has the key 'files' twice"),
        (
            FEED + "delivery:\n\tdestination: v/",
            "the file: is text that is neither JSON nor YAML: line 3, column 1:",
        ),
        (
            "feed_url: {{ var.value.x }}",
            "the file: is text that is neither JSON nor YAML: line 1, column 12: found",
        ),
        (FEED + "delivery:", "delivery: is empty: give it a value, or leave the key out"),
        (FEED + DELIVERY + "on: 1", "True: is not a key here: YAML reads on and yes as true"),
        (
            FEED + DELIVERY + "rules: !!python/object:os.system {}",
            "the file: is text that is neither JSON nor YAML",
        ),
        (FEED + DELIVERY + "dag_id: " + "n" * 251, "dag_id: may have 250 characters at most"),
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
        FEED + DELIVERY + "rules: {backgrounds: ['https://me:hush@example.com/a.png']}",
        FEED
        + DELIVERY
        + "script: {llm_conn_id: m, model_settings: {extra_body: {to: 'https://me:hush@example.com'}}}",
    ],
)
def test_a_password_does_not_belong_in_it_and_is_not_shown(text: str) -> None:
    [problem] = refused(text)

    assert "holds a password, and this file is no place for one" in problem
    assert "hush" not in problem


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("files: texts/", "has watch and files: only a feed_url can be watched; give a schedule"),
        (
            "feed_url: '{{ var.value.feed }}'",
            "has watch and Jinja in feed_url: Airflow must know the address when",
        ),
        ("feed_url: feed.xml", "has watch, and its feed_url must be the http or https address of a feed"),
        (
            "feed_url: https://me@example.com/feed.xml",
            "has watch, and its feed_url holds a user name or a password",
        ),
    ],
)
def test_only_a_feed_whose_address_is_written_out_can_be_watched(source: str, said: str) -> None:
    [problem] = refused(f"{source}\nwatch: true\n{DELIVERY}")

    assert problem.startswith(f"the pipeline: {said}")


@pytest.mark.parametrize("place", ["report.pdf", "'docs/*.docx'", "s3://a@b/book.epub"])
def test_documents_that_cannot_be_read_are_refused(place: str) -> None:
    [problem] = refused(f"files: {place}\n{DELIVERY}")

    assert "files, which cannot be read: save them as .html, .txt or .md" in problem


def test_instructions_are_a_file_or_a_text_of_several_lines() -> None:
    def instructions(written: str) -> str | None:
        script = read(f"{FEED}{DELIVERY}script:\n  llm_conn_id: llm\n  instructions: {written}\n").script
        return script.instructions if script else None

    assert instructions("editor.txt") == "/dags/editor.txt"
    assert (
        instructions("|\n    Be short.\n    See https://example.com/a")
        == "Be short.\nSee https://example.com/a\n"
    )


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm() -> None:
    assert read("\ufeff" + (FEED + DELIVERY).replace("\n", "\r\n")).source == "feed_url"
