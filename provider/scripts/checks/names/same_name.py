"""Whether two names are one: in another case, of the people of a place, or by its first letters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..plain_words import letters_in_common

_INFLECTED = (
    "be",
    "bg",
    "cs",
    "et",
    "fi",
    "hr",
    "hu",
    "lt",
    "lv",
    "pl",
    "ro",
    "ru",
    "sk",
    "sl",
    "sr",
    "tr",
    "uk",
)
"""Languages in which a name's ending says what it does in the sentence."""
_SHORTEST_STEM = 3
_LONGEST_ENDING = 4
_SHORTEST_ROOT = 4
_OTHER_FORM = re.compile(
    r"(?:s|es|n|en|e|er|ers|ern|in|a|an|ans|ian|ians|n?ese|ish|i|isch\w*|ain\w*|ais\w*|ien\w*|ien?ne\w*|[aeo]n[oaie]|ense\w*)?"
)
"""Endings of other forms of a name: Norway's, Marburger, Roman."""
_OF_A_PLACE = re.compile(r"(?:land|s|e?g?ian|ean|t?ish|isch\w*|iens?|iennes?|ain[es]?s?)")
"""Endings of what is of a place whose own name has another one: Norway, Norwegian."""


def is_form_of(mine: str, its: str, code: str) -> bool:
    """Whether two words are forms of one name (source: ours).

    :param mine: of a script, as ``folded`` makes it.
    :param its: of the article.
    :param code: of their language, such as ``de``.
    """
    same = letters_in_common(mine, its)
    ends = mine[same:], its[same:]
    if code in _INFLECTED:
        return (
            same >= max(_SHORTEST_STEM, min(len(mine), len(its)) - 2)
            and max(map(len, ends)) <= _LONGEST_ENDING
        )
    if same < _SHORTEST_ROOT:
        return False
    return ("" in ends and all(_OTHER_FORM.fullmatch(end) for end in ends)) or any(
        _OF_A_PLACE.fullmatch(end) for end in ends
    )


def is_short_for(letters: str, run: Sequence[str]) -> bool:
    """Whether some letters are a short form of a name: EPA (source: ours).

    :param letters: without a capital.
    :param run: the words of the name, as ``folded`` makes them.
    """
    initials = [word[0] for word in run]
    if sorted(letters) == sorted(initials):
        return True
    # THW is Technisches Hilfswerk: its letters follow each other in the words, and each word has one.
    if initials[0] != letters[0] or set(initials) - set(letters):
        return False
    rest = iter("".join(run))
    return all(letter in rest for letter in letters)


def parts_of(run: Sequence[str]) -> Iterator[Sequence[str]]:
    """All names of several words within a longer one (source: ours).

    :param run: the words of a name.
    """
    for first in range(len(run)):
        for last in range(first + 2, len(run) + 1):
            yield run[first:last]
