"""SSML in the text of a scene: what of it is seen, and whether it can be spoken as SSML."""

from __future__ import annotations

import re
from html import unescape
from xml.etree import ElementTree

_ELEMENTS = (
    "amazon:[a-z-]+|audio|break|desc|emphasis|lang|lexicon|mark|p|par|phoneme|prosody|s|say-as|seq|speak|sub|"
    "voice|w|media"
)
_TAG = re.compile(rf"</?(?:{_ELEMENTS})(?=[\s/>])[^<>]*>", re.IGNORECASE)


def has_ssml(text: str) -> bool:
    """Tell whether `text` holds an SSML tag.

    :param text: text of a scene
    """
    return _TAG.search(text) is not None


def visible_text(text: str) -> str:
    """Leave out SSML tags, so that only what a viewer reads remains. Text without tags stays as it is.

    :param text: text of a scene
    """
    if not has_ssml(text):
        return text.strip()
    without_tags = unescape(_TAG.sub(" ", text))
    spaced = re.sub(r"[ \t]+", " ", without_tags)
    return re.sub(r" +([.,;:!?])", r"\1", spaced).strip()


def well_formed_ssml(text: str) -> str | None:
    """Return `text` as one SSML document, or None when it has no tags or they do not nest.

    :param text: text of a scene
    """
    if not has_ssml(text):
        return None
    document = text if re.match(r"\s*<speak[\s>]", text) else f"<speak>{text}</speak>"
    # A prefix such as amazon: is not declared in the text itself.
    declared = re.sub(r"<speak(?=[\s>])", '<speak xmlns:amazon="urn:amazon"', document, count=1)
    try:
        ElementTree.fromstring(declared)  # noqa: S314 - inside <speak> there is no DOCTYPE, so no entities
    except ElementTree.ParseError:
        return None
    return document
