"""The brand logo, in front of every scene."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from ...contract.storyboard import BrandLogo
from .scene_front import margin_of, place


@dataclass(frozen=True)
class Logo:
    """A logo and where it stands. Source: the interface, "Brand Logo object".

    :param width: a part of the picture's width, 0 to 1
    """

    url: str
    vertical: str
    horizontal: str
    width: float


def logo_of(asked: BrandLogo | None) -> Logo | None:
    """Read what a storyboard says about its logo.

    :param asked: brandLogo of the request
    :return: nothing when there is none to fetch
    """
    if asked is None or asked.url is None:
        return None
    part = float(asked.width.rstrip("%")) / 100
    return Logo(asked.url, asked.verticalAlignment, asked.horizontalAlignment, min(part, 1.0))


def put_logo(front: Image.Image, logo: Logo, picture: Image.Image) -> None:
    """Draw a logo over a scene's front, as wide as asked for, or narrower where it would leave the picture.

    :param front: a picture with transparency
    :param logo: where it stands
    :param picture: the logo itself, with or without transparency
    """
    width, height = front.size
    margin = margin_of(width, height)
    room = (width - 2 * margin, height - 2 * margin)
    scale = min(logo.width * width / picture.width, room[0] / picture.width, room[1] / picture.height)
    size = (round(picture.width * scale), round(picture.height * scale))
    if 0 in size:
        return
    drawn = picture.convert("RGBA").resize(size, Image.Resampling.LANCZOS)
    left = place(logo.horizontal, width, size[0], margin)
    top = place(logo.vertical, height, size[1], margin)
    front.alpha_composite(drawn, (left, top))
