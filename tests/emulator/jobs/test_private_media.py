"""A film whose picture, logo and font are private media, read from a folder that stands in for the storage."""

from pathlib import Path

import fontpkg
import numpy as np
import pytest
from PIL import Image

from airflow_video_creation.emulator.jobs.studio import Studio

ADDRESS = "https://media.s3.us-east-2.amazonaws.com"
STORYBOARD = {
    "videoName": "trees",
    "videoWidth": "160",
    "videoHeight": "90",
    "awsConnectionId": "c",
    "brandLogo": {"url": f"{ADDRESS}/logo.png", "width": "20%", "horizontalAlignment": "left"},
    "scenes": [
        {
            "backgroundUri": "s3://media/2026/river.png",
            "text": "i",
            "fontUrl": f"{ADDRESS}/a.ttf",
            "voiceOver": False,
        }
    ],
}


@pytest.fixture
def media_folder(tmp_path: Path) -> Path:
    bucket = tmp_path / "storage" / "media"
    (bucket / "2026").mkdir(parents=True)
    Image.new("RGB", (32, 18), "#3366CC").save(bucket / "2026" / "river.png")
    Image.new("RGB", (8, 8), "#FF0000").save(bucket / "logo.png")
    (bucket / "a.ttf").write_bytes(fontpkg.path("Roboto Mono").read_bytes())
    return bucket.parent


async def test_they_are_seen(tmp_path: Path, media_folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    studio = Studio(1, allow_private_networks=False, media_folder=media_folder)
    try:
        await studio.make_film(STORYBOARD, tmp_path / "film", lambda _part: None)
    finally:
        studio.close()
    with Image.open(tmp_path / "film" / "thumbnail.jpg") as picture:
        drawn = np.asarray(picture.convert("RGB")).astype(int)
    assert np.abs(drawn[180, 600] - (0x33, 0x66, 0xCC)).max() < 12
    assert np.abs(drawn[60, 60] - (0xFF, 0, 0)).max() < 20
    assert not caplog.records
