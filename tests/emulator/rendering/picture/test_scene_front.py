"""A scene's text as it is drawn: where it stands, its colours and fonts, and that none of it leaves the picture."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from airflow_video_creation.emulator.contract.storyboard import Scene, TextStyles
from airflow_video_creation.emulator.rendering.film.scene_painter import fonts_of
from airflow_video_creation.emulator.rendering.picture.scene_front import draw_front
from airflow_video_creation.emulator.rendering.text.font_stack import FontStack
from airflow_video_creation.emulator.rendering.text.text_style import style_of_scene

WIDTH, HEIGHT = 320, 180
NO_PANEL = "rgba(0,0,0,0)"


def draw(
    text: str, keywords: tuple[str, ...] = (), size: tuple[int, int] = (WIDTH, HEIGHT), **asked: Any
) -> Image.Image:
    style = style_of_scene(TextStyles.model_validate(asked), Scene())
    return draw_front(text, style, *size, fonts_of(style, {}), frozenset(keywords))


def box_of(picture: Image.Image) -> tuple[int, int, int, int]:
    """What is drawn: left, top, right, bottom."""
    box = picture.getchannel("A").getbbox()
    assert box is not None
    return box


def colours_of(picture: Image.Image) -> set[Any]:
    return {colour for _, colour in picture.getcolors(1_000_000) or ()}


@pytest.mark.parametrize("horizontal", ["left", "center", "right"])
@pytest.mark.parametrize("vertical", ["top", "center", "bottom"])
def test_text_stands_where_it_is_aligned_with_a_margin(horizontal: str, vertical: str) -> None:
    left, top, right, bottom = box_of(
        draw("Hello", horizontalAlignment=horizontal, verticalAlignment=vertical)
    )
    margins = (left, WIDTH - right) if horizontal == "left" else (WIDTH - right, left)
    if horizontal == "center":
        assert abs(left - (WIDTH - right)) <= 2
    else:
        assert 5 < margins[0] < 20 < margins[1]
    margins = (top, HEIGHT - bottom) if vertical == "top" else (HEIGHT - bottom, top)
    if vertical == "center":
        assert abs(top - (HEIGHT - bottom)) <= 2
    else:
        assert 5 < margins[0] < 20 < margins[1]


def test_a_long_text_stays_inside_the_margins() -> None:
    left, top, right, bottom = box_of(draw("Many words make a long text. " * 30))
    assert left > 5
    assert top > 5
    assert right < WIDTH - 5
    assert bottom < HEIGHT - 5


def test_colours_of_text_and_panel_are_those_asked_for() -> None:
    picture = draw("HH", fontSize=100, fontWeight="bold", textColor="#FF0000", textBackgroundColor="#0000FF")
    assert {(255, 0, 0, 255), (0, 0, 255, 255)} <= colours_of(picture)


@pytest.mark.parametrize("field", ["textColor", "textBackgroundColor", "keywordColor"])
def test_every_colour_may_be_half_clear(field: str) -> None:
    clear = dict.fromkeys(("textColor", "textBackgroundColor", "keywordColor"), NO_PANEL)
    picture = draw("HH II", ("HH",), fontSize=100, **{**clear, field: "rgba(0,255,0,0.5)"})
    assert (0, 255, 0, 128) in colours_of(picture)
    assert max(alpha for *_, alpha in colours_of(picture)) == 128


def test_what_is_clear_is_not_drawn() -> None:
    assert draw("Text", textBackgroundColor=NO_PANEL, textColor=NO_PANEL).getbbox() is None


def test_keywords_have_their_colour_and_their_full_stop_has_not() -> None:
    blue, green = (0, 0, 255, 255), (0, 255, 0, 255)
    style = {
        "keywordColor": "#00FF00",
        "textColor": "#0000FF",
        "textBackgroundColor": NO_PANEL,
        "fontSize": 60,
    }
    assert {blue, green} <= colours_of(draw("Big oaks", ("oaks",), **style))
    assert blue not in colours_of(draw("oaks", ("oaks",), **style))
    assert blue in colours_of(draw("oaks.", ("oaks",), **style))


def test_a_shadow_falls_below_the_letters() -> None:
    style = {"textBackgroundColor": NO_PANEL, "textColor": "#FFFFFF", "fontSize": 60}
    plain, shadowed = (draw("Text", **style, **shadow) for shadow in ({}, {"textShadowColor": "#FF000080"}))
    assert box_of(shadowed)[2] > box_of(plain)[2]
    assert box_of(shadowed)[3] > box_of(plain)[3]
    right, bottom = box_of(plain)[2:]
    beside = np.asarray(shadowed)[bottom - 3, right : right + 3]
    assert beside[:, 0].max() > 200 > 128 >= beside[:, 3].max() > 0


def test_a_scene_overrides_the_storyboards_style() -> None:
    defaults = TextStyles(textColor="#111111", fontSize=30, fontFamily="Noto Serif", keywordColor="#444444")
    scene = Scene(
        textStyles=TextStyles(textColor="#222222", fontWeight="bold", textShadowColor="#555555"),
        textColor="#333333",
    )
    style = style_of_scene(defaults, scene)
    assert (style.colour, style.size, style.weight) == ((0x33, 0x33, 0x33, 255), 30, 700)
    assert (style.family, style.keyword_colour[0], style.shadow) == (
        "Noto Serif",
        0x44,
        (0x55, 0x55, 0x55, 255),
    )


@pytest.mark.parametrize(
    ("scene", "url", "family"),
    [
        ({}, "https://example.com/a.ttf", "Arial"),
        ({"fontFamily": "Georgia"}, None, "Georgia"),
        ({"fontUrl": "https://example.com/b.ttf"}, "https://example.com/b.ttf", "Arial"),
        (
            {"fontUrl": "https://example.com/b.ttf", "fontFamily": "Georgia"},
            "https://example.com/b.ttf",
            "Georgia",
        ),
    ],
)
def test_a_scenes_family_goes_before_the_storyboards_font(
    scene: dict[str, Any], url: str | None, family: str
) -> None:
    defaults = TextStyles(fontUrl="https://example.com/a.ttf", fontFamily="Arial")
    style = style_of_scene(defaults, Scene.model_validate(scene))
    assert (style.font_url, style.family) == (url, family)


def test_families_and_weights_look_different() -> None:
    styles: list[dict[str, Any]] = [
        {},
        {"fontWeight": "bold"},
        {"fontWeight": "900"},
        {"fontFamily": "Times New Roman"},
        {"fontFamily": "Courier New"},
    ]
    pictures = [draw("Weights", fontSize=60, **style).tobytes() for style in styles]
    assert len(set(pictures)) == len(styles)


def test_a_letter_that_no_font_has_is_a_visible_box() -> None:
    style = {"textBackgroundColor": NO_PANEL, "fontSize": 60}
    left, top, right, bottom = box_of(draw("\u4f60", **style))
    assert right - left > 5
    assert bottom - top > 10
    assert draw("\u4f60", **style).tobytes() == draw("\u597d", **style).tobytes()


def test_right_to_left_words_follow_each_other_from_the_right() -> None:
    """The first word, in a font that lacks Latin letters, stands right of the second, in one that has them."""

    class Half:
        """A typeface that has only some letters of another."""

        def __init__(self, whole: Any, letters: str) -> None:
            self.has = lambda letter: letter in letters
            self.font = whole.font

    style = style_of_scene(TextStyles(fontSize=60, textBackgroundColor=NO_PANEL), Scene())
    whole = fonts_of(style, {}).first
    fonts: Any = FontStack(Half(whole, "\u05d0 "), 400)  # type: ignore[arg-type]
    picture = draw_front("\u05d0 i", style, WIDTH, HEIGHT, fonts)
    columns = np.flatnonzero(np.asarray(picture.getchannel("A")).any(0))
    parts = np.split(columns, np.flatnonzero(np.diff(columns) > 3) + 1)
    widths = [len(part) for part in parts]
    assert widths[0] < widths[-1]


@pytest.mark.parametrize("size", [(16, 16), (16, 3998), (3998, 16)])
def test_pictures_of_unlikely_sizes(size: tuple[int, int]) -> None:
    assert draw("Some text", size=size, fontSize=1000).size == size


LETTERS = st.one_of(
    st.characters(codec="utf-8"),
    st.sampled_from(
        list(
            "WWWj\u00c5\u1ea8\u0308\u0301\u0323\u0e49\u0627\u0644\u0915\u094d \u2e3b\n\u00ad\u200d\u202e\ufdfd"
        )
    ),
)


def test_the_largest_letters_are_whole() -> None:
    assert box_of(draw("j", fontSize=1000, textBackgroundColor=NO_PANEL))[1] > 5


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(LETTERS, max_size=120),
    size=st.tuples(st.integers(16, 200), st.integers(16, 200)),
    style=st.fixed_dictionaries(
        {
            "fontSize": st.integers(1, 1000),
            "fontFamily": st.sampled_from(["Arial", "serif", "monospace"]),
            "verticalAlignment": st.sampled_from(["top", "center", "bottom"]),
            "horizontalAlignment": st.sampled_from(["left", "center", "right"]),
        }
    ),
)
def test_no_part_of_a_letter_leaves_the_picture(
    text: str, size: tuple[int, int], style: dict[str, Any]
) -> None:
    """Whatever the text, the outermost pixels stay clear; in tiny pictures nothing that is legible fits."""
    picture = draw(text, size=size, textBackgroundColor=NO_PANEL, **style)
    box = picture.getchannel("A").getbbox()
    if box and min(size) >= 40:
        assert box[0] > 0
        assert box[1] > 0
        assert box[2] < size[0]
        assert box[3] < size[1]
