"""What of a film is drawn otherwise than asked for, in words for the log."""

from __future__ import annotations

import unicodedata

import fontpkg
from PIL import Image

from ..text.font_families import family_drawn_for, typeface_of_family
from ..text.font_stack import drawable
from ..text.text_style import TextStyle
from ..text.typeface import NORMAL_WEIGHT, Typeface
from .media import Media
from .plan import FilmPlan
from .scene_painter import fonts_of

MAX_LETTERS_NAMED = 10


def notes_on_drawing(plan: FilmPlan, media: Media) -> list[str]:
    """Say once a film which fonts, weights, letters and logo are not at hand.

    :param plan: the film
    :param media: address -> what could be fetched
    """
    notes: dict[str, None] = {}
    if plan.logo and not isinstance(media.get(plan.logo.url), Image.Image):
        notes["brandLogo (the log says why)"] = None
    missing: dict[str, None] = {}
    for scene in plan.scenes:
        notes.update(dict.fromkeys(_notes_on_style(scene.style, media)))
        lacking = fonts_of(scene.style, media).missing(drawable(" ".join(scene.text.split())))
        missing.update(dict.fromkeys(sorted(lacking)))
    if missing:
        notes[_note_on_letters(list(missing))] = None
    return list(notes)


def _notes_on_style(style: TextStyle, media: Media) -> list[str]:
    notes = []
    if style.unknown_weight is not None:
        notes.append(f"fontWeight {style.unknown_weight!r} ({style.weight} instead)")
    fetched = media.get(style.font_url) if style.font_url else None
    if isinstance(fetched, Typeface):
        can_be_weighted = fetched.has_weights or style.weight == NORMAL_WEIGHT
        if not can_be_weighted:
            notes.append(f"fontWeight {style.weight} (the font at fontUrl has one weight)")
        return notes
    drawn = family_drawn_for(style.family)
    if style.font_url:
        notes.append(f"fontUrl ({drawn} instead; the log says why)")
    if style.family and fontpkg.slugify(style.family) != fontpkg.slugify(drawn):
        notes.append(f"fontFamily {style.family} ({drawn} instead)")
    if not typeface_of_family(drawn, style.weight).has_weights:
        weights = fontpkg.family(drawn).weights
        if style.weight not in weights:
            notes.append(f"fontWeight {style.weight} ({drawn} has {', '.join(map(str, weights))})")
    return notes


def _note_on_letters(letters: list[str]) -> str:
    named = ", ".join(
        f"{letter} (U+{ord(letter):04X} {unicodedata.name(letter, 'without a name')})"
        for letter in letters[:MAX_LETTERS_NAMED]
    )
    more = f" and {len(letters) - MAX_LETTERS_NAMED} more" if len(letters) > MAX_LETTERS_NAMED else ""
    return f"letters that no available font has, drawn as boxes: {named}{more}; a fontUrl may add them"
