import sys
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest

from airflow_video_creation.emulator import Emulator
from airflow_video_creation.emulator.__main__ import main
from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.extra import MissingExtraError
from airflow_video_creation.emulator.rendering.film.film import make_film
from airflow_video_creation.emulator.rendering.film.plan import plan_film
from airflow_video_creation.emulator.rendering.sound import speech
from airflow_video_creation.emulator.rendering.sound.voice_over import not_heard

INSTALL = "pip install 'airflow-provider-video-creation[emulator]'"


@pytest.fixture
def without_av(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)


@pytest.fixture
def without_espeak(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine from which espeak-ng, which is under the GPL, was removed."""
    monkeypatch.setitem(sys.modules, "espeakng_loader", None)
    speech.has_espeak.cache_clear()
    yield
    speech.has_espeak.cache_clear()


@pytest.mark.usefixtures("without_espeak")
def test_without_espeak_the_emulator_makes_silent_videos_and_says_so_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    Emulator()
    scenes = [{"text": "Ten thousand trees.", "voiceOver": True}, {"text": "One more.", "voiceOver": True}]
    storyboard = {"videoName": "v", "videoWidth": "160", "videoHeight": "90", "scenes": scenes}
    request = StoryboardRequest.model_validate({**storyboard, "language": "de-DE"})

    make_film(plan_film(request), {}, tmp_path, lambda _part: None)

    with av.open(str(tmp_path / "video.mp4")) as film:
        assert film.duration / av.time_base > 4
        loudest = max(np.abs(frame.to_ndarray()).max() for frame in film.decode(audio=0))
    assert loudest < 0.001
    assert not_heard(request) == []
    [said] = [record.getMessage() for record in caplog.records if "espeak" in record.getMessage()]
    assert "Videos are silent" in said
    assert "pip install espeakng-loader" in said


@pytest.mark.usefixtures("without_av")
def test_an_emulator_without_its_packages_says_the_install_line() -> None:
    with pytest.raises(MissingExtraError, match="needs av") as raised:
        Emulator()
    assert INSTALL in str(raised.value)


@pytest.mark.usefixtures("without_av")
def test_the_command_line_says_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert INSTALL in capsys.readouterr().err
