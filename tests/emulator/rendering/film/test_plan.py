from typing import Any

import pytest

from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.rendering.film.plan import (
    FilmPlan,
    FilmTooLongError,
    picture_size,
    plan_film,
)


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
        (None, "3999", (3998, 3998)),
    ],
)
def test_sizes(width: str | None, height: str | None, size: tuple[int, int]) -> None:
    assert picture_size(width, height) == size


def test_a_spoken_scene_lasts_as_long_as_its_speech() -> None:
    (scene,) = plan([{"text": "Ten thousand trees are planted before the winter begins."}]).scenes
    assert scene.speech is not None
    spoken = scene.speech.seconds
    assert 2 < spoken < 6
    assert spoken + 0.5 < scene.seconds < spoken + 1.5


def test_a_silent_scene_lasts_as_long_as_its_reading() -> None:
    (short, long) = plan([{"text": text, "voiceOver": False} for text in ("Hi.", "word " * 32)]).scenes
    assert short.seconds == 2
    assert long.seconds == pytest.approx(10, abs=0.2)
    assert short.speech is None


def test_a_scene_lasts_its_minimum_duration() -> None:
    assert plan([{"text": "Hi.", "minimumDuration": 7.5}]).seconds == pytest.approx(7.5, abs=0.05)


def test_faster_speech_is_shorter() -> None:
    def seconds(speed: str) -> float:
        audio = {"aiVoiceOver": {"speed": speed}}
        return plan([{"text": "Ten thousand trees are planted before winter."}], audio=audio).seconds

    assert seconds("150") < seconds("100") < seconds("70")
    assert seconds("nonsense") == seconds("100")


def test_an_ssml_break_is_heard_and_not_seen() -> None:
    plain, broken = plan([{"text": "Ten trees."}, {"text": "Ten <break time='2s'/> trees."}]).scenes
    assert broken.seconds > plain.seconds + 1
    assert broken.text == "Ten trees."


def test_a_storyboard_without_scenes_shows_its_name() -> None:
    assert [scene.text for scene in plan().scenes] == ["trees"]


def test_a_film_of_more_than_an_hour_is_refused() -> None:
    with pytest.raises(FilmTooLongError, match="3600 s"):
        plan([{"minimumDuration": 3600}, {"text": "one more"}])


def test_a_text_that_fills_more_than_an_hour_is_refused_before_it_is_spoken() -> None:
    with pytest.raises(FilmTooLongError, match="scene 2"):
        plan([{"text": "short"}, {"text": "long " * 20_000}])


def test_backgrounds_and_fonts_are_fetched_from_where_the_scenes_say() -> None:
    uris = ["https://example.com/a.mp4#t=1,2", "s3://bucket/b.jpg", None]
    font = "https://example.com/a.ttf"
    made = plan(
        [{"backgroundUri": uri, "fontUrl": font} for uri in uris], brandLogo={"url": "https://example.com/l"}
    )
    assert made.picture_urls == ["https://example.com/a.mp4", "s3://bucket/b.jpg"]
    assert set(made.font_urls) == {font}
    assert made.logo is not None


def test_a_split_scene_becomes_several_each_of_the_minimum_duration() -> None:
    scene = {
        "text": "One. Two.\nThree.",
        "minimumDuration": 3,
        "splitTextOnPeriod": True,
        "splitTextOnNewLine": True,
    }
    made = plan([scene, {"text": "Four. Five."}])
    assert [part.text for part in made.scenes] == ["One.", "Two.", "Three.", "Four. Five."]
    assert [part.seconds for part in made.scenes[:3]] == [3, 3, 3]
    assert [part.video_seconds_before for part in made.scenes] == [0, 3, 6, 0]
    assert len({part.shades for part in made.scenes}) == 2


def test_keywords_are_highlighted_when_asked_for() -> None:
    scenes = [{"text": "They told Anna Berger of it."}]
    assert plan(scenes, autoHighlightKeywords=True).scenes[0].keywords == {"Anna", "Berger"}
    assert (
        plan(scenes).scenes[0].keywords
        == plan(scenes, autoHighlightKeywords=False).scenes[0].keywords
        == set()
    )


def test_an_address_that_is_none_is_left_to_be_fetched() -> None:
    (scene,) = plan([{"text": "One", "backgroundUri": "https://[x#t=1"}]).scenes
    assert scene.picture_url == "https://[x"
