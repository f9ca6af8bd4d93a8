"""Articles with scripts of a model that answers nonsense: each video is made of its article, and says why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.demo.sample_site import sample_site

pytest.importorskip("airflow.providers.common.ai", reason="not installed: pip install '.[ai]'")


def test_nonsense_is_not_shown_and_the_sidecar_says_so(run_example: Any, tmp_path: Path) -> None:
    with sample_site() as site:
        run = run_example(
            "scripted_videos",
            variables={"articles_feed_url": f"{site}/feed.xml", "videos_folder": str(tmp_path)},
            connections={
                "pydanticai_default": json.dumps({"conn_type": "pydanticai", "extra": {"model": "test"}})
            },
            params={"max_videos": 1, "lookback": "P3650D", "seconds": 10},
        )

    assert run.state == "success", run.log[-3000:]
    assert {run.tasks["write_scripts", index] for index in range(3)} == {"success"}
    [video] = tmp_path.glob("*.mp4")
    told = json.loads(video.with_suffix(".json").read_text("utf-8"))["metadata"]["script"]
    assert told["video_of"] == "article"
    assert told["findings"]
