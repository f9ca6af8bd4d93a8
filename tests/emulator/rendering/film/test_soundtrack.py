"""The sound of films, decoded again and measured."""

from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.rendering.film.film import make_film
from airflow_video_creation.emulator.rendering.film.plan import LEAD_IN_SECONDS, FilmPlan, plan_film
from airflow_video_creation.emulator.rendering.film.soundtrack import make_sound_file
from airflow_video_creation.emulator.rendering.picture.background_video import BackgroundVideo
from airflow_video_creation.emulator.rendering.sound.samples import SAMPLE_RATE, Sound

TEXT = "Ten thousand trees are planted before the winter begins."
SPOKEN = {"text": TEXT}
SILENT = {"text": TEXT, "voiceOver": False, "minimumDuration": 4}
MUSIC = {"autoBackgroundMusic": True, "backGroundMusicVolume": 1}
VIDEO = "https://example.com/a.mp4"
FULL_SCALE = 0.999
AAC_FRAME_SECONDS = 1024 / SAMPLE_RATE


def planned(*scenes: dict[str, Any], **fields: Any) -> FilmPlan:
    storyboard = {"videoName": "v", "videoWidth": "64", "videoHeight": "36", "scenes": list(scenes), **fields}
    return plan_film(StoryboardRequest.model_validate(storyboard))


def decoded(path: Path) -> tuple[Sound, int]:
    with av.open(str(path)) as container:
        rate = container.streams.audio[0].rate
        return np.concatenate([frame.to_ndarray().ravel() for frame in container.decode(audio=0)]), rate


class Heard:
    """A film's sound.

    `loudness` is the root mean square of each tenth of a second, full scale being 1.
    """

    def __init__(self, plan: FilmPlan, folder: Path, media: dict[str, BackgroundVideo] | None = None) -> None:
        path = folder / "sound.m4a"
        make_sound_file(plan, media or {}, path, lambda _part: None)
        self.sound, self._rate = decoded(path)
        tenth = self._rate // 10
        windows = self.sound[: len(self.sound) // tenth * tenth].reshape(-1, tenth)
        self.windows = np.sqrt((windows**2).mean(axis=1))

    def loudness(self, start: float, end: float | None = None) -> float:
        part = self.sound[round(start * self._rate) : round(end * self._rate) if end else None]
        return float(np.sqrt((part**2).mean()))


@pytest.fixture(scope="module")
def humming(tmp_path_factory: pytest.TempPathFactory) -> dict[str, BackgroundVideo]:
    """A video of two seconds with a loud tone."""
    path = tmp_path_factory.mktemp("humming") / "a.mp4"
    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", 25)
        video.width = video.height = 32
        sound = container.add_stream("aac", 44_100, layout="mono")
        for number in range(50):
            frame = av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), "rgb24")
            frame.pts = number
            container.mux(video.encode(frame))
        tone = 0.95 * np.sin(np.arange(2 * 44_100) * 2 * np.pi * 220 / 44_100)
        samples = av.AudioFrame.from_ndarray((tone * 32767).astype(np.int16).reshape(1, -1), "s16", "mono")
        samples.sample_rate, samples.pts = 44_100, 0
        container.mux([*video.encode(None), *sound.encode(samples), *sound.encode(None)])
    return {VIDEO: BackgroundVideo(path.read_bytes())}


def test_speech_stands_over_silence(tmp_path: Path) -> None:
    plan = planned(SPOKEN, SILENT)
    heard = Heard(plan, tmp_path)
    first = plan.scenes[0]
    assert first.speech is not None
    ends = LEAD_IN_SECONDS + first.speech.seconds
    assert heard.loudness(0, LEAD_IN_SECONDS - 0.1) < 0.001
    assert heard.loudness(LEAD_IN_SECONDS, ends) > 0.05
    assert heard.loudness(ends + 0.1) < 0.001


def test_music_is_lowered_under_speech_and_fades_at_the_end(tmp_path: Path) -> None:
    alone = Heard(planned({**SILENT, "minimumDuration": 12}, audio=MUSIC), tmp_path)
    assert alone.loudness(1, 8) == pytest.approx(0.12, rel=0.4)
    assert alone.windows[-1] < 0.15 * alone.loudness(1, 8)
    # In the pause of this speech only the music is heard.
    pause = {"text": "Ten <break time='1s'/> trees.", "minimumDuration": 12}
    plan = planned(pause, audio=MUSIC)
    assert plan.scenes[0].speech is not None
    _, after_the_pause = plan.scenes[0].speech.words
    second = LEAD_IN_SECONDS + after_the_pause.second
    under = Heard(plan, tmp_path)
    assert under.loudness(second - 0.5, second - 0.1) < 0.55 * alone.loudness(second - 0.5, second - 0.1)
    assert under.loudness(7, 8) == pytest.approx(alone.loudness(7, 8), rel=0.02)


def test_music_is_as_loud_as_asked_for(tmp_path: Path) -> None:
    def loudness(**volume: float) -> float:
        audio = {"autoBackgroundMusic": True, **volume}
        return Heard(planned(SILENT, audio=audio), tmp_path).loudness(1, 2)

    assert loudness(backGroundMusicVolume=0) < 0.001
    assert loudness(backGroundMusicVolume=0.1) < loudness() < loudness(backGroundMusicVolume=0.9)


def test_louder_speech_is_louder_and_never_clipped(tmp_path: Path) -> None:
    def heard(level: str) -> Heard:
        return Heard(planned(SPOKEN, audio={"aiVoiceOver": {"amplifyLevel": level}}), tmp_path)

    silent, soft, normal, loud = (heard(level) for level in ("-1", "-0.5", "0", "1"))
    assert silent.loudness(0) < 0.001
    assert 1.8 * soft.loudness(0) < normal.loudness(0) < 0.7 * loud.loudness(0)
    assert np.abs(loud.sound).max() < FULL_SCALE


def test_a_video_is_heard_under_speech_unless_it_is_muted(tmp_path: Path, humming: Any) -> None:
    scene = {"backgroundUri": VIDEO, "loopBackgroundVideo": True}
    own = Heard(planned({**SILENT, **scene}), tmp_path, humming)
    assert own.windows[2:38].min() > 0.5
    muted = Heard(planned({**SILENT, **scene, "muteBackgroundVideo": True}), tmp_path, humming)
    assert muted.windows.max() < 0.001
    everything = Heard(
        planned({**SPOKEN, **scene}, audio={"aiVoiceOver": {"amplifyLevel": "1"}, **MUSIC}), tmp_path, humming
    )
    assert everything.loudness(1, 3) > 0.3
    assert np.abs(everything.sound).max() < FULL_SCALE


def test_a_scene_without_voice_over_is_silent(tmp_path: Path) -> None:
    assert np.abs(Heard(planned(SILENT), tmp_path).sound).max() < 0.001


@pytest.mark.parametrize("scenes", [(SPOKEN,), (SPOKEN, SILENT, SPOKEN), ({"voiceOver": False},)])
def test_a_films_sound_is_as_long_as_its_pictures(tmp_path: Path, scenes: tuple[dict[str, Any], ...]) -> None:
    plan = planned(*scenes, audio=MUSIC)
    make_film(plan, {}, tmp_path, lambda _part: None)
    for name in ("video.mp4", "audio.m4a"):
        sound, rate = decoded(tmp_path / name)
        assert len(sound) / rate == pytest.approx(plan.seconds, abs=AAC_FRAME_SECONDS)


def test_the_sound_of_film_and_preview_are_the_same_every_time(tmp_path: Path) -> None:
    plan = planned(SPOKEN, SILENT, audio=MUSIC)
    make_film(plan, {}, tmp_path, lambda _part: None)
    again = planned(SPOKEN, SILENT, audio=MUSIC)
    assert np.array_equal(Heard(again, tmp_path).sound, decoded(tmp_path / "audio.m4a")[0])


def test_progress_moves_with_the_scenes_and_giving_up_leaves_at_once(tmp_path: Path) -> None:
    class EnoughError(Exception):
        pass

    told: list[float] = []

    def give_up(part: float) -> None:
        told.append(part)
        if part > 0.5:
            raise EnoughError

    with pytest.raises(EnoughError):
        make_sound_file(planned(*[SILENT] * 4), {}, tmp_path / "a.m4a", give_up)
    assert told == [0.25, 0.5, 0.75]


def test_speech_that_is_turned_off_does_not_lower_the_music(tmp_path: Path) -> None:
    def music(folder: Path, **scene: Any) -> Sound:
        folder.mkdir()
        audio = {"autoBackgroundMusic": True, "aiVoiceOver": {"amplifyLevel": "-1"}}
        film = planned({"text": "Ten thousand trees.", "minimumDuration": 4, **scene}, audio=audio)
        make_sound_file(film, {}, folder / "sound.m4a", lambda _part: None)
        return decoded(folder / "sound.m4a")[0]

    spoken, unspoken = music(tmp_path / "a"), music(tmp_path / "b", voiceOver=False)
    assert np.array_equal(spoken, unspoken)
