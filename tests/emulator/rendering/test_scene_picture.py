import numpy as np
import pytest
from PIL import Image

from airflow_video_creation.emulator.contract.storyboard import Scene, TextStyles
from airflow_video_creation.emulator.rendering.colours import PALETTE
from airflow_video_creation.emulator.rendering.scene_picture import draw_scene
from airflow_video_creation.emulator.rendering.text_style import style_of_scene

WIDTH, HEIGHT = 320, 180


def draw(text: str, **style: object) -> Image.Image:
    return draw_scene(
        text, style_of_scene(TextStyles.model_validate(style), Scene()), WIDTH, HEIGHT, PALETTE[0]
    )


def panel_of(picture: Image.Image) -> tuple[int, int, int, int]:
    """The box of what differs from the picture without text: left, top, right, bottom."""
    empty = np.asarray(draw("")).astype(int)
    differs = np.abs(np.asarray(picture).astype(int) - empty).sum(2) > 30
    rows, columns = np.flatnonzero(differs.any(1)), np.flatnonzero(differs.any(0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


@pytest.mark.parametrize("horizontal", ["left", "center", "right"])
@pytest.mark.parametrize("vertical", ["top", "center", "bottom"])
def test_text_stands_where_it_is_aligned_with_a_margin(horizontal: str, vertical: str) -> None:
    left, top, right, bottom = panel_of(
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
    left, top, right, bottom = panel_of(draw("Many words make a long text. " * 30))
    assert left > 5
    assert top > 5
    assert right < WIDTH - 5
    assert bottom < HEIGHT - 5


def test_colours_of_text_and_panel_are_those_asked_for() -> None:
    picture = draw("HH", fontSize=100, fontWeight="bold", textColor="#FF0000", textBackgroundColor="#0000FF")
    colours = {colour for _, colour in picture.getcolors(WIDTH * HEIGHT) or ()}
    assert (255, 0, 0) in colours
    assert (0, 0, 255) in colours


def test_what_is_clear_lets_the_background_through() -> None:
    clear = draw("Text", textBackgroundColor="rgba(0,0,0,0)", textColor="rgba(0,0,0,0)")
    assert clear.tobytes() == draw("").tobytes()
    half = draw("Text", textBackgroundColor="rgba(255,255,255,0.5)", textColor="rgba(0,0,0,0)")
    left, top, _right, bottom = panel_of(half)
    middle = (left + 3, (top + bottom) // 2)
    beneath = np.asarray(draw("").getpixel(middle))
    assert np.asarray(half.getpixel(middle)) == pytest.approx((beneath + 255) / 2, abs=1)


def test_a_scene_overrides_the_storyboards_style() -> None:
    defaults = TextStyles(textColor="#111111", fontSize=30)
    scene = Scene(textStyles=TextStyles(textColor="#222222", fontWeight="bold"), textColor="#333333")
    style = style_of_scene(defaults, scene)
    assert (style.colour, style.size, style.weight) == ((0x33, 0x33, 0x33, 255), 30, 700)


def test_a_background_picture_fills_the_scene() -> None:
    tall = Image.new("RGB", (100, 400), "#00FF00")
    style = style_of_scene(None, Scene())
    picture = draw_scene("", style, WIDTH, HEIGHT, PALETTE[0], tall)
    assert picture.getcolors() == [(WIDTH * HEIGHT, (0, 255, 0))]


@pytest.mark.parametrize("size", [(16, 16), (16, 3998), (3998, 16)])
def test_pictures_of_unlikely_sizes(size: tuple[int, int]) -> None:
    style = style_of_scene(TextStyles(fontSize=1000), Scene())
    assert draw_scene("Some text", style, *size, PALETTE[0]).size == size
