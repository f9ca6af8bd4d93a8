"""The style in which a scene's text is drawn: the scene's own values over the storyboard's over the defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import fontpkg

from ...contract.storyboard import Scene, TextStyles
from ..colours import Rgba, parse_colour
from .typeface import NORMAL_WEIGHT

DEFAULT_KEYWORD_COLOUR = "#FFD23F"
"""Ours: the interface's own default cannot be read."""


@dataclass(frozen=True)
class TextStyle:
    """A style with every value set. Source: the interface, "Text Styles object".

    :param family: as the request names it; absent: the default one
    :param font_url: of a font which goes before the family
    :param weight: 100 to 900
    :param unknown_weight: as the request names it, when it is neither a number nor a known name
    :param shadow: colour of the letters' shadow; absent: none
    :param size: the request's fontSize; how many pixels that is depends on the picture's height
    """

    weight: int
    size: int
    colour: Rgba
    keyword_colour: Rgba
    background: Rgba
    shadow: Rgba | None
    vertical: str
    horizontal: str
    family: str | None = None
    font_url: str | None = None
    unknown_weight: str | None = None


def style_of_scene(defaults: TextStyles | None, scene: Scene) -> TextStyle:
    """Merge what the storyboard and the scene say about the style.

    :param defaults: the storyboard's textStyles
    :param scene: may override each value
    """
    values: dict[str, Any] = {
        "fontUrl": None,
        "fontFamily": None,
        "fontWeight": "normal",
        "textColor": "#FFFFFF",
        "fontSize": 24,
        "keywordColor": DEFAULT_KEYWORD_COLOUR,
        "textBackgroundColor": "#111111",
        "textShadowColor": None,
        "verticalAlignment": "bottom",
        "horizontalAlignment": "left",
    }
    for source in (defaults, scene.textStyles, scene):
        if source is not None:
            given = source.model_dump(include=set(values), exclude_none=True)
            if "fontFamily" in given:
                # A scene that names a family is not drawn in the storyboard's fontUrl.
                values["fontUrl"] = None
            values.update(given)
    weight = _weight(values["fontWeight"])
    return TextStyle(
        weight=weight or NORMAL_WEIGHT,
        unknown_weight=values["fontWeight"] if weight is None else None,
        size=values["fontSize"],
        colour=parse_colour(values["textColor"]),
        keyword_colour=parse_colour(values["keywordColor"]),
        background=parse_colour(values["textBackgroundColor"]),
        shadow=parse_colour(values["textShadowColor"]) if values["textShadowColor"] else None,
        vertical=values["verticalAlignment"],
        horizontal=values["horizontalAlignment"],
        family=values["fontFamily"],
        font_url=values["fontUrl"],
    )


def _weight(name: str) -> int | None:
    if name.isascii() and name.isdigit():
        return min(max(int(name), 100), 900)
    try:
        return int(fontpkg.normalize_weight(name))
    except fontpkg.WeightNotAvailable:
        return None
