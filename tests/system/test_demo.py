"""The demo: the example DAG in Airflow itself, on the emulator, to .mp4 files that play."""

import subprocess
import sys
from pathlib import Path

import av
import pytest

pytestmark = pytest.mark.few

DEMO = [sys.executable, "-m", "airflow_video_creation.demo"]


def test_the_example_dag_makes_a_video_of_every_article(tmp_path):
    folder = tmp_path / "a folder with spaces"
    ended = subprocess.run(
        [*DEMO, "--folder", str(folder), "--width", "320", "--height", "180"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    log = folder / "airflow.log"
    assert ended.returncode == 0, ended.stdout + ended.stderr + log.read_text()[-3000:]
    lines = ended.stdout.splitlines()
    assert any("3 new articles" in line for line in lines)
    assert any("3 videos delivered" in line for line in lines)
    videos = list(folder.joinpath("videos").glob("*.mp4"))
    assert len(videos) == 3
    assert Path(lines[-1]) in videos
    for video in videos:
        assert_plays(video, width=320, height=180)
    assert "signature=" not in log.read_text(), "a signed media URL is a capability, and was logged"
    assert "emulator-token" not in log.read_text(), "the token was logged"


def assert_plays(path, *, width, height):
    """Decode the whole file: codec, size, pixels, duration and sound."""
    with av.open(str(path)) as container:
        video, audio = container.streams.video[0], container.streams.audio[0]
        assert (video.codec_context.name, audio.codec_context.name) == ("h264", "aac")
        assert (video.width, video.height) == (width, height)
        frames = [frame.to_ndarray(format="gray") for frame in container.decode(video)]
        assert all(frame.std() > 5 for frame in frames[::25]), "a frame is empty"
        seconds = len(frames) / float(video.average_rate)
    with av.open(str(path)) as container:
        loudest = max(abs(frame.to_ndarray()).max() for frame in container.decode(audio=0))
        assert loudest > 0.05, "there is no voice"
        assert seconds == pytest.approx(container.duration / av.time_base, abs=0.5)
        assert seconds > 5
