"""What the pages name is there: a feed, a folder for videos, connections; and videos are small."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.demo.sample_site import sample_site

from ..airflow_process import Run

STYLE = "storyboard: {videoWidth: 96, videoHeight: 64}\nmax_scenes: 1\n"
MODEL = json.dumps({"conn_type": "pydanticai", "extra": {"model": "test"}})


@pytest.fixture
def site() -> Iterator[str]:
    """The address of a small news site."""
    with sample_site() as address:
        yield address


@pytest.fixture
def localized(site: str, tmp_path: Path) -> Callable[[str], str]:
    """Gives a text of a page in which the feed and the folders of others are ours, and videos are small."""

    def localize(text: str) -> str:
        text = text.replace("https://www.example.com/feed.xml", f"{site}/feed.xml")
        text = re.sub(r"s3://[\w@-]+/videos/", f"{tmp_path}/", text)
        return text.replace('{"videoName":', '{"videoWidth": 96, "videoHeight": 64, "videoName":')

    return localize


@pytest.fixture
def run_text(
    run_dag: Callable[..., Run], localized: Callable[[str], str], site: str, tmp_path: Path
) -> Callable[..., Run]:
    """Runs the text of a DAG file once; videos come into the test's folder."""

    def run(dag_id: str, text: str, **given: Any) -> Run:
        dags = tmp_path / "dags"
        dags.mkdir(exist_ok=True)
        # All tests of the process share its Variables.
        text = re.sub(r"video_creation_(aws_connection|voice_)", rf"{dag_id}_\1", localized(text))
        dags.joinpath(f"{dag_id}.py").write_text(text, "utf-8")
        dags.joinpath("article_style.yaml").write_text(STYLE, "utf-8")
        variables = {"videos_folder": str(tmp_path), "articles_feed_url": f"{site}/feed.xml"}
        connections = {"pydanticai_default": MODEL, **given.pop("connections", {})}
        return run_dag(dag_id, dags=dags, variables=variables, connections=connections, **given)

    return run
