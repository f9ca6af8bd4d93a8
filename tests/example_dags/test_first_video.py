"""The smallest example: one storyboard, one video."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av


def test_it_makes_a_video_that_plays(run_example: Any, tmp_path: Path) -> None:
    run = run_example("first_video", variables={"videos_folder": str(tmp_path)})
    assert run.state == "success", run.log[-3000:]
    path = run.xcom("download")
    assert Path(path) == tmp_path / "first-video.mp4"
    with av.open(path) as video:
        assert sum(1 for _ in video.decode(video=0)) > 25
        assert video.streams.audio
