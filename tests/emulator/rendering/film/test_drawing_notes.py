"""What of the text is drawn otherwise than asked for is said once a film."""

import io
from typing import Any

import fontpkg
import pytest
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.rendering.film.drawing_notes import notes_on_drawing
from airflow_video_creation.emulator.rendering.film.plan import plan_film
from airflow_video_creation.emulator.rendering.text.typeface import Typeface

FONT = "https://example.com/a.ttf"


def notes(*scenes: dict[str, Any], media: dict[str, Any] | None = None) -> list[str]:
    about = {"videoName": "v", "scenes": [{"voiceOver": False, **scene} for scene in scenes]}
    return notes_on_drawing(plan_film(StoryboardRequest.model_validate(about)), media or {})


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Noto Sans", []),
        ("noto serif", []),
        ("Arial", ["fontFamily Arial (Noto Sans instead)"]),
        ("Times New Roman", ["fontFamily Times New Roman (Noto Serif instead)"]),
        ("Courier New", ["fontFamily Courier New (Roboto Mono instead)"]),
        ("Unheard Of", ["fontFamily Unheard Of (Noto Sans instead)"]),
    ],
)
def test_a_family_that_is_not_at_hand(asked: str, said: list[str]) -> None:
    assert notes({"text": "One", "fontFamily": asked}, {"text": "Two", "fontFamily": asked}) == said


def test_letters_that_no_font_has() -> None:
    (note,) = notes({"text": "\u4f60 a\u0308\u0323\u0301 \u200d\ufe0f"}, {"text": "\u4f60\u597d"})
    assert "\u4f60 (U+4F60 CJK UNIFIED IDEOGRAPH-4F60), \u597d" in note
    assert note.count("U+") == 2


def test_a_weight_that_a_font_has_not() -> None:
    variable = TTFont(fontpkg.path("Roboto Mono"))
    content = io.BytesIO()
    instantiateVariableFont(variable, {"wght": 400}).save(content)
    font = Typeface(content.getvalue())
    scene = {"text": "One", "fontUrl": FONT}
    assert notes(scene, media={FONT: font}) == []
    assert notes({**scene, "fontWeight": "bold"}, media={FONT: font}) == [
        "fontWeight 700 (the font at fontUrl has one weight)"
    ]


def test_a_font_with_a_letter_of_its_own_is_not_missing_it() -> None:
    font = Typeface(fontpkg.path("Roboto Mono").read_bytes())
    assert notes({"text": "One", "fontUrl": FONT, "fontWeight": "bold"}, media={FONT: font}) == []


def test_what_could_not_be_fetched() -> None:
    about = {"videoName": "v", "brandLogo": {"url": "https://example.com/logo.png"}}
    plan = plan_film(StoryboardRequest.model_validate({**about, "scenes": [{"fontUrl": FONT}]}))
    assert notes_on_drawing(plan, {}) == [
        "brandLogo (the log says why)",
        "fontUrl (Noto Sans instead; the log says why)",
    ]
    assert notes_on_drawing(plan, {FONT: Typeface(fontpkg.path("Roboto Mono").read_bytes())}) == [
        "brandLogo (the log says why)"
    ]


def test_a_weight_that_nobody_knows() -> None:
    assert notes({"text": "One", "fontWeight": "hefty"}) == ["fontWeight 'hefty' (400 instead)"]
