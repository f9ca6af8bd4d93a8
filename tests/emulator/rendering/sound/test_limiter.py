import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from airflow_video_creation.emulator.rendering.sound.limiter import CEILING, Limiter
from airflow_video_creation.emulator.rendering.sound.samples import Sound

WINDOW = 10


def limited(sound: Sound, pieces: int = 1) -> Sound:
    limiter = Limiter(WINDOW)
    parts = np.split(sound.reshape(pieces, -1), pieces)
    return np.concatenate([*(limiter.limit(part.ravel()) for part in parts), limiter.finish()])


def test_what_is_not_too_loud_stays_as_it_is() -> None:
    sound = np.linspace(-0.8, 0.8, 60, dtype=np.float32)
    assert np.array_equal(limited(sound), sound)


@given(arrays(np.float32, 120, elements=st.floats(-4, 4, width=32)))
def test_nothing_is_louder_than_the_ceiling_and_nothing_is_lost(sound: Sound) -> None:
    result = limited(sound)
    assert len(result) == len(sound)
    assert np.abs(result).max() <= CEILING + 1e-6
    assert np.allclose(result, limited(sound, pieces=4))


def test_a_loud_sound_is_turned_down_and_not_cut() -> None:
    wave = np.sin(np.arange(1000, dtype=np.float32) / 7)
    result = limited(2 * wave)
    assert np.allclose(result, result.max() * wave, atol=0.06)
