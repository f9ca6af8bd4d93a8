"""Text of a template with placeholders for an article's values, such as ``{title}``.

The article's words are inserted as data: nothing in them acts as a placeholder, a template or a tag.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from string import Formatter
from xml.sax.saxutils import escape

from ..text.markup import is_xml

PLACEHOLDERS = ("title", "author", "url", "site", "published")
"""The names allowed in braces: ``site`` is the address's host without ``www.``, ``published`` a date (ours)."""

_PLACE_IN_TAG = re.compile(r"</?[A-Za-z][^>]*?(?<!\{)\{\w+|<[!?]")


def check_placeholders(text: str) -> str:
    """Return a text unchanged, after checking its braces and tags (source: ours).

    :param text: of a template; a literal brace is written twice.
    :raises ValueError: a brace is single, the name in it is not known, or it is inside a tag.
    """
    try:
        places = [name for _, name in _parts(text) if name is not None]
    except ValueError as error:
        raise ValueError(f"cannot be read ({error}); write a literal brace twice: {{{{") from None
    for name in places:
        if name not in PLACEHOLDERS:
            near = difflib.get_close_matches(name[:80], PLACEHOLDERS, n=1)
            known = ", ".join(f"{{{known}}}" for known in PLACEHOLDERS)
            hint = f"did you mean {{{near[0]}}}?" if near else f"there are {known}"
            raise ValueError(f"asks for {{{name[:80]}}}, which articles do not have; {hint}")
    if found := _PLACE_IN_TAG.search(text):
        raise ValueError(
            f"has {found[0][-20:]!r}: a placeholder cannot be used inside a tag, a comment or CDATA"
        )
    return text


def filled_in(text: str, values: Mapping[str, str]) -> str:
    """Return the text of a scene, with an article's values inserted as XML text (source: ours).

    A line with a placeholder whose value is empty is left out, and so is an empty line.

    :param text: checked by ``check_placeholders``; SSML, each line of it well-formed, or plain text.
    :param values: by the names of ``PLACEHOLDERS``.
    """
    if not is_xml(text):
        text = escape(text)
    lines = []
    for line in text.splitlines():
        parts = list(_parts(line))
        if all(values[name] for _, name in parts if name is not None):
            lines.append("".join(words + (escape(values[name]) if name else "") for words, name in parts))
    return "\n".join(line.strip() for line in lines if line.strip())


def _parts(text: str) -> Iterator[tuple[str, str | None]]:
    """Each run of words with the name of the placeholder after it."""
    for words, name, form, conversion in Formatter().parse(text):
        if form or conversion:
            raise ValueError(f"{{{name}}} takes no format")
        yield words, name
