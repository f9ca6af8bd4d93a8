"""The demo: the example DAG in Airflow itself, on the emulator, to .mp4 files that play."""

import re
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from urllib.request import urlopen

import av
import pytest

from airflow_video_creation.demo.sample_site import last_night, sample_site

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
    assert sum("the video of job " in line for line in lines) == 3
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


def test_being_stopped_leaves_nothing_running(tmp_path):
    demo = subprocess.Popen([*DEMO, "--folder", str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert demo.stdout
    first_lines = [demo.stdout.readline() for _ in range(3)]
    demo.send_signal(signal.SIGINT)
    assert demo.wait(timeout=60) == 130
    address = re.search(r"http://127.0.0.1:\d+", "".join(first_lines))
    assert address
    with pytest.raises(OSError, match="refused"):
        urlopen(address[0])
    left = [
        path.parent
        for path in Path("/proc").glob("[0-9]*/environ")
        if str(tmp_path).encode() in environ(path)
    ]
    assert left == [], "a process of the demo goes on"


def environ(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_the_sample_feed_is_news_to_a_night_run_and_to_a_run_by_hand():
    with sample_site() as site:
        feed = urlopen(f"{site}/feed.xml").read().decode()
    published = [
        datetime.strptime(text, "%a, %d %b %Y %H:%M:%S %z") for text in re.findall("<pubDate>(.*?)<", feed)
    ]
    now = datetime.now(UTC)
    assert len(published) == 3
    for moment in published:
        assert moment < last_night(now), "a run that was due last night would not see it"
        assert (now - moment).days < 2, "a run by hand would not see it"


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (datetime(2026, 3, 1, 3, 0, tzinfo=UTC), datetime(2026, 3, 1, 3, 0, tzinfo=UTC)),
        (datetime(2026, 3, 1, 2, 59, tzinfo=UTC), datetime(2026, 2, 28, 3, 0, tzinfo=UTC)),
        (datetime(2026, 3, 1, 23, 0, tzinfo=UTC), datetime(2026, 3, 1, 3, 0, tzinfo=UTC)),
    ],
)
def test_the_last_night_is_the_last_0300_utc(now, due):
    assert last_night(now) == due
