"""Each delivered video is an event of the asset, with all that a publishing DAG needs to know."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def test_what_one_dag_delivers_the_other_publishes(run_example: Any, tmp_path: Path) -> None:
    made = run_example("videos_to_publish", variables={"videos_folder": str(tmp_path)})
    assert made.state == "success", made.log[-3000:]
    delivery = "make_and_deliver.video_from_storyboard.download_video"
    described = [made.xcom(delivery, "delivery", index) for index in (0, 1)]
    assert [video["video_name"] for video in described] == ["harbour", "weather"]
    for video in described:
        files = [video["path"], *video["subtitles"].values(), video["thumbnail"], video["sidecar"]]
        assert len([file for file in files if Path(file).stat().st_size]) == 5

    published = run_example("publish_videos")

    assert published.state == "success", published.log[-3000:]
    assert published.xcom("publish", map_index=0) in [video["path"] for video in described]
    newest = next(v for v in described if v["path"] == published.xcom("publish", map_index=0))
    assert published.xcom("new_videos") == [newest]
    assert f"title      {newest['metadata']['title']}" in published.log
