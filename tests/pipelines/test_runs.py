"""Pipelines of settings files, run by Airflow against the emulator and the sample site: those that the docs show."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.demo.sample_site import sample_site
from airflow_video_creation.provider.pipelines.template import check_pipeline

from ..airflow_process import AirflowProcess, needs_airflow_process
from ..docs.code_blocks import blocks

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "recipes" / "pipelines-from-yaml.md").read_text("utf-8")
STYLE = ROOT / "example_dags" / "article_style.yaml"
pytestmark = needs_airflow_process
SMALL = "rules: {max_scenes: 2, storyboard: {videoWidth: 96, videoHeight: 64}}\n"
TEXTS = "files: texts/\ndelivery: {destination: '{{ var.value.videos_folder }}/', sidecar: true}\n"


def written_by(shell: str) -> dict[str, str]:
    """File -> what the commands of a page write into it."""
    return dict(re.findall(r"dags/([\w.]+)\" <<'END'\n(.*?)^END$", shell, re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="module")
def dags(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the pipeline of the page, and one of texts."""
    dags = tmp_path_factory.mktemp("dags")
    shutil.copy(STYLE, dags)
    for name, text in written_by(PAGE).items():
        (dags / name).write_text(text + SMALL if name.endswith(".yaml") else text)
    (dags / "texts").mkdir()
    (dags / "texts" / "ferry.txt").write_text(
        "The ferry\n\n" + "From Monday on it crosses the bay twice an hour. " * 3
    )
    (dags / "texts.yaml").write_text(TEXTS + SMALL)
    (dags / "texts.py").write_text(
        "from airflow_video_creation import videos_from_files\n\ndag = videos_from_files('texts.yaml')\n"
    )
    return dags


@pytest.fixture
def run(
    airflow_process: AirflowProcess, dags: Path, video_creation_emulator: Any, tmp_path: Path
) -> Callable[..., Any]:
    """Runs a pipeline once, which delivers into the test's folder."""

    def run_once(dag_id: str, **params: Any) -> Any:
        with sample_site() as site:
            environment = {
                "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT": video_creation_emulator.connection_json,
                "AIRFLOW_VAR_ARTICLES_FEED_URL": f"{site}/feed.xml",
                "AIRFLOW_VAR_VIDEOS_FOLDER": str(tmp_path),
            }
            log = tmp_path / "run.log"
            told = airflow_process.run(dag_id, dags=dags, environment=environment, log=log, params=params)
        assert told["state"] == "success", log.read_text()[-3000:]
        return told

    return run_once


def delivered(folder: Path, kind: str) -> int:
    return len([*folder.glob(f"*.{kind}")])


def test_a_dry_run_sends_nothing(run: Any, video_creation_emulator: Any, tmp_path: Path) -> None:
    run("news", dry_run=True)

    operations = {call["operation"] for call in video_creation_emulator.admin.calls()}
    assert not operations & {"storyboard", "render"}
    assert delivered(tmp_path, "mp4") == 0


def test_the_feed_of_the_page_becomes_videos_with_subtitles(run: Any, tmp_path: Path) -> None:
    told = run("news")

    assert (delivered(tmp_path, "mp4"), delivered(tmp_path, "srt")) == (3, 3)
    summary = next(
        value for task, key, _, value in told["xcoms"] if (task, key) == ("summarize", "return_value")
    )
    assert '"made": 3' in str(summary) or "'made': 3" in str(summary)


def test_a_folder_of_texts_becomes_videos(run: Any, tmp_path: Path) -> None:
    run("texts")

    assert (delivered(tmp_path, "mp4"), delivered(tmp_path, "json")) == (1, 1)


def test_the_settings_that_the_page_shows_are_right(tmp_path: Path) -> None:
    shutil.copy(STYLE, tmp_path)
    shown = [one.text for one in blocks("yaml") if one.page == "docs/recipes/pipelines-from-yaml.md"]

    assert [check_pipeline(text, tmp_path / "news.yaml", Path).dag_id for text in shown] == ["news"]


def test_the_page_names_every_key() -> None:
    from airflow_video_creation.provider.pipelines.parts import PipelinePart

    keys = {name for part in PipelinePart.__subclasses__() for name in part.model_fields}
    assert {key for key in keys if not re.search(rf"\b{key}\b", PAGE)} == set()
