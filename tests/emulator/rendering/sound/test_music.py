import numpy as np
import pytest

from airflow_video_creation.emulator.rendering.sound.music import CHORD_SECONDS, LOUDNESS, Music
from airflow_video_creation.emulator.rendering.sound.samples import SAMPLE_RATE

LOOP = round(4 * CHORD_SECONDS * SAMPLE_RATE)
NAMES = ["trees", "news", "Käse", ""]


def test_a_video_has_music_of_its_own_always_the_same() -> None:
    pieces = [Music(name, 1).play(0, SAMPLE_RATE) for name in NAMES]
    assert len({piece.tobytes() for piece in pieces}) == len(NAMES)
    assert np.array_equal(Music("trees", 1).play(0, SAMPLE_RATE), pieces[0])


@pytest.mark.parametrize("name", NAMES)
def test_it_goes_on_without_a_click(name: str) -> None:
    twice = Music(name, 1).play(0, 2 * LOOP)
    steps = np.abs(np.diff(twice, n=2))
    assert steps[LOOP - 100 : LOOP + 100].max() <= steps[100 : LOOP - 100].max()
    assert np.array_equal(twice[:LOOP], twice[LOOP:])
    assert np.abs(twice).max() < 0.8


def test_it_is_as_loud_as_asked_for() -> None:
    for volume in (0, 0.3, 1):
        sound = Music("trees", volume).play(0, LOOP)
        assert np.sqrt((sound**2).mean()) == pytest.approx(volume * LOUDNESS, abs=0.001)


def test_it_can_be_played_from_anywhere() -> None:
    music = Music("trees", 1)
    whole = music.play(0, LOOP + 1000)
    assert np.array_equal(music.play(LOOP - 500, 1500), whole[LOOP - 500 :])
