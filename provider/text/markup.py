"""Whether the text of a scene is SSML, and what a text says whose characters are escaped for XML."""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree

_TAG = re.compile(r"</?[A-Za-z!?]")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);")


def is_ssml(text: str) -> bool:
    """Whether something like a tag is in a text, so that the service reads it as SSML (source: ours).

    :param text: of a scene.
    """
    return bool(_TAG.search(text))


def is_xml(text: str) -> bool:
    """Whether a text is SSML or has entities of XML; any other, such as one with a bare &, is plain text.

    Source: ours.

    :param text: of a scene.
    """
    if is_ssml(text):
        return True
    try:
        ElementTree.fromstring(f"<speak>{text}</speak>")  # noqa: S314 - without a tag there is no DTD
    except ElementTree.ParseError:
        return False
    return True


def unescaped(text: str) -> str | None:
    """Return a text with the characters that its entities stand for; SSML and plain text as they are (source: ours).

    :param text: of a scene.
    :return: None where the characters would look like SSML, as which nobody may read them.
    """
    if is_ssml(text) or not is_xml(text):
        return text
    plain = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    return None if is_ssml(plain) else plain
