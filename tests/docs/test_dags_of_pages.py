"""Each DAG of the pages is run by Airflow as it stands, and makes what its page says."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation import VideoCreationHook

from ..airflow_process import Run, needs_airflow_process
from .code_blocks import block, blocks

pytestmark = needs_airflow_process

DAGS = {found.dag_id: found.text for found in blocks("python") if found.dag_id}
VIDEOS = {
    "two_seasons": {"autumn", "winter"},
    "nightly_videos": {"part-1", "part-2", "part-3"},
    "products_to_videos": {"K-100", "L-200"},
    "cities": {"city-1", "city-2", "city-3"},
    "greetings": {"hello-Ada", "hello-Grace"},
    "cities_by_country": {"at-graz", "no-bergen"},
    "more_seasons": {"autumn", "winter"},
    "seasons": {"spring", "summer"},
    "delivered": {"parcel"},
    "within_limits": {"part-1", "part-2"},
}
"""DAG -> the videos that it delivers."""
STORYBOARD = {"videoName": "known", "scenes": [{"text": "A job."}]}
SMALL_NAME = '"videoWidth": 96, "videoHeight": 64, "videoName"'


def test_every_dag_is_run_here() -> None:
    """A new one is run by one of these tests."""
    named = Path(__file__).read_text("utf-8")
    assert [dag_id for dag_id in DAGS if f'"{dag_id}"' not in named] == []


@pytest.fixture
def run(run_text: Callable[..., Run]) -> Callable[..., Run]:
    """Runs a DAG of the pages once, which succeeds."""

    def run_once(dag_id: str, **given: Any) -> Run:
        ended = run_text(dag_id, DAGS[dag_id], **given)
        assert ended.state == "success", ended.log[-3000:]
        return ended

    return run_once


def delivered(folder: Path) -> set[str]:
    """The names of the videos in a folder."""
    return {file.stem for file in folder.glob("*.mp4") if file.stat().st_size > 1000}


@pytest.mark.parametrize("dag_id", sorted(VIDEOS.keys() - {"products_to_videos", "cities", "delivered"}))
def test_the_videos_are_delivered(run: Callable[..., Run], tmp_path: Path, dag_id: str) -> None:
    ended = run(dag_id)

    assert delivered(tmp_path) == VIDEOS[dag_id], ended.log[-3000:]


def test_each_row_of_the_csv_file_has_a_result(run_text: Callable[..., Run], tmp_path: Path) -> None:
    page = "docs/recipes/csv-to-videos.md"
    tmp_path.joinpath("products.csv").write_text(block(page, "sku,title,text"), "utf-8")
    ended = run_text("products_to_videos", DAGS["products_to_videos"].replace('"videoName"', SMALL_NAME))

    assert ended.state == "failed", "a row is wrong, and the page says that the run is red then"
    assert delivered(tmp_path) == VIDEOS["products_to_videos"]
    written = tmp_path.joinpath("results.csv").read_text("utf-8").replace(str(tmp_path), "/videos")
    assert rows(written) == rows(block(page, "sku,state,file or reason"))


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_the_manifest_has_a_line_for_each_video_as_shown(run: Callable[..., Run], tmp_path: Path) -> None:
    run("cities")

    assert delivered(tmp_path) == VIDEOS["cities"]
    shown = json.loads(block("docs/recipes/one-task-or-many.md", '"storyboard_job_id"'))
    lines = [json.loads(line) for line in tmp_path.joinpath("videos.jsonl").read_text("utf-8").splitlines()]
    assert [line["name"] for line in lines] == ["city-1", "city-2", "city-3"]
    assert [shown.keys() - line.keys() for line in lines] == [set()] * 3


def test_a_delivered_video_has_the_files_that_were_asked_for(run: Callable[..., Run], tmp_path: Path) -> None:
    run("delivered")

    assert {file.name for file in tmp_path.glob("parcel.*")} == {"parcel.mp4", "parcel.srt", "parcel.json"}


@pytest.mark.parametrize(
    ("dag_id", "made"),
    [
        ("one_video", ["storyboard", "render"]),
        ("preview_only", ["storyboard"]),
        ("greeting", ["storyboard"]),
        ("preview_then_video", ["storyboard", "render"]),
    ],
)
def test_what_is_shown_is_sent(
    run: Callable[..., Run], video_creation_emulator: Any, dag_id: str, made: list[str]
) -> None:
    run(dag_id)

    sent = [call["operation"] for call in video_creation_emulator.admin.calls() if call["acted"]]
    assert [operation for operation in sent if operation in ("storyboard", "render")] == made


@pytest.mark.skipif(
    metadata.version("apache-airflow").startswith(("3.1.", "3.2.")),
    reason="`airflow dags test` below Airflow 3.3 cannot ask: Unhandled request GetHITLDetailResponse",
)
def test_a_yes_renders_the_video(run: Callable[..., Run], person: Any, video_creation_emulator: Any) -> None:
    with person({"-1": "Approve"}):
        ended = run("with_a_yes")

    assert ended.tasks["approval", -1] == "success", ended.log[-3000:]
    assert len(video_creation_emulator.admin.calls(operation="render")) == 1


@pytest.fixture
def job_id(video_creation_emulator: Any) -> str:
    """A job that the service knows."""
    return str(VideoCreationHook().create_storyboard(STORYBOARD))


def test_a_job_of_a_run_is_waited_for_and_looked_at(run: Callable[..., Run], job_id: str) -> None:
    run("wait_for_a_job", params={"job_id": job_id})
    assert run("look_at_a_job", params={"job_id": job_id}).xcom("state") == "completed"


def test_articles_are_fetched(run: Callable[..., Run]) -> None:
    assert len(run("what_is_new").xcom("articles")) == 3


def test_what_was_published_in_the_last_hour_is_fetched(run_text: Callable[..., Run]) -> None:
    # The articles of the sample site are older.
    ended = run_text("published", DAGS["published"].replace("PT1H", "P2D"))
    assert len(ended.xcom("fetch_articles")) == 3, ended.log[-3000:]


def test_one_article_becomes_a_video(run: Callable[..., Run], site: str, tmp_path: Path) -> None:
    run("one_article", params={"url": f"{site}/tide-mill.html"})
    assert len(delivered(tmp_path)) == 1


def test_a_model_writes_the_scripts(
    run: Callable[..., Run], run_text: Callable[..., Run], tmp_path: Path
) -> None:
    pytest.importorskip("airflow.providers.common.ai", reason="not installed: pip install '.[ai]'")
    assert len(run("what_to_say").tasks) == 4
    text = DAGS["articles_to_scripts"].replace("feed.xml", 'feed.xml", lookback="P2D')
    ended = run_text("articles_to_scripts", text)
    assert ended.state == "success", ended.log[-3000:]
    assert len(delivered(tmp_path)) == 3


def test_voice_and_bucket_are_registered(run: Callable[..., Run]) -> None:
    assert run("a_voice").xcom("voice")["name"] == "reader"
    assert run("a_bucket").xcom("register")["name"] == "our-media"


def test_the_role_is_made(run: Callable[..., Run], aws_connection: str) -> None:
    ended = run("a_role", connections={"aws_default": aws_connection})
    assert ended.xcom("role")["account_id"] == "123456789012"


def test_other_calls_of_the_service_return_what_it_says(
    run: Callable[..., Run], video_creation_emulator: Any
) -> None:
    video_creation_emulator.admin.change(quota_minutes=90)
    ended = run("look_around")

    assert ended.xcom("quota") == 90
    assert ended.xcom("voices")
    assert ended.xcom("fonts")
    assert ended.xcom("failed_jobs") == []
