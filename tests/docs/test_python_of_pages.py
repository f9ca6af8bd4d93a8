"""Each part of Python on the pages does what its page says, in a frame of what the page takes for granted."""

from __future__ import annotations

import asyncio
import json
import textwrap
from collections.abc import Callable
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

import jinja2
import pytest

import airflow_video_creation
from airflow_video_creation.demo.sample_site import FOLDER
from airflow_video_creation.provider.errors import AmbiguousSubmissionError

from ..airflow_process import Run, needs_airflow_process
from .code_blocks import block, blocks, not_told

pytestmark = needs_airflow_process

needs_3_3 = pytest.mark.skipif(
    metadata.version("apache-airflow").startswith(("3.1.", "3.2.")),
    reason="below Airflow 3.3 carry_over and budgets need a record folder, and callbacks get no cause",
)
MEDIA, VOICES, ALERTS = "docs/sources/private-media.md", "docs/sources/voices.md", "docs/recipes/alerts.md"
ADOPTED = [
    ("docs/operate/a-submission-in-doubt.md", "adopt_job_id"),
    ("docs/operate/many-videos-in-one-task.md", "adopt_render_job_ids"),
]
IN_ONE_DAG = {
    ("docs/pipelines/storyboards_to_videos.md", "video_from_storyboard.partial"): """
        plan = PlanVideosOperator(task_id="plan", storyboards=STORYBOARDS)
        {block}""",
    ("docs/recipes/budgets.md", "carry_over=True"): "storyboards = STORYBOARDS\n{block}",
    ("docs/recipes/budgets.md", "max_minutes_per_day"): "storyboards = STORYBOARDS\n{block}",
    ("docs/recipes/delivery.md", "DownloadVideoOperator("): """
        video = CreateVideoOperator(task_id="video", storyboard=STORYBOARDS[0])
        {block}""",
    ("docs/recipes/quota-and-voices.md", "PlanVideosOperator("): "storyboards = STORYBOARDS\n{block}",
    ("docs/recipes/quota-and-voices.md", "def look()"): "{block}\nlook()",
    ("docs/recipes/spending.md", "make_storyboards()"): """
        @task
        def make_storyboards():
            return STORYBOARDS

        {block}""",
    ("docs/recipes/summary.md", "SummarizeVideosOperator("): """
        videos = CreateVideosOperator(task_id="videos", storyboards=STORYBOARDS, destination=FOLDER)
        {block}""",
    ("docs/sources/articles.md", "max_articles=200"): "{block}",
    ("docs/sources/articles.md", "article_with_text"): "{block}\nmake_storyboard(ARTICLE)",
    ("docs/sources/templates.md", "article: dict[str, Any]"): "{block}\nmake_storyboard(ARTICLE)",
    (VOICES, 'newsroom-morning",  # unique'): "{block}",
}
"""Page and words of a block -> what stands around it in the DAG."""
TOGETHER = {
    (MEDIA, "CreatePrivateMediaRoleOperator("),
    (MEDIA, 'role.output["account_id"]'),
    (MEDIA, "connection={...}"),
    (MEDIA, "def switch_off"),
    (MEDIA, '"awsConnectionId":'),
    (VOICES, '"audio": {"aiVoiceOver"'),
    (VOICES, "track={...}"),
    (ALERTS, "def tell(context)"),
    (ALERTS, 'TEXT = """'),
    (ALERTS, 'task_id="film"'),
    (ALERTS, "SlackWebhookNotifier("),
    ("docs/operate/webhooks.md", "preview_ready()"),
    ("docs/recipes/pipelines-from-yaml.md", 'dag = videos_from_feed("news.yaml")\n'),
    ("docs/recipes/pipelines-from-yaml.md", "feeds/*.yaml"),
    ("docs/reference/calls.md", "VideoCreationAsyncHook"),
    ("docs/reference/emulator.md", "def test_a_video_is_paid_once"),
    ("docs/reference/emulator.md", "with Emulator("),
    ("docs/sources/scripts.md", "@task.llm"),
    ("docs/sources/templates.md", "template.storyboard_of"),
    ("docs/sources/transcripts.md", "    fetch_podcast,"),
    ("docs/sources/transcripts.md", "part_uri="),
}
"""Those that a test of their own runs."""
NOT_RUN = {
    (
        "docs/recipes/approval.md",
        "ApproveVideoOperator(",
    ): "with_a_yes of operators.md is run: a person answers it",
}
"""Page and words of a block -> why."""

EXTRAS = [
    ("docs/recipes/quota-and-voices.md", '"quota": "/api'),
    (MEDIA, '"aws_connection_list"'),
    (MEDIA, '"update_method": "PUT"'),
    (VOICES, '"voiceover_track_list"'),
]
"""What the pages tell to put into the extra of the connection for these parts."""

BEFORE = """
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from airflow.sdk import DAG, Asset, BaseNotifier, Param, TaskGroup, task

from airflow_video_creation import *

STORYBOARDS = [{"videoName": "PART", "scenes": [{"text": "A part."}]}]
FOLDER = "{{ var.value.videos_folder }}/"
TEXT = "The mill grinds with the tide, as it has since 1739. " * 5
ARTICLE = {"title": "A mill", "url": "https://www.example.com/mill", "text": TEXT, "language": "en"}
"""


def test_every_part_is_run_here() -> None:
    told = {*ADOPTED, *IN_ONE_DAG, *TOGETHER, *NOT_RUN}
    assert set(not_told("python", told)) == {found.name for found in blocks("python") if found.dag_id}


def framed(parts: dict[str, str], dag: str) -> str:
    """A DAG file that has each part in a task group of its own."""
    names = ", ".join(name for name in airflow_video_creation.__all__)
    lines = [BEFORE.replace("import *", f"import {names}")]
    for name, text in parts.items():
        lines.append(
            f"def {name}():\n{textwrap.indent(text.replace('STORYBOARDS', f'STORYBOARDS_{name}'), '    ')}\n"
        )
        lines.append(f'STORYBOARDS_{name} = json.loads(json.dumps(STORYBOARDS).replace("PART", "{name}"))\n')
    lines.append(f'with DAG("{dag}", params={{"dry_run": Param(False, type="boolean")}}):')
    lines += [f'    with TaskGroup("{name}"):\n        {name}()' for name in parts]
    return "\n".join(lines)


def in_frame(page: str, words: str) -> str:
    frame = textwrap.dedent(IN_ONE_DAG[page, words]).strip()
    return frame.replace("{block}", block(page, words))


def private_media() -> str:
    register = block(MEDIA, 'role.output["account_id"]')
    again = block(MEDIA, "connection={...}").replace("register_connection", "again")
    return "\n".join(
        [
            block(MEDIA, "CreatePrivateMediaRoleOperator("),
            "registered = " + register.lstrip(),
            "again = " + again.replace("{...}", "registered.connection"),
            block(MEDIA, "def switch_off"),
            f'private = {{"videoName": "private", {block(MEDIA, "awsConnectionId")}}}',
            'shown = CreateStoryboardOperator(task_id="shown", storyboard=private, wait_for_completion=True)',
            'off = switch_off(registered.output["connectionId"])',
            "role >> registered >> again >> shown >> off",
        ]
    )


def voices() -> str:
    track = block(VOICES, 'newsroom-morning",  # unique')
    again = block(VOICES, "track={...}").replace('"add_voice"', '"again"')
    return "\n".join(
        [
            "added = " + track.lstrip(),
            "again = " + again.replace("{...}", "added.track"),
            f"spoken = {{**STORYBOARDS[0], {block(VOICES, 'aiVoiceOver')}}}",
            'added >> again >> CreateStoryboardOperator(task_id="spoken", storyboard=spoken)',
        ]
    )


@needs_3_3
def test_parts_of_a_dag_run(
    run_text: Callable[..., Run], video_creation_emulator: Any, aws_connection: str, tmp_path: Path
) -> None:
    parts = {
        f"part_{number}": in_frame(*key)
        for number, key in enumerate(IN_ONE_DAG)
        if "add_voice" not in block(*key)
    }
    connection = json.loads(video_creation_emulator.connection_json)
    for shown in EXTRAS:
        connection["extra"].setdefault("paths", {}).update(json.loads(block(*shown))["paths"])
    connection["extra"]["update_method"] = "PUT"
    text = framed({**parts, "media": private_media(), "voices": voices()}, "parts")
    ended = run_text(
        "parts",
        text,
        connections={"aws_default": aws_connection, "video_creation_default": json.dumps(connection)},
    )

    assert {task: state for task, state in ended.tasks.items() if state != "success"} == {}, ended.log[-9000:]
    assert {file.suffix for file in tmp_path.glob("harbour.*")} >= {".mp4", ".srt", ".vtt", ".json"}


@needs_3_3
def test_a_message_says_what_failed_in_your_own_words(
    run_text: Callable[..., Run], video_creation_emulator: Any
) -> None:
    video_creation_emulator.admin.add_fault("fail", on="storyboard", video_name="lamp")
    film = block(ALERTS, 'task_id="film"').replace(
        "STORYBOARD", '{"videoName": "lamp", "scenes": [{"text": "A lamp."}]}'
    )
    named = {name: film.replace('"film"', f'"{name}"') for name in ("function", "template", "slack")}
    text = "\n".join(
        [
            BEFORE.replace("import *", "import CreateVideoOperator, NightSummaryNotifier"),
            SLACK,
            block(ALERTS, "def tell(context)"),
            block(ALERTS, 'TEXT = """'),
            'with DAG("alerts"):',
            textwrap.indent(named["function"], "    "),
            "    told = NightSummaryNotifier(SlackWebhookNotifier(text=TEXT))",
            textwrap.indent(named["template"], "    "),
            "    told = " + textwrap.indent(block(ALERTS, "SlackWebhookNotifier("), "    ").lstrip(),
            textwrap.indent(named["slack"], "    "),
        ]
    )
    ended = run_text("alerts", text)

    assert set(ended.tasks.values()) == {"failed"}
    assert ended.log.count("Task function failed.") >= 1, ended.log[-9000:]
    assert "Task template failed. <" in ended.log
    assert "FAILED in template (1 x JobFailedError): lamp (" in ended.log
    assert "SENT slack failed: Video 'lamp'" in ended.log


SLACK = """
class SlackWebhookNotifier(BaseNotifier):
    template_fields = ("text",)

    def __init__(self, text, slack_webhook_conn_id=None):
        super().__init__()
        self.text = text

    def notify(self, context):
        print("SENT", self.text)
"""


@pytest.mark.parametrize(("page", "name"), ADOPTED)
def test_a_job_is_adopted_in_the_named_run_only(page: str, name: str) -> None:
    for line in block(page, name).splitlines():
        text = line.partition(" = ")[2]
        template = jinja2.Template(
            text.removeprefix('{"lamp": ').removesuffix("}") if "lamp" in text else text
        )
        ti = {"map_index": 3}
        assert template.render(run_id="scheduled__2026-11-21T00:00:00+00:00", ti=ti) == '"JOB_ID"'
        assert template.render(run_id="scheduled__2026-11-22T00:00:00+00:00", ti=ti) == '"None"'


def executed(text: str, **given: Any) -> dict[str, Any]:
    """The names that a part defines."""
    exec(compile(text, "page", "exec"), given)
    return given


def test_a_dag_is_run_by_an_event_of_a_preview() -> None:
    from airflow.sdk import dag

    text = block("docs/operate/webhooks.md", "preview_ready()")
    made = executed(text, dag=dag)["render_ready_previews"]()
    assert "video_creation" in str(made.timetable.asset_condition)


def test_an_asynchronous_call_returns_what_the_service_says(video_creation_emulator: Any) -> None:
    made = executed(block("docs/reference/calls.md", "VideoCreationAsyncHook"))
    assert asyncio.run(made["voices"]())["data"]


def test_a_test_of_yours_sees_that_a_video_is_paid_once(video_creation_emulator: Any) -> None:
    def run_the_dag() -> None:
        with suppress(AmbiguousSubmissionError):
            airflow_video_creation.VideoCreationHook().create_storyboard(
                {"videoName": "trees", "scenes": [{"text": "A tree."}]}
            )

    text = block("docs/reference/emulator.md", "def test_a_video_is_paid_once")
    made = executed(text.replace("...  # run the DAG", "run_the_dag()"), run_the_dag=run_the_dag)
    made["test_a_video_is_paid_once"](video_creation_emulator)


def test_an_emulator_starts_with_faults() -> None:
    executed(block("docs/reference/emulator.md", "with Emulator("))


ARTICLE = {
    "title": "A mill",
    "url": "https://www.example.com/mill",
    "text": "The mill grinds with the tide, as it has since 1739. Visitors may watch on Sundays.",
    "language": "en",
}


def test_a_template_makes_a_storyboard() -> None:
    made = executed(block("docs/sources/templates.md", "template.storyboard_of"), article=ARTICLE)
    assert made["storyboard"]["scenes"][-1]["text"] == "Read on at example.com"


def test_a_script_of_your_own_task_becomes_a_storyboard(run_text: Callable[..., Run]) -> None:
    pytest.importorskip("airflow.providers.common.ai", reason="not installed: pip install '.[ai]'")
    tide = "The mill grinds with the tide, as it has since 1739."
    script = {
        "title": "A mill",
        "hook": "The mill grinds with the tide.",
        "scenes": [{"text": tide, "source": tide}],
        "closing": "Visitors may watch on Sundays.",
    }
    text = "\n".join(
        [
            "from airflow.sdk import DAG",
            block("docs/sources/scripts.md", "@task.llm"),
            'with DAG("own_script"):',
            f"    write_script(make_prompt({ARTICLE!r}))",
            f"    make_storyboard({script!r}, {ARTICLE!r})",
        ]
    )
    ended = run_text("own_script", text)
    assert ended.state == "success", ended.log[-5000:]
    assert ended.xcom("make_storyboard")["storyboard"]["scenes"]


def test_a_transcript_lies_over_clips_of_your_own() -> None:
    made = executed(block("docs/sources/transcripts.md", "    fetch_podcast,"))
    transcript = made["fetch_transcript"](str(FOLDER / "ferry.srt"))
    text = "made = " + block("docs/sources/transcripts.md", "part_uri=")
    storyboard = executed(text, **made, url="s3://clips/talk.mp4", transcript=transcript)["made"]
    assert storyboard["scenes"][0]["backgroundUri"].startswith("s3://clips/talk/0000")


YAML_PAGE = "docs/recipes/pipelines-from-yaml.md"


@needs_3_3
def test_settings_files_become_dags(run_text: Callable[..., Run], localized: Any, tmp_path: Path) -> None:
    settings = block(YAML_PAGE, "yaml-language-server")
    # Its provider is not installed for these tests.
    settings = localized(settings.replace("tell:\n  slack_webhook_conn_id: slack\n", ""))
    feeds = tmp_path / "dags" / "feeds"
    feeds.mkdir(parents=True)
    (feeds.parent / "news.yaml").write_text(settings, "utf-8")
    for name in ("city", "sport"):
        (feeds / f"{name}.yaml").write_text(settings.replace("article_style", "../article_style"), "utf-8")

    ran = [run_text("news", block(YAML_PAGE, 'videos_from_feed("news.yaml")', "python"), params=DRY)]
    (feeds.parent / "news.py").unlink()
    ran.append(run_text("city", block(YAML_PAGE, "feeds/*.yaml"), params=DRY))
    for ended in ran:
        assert ended.state == "success", ended.log[-5000:]
        assert "Dry run: 3 videos would be made" in ended.log


DRY = {"dry_run": True, "lookback": "P2D"}
