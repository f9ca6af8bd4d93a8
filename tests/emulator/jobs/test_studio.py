"""Jobs that are really drawn: from a picture on the web to a preview page and a film."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image

from airflow_video_creation.emulator import Emulator

SIZE = {"videoWidth": "160", "videoHeight": "90"}


@pytest.fixture(scope="module")
def drawing() -> Iterator[Emulator]:
    with Emulator(job_seconds=0, allow_private_networks=True) as emulator:
        yield emulator


@pytest.fixture
def caller(drawing: Emulator, call_emulator: Any) -> Any:
    return call_emulator(drawing)


def middle_pixel(picture: Image.Image) -> Any:
    return np.asarray(picture.convert("RGB").getpixel((picture.width // 2, picture.height // 2))).astype(int)


def test_a_picture_from_the_web_is_seen_in_preview_and_film(caller: Any, receiver: Any) -> None:
    content = io.BytesIO()
    Image.new("RGB", (64, 36), "#3366CC").save(content, "PNG")
    receiver.files = {"/lead.png": ("image/png", content.getvalue())}
    scenes = [{"backgroundUri": f"{receiver.url}/lead.png"}, {"text": "On a colour.", "voiceOver": False}]
    data = caller.finished(caller.storyboard(scenes=scenes, **SIZE))["data"]
    page = caller.get(data["preview"]).text
    links = [part.partition('"')[0].replace("&amp;", "&") for part in page.split('<img src="')[1:]]
    pictures = [Image.open(io.BytesIO(caller.get(link).content)) for link in links]
    assert [picture.size for picture in pictures] == [(640, 360), (640, 360)]
    assert np.abs(middle_pixel(pictures[0]) - (0x33, 0x66, 0xCC)).max() < 8
    video = caller.finished(caller.post("/api/v1/video/render", data["render_settings"]).json()["job_id"])[
        "data"
    ]
    with av.open(io.BytesIO(caller.get(video["videoURL"]).content)) as film:
        first = next(film.decode(video=0)).to_image()
        assert film.duration / av.time_base == pytest.approx(video["videoDuration"], abs=0.1)
    assert np.abs(middle_pixel(first) - (0x33, 0x66, 0xCC)).max() < 12


def test_what_is_not_drawn_is_said_once_a_job(caller: Any, caplog: pytest.LogCaptureFixture) -> None:
    data = caller.finished(caller.storyboard(audio={"aiVoiceOver": {"speed": "500"}}, **SIZE))["data"]
    caller.finished(caller.post("/api/v1/video/render", data["render_settings"]).json()["job_id"])
    note = "audio.aiVoiceOver.speed 500 (heard as 50 to 200)"
    said = [record.getMessage() for record in caplog.records if "left out" in record.getMessage()]
    assert said == [f"trees: left out or replaced: {note}"]
    assert note in caller.get(data["preview"]).text


def test_a_film_that_cannot_be_made_fails_its_job(caller: Any) -> None:
    scenes = [{"minimumDuration": 3600}, {"text": "and one more"}]
    job = caller.finished(caller.storyboard(scenes=scenes, **SIZE))
    assert job["success"] is False
    assert "3600 s" in job["data"]["error_message"]


def test_a_drawn_film_reports_its_progress(caller: Any, wait_until: Any) -> None:
    scenes = [{"text": "Ten thousand trees.", "minimumDuration": 60}]
    job_id = caller.render(scenes=scenes, videoWidth="640", videoHeight="360")
    seen = wait_until(lambda: caller.job(job_id)["data"]["renderProgress"], lambda progress: progress > 0)
    assert 0 < seen <= 100
    assert caller.finished(job_id)["data"]["renderProgress"] == 100


def test_a_job_that_is_ended_stops_its_film(tmp_path: Path, call_emulator: Any, wait_until: Any) -> None:
    with Emulator(job_seconds=0, folder=tmp_path) as emulator:
        caller = call_emulator(emulator)
        job_id = caller.render(scenes=[{"voiceOver": False, "minimumDuration": 600}], **SIZE)
        wait_until(lambda: caller.job(job_id)["data"]["renderProgress"], lambda progress: progress > 0)
        assert list(tmp_path.rglob("*.unfinished"))
        emulator.admin.set_job_state(job_id, "failed")
        wait_until(lambda: list(tmp_path.rglob("*.unfinished")), lambda folders: not folders)
        assert caller.job(job_id)["success"] is False


def test_the_page_says_what_stands_behind_and_what_is_missing(caller: Any) -> None:
    logo = {"url": "https://[x/logo.png"}
    scenes = [{"text": "word " * 1200, "voiceOver": False, "backgroundUri": "https://[x/a.png"}]
    data = caller.finished(caller.storyboard(scenes=scenes, brandLogo=logo, **SIZE))["data"]
    page = caller.get(data["preview"]).text
    for note in (
        "since the background cannot be fetched",
        "brandLogo",
        "a text that does not fit the picture",
    ):
        assert note in page
