"""A scene's picture: what stands behind it and in front."""

from itertools import islice
from typing import Any

import numpy as np
import pytest
from PIL import Image

from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.rendering.film.plan import plan_film
from airflow_video_creation.emulator.rendering.film.scene_painter import ScenePainter

WIDTH, HEIGHT = 320, 180
PICTURE, LOGO = "https://example.com/picture.png", "https://example.com/logo.png"


def paint(media: dict[str, Any], scene: dict[str, Any], **fields: Any) -> Image.Image:
    size = {"videoWidth": str(WIDTH), "videoHeight": str(HEIGHT)}
    about = {"videoName": "v", "scenes": [{"voiceOver": False, **scene}], **size, **fields}
    plan = plan_film(StoryboardRequest.model_validate(about))
    return ScenePainter(plan, media).still(plan.scenes[0])


def test_a_background_picture_fills_the_scene() -> None:
    tall = Image.new("RGB", (100, 400), "#00FF00")
    picture = paint({PICTURE: tall}, {"backgroundUri": PICTURE})
    assert picture.getcolors() == [(WIDTH * HEIGHT, (0, 255, 0))]


def test_what_is_clear_in_a_background_picture_is_black() -> None:
    picture = paint({PICTURE: Image.new("RGBA", (8, 8), (255, 255, 255, 0))}, {"backgroundUri": PICTURE})
    assert picture.getcolors() == [(WIDTH * HEIGHT, (0, 0, 0))]


def test_a_half_clear_panel_lets_the_background_through() -> None:
    empty = paint({}, {})
    half = paint(
        {}, {"text": "Text", "textBackgroundColor": "rgba(255,255,255,0.5)", "textColor": "rgba(0,0,0,0)"}
    )
    differs = np.abs(np.asarray(half).astype(int) - np.asarray(empty)).sum(2) > 30
    rows, columns = np.flatnonzero(differs.any(1)), np.flatnonzero(differs.any(0))
    middle = (int(columns[3]), int(rows[len(rows) // 2]))
    assert np.asarray(half.getpixel(middle)) == pytest.approx(
        (np.asarray(empty.getpixel(middle)) + 255) / 2, abs=1
    )


@pytest.mark.parametrize("horizontal", ["left", "center", "right"])
@pytest.mark.parametrize("vertical", ["top", "center", "bottom"])
def test_a_logo_stands_where_it_is_aligned_as_wide_as_asked_for(horizontal: str, vertical: str) -> None:
    logo = {"url": LOGO, "width": "25%", "horizontalAlignment": horizontal, "verticalAlignment": vertical}
    picture = Image.new("RGBA", (40, 20), "#FF0000")
    drawn = np.asarray(
        paint({LOGO: picture, PICTURE: Image.new("RGB", (4, 4))}, {"backgroundUri": PICTURE}, brandLogo=logo)
    )
    rows, columns = np.flatnonzero(drawn[..., 0].any(1)), np.flatnonzero(drawn[..., 0].any(0))
    assert (len(columns), len(rows)) == (80, 40)
    margin = 11
    left = {"left": margin, "center": (WIDTH - 80) // 2, "right": WIDTH - margin - 80}[horizontal]
    top = {"top": margin, "center": (HEIGHT - 40) // 2, "bottom": HEIGHT - margin - 40}[vertical]
    assert (columns[0], rows[0]) == (left, top)


def test_a_logo_lets_through_what_is_clear_in_it() -> None:
    logo = Image.new("RGBA", (40, 40), (255, 0, 0, 0))
    assert paint({LOGO: logo}, {}, brandLogo={"url": LOGO}).tobytes() == paint({}, {}).tobytes()


@pytest.mark.parametrize(("width", "size"), [("0%", (40, 20)), ("100%", (2, 900)), ("100%", (900, 2))])
def test_a_logo_never_leaves_the_picture(width: str, size: tuple[int, int]) -> None:
    paint({LOGO: Image.new("RGB", size)}, {}, brandLogo={"url": LOGO, "width": width})


def test_a_still_picture_is_drawn_once_for_all_its_frames() -> None:
    plan = plan_film(StoryboardRequest.model_validate({"videoName": "v", "scenes": [{"voiceOver": False}]}))
    first, *others = islice(ScenePainter(plan, {}).pictures(plan.scenes[0]), 25)
    assert all(picture is first for picture in others)


def test_a_scenes_parts_stand_on_the_same_and_the_next_scene_does_not() -> None:
    scenes = [{"text": "One. Two.", "splitTextOnPeriod": True}, {"text": "Two."}]
    about = {
        "videoName": "v",
        "scenes": [{"voiceOver": False, **scene} for scene in scenes],
        "videoWidth": str(WIDTH),
        "videoHeight": str(HEIGHT),
    }
    plan = plan_film(StoryboardRequest.model_validate(about))
    painter = ScenePainter(plan, {})
    corners = [painter.still(scene).getpixel((WIDTH - 1, 0)) for scene in plan.scenes]
    assert corners[0] == corners[1] != corners[2]
    assert painter.still(plan.scenes[1]).tobytes() != painter.still(plan.scenes[0]).tobytes()
