"""SSML in the text of a scene: what of it is seen, and whether it is spoken as SSML.

Text that is well-formed XML once it stands in `<speak>` is read as XML, with or without tags; any other, such as
one with a bare `&` or `<`, is plain text as it stands. Source: ours; the interface says only that SSML is allowed.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree


def visible_text(text: str) -> str:
    """Return what a viewer reads: entities are resolved, and SSML tags left out.

    :param text: text of a scene
    """
    root = _speak_element(text)
    if root is None:
        return text.strip()
    if not len(root):
        return (root.text or "").strip()
    # Tags part words, as in <s>One.</s><s>Two.</s>.
    spaced = re.sub(r"[ \t]+", " ", " ".join(root.itertext()))
    return re.sub(r" +([.,;:!?])", r"\1", spaced).strip()


def well_formed_ssml(text: str) -> str | None:
    """Return `text` as one SSML document, or None when it has no tags or is not well-formed.

    :param text: text of a scene
    """
    root = _speak_element(text)
    if root is None or not len(root):
        return None
    first = root[0]
    is_document = (
        first.tag == "speak" and len(root) == 1 and not f"{root.text or ''}{first.tail or ''}".strip()
    )
    return text if is_document else f"<speak>{text}</speak>"


def _speak_element(text: str) -> ElementTree.Element | None:
    """Read text as the content of `<speak>`; None when it is not well-formed."""
    # A prefix such as amazon: is not declared in the text itself.
    document = f'<speak xmlns:amazon="urn:amazon">{text}</speak>'
    try:
        return ElementTree.fromstring(document)  # noqa: S314 - inside <speak> there is no DOCTYPE, so no entities
    except ElementTree.ParseError:
        return None
