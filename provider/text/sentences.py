"""A paragraph -> its sentences: found by sentencex, then mended where its rules are known to fail."""
# ruff: noqa: RUF001 - it knows the marks of other languages

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from ..extras import articles_extra

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
MAX_READ = 5_000
"""Characters that sentencex gets at once; for marks that open and never close its time grows with the square (ours)."""


def sentences_of(paragraph: str, language: str | None = None) -> list[str]:
    """Return a paragraph's sentences in order, each with the space after it; joined they are the paragraph.

    In doubt two sentences stay together: a scene that is longer than needed is better than one that begins in
    the middle of a sentence. docs/measured/sentences.md says which languages were tried and what is known to fail
    (source: ours).

    :param paragraph: plain text on one line.
    :param language: its language, such as ``en`` or ``en-GB``; English rules where unknown.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    with articles_extra():
        import sentencex

    code = re.split("[-_]", language or "en")[0].lower()
    segment = partial(sentencex.segment, code)
    sentences: list[list[str]] = []
    before = ""
    for part, is_cut in _segmented(paragraph, segment):
        if sentences and (is_cut or _goes_on(before, part, code)):
            sentences[-1].append(part)
            before = (before + part)[-_LOOKED_BACK:]
        else:
            sentences.append([part])
            before = part[-_LOOKED_BACK:]
    return list(map("".join, sentences))


def _segmented(paragraph: str, segment: Callable[[str], list[str]]) -> Iterator[tuple[str, bool]]:
    """The paragraph's parts, and whether each is the rest of a sentence that was too long to be read at once."""
    start, is_cut = 0, False
    marks: Counter[str] = Counter()
    while start < len(paragraph):
        window = paragraph[start : start + MAX_READ]
        is_last = start + len(window) == len(paragraph)
        if not is_last:
            window = window[: window.rfind(" ") + 1] or window
        parts: list[str] = []
        for number, sentence in enumerate(segment(window)):
            if number or not is_cut:
                marks.clear()
            parts += _with_missed_ends(sentence, marks)
        if not is_last and len(parts) > 1:
            # The last may go on after the window, so it is read again with what follows.
            parts.pop()
        for number, part in enumerate(parts):
            yield part, is_cut and not number
            start += len(part)
        is_cut = parts == [window]


def _with_missed_ends(sentence: str, marks: Counter[str]) -> list[str]:
    ends = list(_missed_ends(sentence, marks))
    return [sentence[a:b] for a, b in zip([0, *ends], [*ends, len(sentence)], strict=True) if a < b]


def _missed_ends(sentence: str, marks: Counter[str]) -> Iterator[int]:
    """Where a sentence ends within what was taken for one, as no bracket or quotation is open there.

    The marks are those that the sentence has before; all of it is counted in.
    """
    counted = 0
    for match in _MISSED_END.finditer(sentence):
        marks.update(sentence[counted : match.end()])
        counted = match.end()
        if not any(marks[opening] > marks[closing] for closing, opening in _PAIRS.items()):
            yield counted
    marks.update(sentence[counted:])


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
