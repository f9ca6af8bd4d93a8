from itertools import pairwise

import pytest

from airflow_video_creation.emulator.rendering.colours import Rgba, parse_colour, shades_of_scene


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("#fff", (255, 255, 255, 255)),
        ("#102030", (16, 32, 48, 255)),
        ("#10203040", (16, 32, 48, 64)),
        ("rgba(1,2,3,1)", (1, 2, 3, 255)),
        ("rgba( 1, 2, 3, 0.5 )", (1, 2, 3, 128)),
        ("rgba(300,2,3,.2)", (255, 2, 3, 51)),
    ],
)
def test_colours_as_requests_write_them(text: str, colour: Rgba) -> None:
    assert parse_colour(text) == colour


def test_neighbouring_scenes_differ_and_stay_as_they_are() -> None:
    shades = [shades_of_scene("trees", index) for index in range(20)]
    assert all(one != next_one for one, next_one in pairwise(shades))
    assert shades == [shades_of_scene("trees", index) for index in range(20)]
