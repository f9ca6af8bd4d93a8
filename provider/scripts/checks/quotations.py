"""The text in quotation marks."""

from __future__ import annotations

import re

_MARKED = re.compile(
    r"[\"\u201c\u201d\u201e\u201f](?P<double>[^\"\u201c\u201d\u201e\u201f]{1,600})[\"\u201c\u201d\u201f]"
    r"|(?:``|'')(?P<typed>[^`'\n]{1,600})''|[\u301d](?P<prime>[^\u301d-\u301f]{1,600})[\u301e\u301f]"
    r"|[\u2039\u203a](?P<angle>[^\u2039\u203a]{1,600})[\u2039\u203a]"
    r"|\u201a(?P<low>[^\u201a\u2018]{2,600})\u2018"
    r"|[«»](?P<angled>[^«»]{1,600})[«»]"
    r"|「(?P<corner>[^「」]{1,600})」|『(?P<white>[^『』]{1,600})』"
    # One word within single ones may be an apostrophe's.
    r"|(?<!\w)['\u2018\u201a](?P<single>\w[^'\u2018\u2019\u201a]{2,600} [^'\u2018\u2019]{1,600})['\u2019](?!\w)"
)
_SENTENCE = re.compile(r"[^.!?\n]{1,600}")
SAID = "says?|said|sagte?|erzählt|dit|raconte|explique|dice|dijo|ha detto|zegt|zei|säger|mówi|powiedziała?|disse|diz"
"""Words beside the name of whoever speaks, as a part of a pattern."""
_SAID = re.compile(rf", (?:{SAID})\b")
_OF_MYSELF = {
    "de": "ich|mich|mein|meine[mnr]?",
    "en": "I|my|myself",
    "es": "yo|mi",
    "fr": "je|mon|j(?=['\u2019])",
    "it": "io|mio|mia",
    "nl": "ik|mijn",
    "pl": "ja|mój|moja|moje",
    "pt": "eu|meu|minha",
    "sv": "jag|min|mitt",
}
_MARKS = re.compile(r"[\"\u201c-\u201f«»\u2039\u203a]")


def unmarked_quotations_in(text: str, code: str) -> list[str]:
    """What a text has somebody say of themselves without any marks: I cried, says Ann (source: ours).

    :param text: plain text.
    :param code: of its language, such as ``de``.
    """
    myself = _OF_MYSELF.get(code)
    said = []
    for sentence in _SENTENCE.findall(text):
        found = _SAID.search(sentence)
        if not (found and myself) or _MARKS.search(sentence):
            continue
        words = sentence[: found.start()].strip()
        if re.search(rf"\b(?:{myself})\b", words[:1].lower() + words[1:] if code != "en" else words):
            said.append(words)
    return said


def quotations_in(text: str) -> list[str]:
    """What a text quotes, without the marks (source: ours).

    :param text: plain text.
    """
    return [next(filter(None, found.groups())).strip() for found in _MARKED.finditer(text)]
