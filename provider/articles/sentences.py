"""A paragraph -> its sentences: found by sentencex, then mended where its rules are known to fail."""
# ruff: noqa: RUF001 - it knows the marks of other languages

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

from .errors import articles_extra

# A sentence ends here with an address, with a bracket, or before a number, and sentencex goes on.
_MISSED_END = re.compile(
    r"(?:(?:www\.|://)\S{1,200}\.|[.!?…]\)) +(?=[^\W\d_a-zà-öø-ÿа-я]|[«“„\"¿¡])|[。！？](?=\d)"
)
_NUMBERED = re.compile(
    r"(?:\b(?:abb|approx|art|bd|cap|chap|ch|eq|figs?|hfst|kap|nos?|nr|núm|n|pag|pág|pp?|s|sec|tab|vol|vols)"
    r"|\w*(?:str|straat)|\b(?:гл|п|рис|с|стр|табл|т))\.\s*$",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"\b(?:arch|av|avda|avv|bd|blvd|capt|col|dhr|doc|drs|ds|eng|frl|gen|gov|hon|ing|ir|lt|mevr|mgr|mm|rep"
    r"|rev|sen|sgt|srta|акад|доц|проф)\.\s*$",
    re.IGNORECASE,
)
_INITIAL = re.compile(r"(?:^|[\s(«“„\"'’‘-])[^\W\d_]\.\s*$")
_GERMAN_ORDINAL = re.compile(
    r"\b(?:der|die|das|dem|den|des|im|am|vom|zum|zur|beim|(?:ein|ihr|sein|jed|dies)\w*) \d{1,3}\.\s*$",
    re.IGNORECASE,
)
_PAIRS = dict(zip("）」』”", "（「『“", strict=True))
_WHO_SAYS_IT = re.compile(r"(?:と|って)|[^\W没不]{1,4}(?:问|说|道|喊|叫)")

_LOOKED_BACK = 60
"""Characters before the end of a sentence in which an abbreviation is looked for; so a long text takes no longer."""


def sentences_of(paragraph: str, language: str | None = None) -> list[str]:
    """Return a paragraph's sentences in order, each with the space after it; joined they are the paragraph.

    In doubt two sentences stay together: a scene that is longer than needed is better than one that begins in
    the middle of a sentence. docs/templates.md says which languages were tried and what is known to fail
    (source: ours).

    :param paragraph: plain text on one line.
    :param language: its language, such as ``en`` or ``en-GB``; English rules where unknown.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    with articles_extra():
        import sentencex

    code = re.split("[-_]", language or "en")[0].lower()
    found = chain.from_iterable(_with_missed_ends(part) for part in sentencex.segment(code, paragraph))
    sentences: list[list[str]] = []
    before = ""
    for part in found:
        if sentences and _goes_on(before, part, code):
            sentences[-1].append(part)
            before = (before + part)[-_LOOKED_BACK:]
        else:
            sentences.append([part])
            before = part[-_LOOKED_BACK:]
    return list(map("".join, sentences))


def _with_missed_ends(sentence: str) -> list[str]:
    ends = list(_missed_ends(sentence))
    return [sentence[a:b] for a, b in zip([0, *ends], [*ends, len(sentence)], strict=True) if a < b]


def _missed_ends(sentence: str) -> Iterator[int]:
    """Where a sentence ends within what was taken for one, as no bracket or quotation is open there."""
    marks: Counter[str] = Counter()
    counted = 0
    for match in _MISSED_END.finditer(sentence):
        marks.update(sentence[counted : match.end()])
        counted = match.end()
        if not any(marks[opening] > marks[closing] for closing, opening in _PAIRS.items()):
            yield counted


def _goes_on(before: str, after: str, code: str) -> bool:
    """Whether what was cut off as a sentence of its own is the same sentence still."""
    first = after.lstrip(" —–-")[:1]
    if code in ("ja", "zh"):
        return before.rstrip().endswith(("」", "』", "”")) and bool(_WHO_SAYS_IT.match(after))
    if first.islower() or before.endswith("."):
        return True
    if first.isdigit():
        return bool(_NUMBERED.search(before))
    is_name = first.isupper() and (_TITLE.search(before) or _ends_with_initial(before))
    return bool(is_name or (code == "de" and _GERMAN_ORDINAL.search(before)))


def _ends_with_initial(before: str) -> bool:
    return bool(_INITIAL.search(before)) and before.rstrip()[-2].isupper()
