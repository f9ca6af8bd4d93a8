"""Colours as requests write them, and the emulator's own palette for scenes without a picture."""

from __future__ import annotations

import re
from dataclasses import dataclass

Rgba = tuple[int, int, int, int]


def parse_colour(text: str) -> Rgba:
    """Read `#RGB`, `#RRGGBB`, `#RRGGBBAA` or `rgba(r,g,b,a)` with `a` from 0 to 1.

    :param text: a colour which the contract has let through
    """
    if text.startswith("#"):
        digits = text[1:]
        if len(digits) == 3:
            digits = "".join(digit * 2 for digit in digits)
        values = bytes.fromhex(digits)
        return values[0], values[1], values[2], values[3] if len(values) == 4 else 255
    red, green, blue, alpha = re.findall(r"[0-9.]+", text)
    return min(int(red), 255), min(int(green), 255), min(int(blue), 255), round(float(alpha) * 255)


@dataclass(frozen=True)
class Shades:
    """The two ends of a background's gradient."""

    dark: str
    light: str


PALETTE = (
    Shades("#102F45", "#2F8493"),
    Shades("#35204F", "#B35A86"),
    Shades("#17352B", "#5E9C70"),
    Shades("#45240F", "#D08A4A"),
    Shades("#191F55", "#5C74DB"),
    Shades("#3F1C26", "#CB6260"),
    Shades("#1F2B33", "#7799A8"),
)


def shades_of_scene(video_name: str, index: int) -> Shades:
    """Choose a scene's shades: always the same for the same video, different from its neighbours'.

    :param video_name: the storyboard's name
    :param index: number of the scene, from 0
    """
    return PALETTE[(sum(video_name.encode()) + index) % len(PALETTE)]
