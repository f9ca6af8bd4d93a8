"""The families at hand: every installed package of the `fontpkg` collection, by the name a storyboard gives."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import fontpkg

from .typeface import Typeface

DEFAULT_FAMILY = "Noto Sans"

STAND_INS = {
    "Noto Serif": (
        "serif",
        "Times",
        "Times New Roman",
        "Georgia",
        "Garamond",
        "Palatino",
        "Cambria",
        "Book Antiqua",
    ),
    "Roboto Mono": (
        "monospace",
        "mono",
        "Courier",
        "Courier New",
        "Consolas",
        "Menlo",
        "Monaco",
        "Lucida Console",
    ),
}
"""Family at hand -> the names that are drawn in it unless they are installed; all others become `DEFAULT_FAMILY`."""


def family_drawn_for(name: str | None) -> str:
    """Say in which of the installed families a storyboard's family is drawn.

    :param name: fontFamily of the request; a list such as `Inter, serif` takes the first name at hand
    """
    installed = fontpkg.families()
    for wish in (name or DEFAULT_FAMILY).split(","):
        slug = fontpkg.slugify(wish.strip("\"' "))
        if slug in installed:
            return str(installed[slug].name)
        for family, names in STAND_INS.items():
            if slug in map(fontpkg.slugify, names) and fontpkg.slugify(family) in installed:
                return family
    return DEFAULT_FAMILY


def known_names() -> list[str]:
    """List the names of families that a storyboard may give: the installed ones and those with a stand-in."""
    installed = {family.name for family in fontpkg.families().values()}
    known = {"Arial", *installed, *(name for names in STAND_INS.values() for name in names)}
    return sorted(known, key=str.lower)


def typeface_of_family(name: str, weight: int) -> Typeface:
    """Open an installed family at a weight, or at the nearest one that it has.

    :param name: of an installed family
    :param weight: 100 to 900
    """
    return _open(fontpkg.path(name, weight, nearest=True))


def other_typefaces(weight: int) -> Iterator[Typeface]:
    """Give the typefaces that may have a letter which another lacks: the default first, then all by name.

    :param weight: 100 to 900
    """
    installed = sorted(family.name for family in fontpkg.families().values())
    for name in sorted(installed, key=lambda name: name != DEFAULT_FAMILY):
        yield typeface_of_family(name, weight)


@lru_cache(maxsize=64)
def _open(path: Path) -> Typeface:
    return Typeface(path)
