"""What is published becomes a video; as the file ships, nothing watches the feed and nothing can be paid for."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk import Asset

from airflow_video_creation.demo.sample_site import sample_site
from airflow_video_creation.triggers.feed import FeedEventTrigger

EXAMPLE = Path(__file__).parents[2] / "example_dags" / "published_to_videos.py"


def watched(text: str, folder: Path) -> Asset:
    """The asset in a copy of the example."""
    copy = folder / "published_to_videos.py"
    copy.write_text(text, "utf-8")
    asset = runpy.run_path(str(copy))["ARTICLES"]
    assert isinstance(asset, Asset)
    return asset


def test_as_it_ships_nothing_watches_the_feed(tmp_path: Path) -> None:
    assert watched(EXAMPLE.read_text("utf-8"), tmp_path).watchers == []


def test_who_sets_watched_to_true_has_the_feed_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AIRFLOW_VAR_ARTICLES_FEED_URL", "https://news.example.com/feed.xml")
    text = EXAMPLE.read_text("utf-8").replace("WATCHED = False", "WATCHED = True")
    (watcher,) = watched(text, tmp_path).watchers
    assert isinstance(watcher.trigger, FeedEventTrigger)
    assert watcher.trigger.feed_url == "https://news.example.com/feed.xml"


def test_what_was_published_lately_becomes_a_video(run_example: Any, tmp_path: Path) -> None:
    with sample_site() as site:
        run = run_example(
            "published_to_videos",
            variables={"articles_feed_url": f"{site}/feed.xml", "videos_folder": str(tmp_path)},
            params={"lookback": "P2D", "max_videos": 1, "video_width": 96, "video_height": 64},
        )
    assert run.state == "success", run.log[-3000:]
    assert len(run.xcom("fetch_articles")) == 3
    assert len(list(tmp_path.glob("*.mp4"))) == 1
