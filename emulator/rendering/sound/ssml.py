"""SSML in the text of a scene: what of it is seen, and whether it is spoken as SSML.

Text that is well-formed XML once it is inside `<speak>` is read as XML, with or without tags; any other, such as
one with a bare `&` or `<`, is plain text as it stands. Source: ours; the interface says only that SSML is allowed.
"""

from __future__ import annotations

from xml.etree import ElementTree
from xml.sax.saxutils import escape

from .spoken_text import SpokenText, put_for_espeak


def visible_text(text: str) -> str:
    """Return what a viewer reads: entities are resolved, and SSML tags left out.

    :param text: text of a scene
    """
    return read_text(text).visible


def read_text(text: str) -> SpokenText:
    """Read what a scene shows and says.

    :param text: text of a scene
    """
    root = _speak_element(text)
    if root is not None and len(root):
        return put_for_espeak(root)
    plain = (text if root is None else root.text or "").strip()
    return SpokenText(plain, plain)


def shown_as_written(text: str) -> str:
    """Write a text so that its entities are seen: what a service that does not decode them shows. SSML stays.

    :param text: text of a scene
    """
    root = _speak_element(text)
    return escape(text) if root is not None and not len(root) else text


def is_well_formed(text: str) -> bool:
    """Tell whether `text` is read as XML.

    :param text: text of a scene
    """
    return _speak_element(text) is not None


def _speak_element(text: str) -> ElementTree.Element | None:
    """Read text as the content of `<speak>`; None when it is not well-formed."""
    # A prefix such as amazon: is not declared in the text itself.
    document = f'<speak xmlns:amazon="urn:amazon">{text}</speak>'
    try:
        return ElementTree.fromstring(document)  # noqa: S314 - inside <speak> there is no DOCTYPE, so no entities
    except ElementTree.ParseError:
        return None
