"""New episodes of a podcast become videos, and none becomes two."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import av

from airflow_video_creation.demo.sample_site import sample_site
from airflow_video_creation.hooks.transcript_fetch import fetch_podcast


def test_an_episode_with_a_transcript_and_without_a_video_gets_one(run_example: Any, tmp_path: Path) -> None:
    with sample_site() as site:
        newest, made, _ = fetch_podcast(f"{site}/podcast.xml").episodes
        before = replace(made, title="The title that it had before")
        (tmp_path / f"{before.video_name}.mp4").touch()
        run = run_example(
            "podcast_to_video",
            variables={"podcast_feed_url": f"{site}/podcast.xml", "videos_folder": str(tmp_path)},
            params={"video_width": 96, "video_height": 96, "seconds": 12},
        )
    assert run.state == "success", run.log[-3000:]
    assert [episode["title"] for episode in run.xcom("new_episodes")] == [newest.title]
    assert "“Why the clock tower is four minutes fast” is left out" in run.log
    scenes = run.xcom("episode_to_video.make_storyboard", map_index=0)["scenes"]
    assert scenes[0]["text"] == newest.title
    assert {scene["backgroundUri"] for scene in scenes} == {f"{site}/podcast-cover.jpg"}
    with av.open(str(tmp_path / f"{newest.video_name}.mp4")) as video:
        assert sum(1 for _ in video.decode(video=0)) > 25
