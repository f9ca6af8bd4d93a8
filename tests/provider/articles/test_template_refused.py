"""Which templates of a storyboard are refused, and what is said of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.provider.articles.template import StoryboardTemplate
from airflow_video_creation.provider.errors import ConfigurationError, InvalidRequestError


def problems(template: Any) -> str:
    with pytest.raises(InvalidRequestError) as raised:
        StoryboardTemplate.read(template)
    return str(raised.value)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ({"max_scene": 1}, "max_scene: is not a rule of a template; did you mean 'max_scenes'?"),
        ({"videoWidth": 640}, "write it under storyboard, as storyboard.videoWidth"),
        (
            {"storyboard": {"videoWidht": 1}},
            "storyboard.videoWidht: is not a field of the interface; did you mean",
        ),
        ({"storyboard": {"scenes": []}}, "storyboard.scenes: comes from the article"),
        ({"storyboard": {"videoName": "x"}}, "storyboard.videoName: comes from the article"),
        ({"title_scene": {"text": "x"}}, "title_scene.text: comes from the article"),
        ({"title_scene": {"fontSize": "big"}}, "title_scene.fontSize: must be a whole number (given: 'big')"),
        ({"lead_picture": "all"}, "lead_picture: must be 'every', 'first' or 'none'"),
        ({"backgrounds": "s3://media/b.mp4"}, "backgrounds: must be a list"),
        (
            {"backgrounds": ["s3://media/b.mp4", "ftp://x/y"]},
            "backgrounds[1].backgroundUri: must be 's3://bucket/key'",
        ),
        ({"words_per_scene": 0}, "words_per_scene: must be greater than or equal to 1"),
        ({"seconds_per_scene": float("inf")}, "seconds_per_scene: must be less than 86400"),
        ({"seconds_per_scene": 1e308}, "seconds_per_scene: must be less than 86400"),
        ("seconds_per_scene: .nan", "seconds_per_scene: must be greater than 0"),
        ("max_seconds: .inf", "max_seconds: must be less than 86400"),
        ({"self": 1}, "self: is not a rule of a template"),
        ({"max_seconds": "long"}, "max_seconds: must be a number"),
        ({"words_per_scene": 1, "seconds_per_scene": 1}, "the template: has both words_per_scene and"),
        ({"max_scenes": 1, "closing_scene": "x"}, "has 2 scenes of its own, and max_scenes is 1"),
        ({"voices": {"default": {}}}, "the voice for all other languages is storyboard.audio.aiVoiceOver"),
        ("voices: {no: {speaker: Ola}}", "has the language False: write it in quotes"),
        (
            {"voices": {"de": {"speker": "x"}}},
            "voices.de.speker: is not a field of the interface; did you mean 'speaker'?",
        ),
        ({"closing_scene": "{titel}"}, "asks for {titel}, which articles do not have; did you mean {title}?"),
        ({"closing_scene": "{title.__class__}"}, "asks for {title.__class__}"),
        ({"closing_scene": "{0}"}, "there are {title}, {author}, {url}, {site}, {published}"),
        ({"closing_scene": "{title!r}"}, "{title} takes no format"),
        ({"closing_scene": "{title:>9999}"}, "{title} takes no format"),
        ({"closing_scene": "50 } off"}, "write a literal brace twice"),
        (
            {"closing_scene": '<break time="{title}"/>'},
            "a placeholder cannot be used inside a tag, a comment or CDATA",
        ),
        ({"closing_scene": "<p>{title}\n</p>"}, "must close every tag on its own line"),
        ({"closing_scene": "Salt & <b>tide</b>"}, "holds SSML that cannot be read"),
        ({"closing_scene": " "}, "closing_scene.text: must not be empty"),
        ("- words_per_scene", "must be an object with fields, but is a list"),
        ("", "must be an object with fields, but is empty"),
        (7, "must be an object with fields, not int"),
    ],
)
def test_a_wrong_template_is_refused_where_it_is_wrong(template: Any, message: str) -> None:
    assert message in problems(template)


def test_all_problems_are_told_at_once() -> None:
    told = problems({"max_scene": 1, "lead_picture": "all", "storyboard": {"videoWidth": "wide"}})
    assert told.startswith("The storyboard template has 3 problems")


def test_a_file_that_cannot_be_read_is_named_with_what_to_do(tmp_path: Path) -> None:
    binary = tmp_path / "style.yaml"
    binary.write_bytes(b"\xff\xfe")
    for file in (tmp_path / "none", tmp_path, binary):
        with pytest.raises(ConfigurationError, match=r"cannot be read .*Path\(__file__\)\.with_name"):
            StoryboardTemplate.read(file)


def test_a_name_is_not_taken_for_a_path() -> None:
    with pytest.raises(ConfigurationError, match=r"'style.yaml' is a text and not a path. Give Path\("):
        StoryboardTemplate.read("style.yaml")


def test_problems_of_a_file_name_it(tmp_path: Path) -> None:
    file = tmp_path / "style.yaml"
    file.write_text("max_scene: 3", "utf-8")
    assert f"The storyboard template {file} has 1 problem" in problems(file)
