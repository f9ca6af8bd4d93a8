"""Films decoded again: codecs, pixels, duration, sound."""

from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image

from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.rendering.film.film import make_film
from airflow_video_creation.emulator.rendering.film.plan import FilmPlan, plan_film

SIZE = {"videoWidth": "160", "videoHeight": "90"}
SPOKEN = {"text": "Ten thousand trees."}
SILENT = {"text": "Ten thousand trees.", "voiceOver": False, "minimumDuration": 2.5}


def planned(*scenes: dict[str, Any]) -> FilmPlan:
    return plan_film(StoryboardRequest.model_validate({"videoName": "v", "scenes": list(scenes), **SIZE}))


def loudness(path: Path, start: float, end: float) -> float:
    """Root mean square of the sound between two times, full scale being 1."""
    with av.open(str(path)) as container:
        rate = container.streams.audio[0].rate
        samples = np.concatenate([frame.to_ndarray().ravel() for frame in container.decode(audio=0)])
    return float(np.sqrt((samples[int(start * rate) : int(end * rate)] ** 2).mean()))


def test_a_film_is_h264_and_aac_of_the_planned_size_and_length(tmp_path: Path) -> None:
    plan = planned(SPOKEN, SILENT)
    progress: list[float] = []
    make_film(plan, {}, tmp_path, progress.append)
    with av.open(str(tmp_path / "video.mp4")) as container:
        video, audio = container.streams.video[0], container.streams.audio[0]
        assert (video.codec_context.name, video.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (video.width, video.height) == (160, 90)
        assert audio.codec_context.name == "aac"
        frames = sum(1 for _ in container.decode(video=0))
        assert frames / 25 == pytest.approx(plan.seconds, abs=0.001)
        assert float(audio.duration * audio.time_base) == pytest.approx(plan.seconds, abs=0.1)
    assert progress == sorted(progress)
    assert progress[-1] == 1
    assert {path.name for path in tmp_path.iterdir()} == {
        "video.mp4",
        "audio.m4a",
        "thumbnail.jpg",
        "subtitles.srt",
        "subtitles.vtt",
        "text.txt",
    }


def test_a_film_can_start_before_it_is_whole_at_the_viewers(tmp_path: Path) -> None:
    make_film(planned(SILENT), {}, tmp_path, lambda _part: None)
    content = (tmp_path / "video.mp4").read_bytes()
    assert content.index(b"moov") < content.index(b"mdat")


def test_speech_is_heard_in_its_scene_only(tmp_path: Path) -> None:
    plan = planned(SILENT, SPOKEN)
    make_film(plan, {}, tmp_path, lambda _part: None)
    for name in ("video.mp4", "audio.m4a"):
        assert loudness(tmp_path / name, 0, 2.2) < 0.001
        assert loudness(tmp_path / name, 3.0, plan.seconds) > 0.01


def test_scenes_are_shown_in_their_time_in_true_colours(tmp_path: Path) -> None:
    urls = [f"https://example.com/{name}.png" for name in ("red", "blue")]
    pictures = dict(
        zip(urls, (Image.new("RGB", (4, 4), colour) for colour in ("#C03020", "#2040B0")), strict=True)
    )
    plan = planned(*({"backgroundUri": url, "voiceOver": False} for url in urls))
    make_film(plan, pictures, tmp_path, lambda _part: None)
    with av.open(str(tmp_path / "video.mp4")) as container:
        frames = [frame.to_ndarray(format="rgb24")[45, 80] for frame in container.decode(video=0)]
    assert len(frames) == 100
    assert np.abs(frames[49].astype(int) - (0xC0, 0x30, 0x20)).max() < 12
    assert np.abs(frames[50].astype(int) - (0x20, 0x40, 0xB0)).max() < 12


def test_giving_up_leaves_at_once(tmp_path: Path) -> None:
    class EnoughError(Exception):
        pass

    def give_up(part: float) -> None:
        if part > 0.1:
            raise EnoughError

    with pytest.raises(EnoughError):
        make_film(planned(SILENT), {}, tmp_path, give_up)
