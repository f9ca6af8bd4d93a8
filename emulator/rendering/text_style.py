"""The style in which a scene's text is drawn: the scene's own values over the storyboard's over the defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..contract.storyboard import Scene, TextStyles
from .colours import Rgba, parse_colour

_WEIGHTS = {
    "thin": 100,
    "light": 300,
    "normal": 400,
    "regular": 400,
    "medium": 500,
    "semibold": 600,
    "bold": 700,
}
_WEIGHTS |= {"extrabold": 800, "black": 900}


@dataclass(frozen=True)
class TextStyle:
    """A style with every value set. Source: the interface, "Text Styles object".

    :param weight: 100 to 900
    :param size: the request's fontSize; how many pixels that is depends on the picture's height
    """

    weight: int
    size: int
    colour: Rgba
    background: Rgba
    vertical: str
    horizontal: str


def style_of_scene(defaults: TextStyles | None, scene: Scene) -> TextStyle:
    """Merge what the storyboard and the scene say about the style.

    :param defaults: the storyboard's textStyles
    :param scene: may override each value
    """
    values: dict[str, Any] = {
        "fontWeight": "normal",
        "textColor": "#FFFFFF",
        "fontSize": 24,
        "textBackgroundColor": "#111111",
        "verticalAlignment": "bottom",
        "horizontalAlignment": "left",
    }
    for source in (defaults, scene.textStyles, scene):
        if source is not None:
            given = source.model_dump(include=set(values), exclude_none=True)
            values.update(given)
    return TextStyle(
        weight=_weight(values["fontWeight"]),
        size=values["fontSize"],
        colour=parse_colour(values["textColor"]),
        background=parse_colour(values["textBackgroundColor"]),
        vertical=values["verticalAlignment"],
        horizontal=values["horizontalAlignment"],
    )


def _weight(name: str) -> int:
    if name.isascii() and name.isdigit():
        return min(max(int(name), 100), 900)
    return _WEIGHTS.get(name.lower().replace("-", "").replace(" ", ""), 400)
