from typing import Any

import pytest

from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.rendering.film_plan import (
    FilmPlan,
    FilmTooLongError,
    picture_size,
    plan_film,
)
from airflow_video_creation.emulator.rendering.speech import SAMPLE_RATE


def plan(scenes: list[dict[str, Any]] | None = None, **fields: Any) -> FilmPlan:
    return plan_film(StoryboardRequest.model_validate({"videoName": "trees", "scenes": scenes, **fields}))


@pytest.mark.parametrize(
    ("width", "height", "size"),
    [
        (None, None, (1280, 720)),
        ("640", "360", (640, 360)),
        ("641", "361", (640, 360)),
        ("720", "1280", (720, 1280)),
        ("1920", None, (1920, 1080)),
        (None, "360", (640, 360)),
        ("10", "10", (16, 16)),
    ],
)
def test_sizes(width: str | None, height: str | None, size: tuple[int, int]) -> None:
    assert picture_size(width, height) == size


def test_a_spoken_scene_lasts_as_long_as_its_speech() -> None:
    (scene,) = plan([{"text": "Ten thousand trees are planted before the winter begins."}]).scenes
    spoken = len(scene.speech) / SAMPLE_RATE
    assert 2 < spoken < 6
    assert spoken + 0.5 < scene.seconds < spoken + 1.5


def test_a_silent_scene_lasts_as_long_as_its_reading() -> None:
    (short, long) = plan([{"text": text, "voiceOver": False} for text in ("Hi.", "word " * 32)]).scenes
    assert short.seconds == 2
    assert long.seconds == pytest.approx(10, abs=0.2)
    assert len(short.speech) == 0


def test_a_scene_lasts_its_minimum_duration() -> None:
    assert plan([{"text": "Hi.", "minimumDuration": 7.5}]).seconds == pytest.approx(7.5, abs=0.05)


def test_faster_speech_is_shorter() -> None:
    def seconds(speed: str) -> float:
        audio = {"aiVoiceOver": {"speed": speed}}
        return plan([{"text": "Ten thousand trees are planted before winter."}], audio=audio).seconds

    assert seconds("150") < seconds("100") < seconds("70")
    assert seconds("nonsense") == seconds("100")


def test_louder_speech_and_none() -> None:
    def loudness(level: str) -> int:
        audio = {"aiVoiceOver": {"amplifyLevel": level}}
        return int(abs(plan([{"text": "Trees."}], audio=audio).scenes[0].speech.astype(int)).max())

    assert loudness("-1") == 0
    assert 0 < loudness("-0.5") < loudness("0") <= loudness("1")


def test_an_ssml_break_is_heard() -> None:
    plain, broken = plan([{"text": "Ten trees."}, {"text": "Ten <break time='2s'/> trees."}]).scenes
    assert len(broken.speech) - len(plain.speech) > 1.0 * SAMPLE_RATE
    assert broken.text == "Ten trees."


def test_a_storyboard_without_scenes_shows_its_name() -> None:
    assert [scene.text for scene in plan().scenes] == ["trees"]


def test_a_film_of_more_than_an_hour_is_refused() -> None:
    with pytest.raises(FilmTooLongError, match="3600 s"):
        plan([{"minimumDuration": 3600}, {"text": "one more"}])


def test_a_text_that_fills_more_than_an_hour_is_refused_before_it_is_spoken() -> None:
    with pytest.raises(FilmTooLongError, match="scene 2"):
        plan([{"text": "short"}, {"text": "long " * 20_000}])


def test_what_is_not_drawn_is_noted_once() -> None:
    scenes = [
        {
            "text": "a",
            "splitTextOnPeriod": True,
            "backgroundUri": "https://example.com/v.mp4",
            "backgroundType": "video",
        },
        {"text": "b", "splitTextOnPeriod": True, "textShadowColor": "#000000"},
    ]
    logo = {"url": "https://example.com/logo.png"}
    notes = plan(
        scenes, brandLogo=logo, audio={"autoBackgroundMusic": True}, textStyles={"fontFamily": "Arial"}
    ).notes
    assert notes == (
        "brandLogo",
        "audio.autoBackgroundMusic",
        "splitTextOnPeriod",
        "fontFamily (all is drawn in Noto Sans)",
        "textShadowColor",
    )
    assert plan([{"text": "a"}]).notes == ()


def test_only_pictures_on_the_web_are_fetched() -> None:
    uris = ["https://example.com/a.jpg", "s3://bucket/b.jpg", None]
    assert plan([{"backgroundUri": uri} for uri in uris]).picture_urls == ["https://example.com/a.jpg"]
