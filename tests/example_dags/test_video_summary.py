"""A summary says some of the sentences, in their order, and is no longer than was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av

from airflow_video_creation.demo.sample_site import FOLDER


def test_a_summary_read_by_a_voice(run_example: Any, tmp_path: Path) -> None:
    run = run_example(
        "video_summary",
        variables={"videos_folder": str(tmp_path)},
        params={
            "transcript": str(FOLDER / "ferry.srt"),
            "seconds": 11,
            "title": "Ferry",
            "video_width": 96,
            "video_height": 64,
        },
    )
    assert run.state == "success", run.log[-3000:]
    assert "sentences were chosen" in run.log
    texts = [scene["text"] for scene in run.xcom("make_storyboard")["scenes"]]
    assert texts == [
        "Every day at six, the little ferry crosses the bay.",
        "Now volunteers run the winter crossing, and the little ferry stays.",
    ]
    [made] = tmp_path.glob("ferry-*.mp4")
    with av.open(str(made)) as video:
        assert video.duration / 1_000_000 < 15
