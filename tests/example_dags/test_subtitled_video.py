"""A video with its transcript as subtitles: each cue over its own pictures, with the video's own sound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import numpy as np

from airflow_video_creation.demo.sample_site import sample_site

SMALL = {"video_width": 160, "video_height": 90}


def test_the_subtitled_video_shows_and_sounds_as_the_video(
    run_example: Any, video_creation_emulator: Any, tmp_path: Path
) -> None:
    # Whole films, no placeholders.
    video_creation_emulator.admin.change(instant=False, job_seconds=0)
    with sample_site() as site:
        run = run_example(
            "subtitled_video",
            variables={"videos_folder": str(tmp_path)},
            params={
                "video_url": f"{site}/ferry.mp4",
                "transcript": f"{site}/ferry.srt",
                "title": "The ferry",
                **SMALL,
            },
        )
    assert run.state == "success", run.log[-3000:]
    [made] = tmp_path.glob("the-ferry-*.mp4")
    with av.open(str(made)) as video:
        pictures = [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)]
    with av.open(str(made)) as video:
        sound = np.concatenate([frame.to_ndarray().ravel() for frame in video.decode(audio=0)])
    assert 27 <= len(pictures) / 25 < 40
    # The red ferry crosses the picture from left to right, as in the original.
    places = [float(np.argwhere(is_red(picture[50:75])).mean(axis=0)[1]) for picture in pictures[::100]]
    assert places == sorted(places)
    assert places[-1] - places[0] > 90
    assert np.abs(sound).max() > 0.1


def is_red(pixels: Any) -> Any:
    red, green, blue = (pixels[..., index].astype(int) for index in range(3))
    return (red > 120) & (green < 90) & (blue < 90)
