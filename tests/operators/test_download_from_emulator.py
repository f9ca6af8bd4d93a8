"""A real render of the emulator, over a connection that is cut, with all that belongs beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
from PIL import Image

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.download import DownloadVideoOperator

STORYBOARD = {
    "videoName": "cut",
    "videoWidth": "64",
    "videoHeight": "36",
    "scenes": [{"text": "One sentence.", "voiceOver": False}],
}


def render() -> str:
    hook = VideoCreationHook()
    storyboard = hook.get_job(hook.create_storyboard(STORYBOARD))
    assert storyboard.render_settings
    return hook.render_video(storyboard.render_settings)


def test_a_cut_download_arrives_whole_with_all_beside_it(
    emulator: Any, tmp_path: Path, log: Callable[[], str]
) -> None:
    emulator.admin.add_fault("truncate", on="media", nth=[1])
    operator = DownloadVideoOperator(
        task_id="fetch",
        job_id=render(),
        destination=f"{tmp_path}/",
        video_name="cut",
        subtitles=("srt", "vtt"),
        thumbnail=True,
        sidecar=True,
    )
    path = operator.execute({})

    assert [call["status"] for call in emulator.admin.calls("media")] == [None, 206, 200, 200, 200]
    assert "broke off: resuming after" in log()
    with av.open(path) as video:
        assert [frame.width for frame in video.decode(video=0)][:1] == [64]
    assert "-->" in (tmp_path / "cut.srt").read_text("utf-8")
    assert (tmp_path / "cut.vtt").read_text("utf-8").startswith("WEBVTT")
    with Image.open(tmp_path / "cut.jpg") as thumbnail:
        assert thumbnail.format == "JPEG"
    assert json.loads((tmp_path / "cut.json").read_text("utf-8"))["duration"] > 0
