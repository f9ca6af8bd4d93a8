"""Speech, listened to by numbers: how long it takes, how high it is, when its words are heard."""

import numpy as np
import pytest

from airflow_video_creation.emulator.rendering.sound.samples import SAMPLE_RATE, Samples
from airflow_video_creation.emulator.rendering.sound.speech import Speech, Voice, is_spoken, plan_speech
from airflow_video_creation.emulator.rendering.sound.ssml import read_text

TEXT = "One two three four five."


def spoken(text: str, **voice: object) -> Speech:
    return plan_speech(read_text(text), Voice(**voice))  # type: ignore[arg-type]


def seconds(text: str, **voice: object) -> float:
    return spoken(text, **voice).seconds


def loudness(text: str) -> float:
    samples = spoken(text).samples().astype(float)
    return float(np.sqrt((samples[np.abs(samples) > 100] ** 2).mean()))


def hertz(samples: Samples) -> float:
    """Median pitch of the voiced parts, by autocorrelation."""
    pitches = []
    for start in range(0, len(samples) - 1100, 550):
        window = samples[start : start + 1100].astype(float)
        if np.sqrt((window**2).mean()) > 1000:
            match = np.correlate(window, window, "full")[1099:]
            lag = int(match[60:400].argmax()) + 60
            if match[lag] > 0.6 * match[0]:
                pitches.append(SAMPLE_RATE / lag)
    return float(np.median(pitches))


def test_the_same_text_sounds_the_same_whatever_was_spoken_before() -> None:
    speech = spoken(TEXT)
    before = speech.samples()
    spoken("Guten Tag.", language="de-DE", speaker="Anna").samples()
    assert np.array_equal(speech.samples(), before)
    assert len(before) / SAMPLE_RATE == speech.seconds


def test_speed() -> None:
    assert seconds(TEXT, speed=50) > 1.4 * seconds(TEXT) > 1.8 * seconds(TEXT, speed=200)
    assert seconds(TEXT, speed=1000) == seconds(TEXT, speed=200)


def test_speakers_sound_different_and_each_always_the_same() -> None:
    voices = {name: spoken(TEXT, speaker=name).samples() for name in ("", "Anna", "Ben", "Carla", "Dan")}
    assert len({samples.tobytes() for samples in voices.values()}) == 5
    assert np.array_equal(spoken(TEXT, speaker="Anna").samples(), voices["Anna"])


@pytest.mark.parametrize("language", ["en-US", "en-GB", "de-DE", "fr-FR", "pt-BR", "zh-CN", "nb-NO"])
def test_languages(language: str) -> None:
    assert is_spoken(language)
    assert seconds("Hallo 1 2 3", language=language) > 0.5


def test_a_language_without_a_voice_is_spoken_in_english() -> None:
    assert not is_spoken("xx-YY")
    assert np.array_equal(spoken(TEXT, language="xx-YY").samples(), spoken(TEXT).samples())


@pytest.mark.parametrize(
    ("longer", "shorter", "by"),
    [
        ("One <break time='1s'/> two", "One two", (0.8, 1.4)),
        ("One <break time='1500ms'/> two", "One <break time='500ms'/> two", (0.8, 1.2)),
        ("One <break strength='x-strong'/> two", "One <break strength='none'/> two", (0.3, 2)),
        (f"<prosody rate='slow'>{TEXT}</prosody>", TEXT, (0.1, 2)),
        (f"<prosody rate='50%'>{TEXT}</prosody>", f"<prosody rate='+50%'>{TEXT}</prosody>", (0.8, 3)),
        ("<say-as interpret-as='spell-out'>abcdef</say-as>", "abcdef", (0.3, 3)),
        ("<sub alias='World Wide Web Consortium'>W3C</sub>", "Web", (0.5, 3)),
    ],
)
def test_ssml_that_takes_time(longer: str, shorter: str, by: tuple[float, float]) -> None:
    assert by[0] < seconds(longer) - seconds(shorter) < by[1]


def test_ssml_loudness() -> None:
    loud, normal, soft, silent = (
        f"<prosody volume='{volume}'>{TEXT}</prosody>" for volume in ("+6dB", "medium", "-6dB", "silent")
    )
    assert loudness(loud) > 1.2 * loudness(normal) > 1.5 * loudness(soft)
    assert np.abs(spoken(silent).samples()).max() < 10
    assert loudness("<emphasis level='strong'>Two</emphasis>") > loudness("<s>Two</s>")


def test_ssml_pitch() -> None:
    high, low = (f"<prosody pitch='{pitch}'>{TEXT}</prosody>" for pitch in ("+50%", "x-low"))
    assert hertz(spoken(high).samples()) > 1.1 * hertz(spoken(low).samples())


@pytest.mark.parametrize(
    "text",
    [
        "The café plants ten trees.",
        "<s>The café</s> <prosody rate='slow'>plants</prosody> <break time='1s'/> ten &amp; trees.",
    ],
)
def test_words_are_found_in_the_text_that_is_read(text: str) -> None:
    speech = spoken(text)
    visible = speech.text.visible
    found = [visible[word.position :].split()[0] for word in speech.words]
    assert [word for word in found if word != "&"] == ["The", "café", "plants", "ten", "trees."]
    times = [word.second for word in speech.words]
    assert times == sorted(times)
    assert times[-1] < speech.seconds


def test_a_word_is_heard_when_it_is_said_to_be() -> None:
    speech = spoken("One <break time='2s'/> two.")
    (_, second) = speech.words
    samples = speech.samples().astype(float)
    start = round(second.second * SAMPLE_RATE)
    assert np.abs(samples[start - SAMPLE_RATE : start - 1000]).max() < 100
    assert np.abs(samples[start : start + SAMPLE_RATE // 4]).max() > 1000


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_nothing_is_said(text: str) -> None:
    assert spoken(text).seconds == 0
    assert len(spoken(text).samples()) == 0
